"""The answer after something was recorded, with the effect on the match of the game."""

from __future__ import annotations

from pathlib import Path

from referee.cli.answer import Answer, AnswerLine
from referee.cli.game_view import (
    collect_summary_facts,
    describe_present_state,
    describe_turn,
    make_heading,
    open_views_before_and_after,
)
from referee.record.log.store import find_match_log
from referee.record.table.seat_view import SeatView


def answer_with_recorded_entry(look: SeatView, what: str, *more: AnswerLine) -> Answer:
    """Returns the answer after an entry was recorded: `what` and `more` about it, then the present state.

    `look` is the game before. The answer keeps the view of `look`, unless `open_views_before_and_after` makes it
    public.
    """
    _, now = open_views_before_and_after(look)
    in_match = _answer_on_match(now.log.path)
    lines = [
        make_heading(now),
        f"Entry {now.log.entry_number}. {what}",
        *more,
        *describe_present_state(now, describe_turn(now.facts)),
        *(in_match.lines if in_match else ()),
    ]
    facts = in_match.facts if in_match else dict
    return Answer(lines, lambda: {"recorded": now.log.entries[-1], "after": collect_summary_facts(now), **facts()})


def _answer_on_match(log: Path | None) -> Answer | None:
    """Returns the answer about a match whose totals no longer fit this game; None without a match, or if they
    still fit.
    """
    match = find_match_log(log) if log else None
    if log is None or match is None:
        return None
    from referee.cli.commands.match import answer_if_match_invalid

    return answer_if_match_invalid(match, log)
