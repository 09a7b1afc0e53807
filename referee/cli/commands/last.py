"""`referee last`: what happened last."""

import typer

from referee.cli.answer import Answer, Text
from referee.cli.entries import describe, told
from referee.cli.look import Look
from referee.cli.typed import Eyes
from referee.record.log.entry import GameEntry


def last(ctx: typer.Context, by: Eyes = None) -> Answer:
    """What happened last: what somebody said, and all that followed from it by itself.

    \b
      referee last                  referee last --by SEAT
    """
    look: Look = ctx.obj.look(by)
    first = look.said_last or len(look.entries) - 1
    entries = [entry for entry in look.entries[first : look.entry + 1] if not isinstance(entry, GameEntry)]
    lines = []
    for entry in entries:
        lines.append(Text(f"{entry.n:>4}  {describe(look, entry)}", "bold", hanging=6))
        lines += [Text(line, indent=6) for line in told(look, entry)]
    happened = lines or [Text("Nothing has happened yet.", indent=2)]
    return Answer([look.heading, *happened], lambda: {"entries": entries, "told": [line.text for line in lines]})
