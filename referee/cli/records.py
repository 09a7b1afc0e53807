"""What players settle in the record: takebacks, amended positions, remarks, opened secrets, branches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import match_of
from referee.cli.entries import describe
from referee.cli.look import Look
from referee.cli.typed import Agreed, By, seats_of
from referee.engine.event import REFEREE
from referee.engine.text import count_of

Remark = Annotated[list[str], Argument(metavar="TEXT...", help="The remark.")]
Numbers = Annotated[list[int] | None, Argument(metavar="[N...]", help="Only these entries.")]


def reveal(ctx: typer.Context, entries: Numbers = None, agreed: Agreed = None) -> Answer:
    """Open secrets for everybody, so that any audit can judge every play. They cannot be closed again.

    The log holds a secret as a hash, and a vault what it is a hash of. A reveal copies that into the log, from the
    vaults that are here.

    \b
      referee reveal 12 --agreed-by SEAT,SEAT
    """
    look: Look = ctx.obj.recording("reveal")
    opened = look.session.reveal(entries or (), agreed=seats_of(agreed, look.names))
    now = look.now()
    lines = [Text(f"{n:>4}  {describe(now, now.entries[n])}", hanging=6) for n in opened]
    done = Text(f"{count_of(len(opened), 'secret')} revealed. Next: referee audit", "good")
    return Answer([now.heading, *lines, done], lambda: {"revealed": opened, "after": now.facts()})


def note(ctx: typer.Context, words: Remark, by: By = None) -> Answer:
    """Put a remark in the record.

    \b
      referee note Anna came late
    """
    look: Look = ctx.obj.recording("note", by)
    look.session.note(" ".join(words), look.eyes or REFEREE)
    return recorded(look.through(None), "Noted.")


def recorded(look: Look, what: str, *more: Shown) -> Answer:
    """What was recorded; as everybody may know it unless somebody has said who he is, since nobody has played."""
    now = look.now()
    in_match = _in_match(now.path)
    lines = [now.heading, f"Entry {now.entry}. {what}", *more, *now.come_to(), *(in_match.lines if in_match else ())]
    facts = in_match.facts if in_match else dict
    return Answer(lines, lambda: {"recorded": now.entries[-1], "after": now.facts(), **facts()})


def _in_match(log: Path | None) -> Answer | None:
    """What it means for the match that counts this game; None: there is none, or it means nothing."""
    match = match_of(log) if log else None
    if log is None or match is None:
        return None
    from referee.cli.match import counted

    return counted(match, log)
