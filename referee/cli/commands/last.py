"""`referee last`: what happened last."""

import typer

from referee.cli.answer import Answer, Text
from referee.cli.entries import describe, told
from referee.cli.look import heading
from referee.cli.typed import Eyes
from referee.record.log.entry import GameEntry
from referee.record.table.sitting import Sitting


def last(ctx: typer.Context, by: Eyes = None) -> Answer:
    """What happened last: what somebody said, and all that followed from it by itself.

    \b
      referee last                  referee last --by SEAT
    """
    look: Sitting = ctx.obj.look(by)
    first = look.log.said_last or len(look.log.entries) - 1
    entries = [entry for entry in look.log.entries[first : look.log.entry + 1] if not isinstance(entry, GameEntry)]
    lines = []
    for entry in entries:
        lines.append(Text(f"{entry.n:>4}  {describe(look, entry)}", "bold", hanging=6))
        lines += [Text(line, indent=6) for line in told(look, entry)]
    happened = lines or [Text("Nothing has happened yet.", indent=2)]
    return Answer([heading(look), *happened], lambda: {"entries": entries, "told": [line.text for line in lines]})
