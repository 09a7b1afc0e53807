"""`referee sits`: lets somebody else play a seat from here on."""

from collections.abc import Iterator
from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Text
from referee.cli.arguments import AgreedByOption, parse_seat
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import REFEREE, Seat
from referee.record.table.deeds.sits import sit_down
from referee.record.table.seat_view import SeatView

SeatArgument = Annotated[str, Argument(metavar="SEAT", help="A seat that was left, or that a bot plays.")]
PlayerArgument = Annotated[list[str], Argument(metavar="NAME", help="The name of the player.")]


def sits(ctx: typer.Context, seat: SeatArgument, name: PlayerArgument, agreed: AgreedByOption = None) -> Answer:
    """Let somebody else play a seat from here on, if all agree.

    Earlier moves and dice stay those of the player before. That player leaves first: referee leaves SEAT. A bot gives
    up its seat at once. By mail the new player types this command, on their own computer.

    \b
      referee sits SEAT NAME        referee sits SEAT NAME --agreed-by all
    """
    look: SeatView = ctx.obj.open_view_to_record("sits", offers=True)
    place, player = str(parse_seat(seat, look.facts.names)), " ".join(name)
    if look.protocol:
        from referee.cli.mail.seat_handover import request_seat_by_mail

        return request_seat_by_mail(look, place, player)
    consent = list_consenting_seats(look, agreed)
    typed = f"sits {place} {player}"
    stopped = record_with_consent(
        ctx.obj, look, REFEREE, consent, typed, lambda: sit_down(look.session, place, player, consent)
    )
    told = f"{player} sits at {place} from here on."
    return stopped or answer_with_recorded_entry(look.with_eyes(None), told, *_describe_secrets(look, place, player))


def _describe_secrets(look: SeatView, seat: Seat, player: str) -> Iterator[Text]:
    """Yields a line about the secrets of a seat that a new player takes; nothing if the seat keeps none."""
    if seat not in look.facts.keepers:
        return
    if seat in look.facts.vault_seats:
        yield Text(f"{player} sees all secrets of {seat} on this computer.", indent=2)
        save = f"referee vault --by {seat} --save FILE"
        yield Text(f"To play on another computer, {player} takes them there: {save}", indent=2, hanging=4)
    else:
        yield Text(f"The secrets of {seat} are on another computer, and {player} plays there.", indent=2, hanging=4)
