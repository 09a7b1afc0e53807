"""Judging the entries of a packet: nothing is added to a log before everything in it has been judged again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from referee.engine.event import Seat
from referee.mail.arrival import Arrival
from referee.mail.seats import seat_of_key
from referee.record.log.faults import Fault, FaultError
from referee.record.table.beginning import why_not_begun
from referee.record.table.fold import Fold
from referee.record.table.taken import JudgeFrom
from referee.record.table.walk import Walk


class UnsignedError(FaultError):
    """What has come ends with an entry that nobody has signed."""


class ClaimedError(FaultError):
    """What has come lets another key speak for the seat of who opens it, `since` an entry."""

    def __init__(self, fault: Fault, since: int) -> None:
        super().__init__(fault)
        self.args, self.since = (fault, since), since


Check = Callable[[Fold], None]
"""What is looked at once all entries of a packet were judged; FaultError."""


def judged(here: Sequence[bytes], fresh: Sequence[bytes], path: Path | None, by: Seat, check: Check) -> Arrival | None:
    """Why new entries may not be added, each of them judged again; None: they may."""
    walk = Walk(BytesIO(b"".join((*here, *fresh))), JudgeFrom(len(here)), log=path, strict=True)
    for _ in walk:
        pass
    try:
        check(walk.checked())
    except FaultError as error:
        return refused(error, by)
    return None


def refused(error: FaultError, by: Seat) -> Arrival:
    """What a packet is because of what is wrong in it."""
    n = error.fault.n
    if isinstance(error, ClaimedError):
        return Arrival("claimed", error.since, error.since, by, fault=error)
    if isinstance(error, UnsignedError):
        return Arrival("unsigned", n - 1, n - 1, by)
    return Arrival("faulty", n, n, by, fault=error)


def checks(own: str | None, before: Fold | None = None) -> Check:
    """What has come is signed, and lets no other key speak for the seat where this one had joined, or sat `before`."""
    had = seat_of_key(before.pact, own) if before and before.pact else None

    def check(fold: Fold) -> None:
        _check_signed(fold)
        pact = fold.pact
        if pact is None or own is None:
            return
        seat = had or next((seat for seat, chair in pact.owners.items() if chair.key == own), None)
        if seat and pact.key_of(seat) != own:
            since = pact.heirs[seat].n if seat in pact.heirs else fold.n
            raise ClaimedError(Fault("bad-seal", since, 0, f"another key speaks for {seat}"), since)

    return check


def checks_begun(own: str | None) -> Check:
    """What else is asked of a game that is new here: what nobody can begin here is not taken in. Whoever has signed it
    once gets it back as it is, for later versions may refuse more.
    """

    def check(fold: Fold) -> None:
        problem = why_not_begun(fold.header)
        if problem and (fold.pact is None or seat_of_key(fold.pact, own) not in fold.pact.sealed):
            raise FaultError(Fault("bad-beginning", 0, 0, problem))
        checks(own)(fold)

    return check


def _check_signed(fold: Fold) -> None:
    """What comes by mail ends with the signature of who sent it; FaultError."""
    if fold.pact is None or max(fold.pact.sealed.values(), default=-1) != fold.n:
        raise UnsignedError(Fault("bad-seal", fold.n, 0, "nobody has signed the last entry"))
