"""Finds packets in mails as they arrived: in a file, in a shared folder, or piped in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from referee.cli.arguments import read_stdin
from referee.engine.text import listing
from referee.mail.ascii_armor import DAMAGE_TEXTS, EnvelopeError, read_mailed_packets
from referee.mail.packet import Packet, PacketError, find_match_place, parse_packet
from referee.record.log.file_kinds import FOLDER, find_content_kind, find_path_kind
from referee.record.log.safe_files import open_user_file

MAX_NAMED = 3
"""The most unreadable mails that are named for one cause."""
MAX_MAIL_BYTES = 16 * 2**20


class UnreadableMail(NamedTuple):
    """A mail that could not be read: its name, and the reason in one or two sentences."""

    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.name!r}: {self.why}"


class MailedPacket(NamedTuple):
    """A packet and the mail that it came in: the path of a file, or "-" for piped input."""

    packet: Packet
    mail: str


def describe_unread_mails(trouble: Iterable[UnreadableMail]) -> Iterator[str]:
    """Yields a line for each cause, with the mails that it made unreadable.

    Names at most `MAX_NAMED` mails for a cause and counts the rest, since a folder may hold many other files.
    """
    names: dict[str, list[str]] = {}
    for one in trouble:
        names.setdefault(one.why, []).append(repr(one.name))
    for why, each in names.items():
        more = [f"{len(each) - MAX_NAMED} more"] if len(each) > MAX_NAMED else []
        yield f"{listing([*each[:MAX_NAMED], *more])}: {why}"


def collect_packets(names: Iterable[str]) -> tuple[list[MailedPacket], list[UnreadableMail]]:
    """Returns every packet in these mails once, sorted by its first entry, and the mails that could not be read.

    The games of a match come in order.

    A name may be a file, a folder, or "-" for piped input. Raises OSError if a named file cannot be read.
    """
    found: dict[bytes, MailedPacket] = {}
    trouble: list[UnreadableMail] = []
    for mail, name, data in _read_mails(names, trouble):
        try:
            letters = read_mailed_packets(data)
        except EnvelopeError as error:
            trouble.append(UnreadableMail(name, find_content_kind(data).no_mail or str(error)))
            continue
        trouble += [UnreadableMail(name, DAMAGE_TEXTS[damage]) for damage in letters.damages]
        for letter in letters.whole:
            try:
                found.setdefault(letter, MailedPacket(parse_packet(letter), mail))
            except PacketError as error:
                trouble.append(UnreadableMail(name, str(error)))
    places = ((one.packet.head.game, find_match_place(one.packet)) for one in found.values())
    numbers = {game: place.number for game, place in places if place}
    return sorted(found.values(), key=partial(_rank_packet, numbers)), trouble


def _rank_packet(numbers: Mapping[str, int], mailed: MailedPacket) -> tuple[int, int, int]:
    """Returns the rank of a packet: its game's number in a match, its first entry, then its end.

    `numbers` has the number in a match for each game that these mails begin. A game without a number has 0.
    """
    head = mailed.packet.head
    return numbers.get(head.game, 0), head.base, mailed.packet.end


def _read_mails(names: Iterable[str], trouble: list[UnreadableMail]) -> Iterator[tuple[str, str, bytes]]:
    """Yields each mail as its path, its name and its content. Adds unreadable files of a folder to `trouble`."""
    for name in names:
        if name == "-":
            yield "-", "the piped input", read_stdin("a mail")[: MAX_MAIL_BYTES + 1]
            continue
        path = Path(name)
        is_folder = find_path_kind(path) == FOLDER
        for file in sorted(path.iterdir()) if is_folder else [path]:
            if is_folder and not file.is_file():
                continue
            try:
                with open_user_file(file) as opened:
                    data = opened.read(MAX_MAIL_BYTES + 1)
            except OSError as error:
                if file == path:
                    raise
                trouble.append(UnreadableMail(file.name, f"{error.strerror or error}."))
                continue
            yield str(file), file.name, data
