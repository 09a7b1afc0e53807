"""`referee who`: shows whose turn it is."""

from collections.abc import Iterator

import typer
from msgspec.structs import replace

from referee.cli.answer import Answer, Shown, Text
from referee.cli.arguments import Eyes
from referee.cli.game_view import answer_with_summary
from referee.record.log.vault import vault_path
from referee.record.table.seat_view import SeatView


def who(ctx: typer.Context, by: Eyes = None) -> Answer:
    """Show whose turn it is, what is due, and what to type next.

    \b
      referee who                   referee who --at 12
    """
    look: SeatView = ctx.obj.look(by)
    answer = answer_with_summary(look)
    return replace(answer, lines=[*answer.lines, *_own_places(look)])


def _own_places(look: SeatView) -> Iterator[Shown]:
    """Yields the path of each vault of the game here that is not beside the log."""
    log = look.log.path
    if log is None:
        return
    for seat in sorted(look.facts.vault_seats & {*look.facts.keepers}):
        vault = vault_path(log, seat)
        if vault.parent != log.parent:
            yield Text(f"Secrets of {seat}: {vault}", indent=2, hanging=4)
