"""`referee who`: whose turn it is."""

import typer

from referee.cli.answer import Answer
from referee.cli.look import answered
from referee.cli.typed import Eyes
from referee.record.table.sitting import Sitting


def who(ctx: typer.Context, by: Eyes = None) -> Answer:
    """Whose turn it is, what is due, and what to type next.

    \b
      referee who                   referee who --at 12
    """
    look: Sitting = ctx.obj.look(by)
    return answered(look)
