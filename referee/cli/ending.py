"""Ending a game that its rules would let go on: by giving it up, or by agreement."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.consent import unless_agreed
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.records import recorded
from referee.cli.typed import Agreed, By, seats_of
from referee.engine.event import REFEREE

Winners = Annotated[str, Argument(metavar="SEATS", help="Who has won; several, with commas, tie; draw; nobody.")]


def resign(ctx: typer.Context, by: By = None, agreed: Agreed = None) -> Answer:
    """Give the game up: the others have won. Where more than two play, they must agree.

    \b
      referee resign                referee resign --by SEAT
    """
    look: Look = ctx.obj.recording("resign", by)
    speaker, consent = look.speaker, seats_of(agreed, look.names)
    typed = f"resign{f' --by {speaker}' if look.eyes else ''}"
    stopped = unless_agreed(ctx.obj, look, speaker, consent, typed, lambda: look.session.resign(speaker, consent))
    return stopped or recorded(look.through(None), f"{look.player(speaker)} resigns.")


def finish(ctx: typer.Context, winners: Winners, agreed: Agreed = None) -> Answer:
    """End the game by agreement of everybody, and say who has won.

    \b
      referee finish SEAT --agreed-by all
      referee finish draw --agreed-by all
    """
    look: Look = ctx.obj.recording("finish")
    ways = {"draw": look.seats, "nobody": ()}
    won = tuple(ways[winners.lower()] if winners.lower() in ways else seats_of(winners, look.names))
    if len(set(won)) < len(won):
        raise MisuseError("a winner is named twice")
    consent = seats_of(agreed, look.names)
    stopped = unless_agreed(
        ctx.obj, look, REFEREE, consent, f"finish {winners}", lambda: look.session.finish(won, consent)
    )
    return stopped or recorded(look.through(None), "The game is ended by agreement.")
