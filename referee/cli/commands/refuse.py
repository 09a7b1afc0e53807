"""`referee refuse`: what is offered by mail."""

import typer

from referee.cli.answer import Answer
from referee.cli.commands.agree import replied


def refuse(ctx: typer.Context) -> Answer:
    """Refuse what another player offers by mail, or take back your own offer before it is sent; the game goes on.

    \b
      referee refuse                referee -g LOG refuse
    """
    return replied(ctx.obj, agree=False)
