"""What becomes of a packet that has come: it fits and is judged, it is known, it is too early, or copies have parted.

Nothing is added to a log before everything in the packet has been judged again, and then all of it in one write. What
is known already does no harm, so a packet may be opened as often as one likes, and after a kill in the middle again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.mail.packet import Packet
from referee.mail.parts import has_given
from referee.mail.seats import seat_of_key
from referee.record.archive.forks import Fork, fork_by, is_retold
from referee.record.log import store
from referee.record.log.entry import AnyEntry, AnyPlay, BranchEntry, OfferEntry
from referee.record.log.faults import Fault, FaultError
from referee.record.log.files import remove_beside, whole_or_not, write_beside
from referee.record.table.ahead import look_ahead
from referee.record.table.beginning import why_not_begun
from referee.record.table.fold import Fold
from referee.record.table.judge import JudgeAgain
from referee.record.table.known import Known
from referee.record.table.ledger import ASIDE
from referee.record.table.session import Session
from referee.record.table.start import open_log
from referee.record.table.walk import Walk

Situation = Literal[
    "new",
    "known",
    "ahead",
    "early",
    "parted",
    "retold",
    "forked",
    "changed",
    "claimed",
    "unsigned",
    "faulty",
    "other-game",
    "other-rules",
]
"""new: entries were added. known: all of it was here. ahead: so it was, and this copy has more. early: entries before
it are missing. parted: both have unsigned entries the other lacks. retold: entries that are here were written down at
another time, and may go on. forked: a seat has signed two entries with one number. changed: what a seat has agreed to
here is otherwise there. claimed: another key speaks in it for one's own seat. unsigned: nobody has signed its last
entry. faulty: it holds what may not be.
"""


class UnsignedError(FaultError):
    """What has come ends with an entry that nobody has signed."""


class ClaimedError(FaultError):
    """What has come lets another key speak for the seat of who opens it, `since` an entry."""

    def __init__(self, fault: Fault, since: int) -> None:
        super().__init__(fault)
        self.args, self.since = (fault, since), since


class Arrival(Struct, frozen=True):
    """What was found in a packet, and what was done with it."""

    situation: Situation
    first: int = 0
    """The first entry that it is about: the first new one, the first missing one, the first that differs."""
    last: int = 0
    """The last entry that it is about."""
    seat: Seat = ""
    """The seat that it is about; of new entries, the one that has signed them all."""
    mine: int = 0
    """Entries that only this copy has."""
    theirs: int = 0
    """Entries that only the packet has."""
    bound: bool = False
    """Whether one's own key has signed what only this copy has: then it signs nothing else in its place."""
    fork: Fork | None = None
    fault: FaultError | None = None
    kept: bool = True
    """Whether it waits here, where it came too early."""


def compare(session: Session, packet: Packet, own: str | None = None) -> Arrival:
    """How a packet stands to the log of who has this key; nothing is changed. `new` says that it follows, not that it
    may.
    """
    pact, here = session.fold.pact, len(session.entries)
    assert pact is not None, "only games by mail get mail"
    if packet.head.record != pact.record_id:
        return Arrival("other-game")
    if packet.head.rules > session.game.rules_version:
        return Arrival("other-rules")
    if packet.head.base > here:
        return Arrival("early", here, packet.head.base - 1, packet.head.by)
    apart = _apart(session, packet)
    if apart is not None:
        return _parted(session, packet, apart, own)
    if packet.end <= here:
        return Arrival("ahead" if packet.end < here else "known", packet.end, here - 1, packet.head.by)
    return Arrival("new", here, packet.end - 1, packet.signer, theirs=packet.end - here)


def _apart(session: Session, packet: Packet) -> int | None:
    """The first entry that differs; None: as far as both go they are the same."""
    base = packet.head.base
    if base and session.hash_at(base - 1) != packet.head.after:
        return base - 1
    both = zip(session.lines(base), packet.lines, strict=False)
    return next((n for n, (mine, theirs) in enumerate(both, base) if mine != theirs), None)


