"""`referee resign`: gives up the game."""

from typing import Annotated

import typer
from msgspec.structs import replace
from typer import Option

from referee.cli.answer import Answer, Text
from referee.cli.arguments import ActingSeatOption, AgreedByOption
from referee.cli.consent import confirm_irreversible, list_consenting_seats, record_with_consent
from referee.cli.game_view import list_human_seats
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import Seat
from referee.record.table.deeds import resign as deed
from referee.record.table.seat_view import SeatView

YesOption = Annotated[bool, Option("--yes", help="Do not ask if you are sure.")]


def resign(
    ctx: typer.Context, by: ActingSeatOption = None, agreed: AgreedByOption = None, yes: YesOption = False
) -> Answer:
    """Give up the game. The others win. If more than two play, they must agree.

    They can also play on without you: referee leaves SEAT.

    \b
      referee resign                referee resign --by SEAT
    """
    look: SeatView = ctx.obj.open_view_to_record("resign", by, offers=True)
    speaker, consent = look.sight.speaker, list_consenting_seats(look, agreed)
    typed = f"resign{f' --by {speaker}' if look.eyes else ''}"
    doubt = None if yes else _describe_consequence(look, speaker)
    unmeant = confirm_irreversible(ctx.obj, look, typed, doubt) if doubt else None
    if unmeant:
        return _add_leaving_choice(look, speaker, unmeant)
    stopped = record_with_consent(
        ctx.obj, look, speaker, consent, typed, lambda: deed.resign(look.session, speaker, consent)
    )
    if stopped:
        return _add_leaving_choice(look, speaker, stopped)
    return answer_with_recorded_entry(look.with_eyes(None), f"{look.facts.format_seat(speaker)} resigns.")


def _add_leaving_choice(look: SeatView, speaker: Seat, asked: Answer) -> Answer:
    """Adds to the answer `asked` the line for leaving without resigning, if more than two play."""
    if len(look.facts.occupied_seats) < 3:
        return asked
    who = "a friend plays" if look.protocol else "the others play"
    line = f"Or {who} on {'for' if look.protocol else 'without'} you: referee leaves {speaker}"
    return replace(asked, lines=[*asked.lines, Text(line, indent=2, hanging=4)])


def _describe_consequence(look: SeatView, speaker: Seat) -> str | None:
    """Returns the consequence of resigning as a clause; None by mail, after the game, or if others must agree."""
    alone = len(look.facts.occupied_seats) <= 2 or {*list_human_seats(look)} - {*look.facts.empty_seats} <= {speaker}
    if look.protocol or look.facts.outcome or not alone:
        return None
    return f"{look.facts.format_seat(speaker)} gives up, and the game is over"
