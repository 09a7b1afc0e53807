"""The seat that a game waits for, the beginning of its wait, and the length of the wait in a game with a pace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.mail.pace import SeatWait, measure_wait
from referee.mail.roll_shares import owes_share_beside_log
from referee.mail.seats import find_own_seat
from referee.record.log.entry import SealEntry
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.session import Session


def find_awaited_seat(session: Session) -> Seat | None:
    """Returns the seat that a game waits for; None if the game is over, whoever has signed its end.

    That is the seat to move; by mail, a seat that owes a share of a joint roll, or else the seat with the pen.
    """
    protocol, mover = session.public.protocol, SeatView(session, None).facts.to_act
    if protocol is None:
        return mover
    if mover is None and not protocol.offers:
        return None
    return _find_owing_seat(session) or protocol.pen or (protocol.seats_to_join or (mover,))[0]


def find_start_of_wait(session: Session) -> str:
    """Returns the time of the last entry if it hands over the pen; otherwise that of the last entry in force."""
    handed = isinstance(session.entries[-1], SealEntry)
    return session.entries[-1 if handed else session.in_force()[-1]].at


def measure_wait_of_game(session: Session) -> SeatWait | None:
    """Returns the wait of a game; None if it has no pace or is over."""
    return measure_wait_for_seat(session, find_awaited_seat(session)) if session.public.header.pace else None


def measure_wait_for_seat(session: Session, seat: Seat | None) -> SeatWait | None:
    """Returns the wait for `seat`, the seat that the game waits for.

    Returns None if the game has no pace, or if `seat` is None because the game waits for nobody.
    """
    public = session.public
    if not public.header.pace or seat is None:
        return None
    return measure_wait(seat, public.header.pace, find_start_of_wait(session), public.paused_until)


def _find_owing_seat(session: Session) -> Seat | None:
    """Returns a seat that owes a share of a joint roll; None if no seat owes one.

    If your own seat owes a share, returns that seat.
    """
    protocol = session.public.protocol
    owing = (
        [seat for seat in protocol.joint_roll.owing_seats if owes_share_beside_log(session, seat)]
        if protocol and protocol.joint_roll
        else []
    )
    you = find_own_seat(protocol) if protocol and owing else None
    return you if you in owing else next(iter(owing), None)
