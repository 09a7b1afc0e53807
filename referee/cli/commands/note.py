"""`referee note`: a remark in the record."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.recorded import recorded
from referee.cli.typed import By
from referee.engine.event import REFEREE
from referee.record.table.sitting import Sitting

Remark = Annotated[list[str], Argument(metavar="TEXT...", help="The remark.")]


def note(ctx: typer.Context, words: Remark, by: By = None) -> Answer:
    """Put a remark in the record.

    \b
      referee note Anna came late   referee note --by SEAT TEXT
    """
    look: Sitting = ctx.obj.recording("note", by)
    look.session.note(" ".join(words), look.eyes or REFEREE)
    return recorded(look.through(None), "Noted.")
