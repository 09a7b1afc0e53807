"""Seats at which two people sit, noted beside the log when a mail shows it, until the players have settled it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from referee.engine.event import Seat
from referee.mail.packet_verifier import judge_new_entries, make_packet_check
from referee.mail.seats import get_mail_protocol
from referee.mail.spool import read_seat_disputes, write_seat_disputes

if TYPE_CHECKING:
    from referee.mail.packet import Packet
    from referee.mail.packet_verdict import PacketVerdict
    from referee.record.table.session import Session

MAX_DISPUTES = 8
"""The most disputes that are noted at once, so that a stranger cannot fill a disk."""


class SeatDispute(Struct, frozen=True):
    """Two people who have both sat down at one seat, each in another copy of the log."""

    seat: Seat
    n: int
    """The number of the entry in which both sat down."""
    keys: tuple[str, ...]
    """The public keys of both people."""
    signed: int
    """The last entry that the seat had signed here when the dispute was noted; -1 for none."""


def note_dispute(session: Session, packet: Packet, verdict: PacketVerdict) -> None:
    """Notes that two people sit at a seat, as a packet with legal entries shows."""
    first, path = verdict.first, session.path
    if path is None:
        return
    kept, theirs = session.entries.read_raw_lines()[:first], packet.lines[first - packet.head.base :]
    if judge_new_entries(kept, theirs, path, packet.head.by, make_packet_check(None)):
        return
    signed = get_mail_protocol(session).signed_up_to.get(verdict.seat, -1)
    dispute = SeatDispute(verdict.seat, first, verdict.keys, signed)
    known = list_disputes(session)
    if dispute not in known and len(known) < MAX_DISPUTES:
        write_seat_disputes(path, [*known, dispute])


def forget_disputes_from(session: Session, first: int) -> None:
    """Forgets the disputes from entry `first` on, because the player has taken another copy from there."""
    if session.path and (known := list_disputes(session)):
        write_seat_disputes(session.path, [one for one in known if one.n < first])


def list_disputes(session: Session) -> list[SeatDispute]:
    """Returns the seats at which two people sit. A dispute is settled once the seat here has signed something new."""
    protocol = get_mail_protocol(session)
    noted = read_seat_disputes(session.path, SeatDispute) if session.path else ()
    return [one for one in noted if protocol.signed_up_to.get(one.seat, -1) == one.signed]