def _parted(session: Session, packet: Packet, apart: int, own: str | None) -> Arrival:
    """The copies differ from an entry on: who has signed what on each side?"""
    pact = session.fold.pact
    assert pact is not None, "only games by mail get mail"
    mine, theirs = session.lines(apart), packet.lines[max(0, apart - packet.head.base) :]
    found = Arrival("parted", apart, packet.end - 1, packet.head.by, len(mine), packet.end - apart)
    if apart < packet.head.base:  # the entry that differs is not in the packet: it must be asked for
        return replace(found, situation="early", last=packet.head.base - 1)
    if is_retold(mine, theirs):
        return replace(found, situation="retold")
    seat = seat_of_key(pact, own)
    found = replace(found, bound=seat is not None and (pact.sealed.get(seat, -1) >= apart or has_given(session, apart)))
    fork = fork_by(pact, apart, (mine, theirs))
    if fork:
        return replace(found, situation="forked", seat=fork.seat, fork=fork)
    signed = next((seat for seat, n in pact.sealed.items() if n >= apart), None)
    return replace(found, situation="changed", seat=signed) if signed else found


def taken_in(
    session: Session, packet: Packet, own: str | None = None, *, asked: bool = False
) -> tuple[Session, Arrival]:
    """Add what is new in a packet, if it follows and everything in it may stand there. `own`: the key of who opens it;
    unless he asked for that, nothing is taken in by which another key speaks for his seat.
    """
    found = compare(session, packet, own)
    check = _checks(None if asked else own, session.fold)
    if found.situation in ("parted", "retold"):
        return session, _sifted(session, packet, found, check)
    if found.situation != "new":
        return session, found
    assert session.path is not None, "it was read from a file"
    fresh = packet.lines[found.first - packet.head.base :]
    if look_ahead(BytesIO(b"".join(fresh))).openings:  # it opens what is here, which is to be read anew with that
        wrong = _judged(session.lines(), fresh, session.path, packet.head.by, check)
        if not wrong:
            store.append(session.path, b"".join(fresh), session.head)
    else:
        try:
            session.follow(fresh, _JudgeFrom(found.first), check)
        except FaultError as error:
            wrong = _wrong(error, packet.head.by)
        else:
            return session, found
    return open_log(session.path), wrong or found


def _sifted(session: Session, packet: Packet, found: Arrival, check: Check) -> Arrival:
    """What has parted from the log here, once it was judged: nobody gives way to what speaks for him unasked, and what
    only tells again what is here brings nothing.
    """
    kept, theirs = session.lines()[: found.first], packet.lines[found.first - packet.head.base :]
    wrong = _judged(kept, theirs, session.path, packet.head.by, check)
    if wrong and (found.situation == "retold" or wrong.situation == "claimed"):
        return wrong
    if found.situation == "retold" and found.theirs <= found.mine:
        end = found.first + found.theirs
        return Arrival("ahead" if found.theirs < found.mine else "known", end, len(session.entries) - 1)
    return found


def begun(
    packet: Packet, path: Path, own: str | None = None, *, is_known: bool = False
) -> tuple[Session | None, Arrival]:
    """Start the log of a game whose beginning is in a packet. FileExistsError when there is such a file. `own`: the key
    of who opens it, for whose seat no other key may speak in it. `is_known`: a log that begins so lies here already.
    """
    if packet.head.base:
        return None, Arrival("early", 0, packet.head.base - 1, packet.head.by)
    files = packet.files()
    made = write_beside(path, files)
    check = _checks(own) if is_known else _checks_begun(own)
    wrong = _judged((), packet.lines, path, packet.head.by, check)
    if wrong:
        remove_beside(path, made)
        return None, wrong
    with whole_or_not(path, made):
        store.create(path, b"".join(packet.lines))
    return open_log(path), Arrival("new", 0, packet.end - 1, packet.signer, theirs=packet.end)


