"""`referee resign`: give the game up."""

import typer

from referee.cli.answer import Answer
from referee.cli.consent import agreed_by, unless_agreed
from referee.cli.look import Look
from referee.cli.recorded import recorded
from referee.cli.typed import Agreed, By


def resign(ctx: typer.Context, by: By = None, agreed: Agreed = None) -> Answer:
    """Give the game up: the others have won. Where more than two play, they must agree.

    \b
      referee resign                referee resign --by SEAT
    """
    look: Look = ctx.obj.recording("resign", by)
    speaker, consent = look.speaker, agreed_by(look, agreed)
    typed = f"resign{f' --by {speaker}' if look.eyes else ''}"
    stopped = unless_agreed(ctx.obj, look, speaker, consent, typed, lambda: look.session.resign(speaker, consent))
    return stopped or recorded(look.through(None), f"{look.player(speaker)} resigns.")
