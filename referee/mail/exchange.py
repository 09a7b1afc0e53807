"""Sending and receiving: a log's news becomes a packet, and a packet that has come becomes news."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.mail.arrival import Arrival
from referee.mail.backup import bring_vaults
from referee.mail.box import FEW_DATA, MOST_DATA, asks_in, box_of, keep, keep_asks, kept
from referee.mail.desk import Desk
from referee.mail.fate import Begins, Fate, Follows, Replaces, Rests, Waits, fate_of
from referee.mail.heirs import chair_in, is_true, noted, own_request
from referee.mail.intake import added, begun, set_aside
from referee.mail.packet import Ask, Packet, Part, is_signed, packet_from
from referee.mail.parts import note_parts, parts_here
from referee.mail.signer import Signer
from referee.mail.taking_over import sit_down, to_send
from referee.record.log.faults import NotAllowedError
from referee.record.table.start import open_log

if TYPE_CHECKING:
    from referee.mail.key import Key
    from referee.record.log.entry import AnyEntry
    from referee.record.table.moment import Said
    from referee.record.table.session import Session


class Received(Struct, frozen=True):
    """What became of a packet."""

    session: Session | None
    """The game after it; None where there is none."""
    arrival: Arrival
    done: tuple[Said, ...] = ()
    """What followed without anybody deciding it."""
    aside: Path | None = None
    """Where one's own entries lie, if they gave way to those of the packet."""
    replaced: tuple[AnyEntry, ...] = ()
    """What they said."""
    lapsed: tuple[Ask, ...] = ()
    """Requests of other keys that are void now, for the seat's own key has signed, or another sits there."""
    gave: tuple[Part, ...] = ()
    """What others gave to the throw that is being made."""
    heard: int | None = None
    """Up to which entry a key that was brought back has signed, as is shown here; -1: nothing. None: that is known."""


def sent(desk: Desk, base: int | None = None, to: Seat | None = None) -> Packet:
    """All that some other seat has not signed for, or from entry `base` on; signed and handed over first, where this
    seat has the pen: to `to`, or to who is waited for. In one's own turn and at the end only what was sent can be sent
    again, from `base` on. NotAllowedError.
    """
    path = desk.session.path
    if path is None or desk.session.letter:
        raise NotAllowedError("a log that is no file of its own cannot be sent; save it first")
    again = base is not None and to is None and not desk.gathers and desk.waits_for() in (desk.seat, None)
    request = own_request(desk.session, desk.key.public)
    if desk.seat is None and request:
        return packet_from(desk.session, request.by, max(desk.pact.sealed.values(), default=-1) + 1, to_send(desk))
    if desk.seat is None or (desk.has_pen and not again):
        desk.hand_over(to)
    elif to is not None:
        raise NotAllowedError(f"{desk.pact.pen} has the pen; only he can hand it over")
    return _packed(desk, path, base)


def _packed(desk: Desk, path: Path, base: int | None) -> Packet:
    """What some other seat has not signed for, or all from entry `base` on, with what is to be known beside the log."""
    seat = str(desk.seat)
    known = min(desk.pact.sealed.get(other, -1) for other in desk.pact.seats if other != seat) + 1
    asks = [ask for ask in asks_in(path) if ask.by == seat]
    own = desk.part_beside()
    note_parts(desk.session, [own] if own else [])
    first = known if base is None else max(0, min(base, known))
    return packet_from(desk.session, seat, first, asks + to_send(desk), parts_here(desk.session))


def received(session: Session, packet: Packet, key: Key | None, *, yielding: bool = False) -> Received:
    """Take a packet in, and give what this player owes: his part of a throw, an answer that only he knows.

    `yielding`: where copies have parted, what is not signed here gives way and is kept in a file of its own.
    """
    own = key.public if key else None
    found = _carried_out(session, packet, key, fate_of(session, packet, own, yielding=yielding), yielding=yielding)
    after = found.session
    if after is None or not found.arrival.is_fine:
        return found
    _note_asks(after, packet)
    lapsed = noted(after, packet.head.asks)
    heard, gave = _heard(after, packet, key), note_parts(after, packet.head.parts)
    return replace(found, done=settled(after, key), lapsed=lapsed, gave=gave, heard=heard)


