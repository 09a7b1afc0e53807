"""`referee redo`: bring back what was taken back."""

import typer

from referee.cli.answer import Answer
from referee.cli.commands.undo import moved
from referee.cli.consent import agreed_by
from referee.cli.context import Context
from referee.cli.mendable import undone_told, unless_refused
from referee.cli.typed import Agreed, By
from referee.record.table import mending
from referee.record.table.sitting import Sitting


def redo(ctx: typer.Context, by: By = None, agreed: Agreed = None) -> Answer:
    """Bring back what the last undo took back, as long as nothing was played since.

    \b
      referee redo                  referee redo --agreed-by SEAT
    """
    look: Sitting = ctx.obj.recording("redo", by, offers=True)
    return unless_refused(look, lambda: _redone(ctx.obj, look, agreed), undone_told)


def _redone(context: Context, look: Sitting, agreed: str | None) -> Answer:
    speaker, consent = look.eyes or mending.last_undoer(look.session), agreed_by(look, agreed)
    return moved(context, look, speaker, consent, "redo", lambda: mending.redo(look.session, speaker, consent))
