"""What was recorded, and what it means for the match that counts the game."""

from __future__ import annotations

from pathlib import Path

from referee.cli.answer import Answer, Shown
from referee.cli.context import match_of
from referee.cli.look import Look


def recorded(look: Look, what: str, *more: Shown) -> Answer:
    """What was recorded; as everybody may know it unless somebody has said who he is, since nobody has played."""
    _, now = look.handed_on()
    in_match = _in_match(now.path)
    lines = [now.heading, f"Entry {now.entry}. {what}", *more, *now.come_to(), *(in_match.lines if in_match else ())]
    facts = in_match.facts if in_match else dict
    return Answer(lines, lambda: {"recorded": now.entries[-1], "after": now.facts(), **facts()})


def _in_match(log: Path | None) -> Answer | None:
    """What it means for the match that counts this game; None: there is none, or it means nothing."""
    match = match_of(log) if log else None
    if log is None or match is None:
        return None
    from referee.cli.commands.match import counted

    return counted(match, log)
