"""What was recorded, and what it means for the match that counts the game."""

from __future__ import annotations

from pathlib import Path

from referee.cli.answer import Answer, Shown
from referee.cli.context import match_of
from referee.cli.look import come_to, facts_told, handed_on, heading
from referee.record.table.sitting import Sitting


def recorded(look: Sitting, what: str, *more: Shown) -> Answer:
    """What was recorded; as everybody may know it unless somebody has said who he is, since nobody has played."""
    _, now = handed_on(look)
    in_match = _in_match(now.log.path)
    lines = [
        heading(now),
        f"Entry {now.log.entry}. {what}",
        *more,
        *come_to(now),
        *(in_match.lines if in_match else ()),
    ]
    facts = in_match.facts if in_match else dict
    return Answer(lines, lambda: {"recorded": now.log.entries[-1], "after": facts_told(now), **facts()})


def _in_match(log: Path | None) -> Answer | None:
    """What it means for the match that counts this game; None: there is none, or it means nothing."""
    match = match_of(log) if log else None
    if log is None or match is None:
        return None
    from referee.cli.commands.match import counted

    return counted(match, log)
