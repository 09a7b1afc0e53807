"""`referee finish`: ends the game by agreement."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.arguments import AgreedByOption, parse_seats
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.errors import MisuseError
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import REFEREE
from referee.record.table.deeds import settle
from referee.record.table.seat_view import SeatView

WinnersArgument = Annotated[
    str, Argument(metavar="SEATS", help="The winner, or several with commas for a tie, or draw, or nobody.")
]


def finish(ctx: typer.Context, winners: WinnersArgument, agreed: AgreedByOption = None) -> Answer:
    """End the game and name the winner, if everyone agrees.

    \b
      referee finish SEAT --agreed-by all
      referee finish draw --agreed-by all
    """
    look: SeatView = ctx.obj.open_view_to_record("finish", offers=True)
    ways = {"draw": look.facts.seats, "nobody": ()}
    won = tuple(ways[winners.lower()] if winners.lower() in ways else parse_seats(winners, look.facts.names))
    if len(set(won)) < len(won):
        raise MisuseError("you named a winner twice; name each winner once")
    consent = list_consenting_seats(look, agreed)
    stopped = record_with_consent(
        ctx.obj,
        look,
        REFEREE,
        consent,
        f"finish {winners}",
        lambda: settle.end_by_agreement(look.session, won, consent),
    )
    return stopped or answer_with_recorded_entry(look.with_eyes(None), "The players have ended the game by agreement.")
