"""`referee note`: a remark in the record."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.look import Look
from referee.cli.recorded import recorded
from referee.cli.typed import By
from referee.engine.event import REFEREE

Remark = Annotated[list[str], Argument(metavar="TEXT...", help="The remark.")]


def note(ctx: typer.Context, words: Remark, by: By = None) -> Answer:
    """Put a remark in the record.

    \b
      referee note Anna came late   referee note --by SEAT TEXT
    """
    look: Look = ctx.obj.recording("note", by)
    look.session.note(" ".join(words), look.eyes or REFEREE)
    return recorded(look.through(None), "Noted.")
