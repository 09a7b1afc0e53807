"""The packets of a mail, written as a log of their own, so that it can be compared with yours before you accept it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from referee.mail.ascii_armor import EnvelopeError, read_mailed_packets
from referee.mail.packet import Packet, PacketError, parse_packet, read_line_hash
from referee.record.log.entry import FileBeside
from referee.record.log.game_files import read_own_file_bytes, write_own_files
from referee.record.log.line_format import NO_PREVIOUS_HASH
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.safe_files import create_file, read_user_file
from referee.record.table.opening_logs import open_good_part

MAX_MAIL_BYTES = 16 * 2**20


def read_packets_from_mail(path: Path) -> list[Packet]:
    """Returns the packets in a mail, earlier entries first; an empty list if the file is not a mail. Raises OSError."""
    try:
        found = [parse_packet(letter) for letter in read_mailed_packets(read_user_file(path, MAX_MAIL_BYTES)).whole]
    except (EnvelopeError, PacketError):
        return []
    return sorted(found, key=lambda packet: (packet.head.base, packet.end))


def write_continued_log(packets: Iterable[Packet], mail: Path, own: Path, folder: Path) -> Path:
    """Writes a file in `folder` with your own log and its continuation by the packets. Returns the file's path.

    The file has the name of the mail. Packets of other games are left out. Raises NotAllowedError if your log ends
    before the packets begin, or differs from theirs before that.
    """
    session = open_good_part(own)[0]
    record = session.reducer.protocol.record_id if session.reducer.protocol else ""
    with own.open("rb") as file:
        lines = list(islice(file, len(session.entries)))
    for packet in (one for one in packets if one.head.record == record):
        base = packet.head.base
        if base > len(lines) or packet.head.after != (read_line_hash(lines[base - 1]) if base else NO_PREVIOUS_HASH):
            raise NotAllowedError(
                f"{mail.name} continues after entry {base - 1}, but your copy is shorter or differs before it; "
                "ask the sender to type: referee mail pack --from 0"
            )
        lines = [*lines[:base], *packet.lines]
    path = folder / mail.name
    beside = [file.sha256 for file in session.reducer.header.files.values() if isinstance(file, FileBeside)]
    write_own_files(path, {digest: read_own_file_bytes(own, digest) for digest in beside})
    create_file(path, b"".join(lines))
    return path
