"""`referee where`: shows where a piece is."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Text
from referee.cli.arguments import ViewOption
from referee.cli.errors import NOT_FOUND, make_negative_answer
from referee.cli.game_view import make_heading
from referee.cli.name_lookup import describe_name, describe_surroundings, suggest_name
from referee.record.table.seat_view import SeatView

NamesArgument = Annotated[list[str], Argument(metavar="PIECE...", help="Pieces or places.")]


def where(ctx: typer.Context, names: NamesArgument, by: ViewOption = None) -> Answer:
    """Find a piece and see how it lies. For a place, see what is there, and what is around it.

    \b
      referee where PIECE           referee where PLACE
    """
    look: SeatView = ctx.obj.open_view(by)
    told = {name: [*describe_name(look, name), *describe_surroundings(look, name)] for name in names}
    unknown = [name for name, lines in told.items() if not lines]
    if unknown:
        what = f"nothing on this board is called {unknown[0]!r}{suggest_name(look, unknown[0])}"
        return make_negative_answer(what, lambda: {"unknown": unknown}, NOT_FOUND)
    lines = [Text(line, indent=2) for found in told.values() for line in found]
    return Answer([make_heading(look), *lines], lambda: {"found": told})
