"""`referee mail refuse`: refuses an offer by mail."""

import typer

from referee.cli.answer import Answer
from referee.cli.commands.agree import answer_reply


def refuse(ctx: typer.Context) -> Answer:
    """Refuse what another player offers by mail, or take back your own offer. The game goes on.

    \b
      referee mail refuse                referee -g LOG mail refuse
    """
    return answer_reply(ctx.obj, agree=False)