def _carried_out(session: Session, packet: Packet, key: Key | None, fate: Fate, *, yielding: bool) -> Received:
    """What is there once that has become of a packet of this game which was to become of it."""
    match fate:
        case Follows():
            return Received(*added(session, packet, fate, key.public if key and not yielding else None))
        case Replaces():
            return _replaced(session, packet, key, fate)
        case Waits(arrival=arrival):
            is_kept = session.path is not None and keep(session.path, packet, _room_for(session, packet))
            return Received(session, replace(arrival, kept=is_kept))
        case Begins():
            raise AssertionError("its game is here")
        case Rests(arrival=arrival):
            return Received(session, arrival)


def _replaced(session: Session, packet: Packet, key: Key | None, fate: Replaces) -> Received:
    """One's own entries give way, and the key signs on those that stand in their place."""
    mine = tuple(session.entries[fate.arrival.first :])
    if key:
        Signer(session, key).give_way()
    after, arrival, aside = set_aside(session, packet, fate)
    if key:
        Signer(after, key).go_on_from_here()
    return Received(after, arrival, aside=aside, replaced=mine)


def _room_for(session: Session, packet: Packet) -> int:
    """How much may be kept where this packet is. Who is to join yet may do so in what is missing."""
    pact = session.fold.pact
    assert pact is not None, "only games by mail get mail"
    if is_signed(packet, {seat: key for seat in pact.seats if (key := pact.key_of(seat))}):
        return MOST_DATA
    return FEW_DATA if pact.to_join else 0


def received_first(
    packet: Packet, path: Path, key: Key | None, *, yielding: bool = False, is_known: bool = False
) -> Received:
    """Start the log of a game that has come by mail; `yielding`: also where another key speaks for one's own seat;
    `is_known`: a log that begins so lies here already. FileExistsError.
    """
    fate = fate_of(None, packet)
    if not isinstance(fate, Begins):
        return Received(None, fate.arrival)
    session, arrival = begun(packet, path, key.public if key and not yielding else None, is_known=is_known)
    if session and bring_vaults(path, session.id, session.fold.keepers):
        session = open_log(path)
    if session is None:
        return Received(session, arrival)
    heard, gave = _heard(session, packet, key), note_parts(session, packet.head.parts)
    return Received(session, arrival, settled(session, key), gave=gave, heard=heard)


def _heard(session: Session, packet: Packet, key: Key | None) -> int | None:
    """What a packet that somebody else has signed shows of the player's own signatures."""
    desk = Desk(session, key) if key else None
    return desk.signer.hear() if desk and packet.signer in desk.pact.seats and packet.signer != desk.seat else None


def received_late(log: Path, key: Key | None) -> Iterator[tuple[Packet, Received]]:
    """Packets that had come too early, and follow now."""
    for path, packet in kept(log):
        found = received(open_log(log), packet, key)
        if found.arrival.situation != "early":
            path.unlink(missing_ok=True)
            yield packet, found
    with suppress(OSError):  # others may lie there
        box_of(log).rmdir()


def settled(session: Session, key: Key | None) -> tuple[Said, ...]:
    """Give what is owed, and put on the record what others ask for, where the pen is here. None of it needs a word."""
    desk = Desk(session, key) if key else None
    if desk:
        sit_down(desk)
    if desk is None or desk.seat is None or not desk.has_pen or session.path is None:
        return ()
    desk.record_asks(asks_in(session.path))
    keep_asks(session.path, ())
    return tuple(desk.settle())


def _note_asks(session: Session, packet: Packet) -> None:
    """Keep what others offer until this seat has the pen, if it is signed with their keys; the latest of each."""
    pact, path = session.fold.pact, session.path
    if pact is None or path is None:
        return
    fresh = [ask for ask in packet.head.asks if chair_in(ask) is None and is_true(pact, ask)]
    if fresh or asks_in(path):
        known = {getattr(entry, "signature", None) for entry in session.entries}
        waiting = {ask.by: ask for ask in sorted((*asks_in(path), *fresh), key=lambda ask: ask.on)}
        keep_asks(path, [ask for ask in waiting.values() if ask.signature not in known])
