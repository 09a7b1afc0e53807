"""The state of a game at a glance: what happened last, what is due, and the two lines to type that fit now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.context import Context
from referee.cli.dice_text import collect_roll_facts, describe_roll
from referee.cli.effects_text import describe_entry_with_events
from referee.cli.errors import NoGameError
from referee.cli.game_view import (
    collect_summary_facts,
    describe_next_step,
    describe_summary,
    find_bot_to_act,
    needs_named_view,
    suggest_own_view,
)
from referee.engine.dice import Need
from referee.engine.secret import UnknownError
from referee.record.log.entry import AnyEntry, GameEntry, PlayEntry
from referee.record.log.vault import find_vault_path
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.record.archive.match import Match

MAX_LATEST_ROWS = 6
"""The most rows about what happened last; the rest is in the log."""
MAX_SHOWN_ROLLS = 2
"""The most rolls whose numbers and chances are shown."""


def answer_status(context: Context, help_text: Callable[[], str]) -> Answer:
    """Returns the state of the current game. If there is none, returns the text of `help_text`.

    For JSON output, raises NoGameError instead of returning that text.
    """
    try:
        look = context.open_view()
    except NoGameError:
        if context.screen.json:
            raise
        return Answer([FixedRows(help_text().splitlines())], dict)
    return describe_status(context, look)


def describe_status(context: Context, look: SeatView) -> Answer:
    """Returns the state of a game in the view of a seat."""
    heading, *standing = describe_summary(look)
    latest, throws = _list_latest_entries(look), list(_list_due_rolls(context, look))
    told = [line for entry in latest for line in describe_entry_with_events(look, entry)]
    lines: list[AnswerLine] = [heading, *_cut_lines(told, MAX_LATEST_ROWS), *standing]
    match = _find_match(look)
    if match:
        from referee.cli.mail.match_text import describe_match

        lines += describe_match(look, match)
    for words, need in throws[:MAX_SHOWN_ROLLS]:
        lines += [Text(f"{words}: {' '.join(describe_roll(need))}", indent=2, hanging=4)]
    hints = suggest_own_view(look, "status")
    lines += [*hints, *describe_next_step(look), *_suggest_second_step(look), *_describe_own_vaults(look)]
    return Answer(lines, lambda: _collect_facts(look, match, latest, told, throws))


def _collect_facts(
    look: SeatView, match: Match | None, latest: list[AnyEntry], told: list[Text], throws: list[tuple[str, Need]]
) -> dict[str, Any]:
    happened = {"entries": latest, "told": [line.text for line in told]}
    needs = [{"text": words, **collect_roll_facts(need)} for words, need in throws]
    facts = {**collect_summary_facts(look), **happened, "needs": needs}
    if match is None:
        return facts
    from referee.cli.mail.match_text import collect_match_facts

    return facts | collect_match_facts(look, match)


def _find_match(look: SeatView) -> Match | None:
    """Returns the match by mail that the game belongs to.

    Returns None if there is no match, if its log is not here, or if the view is of an earlier entry.
    """
    if not look.facts.header.match or look.at is not None:
        return None
    from referee.record.archive.match_by_mail import open_and_update_match  # few games belong to one

    return open_and_update_match(look.session)


def _list_latest_entries(look: SeatView) -> list[AnyEntry]:
    """Returns the last move of a player, and everything that followed by itself."""
    first = look.log.last_spoken_entry or len(look.log.entries) - 1
    entries = look.log.entries[first : look.log.entry_number + 1]
    return [entry for entry in entries if not isinstance(entry, GameEntry)]


def _cut_lines(told: list[Text], most: int) -> list[Text]:
    """Returns at most `most` lines: all lines, or the first of them and a line that says where to read the rest."""
    return told if len(told) <= most else [*told[: most - 1], Text("... To read it all: referee log --full", indent=6)]


def _list_due_rolls(context: Context, look: SeatView) -> Iterator[tuple[str, Need]]:
    """Yields each roll that the game waits for, or else that a move could need, with its purpose in words."""
    if context.pending:
        yield context.pending.what, context.pending.need
        return
    if look.facts.asked_seat or look.facts.to_act is None or (look.eyes is None and needs_named_view(look)):
        return
    try:
        throws = look.with_eyes(look.eyes or look.facts.to_act).sight.legal.choices_with_roll
    except UnknownError:  # they depend on secrets that are not here
        return
    for choice in throws:
        if choice.need:
            yield look.facts.game.format_choice(choice), choice.need


def _suggest_second_step(look: SeatView) -> Iterator[Text]:
    """Yields a second line that fits now, below the next step."""
    if look.at is not None or look.protocol is not None or find_bot_to_act(look):
        return
    if look.facts.to_act is None:
        yield Text("Next: referee audit   (checks every move and every die)", indent=2)
    elif look.log.last_spoken_entry and isinstance(look.log.entries[look.log.last_spoken_entry], PlayEntry):
        yield Text("Or:   referee undo   (takes back the last move)", indent=2)
    else:
        yield Text("Or:   referee show   (shows the board)", indent=2)


def _describe_own_vaults(look: SeatView) -> Iterator[Text]:
    """Yields the path of each vault of this game that is on this computer, but not in the folder of the log."""
    log = look.log.path
    if log is None:
        return
    for seat in sorted(look.facts.vault_seats & {*look.facts.keepers}):
        vault = find_vault_path(log, seat)
        if vault.parent != log.parent:
            yield Text(f"Secrets of {seat}: {vault}", indent=2, hanging=4)
