"""`referee redo`: brings back what was taken back."""

import typer

from referee.cli.answer import Answer
from referee.cli.arguments import ActingSeatOption, AgreedByOption
from referee.cli.commands.undo import record_undo_or_redo
from referee.cli.consent import list_consenting_seats
from referee.cli.context import Context
from referee.cli.undo_hints import carry_out_or_suggest, list_undone_plays
from referee.record.table import undo_redo
from referee.record.table.seat_view import SeatView


def redo(ctx: typer.Context, by: ActingSeatOption = None, agreed: AgreedByOption = None) -> Answer:
    """Bring back what the last undo took back, as long as nobody has played since.

    \b
      referee redo                  referee redo --agreed-by SEAT
    """
    look: SeatView = ctx.obj.open_view_to_record("redo", by, offers=True)
    return carry_out_or_suggest(look, lambda: _carry_out_redo(ctx.obj, look, agreed), list_undone_plays)


def _carry_out_redo(context: Context, look: SeatView, agreed: str | None) -> Answer:
    speaker, consent = look.eyes or undo_redo.find_last_undoer(look.session), list_consenting_seats(look, agreed)
    return record_undo_or_redo(
        context, look, speaker, consent, "redo", lambda: undo_redo.redo(look.session, speaker, consent)
    )
