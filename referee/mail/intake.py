"""Carrying out what becomes of a packet: what is new is added to the log in one write, or nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from referee.mail.arrival import Arrival
from referee.mail.fate import Follows, Replaces
from referee.mail.judging import Check, checks, checks_begun, judged, refused
from referee.mail.packet import Packet
from referee.record.log import store
from referee.record.log.faults import FaultError
from referee.record.log.files import remove_beside, whole_or_not, write_beside
from referee.record.table.ahead import look_ahead
from referee.record.table.ledger import ASIDE
from referee.record.table.session import Session
from referee.record.table.start import open_log
from referee.record.table.taken import JudgeFrom


def begun(
    packet: Packet, path: Path, own: str | None = None, *, is_known: bool = False
) -> tuple[Session | None, Arrival]:
    """Start the log of a game whose beginning is in a packet. FileExistsError when there is such a file. `own`: the key
    of who opens it, for whose seat no other key may speak in it. `is_known`: a log that begins so lies here already.
    """
    made = write_beside(path, packet.files())
    wrong = judged((), packet.lines, path, packet.head.by, checks(own) if is_known else checks_begun(own))
    if wrong:
        remove_beside(path, made)
        return None, wrong
    with whole_or_not(path, made):
        store.create(path, b"".join(packet.lines))
    return open_log(path), Arrival("new", 0, packet.end - 1, packet.signer, theirs=packet.end)


def added(session: Session, packet: Packet, fate: Follows, own: str | None = None) -> tuple[Session, Arrival]:
    """Add what is new in a packet, if everything in it may stand there; the log as it is then. `own`: as where a log is
    begun.
    """
    found, path = fate.arrival, session.path
    assert path is not None, "it was read from a file"
    fresh, check = packet.lines[found.first - packet.head.base :], checks(own, session.fold)
    if not look_ahead(BytesIO(b"".join(fresh))).openings:
        wrong = _followed(session, fresh, packet, check)
        return (open_log(path), wrong) if wrong else (session, found)
    # it opens what is here, which is to be read anew with that
    wrong = judged(session.lines(), fresh, path, packet.head.by, check)
    if not wrong:
        store.append(path, b"".join(fresh), session.head)
    return open_log(path), wrong or found


def _followed(session: Session, fresh: Sequence[bytes], packet: Packet, check: Check) -> Arrival | None:
    """The session goes on with these lines; or why they may not stand there, and then it is to be opened again."""
    try:
        session.follow(fresh, JudgeFrom(len(session.entries)), check)
    except FaultError as error:
        return refused(error, packet.head.by)
    return None


def set_aside(session: Session, packet: Packet, fate: Replaces) -> tuple[Session, Arrival, Path]:
    """Take a packet's entries in place of one's own; the log as it was lies in a file beside it. FileExistsError."""
    path, apart = session.path, fate.arrival.first
    assert path is not None, "it was read from a file"
    kept, theirs = session.lines()[:apart], packet.lines[apart - packet.head.base :]
    aside = path.with_name(f"{path.stem}{ASIDE}{apart}-{session.hash_at(apart)[:8]}.jsonl")
    store.exchange(path, b"".join((*kept, *theirs)), session.head, aside)
    return open_log(path), Arrival("new", apart, packet.end - 1, packet.signer, theirs=len(theirs)), aside
