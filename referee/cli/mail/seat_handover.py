"""The handover of a seat to a friend in a game by mail, for the commands `sits` and `leaves`.

The friend takes the seat over with a key of their own.
"""

from __future__ import annotations

from shlex import quote

from referee.cli.answer import Answer
from referee.cli.mail.mail_answers import join_by_mail
from referee.engine.event import Seat
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.seat_view import SeatView


def request_seat_by_mail(look: SeatView, seat: Seat, name: str) -> Answer:
    """Asks for a seat for the player at this computer, who will play there under `name`, as `join --as` does.

    Raises NotAllowedError, with the lines to type, if this player has a seat in the game already.
    """
    if find_own_seat(get_mail_protocol(look.session)) is not None:
        raise NotAllowedError(
            f"by mail, {name} asks for {seat} with a key of their own; {describe_handover(seat, name)}"
        )
    return join_by_mail(look, seat, lost_key=False, name=name)


def explain_barred_leaving_by_mail(look: SeatView, seat: Seat, bot: str | None) -> str:
    """Returns, as a clause, why a seat by mail cannot be left, and how a friend gets it."""
    why = "no bot plays by mail" if bot else f"by mail every roll needs {seat}, so {seat} cannot be left empty"
    is_own = find_own_seat(get_mail_protocol(look.session)) == seat
    return f"{why}; {describe_handover(seat)}{'; or give up: referee resign' if is_own else ''}"


def describe_handover(seat: Seat, name: str = "NAME") -> str:
    """Returns, as a clause, how a friend gets a seat: the line to type here, and the line to type there."""
    who = "them" if name != "NAME" else "a friend"
    there = f"they open it and type: referee join {seat} --as {quote(name)}"
    return f"send {who} the game: referee mail pack --from 0; {there}"
