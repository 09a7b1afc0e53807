"""`referee where`: where something is."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Text
from referee.cli.errors import no, sentence
from referee.cli.look import heading
from referee.cli.named import near, told_of
from referee.cli.typed import Eyes
from referee.record.table.sitting import Sitting

Named = Annotated[list[str], Argument(metavar="PIECE...", help="Pieces or places.")]


def where(ctx: typer.Context, names: Named, by: Eyes = None) -> Answer:
    """Where a piece is and how it lies; of a place, what is there.

    \b
      referee where PIECE           referee where PLACE
    """
    look: Sitting = ctx.obj.look(by)
    told = {name: list(told_of(look, name)) for name in names}
    unknown = [name for name, lines in told.items() if not lines]
    if unknown:
        what = f"nothing on this board is called {unknown[0]!r}{near(look, unknown[0])}"
        return no(sentence(what), lambda: {"unknown": unknown})
    lines = [Text(line, indent=2) for found in told.values() for line in found]
    return Answer([heading(look), *lines], lambda: {"found": told})