class _JudgeFrom(JudgeAgain):
    """Believes what is here already, and judges what comes after it."""

    def __init__(self, known: int) -> None:
        super().__init__()
        self._known = known

    def play(self, fold: Fold, entry: AnyPlay) -> Known:
        """What is known after a play."""
        return fold.believed(entry) if entry.n < self._known else super().play(fold, entry)

    def other(self, fold: Fold, entry: AnyEntry) -> None:
        """Look at an entry that is no play."""
        if entry.n >= self._known:
            if self._known and isinstance(entry, BranchEntry):
                fold.fail("bad-order", "a branch is a log of its own")
            if self._known and isinstance(entry, OfferEntry) and entry.offer.new_chair:
                fold.fail("bad-offer", f"another key for {entry.by} is asked for beside the log, not in it")
            super().other(fold, entry)


def _judged(
    here: Sequence[bytes], fresh: Sequence[bytes], path: Path | None, by: Seat, check: Check | None = None
) -> Arrival | None:
    """Why new entries may not be added, each of them judged again; None: they may."""
    walk = Walk(BytesIO(b"".join((*here, *fresh))), _JudgeFrom(len(here)), log=path, strict=True)
    for _ in walk:
        pass
    try:
        (check or _check_signed)(walk.checked())
    except FaultError as error:
        return _wrong(error, by)
    return None


def _check_signed(fold: Fold) -> None:
    """What comes by mail ends with the signature of who sent it; FaultError."""
    if fold.pact is None or max(fold.pact.sealed.values(), default=-1) != fold.n:
        raise UnsignedError(Fault("bad-seal", fold.n, 0, "nobody has signed the last entry"))


Check = Callable[[Fold], None]
"""What is looked at once all entries of a packet were judged; FaultError."""


def _checks(own: str | None, before: Fold | None = None) -> Check:
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


def _checks_begun(own: str | None) -> Check:
    """What else is asked of a game that is new here: what nobody can begin here is not taken in. Whoever has signed it
    once gets it back as it is, for later versions may refuse more.
    """

    def check(fold: Fold) -> None:
        problem = why_not_begun(fold.header)
        if problem and (fold.pact is None or seat_of_key(fold.pact, own) not in fold.pact.sealed):
            raise FaultError(Fault("bad-beginning", 0, 0, problem))
        _checks(own)(fold)

    return check


def _wrong(error: FaultError, by: Seat) -> Arrival:
    n = error.fault.n
    if isinstance(error, ClaimedError):
        return Arrival("claimed", error.since, error.since, by, fault=error)
    if isinstance(error, UnsignedError):
        return Arrival("unsigned", n - 1, n - 1, by)
    return Arrival("faulty", n, n, by, fault=error)


def is_aside(log: Path) -> bool:
    """Whether this is a log that was set aside, as its name says."""
    return ASIDE in log.name


def set_aside(
    session: Session, packet: Packet, apart: int, own: str | None = None
) -> tuple[Session, Arrival, Path | None]:
    """Take the packet's entries in place of one's own from `apart` on; the log as it was lies in a file beside it.
    `own`: as where they are taken in.
    """
    path = session.path
    assert path is not None, "it was read from a file"
    kept, theirs = session.lines()[:apart], packet.lines[apart - packet.head.base :]
    wrong = _judged(kept, theirs, path, packet.head.by, _checks(own, session.fold))
    aside = path.with_name(f"{path.stem}{ASIDE}{apart}-{session.hash_at(apart)[:8]}.jsonl")
    if wrong:
        return session, wrong, None
    store.exchange(path, b"".join((*kept, *theirs)), session.head, aside)
    return open_log(path), Arrival("new", apart, packet.end - 1, packet.signer, theirs=len(theirs)), aside
