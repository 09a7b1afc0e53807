"""`referee finish`: end the game by agreement."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.consent import agreed_by, unless_agreed
from referee.cli.errors import MisuseError
from referee.cli.recorded import recorded
from referee.cli.typed import Agreed, seats_of
from referee.engine.event import REFEREE
from referee.record.table.deeds import settled
from referee.record.table.sitting import Sitting

Winners = Annotated[str, Argument(metavar="SEATS", help="Who has won; several, with commas, tie; draw; nobody.")]


def finish(ctx: typer.Context, winners: Winners, agreed: Agreed = None) -> Answer:
    """End the game by agreement of everybody, and say who has won.

    \b
      referee finish SEAT --agreed-by all
      referee finish draw --agreed-by all
    """
    look: Sitting = ctx.obj.recording("finish", offers=True)
    ways = {"draw": look.facts.seats, "nobody": ()}
    won = tuple(ways[winners.lower()] if winners.lower() in ways else seats_of(winners, look.facts.names))
    if len(set(won)) < len(won):
        raise MisuseError("a winner is named twice")
    consent = agreed_by(look, agreed)
    stopped = unless_agreed(
        ctx.obj, look, REFEREE, consent, f"finish {winners}", lambda: settled.finish(look.session, won, consent)
    )
    return stopped or recorded(look.through(None), "The game is ended by agreement.")
