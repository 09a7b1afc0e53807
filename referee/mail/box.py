"""What waits beside a log, in `<log>.mail/`: packets that came too early; offers and parts of throws for who has the
pen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from referee.mail.envelope import MAX_DATA
from referee.mail.packet import Ask, Packet, PacketError, Part, parse_packet
from referee.record.log.disk import read_small, replace_file

MOST = 200
"""Packets that are kept."""
MOST_DATA = 2 * MAX_DATA
"""Bytes of all packets that are kept."""
FEW_DATA = 256 * 1024
"""Bytes of them up to which a packet is kept that nobody known here has signed: a stranger fills nobody's disk."""
ASKS = "asks.json"
REQUESTS = "requests.json"
PARTS = "parts.json"

T = TypeVar("T")


def box_of(log: Path) -> Path:
    """The folder where things wait."""
    return log.with_name(f"{log.name}.mail")


def keep(log: Path, packet: Packet, room: int) -> bool:
    """Keep a packet until what comes before it is here, if all that is kept stays within `room` bytes then; whether it
    is kept.
    """
    folder, data = box_of(log), packet.spelt()
    path = folder / f"{packet.head.base:06}-{sha256(data).hexdigest()[:16]}.packet"
    held = [one.stat().st_size for one in folder.glob("*.packet")]
    if not path.exists():
        if len(held) >= MOST or sum(held) + len(data) > room:
            return False
        folder.mkdir(exist_ok=True)
        replace_file(path, data)
    return True


def kept(log: Path) -> Iterator[tuple[Path, Packet]]:
    """The packets that wait, in order of their first entry; what is none any more is passed over."""
    for path in sorted(box_of(log).glob("*.packet")):
        with suppress(PacketError, OSError):
            yield path, parse_packet(read_small(path, MAX_DATA))


def asks_in(log: Path) -> tuple[Ask, ...]:
    """The offers that wait: one's own, to be sent, and those of others, to be put on the record."""
    return _read(box_of(log) / ASKS, Ask)


def keep_asks(log: Path, asks: Sequence[Ask]) -> None:
    """Keep these offers, and no others."""
    _write(box_of(log) / ASKS, asks)


def requests_in(log: Path) -> tuple[Ask, ...]:
    """What is asked for that is no entry of any seat: that another key plays on, with the words given for it."""
    return _read(box_of(log) / REQUESTS, Ask)


def keep_requests(log: Path, asks: Sequence[Ask]) -> None:
    """Keep these requests, and no others."""
    _write(box_of(log) / REQUESTS, asks)


def parts_in(log: Path) -> tuple[Part, ...]:
    """Parts of throws that were given beside the log: one's own, once it was sent, and those of others."""
    return _read(box_of(log) / PARTS, Part)


def keep_parts(log: Path, parts: Sequence[Part]) -> None:
    """Keep these parts, and no others."""
    _write(box_of(log) / PARTS, parts)


def _read(path: Path, kind: type[T]) -> tuple[T, ...]:
    try:
        return msgspec.json.decode(read_small(path, MAX_DATA), type=tuple[kind, ...])  # type: ignore[valid-type]
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return ()


def _write(path: Path, waiting: Sequence[Ask] | Sequence[Part]) -> None:
    if waiting:
        path.parent.mkdir(exist_ok=True)
        replace_file(path, msgspec.json.encode(waiting, order="sorted"))
    else:
        path.unlink(missing_ok=True)


def post(folder: Path, name: str, data: bytes) -> Path:
    """Write a packet into a shared folder under a name that no file has; once it is there, it is whole."""
    for number in range(1, 10_000):
        path = folder / f"{name}{f'-{number}' if number > 1 else ''}.txt"
        if _holds(path, data):
            return path
        if not os.path.lexists(path):
            replace_file(path, data)
            return path
    raise FileExistsError(17, "exists", str(folder / name))


def _holds(path: Path, data: bytes) -> bool:
    try:
        return read_small(path, len(data)) == data
    except OSError:
        return False
