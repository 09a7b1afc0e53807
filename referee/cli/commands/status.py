"""`referee status`: shows what happened last, whose turn it is, and what comes next. A bare `referee` is the same."""

import typer

from referee.cli.answer import Answer
from referee.cli.arguments import ViewOption
from referee.cli.status_answer import describe_status


def status(ctx: typer.Context, by: ViewOption = None) -> Answer:
    """Show what happened last, whose turn it is, which dice are due, and what to type next. So does referee alone.

    \b
      referee                       referee status --by SEAT
      referee status --at 12
    """
    return describe_status(ctx.obj, ctx.obj.open_view(by))
