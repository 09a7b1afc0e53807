"""`referee note`: adds a remark to the record."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.arguments import By
from referee.cli.record_answer import answer_recorded
from referee.engine.event import REFEREE
from referee.record.table.seat_view import SeatView

Remark = Annotated[list[str], Argument(metavar="TEXT...", help="The remark.")]


def note(ctx: typer.Context, words: Remark, by: By = None) -> Answer:
    """Add a remark to the record.

    \b
      referee note Anna came late   referee note --by SEAT TEXT
    """
    look: SeatView = ctx.obj.look_to_record("note", by)
    look.session.note(" ".join(words), look.eyes or REFEREE)
    return answer_recorded(look.with_eyes(None), "Noted.")
