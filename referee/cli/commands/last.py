"""`referee last`: shows what happened last."""

import typer

from referee.cli.answer import Answer, Text
from referee.cli.arguments import Eyes
from referee.cli.entry_text import describe_entry, describe_events
from referee.cli.game_view import heading
from referee.record.log.entry import GameEntry
from referee.record.table.seat_view import SeatView


def last(ctx: typer.Context, by: Eyes = None) -> Answer:
    """Show what happened last: the last move of a player, and everything that followed by itself.

    \b
      referee last                  referee last --by SEAT
    """
    look: SeatView = ctx.obj.look(by)
    first = look.log.last_spoken_entry or len(look.log.entries) - 1
    entries = [
        entry for entry in look.log.entries[first : look.log.entry_number + 1] if not isinstance(entry, GameEntry)
    ]
    lines = []
    for entry in entries:
        lines.append(Text(f"{entry.n:>4}  {describe_entry(look, entry)}", "bold", hanging=6))
        lines += [Text(line, indent=6) for line in describe_events(look, entry)]
    happened = lines or [Text("Nothing has happened yet.", indent=2)]
    return Answer([heading(look), *happened], lambda: {"entries": entries, "told": [line.text for line in lines]})
