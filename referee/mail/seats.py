"""The players of a game by mail and their seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.mail.key import read_own_public_key
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.mail_protocol import MailProtocol

if TYPE_CHECKING:
    from referee.record.table.session import Session


def get_mail_protocol(session: Session) -> MailProtocol:
    """Returns the state of a game's mail protocol. Raises NotAllowedError if the game is not played by mail."""
    if session.reducer.protocol is None:
        raise NotAllowedError("this game is not played by mail; for one that is: referee new GAME --mail SEAT")
    return session.reducer.protocol


def find_own_seat(protocol: MailProtocol) -> Seat | None:
    """Returns the seat of this computer's key; None if there is no key or it has no seat. Raises KeyProblemError."""
    return find_seat_of_key(protocol, read_own_public_key())


def is_own_key_director(protocol: MailProtocol) -> bool:
    """True if the key of this computer is that of the game's director. Raises KeyProblemError."""
    return protocol.director is not None and protocol.director.key == read_own_public_key()


def find_seat_of_key(protocol: MailProtocol, public: str | None) -> Seat | None:
    """Returns the seat of the owner of a public key; None if it has no seat, or if `public` is None."""
    if public is None:
        return None
    return next((seat for seat in protocol.seats if protocol.find_signing_key(seat) == public), None)
