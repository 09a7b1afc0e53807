"""What becomes of a packet that has come, decided in one place and as a value; nothing is changed by it.

What is known already does no harm, so a packet may be opened as often as one likes, and after a kill in the middle
again.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from referee.mail.arrival import Arrival
from referee.mail.judging import checks, judged
from referee.mail.packet import Packet
from referee.mail.parts import has_given
from referee.mail.seats import pact_of, seat_of_key
from referee.record.archive.forks import fork_by, is_retold
from referee.record.table.session import Session


class Begins(Struct, frozen=True):
    """Its game is not here, and it brings the beginning: the log begins with it, if all in it may be."""


class Follows(Struct, frozen=True):
    """It goes on where the log ends: what is new is added, if it may stand there."""

    arrival: Arrival


class Replaces(Struct, frozen=True):
    """Its entries, which were judged, take the place of one's own from the first that differs on."""

    arrival: Arrival


class Waits(Struct, frozen=True):
    """It came too early: it is kept until what comes before it is here, if there is room."""

    arrival: Arrival


class Rests(Struct, frozen=True):
    """Nothing is written: it brings nothing that is not here, or what may not be taken in."""

    arrival: Arrival


Fate: TypeAlias = Begins | Follows | Replaces | Waits | Rests


def fate_of(session: Session | None, packet: Packet, own: str | None = None, *, yielding: bool = False) -> Fate:
    """What becomes of a packet where this is the log of its game; None: that is not here. `own`: the key of who opens
    it; unless he is `yielding`, nothing is taken in by which another key speaks for his seat, and where copies have
    parted his own entries stay.
    """
    if session is None:
        base = packet.head.base
        return Rests(Arrival("early", 0, base - 1, packet.head.by)) if base else Begins()
    found = compare(session, packet, own)
    match found.situation:
        case "new":
            return Follows(found)
        case "early":
            return Waits(found)
        case "parted" | "retold" | "changed" | "forked":
            return _of_parted(session, packet, found, own, yielding=yielding)
        case _:
            return Rests(found)


def _of_parted(session: Session, packet: Packet, found: Arrival, own: str | None, *, yielding: bool) -> Fate:
    """What becomes of what has parted from the log here: nobody gives way to what may not be, nor to what speaks for
    him unasked, and what only tells again what is here brings nothing.
    """
    retold = found.situation == "retold"
    replaces = retold or (yielding and not found.bound)
    if not replaces and found.situation != "parted":
        return Rests(found)
    kept, theirs = session.lines()[: found.first], packet.lines[found.first - packet.head.base :]
    check = checks(None if yielding else own, session.fold)
    wrong = judged(kept, theirs, session.path, packet.head.by, check)
    if wrong and (replaces or wrong.situation == "claimed"):
        return Rests(wrong)
    if retold and found.theirs <= found.mine:
        end, last = found.first + found.theirs, len(session.entries) - 1
        return Rests(Arrival("ahead" if found.theirs < found.mine else "known", end, last))
    return Replaces(found) if replaces else Rests(found)


# What it is


def compare(session: Session, packet: Packet, own: str | None = None) -> Arrival:
    """How a packet stands to the log of who has this key. `new` says that it follows, not that it may."""
    here = len(session.entries)
    if packet.head.record != pact_of(session).record_id:
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
    pact = pact_of(session)
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
