"""The spool beside a log, in `<log>.mail/`. It keeps packets that came too early, and requests for other keys. Offers
and shares of rolls wait in it for the seat with the pen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from referee.engine.event import Seat
from referee.gate import UnreadableError, read_json
from referee.mail.ascii_armor import MAX_PACKET_BYTES
from referee.mail.packet import Packet, PacketError, RollShare, SignedOffer, parse_packet
from referee.record.log.safe_files import NamePart, make_name_part, read_companion, replace_file

MAX_KEPT_PACKETS = 200
"""The most packets that are kept."""
MAX_SPOOL_BYTES = 2 * MAX_PACKET_BYTES
"""The most bytes that all kept packets may have together."""
MAX_STRANGER_BYTES = 256 * 1024
"""The most bytes of kept packets that no seat of the game signed. So a stranger cannot fill a disk."""
OFFERS_FILE = "asks.json"
SENT_OFFERS_FILE = "sent.json"
REQUESTS_FILE = "requests.json"
SHARES_FILE = "parts.json"
DISPUTES_FILE = "disputes.json"

T = TypeVar("T")


def find_spool_path(log: Path) -> Path:
    """Returns the folder in which packets, requests, offers and shares wait."""
    return log.with_name(f"{log.name}.mail")


def keep_packet(log: Path, packet: Packet, max_bytes: int) -> bool:
    """Keeps a packet until the entries before it are here. Returns True if the packet is kept.

    It is kept if all kept packets fit into `max_bytes` bytes and are not more than MAX_KEPT_PACKETS.
    """
    folder, data = find_spool_path(log), packet.encode()
    path = folder / f"{packet.head.base:06}-{make_name_part(sha256(data).hexdigest()[:16])}.packet"
    held = [one.stat().st_size for one in folder.glob("*.packet")]
    if not path.exists():
        if len(held) >= MAX_KEPT_PACKETS or sum(held) + len(data) > max_bytes:
            return False
        folder.mkdir(exist_ok=True)
        replace_file(path, data)
    return True


def list_kept_packets(log: Path) -> Iterator[tuple[Path, Packet]]:
    """Yields the waiting packets and their files, in order of their first entry. Files that are not packets are
    skipped.
    """
    for path in sorted(find_spool_path(log).glob("*.packet")):
        with suppress(PacketError, OSError):
            yield path, parse_packet(read_companion(path, MAX_PACKET_BYTES))


def read_waiting_offers(log: Path) -> tuple[SignedOffer, ...]:
    """Returns the waiting offers: your own, to be sent, and those of others, to be recorded."""
    return _read(find_spool_path(log) / OFFERS_FILE, SignedOffer)


def write_waiting_offers(log: Path, asks: Sequence[SignedOffer]) -> None:
    """Writes these offers in place of all that waited."""
    _write(find_spool_path(log) / OFFERS_FILE, asks)


def replace_waiting_offer(log: Path, seat: Seat, ask: SignedOffer | None) -> None:
    """Writes an offer of a seat in place of the one that waited; None only removes that one."""
    others = [one for one in read_waiting_offers(log) if one.by != seat]
    write_waiting_offers(log, [*others, ask] if ask else others)


def read_sent_offers(log: Path) -> tuple[SignedOffer, ...]:
    """Returns your own offers beside the log that a mail has carried."""
    return _read(find_spool_path(log) / SENT_OFFERS_FILE, SignedOffer)


def note_sent_offers(log: Path, asks: Sequence[SignedOffer]) -> None:
    """Notes that a mail carries these offers of yours, in place of those that were noted before."""
    if asks or read_sent_offers(log):
        _write(find_spool_path(log) / SENT_OFFERS_FILE, asks)


def read_key_requests(log: Path) -> tuple[SignedOffer, ...]:
    """Returns the waiting requests for another key, with the consents given so far."""
    return _read(find_spool_path(log) / REQUESTS_FILE, SignedOffer)


def write_key_requests(log: Path, asks: Sequence[SignedOffer]) -> None:
    """Writes these requests in place of all that waited."""
    _write(find_spool_path(log) / REQUESTS_FILE, asks)


def read_shares(log: Path) -> tuple[RollShare, ...]:
    """Returns shares of rolls that were given beside the log: your own, once they were sent, and those of others."""
    return _read(find_spool_path(log) / SHARES_FILE, RollShare)


def write_shares(log: Path, parts: Sequence[RollShare]) -> None:
    """Writes these shares in place of all that waited."""
    _write(find_spool_path(log) / SHARES_FILE, parts)


def read_seat_disputes(log: Path, kind: type[T]) -> tuple[T, ...]:
    """Returns the noted disputes about seats, each of which is a `kind`."""
    return _read(find_spool_path(log) / DISPUTES_FILE, kind)


def write_seat_disputes(log: Path, disputes: Sequence[msgspec.Struct]) -> None:
    """Writes these disputes in place of all that were noted."""
    _write(find_spool_path(log) / DISPUTES_FILE, disputes)


def _read(path: Path, kind: type[T]) -> tuple[T, ...]:
    try:
        return read_json(read_companion(path, MAX_PACKET_BYTES), tuple[kind, ...])  # type: ignore[valid-type]
    except (OSError, UnreadableError):
        return ()


def _write(path: Path, waiting: Sequence[msgspec.Struct]) -> None:
    if waiting:
        path.parent.mkdir(exist_ok=True)
        replace_file(path, msgspec.json.encode(waiting, order="sorted"))
    else:
        path.unlink(missing_ok=True)


def write_packet_to_folder(folder: Path, name: NamePart, data: bytes) -> Path:
    """Writes a packet into a shared folder, and returns the path of its file.

    The file is called `name`, with a number if that name is taken. It appears whole or not at all. If a file with the
    same content is there already, nothing is written and its path is returned. Raises FileExistsError if 9,999 names
    are taken.
    """
    for number in range(1, 10_000):
        path = folder / f"{name}{f'-{number}' if number > 1 else ''}.txt"
        if _has_content(path, data):
            return path
        if not os.path.lexists(path):
            replace_file(path, data)
            return path
    raise FileExistsError(17, "exists", str(folder / name))


def _has_content(path: Path, data: bytes) -> bool:
    try:
        return read_companion(path, len(data)) == data
    except OSError:
        return False
