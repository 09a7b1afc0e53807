"""`referee who`: whose turn it is."""

import typer

from referee.cli.answer import Answer
from referee.cli.look import Look
from referee.cli.typed import Eyes


def who(ctx: typer.Context, by: Eyes = None) -> Answer:
    """Whose turn it is, what is due, and what to type next.

    \b
      referee who                   referee who --at 12
    """
    look: Look = ctx.obj.look(by)
    return look.answer()
