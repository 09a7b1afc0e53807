"""Who sits where in a game by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.mail.key import own_public
from referee.record.log.faults import NotAllowedError
from referee.record.table.pact import Pact

if TYPE_CHECKING:
    from referee.record.table.session import Session


def pact_of(session: Session) -> Pact:
    """What the log says of play by mail; NotAllowedError when the game is not played by mail."""
    if session.fold.pact is None:
        raise NotAllowedError("this game is not played by mail; for one that is: referee new GAME --mail SEAT")
    return session.fold.pact


def seat_here(pact: Pact) -> Seat | None:
    """Where the owner of this computer's key sits; None: nowhere, or there is no key. KeyProblemError."""
    return seat_of_key(pact, own_public())


def seat_of_key(pact: Pact, public: str | None) -> Seat | None:
    """Where the owner of a key sits; None: nowhere, or there is no key."""
    if public is None:
        return None
    return next((seat for seat in pact.seats if pact.key_of(seat) == public), None)
