"""A mail as the log that it goes on with, to be compared with one's own before anything is taken from it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from referee.mail.envelope import EnvelopeError, letters_in
from referee.mail.packet import Packet, PacketError, hash_in, parse_packet
from referee.record.log.disk import create_file, read_named
from referee.record.log.entry import FileBeside
from referee.record.log.faults import NotAllowedError
from referee.record.log.files import read_beside, write_beside
from referee.record.log.frame import NO_PARENT
from referee.record.table.start import open_good

MAX_MAIL = 16 * 2**20


def packets_in(path: Path) -> list[Packet]:
    """The packets in a mail, the earlier entries first; none in what is no mail. OSError."""
    try:
        found = [parse_packet(letter) for letter in letters_in(read_named(path, MAX_MAIL)).whole]
    except (EnvelopeError, PacketError):
        return []
    return sorted(found, key=lambda packet: (packet.head.base, packet.end))


def log_of(packets: Iterable[Packet], mail: Path, own: Path, folder: Path) -> Path:
    """Write the log that packets go on with into a folder, under the name of the mail; what comes before them is taken
    from one's own log. NotAllowedError where that does not reach them, or has parted from them before.
    """
    session = open_good(own)[0]
    record = session.pact.record_id if session.pact else ""
    with own.open("rb") as file:
        lines = list(islice(file, len(session.entries)))
    for packet in (one for one in packets if one.head.record == record):
        base = packet.head.base
        if base > len(lines) or packet.head.after != (hash_in(lines[base - 1]) if base else NO_PARENT):
            raise NotAllowedError(
                f"{mail.name} goes on after entry {base - 1}, where your copies have parted already or yours has not "
                "come to; ask for all of it: referee pack --from 0"
            )
        lines = [*lines[:base], *packet.lines]
    path = folder / mail.name
    beside = [file.sha256 for file in session.header.files.values() if isinstance(file, FileBeside)]
    write_beside(path, {digest: read_beside(own, digest) for digest in beside})
    create_file(path, b"".join(lines))
    return path
