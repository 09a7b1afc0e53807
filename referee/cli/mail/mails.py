"""Finding packets in mails as they came: in a file, in a folder that others share, or piped in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from referee.cli.typed import piped
from referee.engine.text import listing
from referee.mail.envelope import WORDS, EnvelopeError, letters_in
from referee.mail.packet import Packet, PacketError, parse_packet
from referee.record.log.disk import open_named
from referee.record.log.kinds import FOLDER, kind_in, kind_of

NAMED = 3
"""Mails that are named of those that could not be read for the same cause."""
MAX_MAIL = 16 * 2**20


class Trouble(NamedTuple):
    """A mail that could not be read, by its name, and why, as a sentence or two."""

    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.name!r}: {self.why}"


def in_groups(trouble: Iterable[Trouble]) -> Iterator[str]:
    """What could not be read, a line for each cause: in a folder that others share lie other things, too."""
    names: dict[str, list[str]] = {}
    for one in trouble:
        names.setdefault(one.why, []).append(repr(one.name))
    for why, each in names.items():
        more = [f"{len(each) - NAMED} more"] if len(each) > NAMED else []
        yield f"{listing([*each[:NAMED], *more])}: {why}"


def packets_in(names: Iterable[str]) -> tuple[list[Packet], list[Trouble]]:
    """Every packet in these mails, the earlier entries first, each once; and what could not be read."""
    found: dict[bytes, Packet] = {}
    trouble: list[Trouble] = []
    for name, data in _mails(names, trouble):
        try:
            letters = letters_in(data)
        except EnvelopeError as error:
            trouble.append(Trouble(name, kind_in(data).no_mail or str(error)))
            continue
        trouble += [Trouble(name, WORDS[damage]) for damage in letters.damaged]
        for letter in letters.whole:
            try:
                found.setdefault(letter, parse_packet(letter))
            except PacketError as error:
                trouble.append(Trouble(name, str(error)))
    return sorted(found.values(), key=lambda packet: (packet.head.base, packet.end)), trouble


def _mails(names: Iterable[str], trouble: list[Trouble]) -> Iterator[tuple[str, bytes]]:
    """Each mail by its name; of a folder that others share, what cannot be read is trouble, and nothing more."""
    for name in names:
        if name == "-":
            yield "what was piped in", piped("a mail")[: MAX_MAIL + 1]
            continue
        path = Path(name)
        is_folder = kind_of(path) == FOLDER
        for file in sorted(path.iterdir()) if is_folder else [path]:
            if is_folder and not file.is_file():
                continue
            try:
                with open_named(file) as opened:
                    data = opened.read(MAX_MAIL + 1)
            except OSError as error:
                if file == path:
                    raise
                trouble.append(Trouble(file.name, f"{error.strerror or error}."))
                continue
            yield file.name, data
