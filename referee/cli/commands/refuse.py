"""`referee mail refuse`: refuses an offer by mail."""

import typer

from referee.cli.answer import Answer
from referee.cli.commands.agree import reply_to_offer


def refuse(ctx: typer.Context) -> Answer:
    """Refuse what another player offers by mail, or take back your own offer. The game goes on.

    \b
      referee mail refuse                referee -g LOG mail refuse
    """
    return reply_to_offer(ctx.obj, agree=False)
