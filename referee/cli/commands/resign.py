"""`referee resign`: give the game up."""

from typing import Annotated

import typer
from typer import Option

from referee.cli.answer import Answer
from referee.cli.consent import agreed_by, unless_agreed, unless_meant
from referee.cli.look import people_of
from referee.cli.recorded import recorded
from referee.cli.typed import Agreed, By
from referee.engine.event import Seat
from referee.record.table.deeds import resign as deed
from referee.record.table.sitting import Sitting

Yes = Annotated[bool, Option("--yes", help="It is meant; do not ask.")]


def resign(ctx: typer.Context, by: By = None, agreed: Agreed = None, yes: Yes = False) -> Answer:
    """Give the game up: the others have won. Where more than two play, they must agree.

    \b
      referee resign                referee resign --by SEAT
    """
    look: Sitting = ctx.obj.recording("resign", by, offers=True)
    speaker, consent = look.sight.speaker, agreed_by(look, agreed)
    typed = f"resign{f' --by {speaker}' if look.eyes else ''}"
    doubt = None if yes else _doubt(look, speaker)
    unmeant = unless_meant(ctx.obj, look, typed, doubt) if doubt else None
    if unmeant:
        return unmeant
    stopped = unless_agreed(ctx.obj, look, speaker, consent, typed, lambda: deed.resign(look.session, speaker, consent))
    return stopped or recorded(look.through(None), f"{look.facts.player(speaker)} resigns.")


def _doubt(look: Sitting, speaker: Seat) -> str | None:
    """What comes of it, as a clause; None: nothing before others agree, or nothing at all."""
    alone = len(look.facts.seats) == 2 or set(people_of(look)) <= {speaker}
    if look.pact or look.facts.outcome or not alone:
        return None
    return f"{look.facts.player(speaker)} gives the game up with this, and it is over"
