"""Carries out the fate of a packet. All its new entries are added to the log in one write, or none is."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from referee.mail.match_seat import add_match_check
from referee.mail.packet import Packet
from referee.mail.packet_fate import ContinuesLog, ReplacesEntries
from referee.mail.packet_verdict import PacketVerdict
from referee.mail.packet_verifier import (
    PacketCheck,
    add_record_check,
    judge_new_entries,
    make_first_packet_check,
    make_packet_check,
    make_refusal_verdict,
)
from referee.record.log import store
from referee.record.log.game_files import remove_new_files, remove_on_failure, write_own_files
from referee.record.log.log_errors import FaultError
from referee.record.log.safe_files import make_name_part
from referee.record.table.ledger import ASIDE_MARK
from referee.record.table.new_entry_verifier import NewEntryVerifier
from referee.record.table.opening_logs import open_bytes, open_log, open_stream
from referee.record.table.prescan import prescan_log
from referee.record.table.session import Session


def start_game_from_packet(
    packet: Packet, path: Path, own_key: str | None = None, *, is_known: bool = False, match_game: Path | None = None
) -> tuple[Session | None, PacketVerdict]:
    """Makes the log of a game from a packet with its beginning. Returns no session if the packet is refused.

    `own_key` is the public key of the player who opens the packet; no other key may speak for their seat. With
    `is_known`, a log with this beginning is here already, so fewer checks are made. `match_game` is the path that the
    log would have among the games of its match, if it is made elsewhere. Raises FileExistsError if the log exists.
    """
    made = write_own_files(path, packet.decode_files())
    begins = (
        make_packet_check(own_key)
        if is_known
        else add_match_check(make_first_packet_check(own_key), match_game or path)
    )
    check = add_record_check(begins, packet.head.record)
    wrong = judge_new_entries((), packet.lines, path, packet.head.by, check)
    if wrong:
        remove_new_files(path, made)
        return None, wrong
    with remove_on_failure(path, made):
        store.create_log(path, b"".join(packet.lines))
    return open_log(path), PacketVerdict("new", 0, packet.end - 1, packet.signing_seat, count_only_in_packet=packet.end)


def add_packet_entries(
    session: Session, packet: Packet, fate: ContinuesLog, own_key: str | None = None
) -> tuple[Session, PacketVerdict]:
    """Adds a packet's new entries, if all of them are legal. Returns the session afterwards, and the verdict. If
    the entries were refused, the verdict says why.

    `own_key` is as in `start_game_from_packet`.
    """
    found, path = fate.packet_verdict, session.file_path
    fresh, check = packet.lines[found.first - packet.head.base :], make_packet_check(own_key, session.reducer)
    if not prescan_log(BytesIO(b"".join(fresh))).openings:
        wrong = _append_judged(session, fresh, packet, check)
        return (open_log(path), wrong) if wrong else (session, found)
    # the packet reveals secrets of earlier entries, so the log is read again from its beginning
    wrong = judge_new_entries(session.entries.read_raw_lines(), fresh, path, packet.head.by, check)
    if not wrong:
        store.append_lines(path, b"".join(fresh), session.head)
    return open_log(path), wrong or found


def _append_judged(
    session: Session, fresh: Sequence[bytes], packet: Packet, check: PacketCheck
) -> PacketVerdict | None:
    """Appends these lines to the session. Returns None, or a verdict that says why they were refused.

    After a refusal, the session must be opened again.
    """
    try:
        session.append_foreign(fresh, NewEntryVerifier(len(session.entries)), check)
    except FaultError as error:
        return make_refusal_verdict(error, packet.head.by)
    return None


def preview_entries(
    session: Session, packet: Packet, fate: ContinuesLog | ReplacesEntries, own_key: str | None = None
) -> tuple[Session, PacketVerdict]:
    """Judges a packet's new entries. Returns the session that they would lead to, and the verdict. Changes nothing.

    If the entries would be refused, returns the same session, and the verdict says why. `own_key` is as in
    `start_game_from_packet`.
    """
    first, path = fate.packet_verdict.first, session.path
    kept, fresh = session.entries.read_raw_lines()[:first], packet.lines[first - packet.head.base :]
    wrong = judge_new_entries(kept, fresh, path, packet.head.by, make_packet_check(own_key, session.reducer))
    if wrong:
        return session, wrong
    log = b"".join((*kept, *fresh))
    after = open_bytes(log, path) if path else open_stream(BytesIO(log))
    return after, _make_acceptance_verdict(packet, fate)


def replace_own_entries(session: Session, packet: Packet, fate: ReplacesEntries) -> tuple[Session, PacketVerdict, Path]:
    """Replaces your own entries, from the first difference on, by those of a packet.

    Returns the new session, the verdict, and the path of a file beside the log in which the old log is kept. Raises
    FileExistsError if that file exists with other content.
    """
    path, apart = session.file_path, fate.packet_verdict.first
    kept, theirs = session.entries.read_raw_lines()[:apart], packet.lines[apart - packet.head.base :]
    aside = path.with_name(f"{path.stem}{ASIDE_MARK}{apart}-{make_name_part(session.hash_at(apart)[:8])}.jsonl")
    store.replace_lines(path, b"".join((*kept, *theirs)), session.head, aside)
    return open_log(path), _make_acceptance_verdict(packet, fate), aside


def _make_acceptance_verdict(packet: Packet, fate: ContinuesLog | ReplacesEntries) -> PacketVerdict:
    """Returns the verdict on a packet whose entries are taken, from the first one concerned on."""
    found, many = fate.packet_verdict, packet.end - fate.packet_verdict.first
    return PacketVerdict(
        "new",
        found.first,
        packet.end - 1,
        packet.signing_seat,
        count_only_in_packet=many,
        first_with_other_time=found.first_with_other_time,
    )
