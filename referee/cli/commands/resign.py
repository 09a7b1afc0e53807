"""`referee resign`: gives up the game."""

from typing import Annotated

import typer
from typer import Option

from referee.cli.answer import Answer
from referee.cli.arguments import Agreed, By
from referee.cli.consent import confirm_irreversible, consenting_seats, require_consent
from referee.cli.game_view import human_seats
from referee.cli.record_answer import answer_recorded
from referee.engine.event import Seat
from referee.record.table.deeds import resign as deed
from referee.record.table.seat_view import SeatView

Yes = Annotated[bool, Option("--yes", help="Do not ask if you are sure.")]


def resign(ctx: typer.Context, by: By = None, agreed: Agreed = None, yes: Yes = False) -> Answer:
    """Give up the game. The others win. If more than two play, they must agree.

    \b
      referee resign                referee resign --by SEAT
    """
    look: SeatView = ctx.obj.look_to_record("resign", by, offers=True)
    speaker, consent = look.sight.speaker, consenting_seats(look, agreed)
    typed = f"resign{f' --by {speaker}' if look.eyes else ''}"
    doubt = None if yes else _doubt(look, speaker)
    unmeant = confirm_irreversible(ctx.obj, look, typed, doubt) if doubt else None
    if unmeant:
        return unmeant
    stopped = require_consent(
        ctx.obj, look, speaker, consent, typed, lambda: deed.resign(look.session, speaker, consent)
    )
    return stopped or answer_recorded(look.with_eyes(None), f"{look.facts.seat_with_name(speaker)} resigns.")


def _doubt(look: SeatView, speaker: Seat) -> str | None:
    """Returns the consequence of resigning as a clause; None by mail, after the game, or if others must agree."""
    alone = len(look.facts.seats) == 2 or set(human_seats(look)) <= {speaker}
    if look.protocol or look.facts.outcome or not alone:
        return None
    return f"{look.facts.seat_with_name(speaker)} gives up, and the game is over"
