"""`referee pause`: lets the pace of a game by mail rest."""

from datetime import UTC, timedelta
from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.consent import record_with_consent
from referee.cli.errors import MisuseError
from referee.cli.mail.pace import read_clock
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import REFEREE
from referee.gate import read_time
from referee.record.log.field_types import MAX_PACE_DAYS, is_day
from referee.record.table.deeds import pause as deed
from referee.record.table.seat_view import SeatView

UntilArgument = Annotated[str, Argument(metavar="DATE", help="The date from which days count again.")]


def pause(ctx: typer.Context, until: UntilArgument) -> Answer:
    """By mail: let the pace rest until a day, such as the end of holidays, if all agree.

    From that day on, the days for a turn count anew. The last pause counts, so a pause until today ends an earlier one.

    \b
      referee pause 2026-12-24      offer it
      referee mail pack             send the offer
    """
    look: SeatView = ctx.obj.open_view_to_record("pause", offers=True)
    _check_day(until)
    stopped = record_with_consent(
        ctx.obj, look, REFEREE, (), f"pause {until}", lambda: deed.pause_pace(look.session, until)
    )
    return stopped or answer_with_recorded_entry(look.with_eyes(None), f"No days count until {until}.")


def _check_day(until: str) -> None:
    """Raises MisuseError unless the text is a day from today on, at most `MAX_PACE_DAYS` days ahead."""
    if not is_day(until):
        raise MisuseError(f"{until!r} is not a date; type it like 2026-12-24")
    ahead = read_time(until).replace(tzinfo=UTC) - read_clock()
    if not timedelta(days=-1) < ahead <= timedelta(days=MAX_PACE_DAYS):
        raise MisuseError(f"a pause ends between today and {MAX_PACE_DAYS} days from now, not on {until}")
