"""What becomes of a packet that has come: it fits and is judged, it is known, it is too early, or copies have parted.

Nothing is added to a log before everything in the packet has been judged again, and then all of it in one write. What
is known already does no harm, so a packet may be opened as often as one likes, and after a kill in the middle again.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.mail.packet import Packet, hash_in
from referee.record.archive.forks import Fork, fork_in
from referee.record.log import store
from referee.record.log.entry import AnyEntry, BranchEntry, PlayEntry
from referee.record.log.faults import FaultError
from referee.record.log.files import remove_beside, whole_or_not, write_beside
from referee.record.table.fold import Fold, Walk
from referee.record.table.judge import JudgeAgain
from referee.record.table.known import Known
from referee.record.table.session import Session
from referee.record.table.start import open_log

Situation = Literal[
    "new", "known", "ahead", "early", "parted", "forked", "changed", "unsigned", "faulty", "other-game", "other-rules"
]
"""new: entries were added. known: all of it was here. ahead: so it was, and this copy has more. early: entries before
it are missing. parted: both have unsigned entries the other lacks. forked: a seat has signed two entries with one
number. changed: what a seat has agreed to here is otherwise there. unsigned: nobody has signed its last entry. faulty:
it holds what may not be.
"""


class Arrival(Struct, frozen=True):
    """What was found in a packet, and what was done with it."""

    situation: Situation
    first: int = 0
    """The first entry that it is about: the first new one, the first missing one, the first that differs."""
    last: int = 0
    """The last entry that it is about."""
    seat: Seat = ""
    """The seat that it is about."""
    mine: int = 0
    """Entries that only this copy has."""
    theirs: int = 0
    """Entries that only the packet has."""
    fork: Fork | None = None
    fault: FaultError | None = None


class Copy(Struct, frozen=True):
    """The log as it lies here."""

    session: Session
    lines: tuple[bytes, ...]

    @property
    def head(self) -> str:
        """Hash of its last line."""
        return hash_in(self.lines[-1])


def copy_of(session: Session) -> Copy:
    """The lines of a log that was read."""
    assert session.path is not None, "only a log that is a file is played on by mail"
    with session.path.open("rb") as file:
        return Copy(
            session, tuple(line if line.endswith(b"\n") else line + b"\n" for line in islice(file, session.head.n))
        )


def compare(copy: Copy, packet: Packet) -> Arrival:
    """How a packet stands to the log here; nothing is changed. `new` says that it follows, not that it may."""
    pact, here = copy.session.fold.pact, len(copy.lines)
    assert pact is not None, "only games by mail get mail"
    if packet.head.record != pact.record_id:
        return Arrival("other-game")
    if packet.head.rules > copy.session.game.rules_version:
        return Arrival("other-rules")
    if packet.head.base > here:
        return Arrival("early", here, packet.head.base - 1, packet.head.by)
    apart = _apart(copy, packet)
    if apart is not None:
        return _parted(copy, packet, apart)
    if packet.end <= here:
        return Arrival("ahead" if packet.end < here else "known", packet.end, here - 1, packet.head.by)
    return Arrival("new", here, packet.end - 1, packet.head.by, theirs=packet.end - here)


def _apart(copy: Copy, packet: Packet) -> int | None:
    """The first entry that differs; None: as far as both go they are the same."""
    base = packet.head.base
    if base and hash_in(copy.lines[base - 1]) != packet.head.after:
        return base - 1
    both = zip(copy.lines[base:], packet.lines, strict=False)
    return next((n for n, (mine, theirs) in enumerate(both, base) if mine != theirs), None)


def _parted(copy: Copy, packet: Packet, apart: int) -> Arrival:
    """The copies differ from an entry on: who has signed what on each side?"""
    pact = copy.session.fold.pact
    assert pact is not None, "only games by mail get mail"
    mine, theirs = copy.lines[apart:], packet.lines[max(0, apart - packet.head.base) :]
    found = Arrival("parted", apart, packet.end - 1, packet.head.by, len(mine), packet.end - apart)
    if apart < packet.head.base:  # the entry that differs is not in the packet: it must be asked for
        return replace(found, situation="early", last=packet.head.base - 1)
    for seat in pact.seats:
        key = pact.key_of(seat)
        fork = fork_in(pact.record_id, seat, key, apart, (mine, theirs)) if key else None
        if fork:
            return replace(found, situation="forked", seat=seat, fork=fork)
    signed = next((seat for seat, n in pact.sealed.items() if n >= apart), None)
    return replace(found, situation="changed", seat=signed) if signed else found


def taken_in(copy: Copy, packet: Packet) -> tuple[Session, Arrival]:
    """Add what is new in a packet, if it follows and everything in it may stand there."""
    found = compare(copy, packet)
    if found.situation != "new":
        return copy.session, found
    fresh = packet.lines[found.first - packet.head.base :]
    wrong = _judged(copy.lines, fresh, copy.session.path, packet.head.by)
    if wrong:
        return copy.session, wrong
    assert copy.session.path is not None, "it was read from a file"
    store.append(copy.session.path, b"".join(fresh), copy.session.head)
    return open_log(copy.session.path), found


def begun(packet: Packet, path: Path) -> tuple[Session | None, Arrival]:
    """Start the log of a game whose beginning is in a packet. FileExistsError when there is such a file."""
    if packet.head.base:
        return None, Arrival("early", 0, packet.head.base - 1, packet.head.by)
    files = packet.files()
    made = write_beside(path, files)
    wrong = _judged((), packet.lines, path, packet.head.by)
    if wrong:
        remove_beside(path, made)
        return None, wrong
    with whole_or_not(path, made):
        store.create(path, b"".join(packet.lines))
    return open_log(path), Arrival("new", 0, packet.end - 1, packet.head.by, theirs=packet.end)


class _JudgeFrom(JudgeAgain):
    """Believes what is here already, and judges what comes after it."""

    def __init__(self, known: int) -> None:
        super().__init__()
        self._known = known

    def play(self, fold: Fold, entry: PlayEntry[Any, Any]) -> Known:
        """What is known after a play."""
        return fold.believed(entry) if entry.n < self._known else super().play(fold, entry)

    def other(self, fold: Fold, entry: AnyEntry) -> None:
        """Look at an entry that is no play."""
        if entry.n >= self._known:
            if self._known and isinstance(entry, BranchEntry):
                fold.fail("bad-order", "a branch is a log of its own")
            super().other(fold, entry)


def _judged(here: Sequence[bytes], fresh: Sequence[bytes], path: Path | None, by: Seat) -> Arrival | None:
    """Why new entries may not be added, each of them judged again; None: they may."""
    walk = Walk(BytesIO(b"".join((*here, *fresh))), _JudgeFrom(len(here)), log=path, strict=True)
    for _ in walk:
        pass
    try:
        pact = walk.checked().pact
    except FaultError as error:
        return Arrival("faulty", error.fault.n, error.fault.n, by, fault=error)
    last = len(here) + len(fresh) - 1
    if pact is None or max(pact.sealed.values(), default=-1) != last:
        return Arrival("unsigned", last, last, by)
    return None


def set_aside(copy: Copy, packet: Packet, apart: int) -> tuple[Session, Arrival, Path]:
    """Take the packet's entries in place of one's own from `apart` on; the log as it was lies in a file beside it."""
    path = copy.session.path
    assert path is not None, "it was read from a file"
    kept, theirs = copy.lines[:apart], packet.lines[apart - packet.head.base :]
    wrong = _judged(kept, theirs, path, packet.head.by)
    aside = path.with_name(f"{path.stem}.aside-{apart}-{hash_in(copy.lines[apart])[:8]}.jsonl")
    if wrong:
        return copy.session, wrong, aside
    store.exchange(path, b"".join((*kept, *theirs)), copy.session.head, aside)
    return open_log(path), Arrival("new", apart, packet.end - 1, packet.head.by, theirs=len(theirs)), aside
