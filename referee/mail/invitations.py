"""Games that begin by mail: which keys sign in a first packet, and how many games one mail or one sender may begin.

Strangers are people whose keys are not in the book of people. One mail begins at most one game of strangers. Nobody
begins more games here than `MAX_INVITATIONS` in which the owner of this computer does not play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Literal

from msgspec import Struct

from referee.engine.event import Seat
from referee.gate import UnreadableError, read_json
from referee.mail.packet import Packet
from referee.mail.people import PeopleBook
from referee.record.log.field_types import MAX_LINE_BYTES
from referee.record.log.line_format import BODY_OFFSET
from referee.record.log.safe_files import open_user_file

MAX_INVITATIONS = 20
"""The most games that one key may have begun here without the owner of this computer."""
MAX_LINES_READ_FOR_SIGNERS = 64
"""The lines at the beginning of a log in which its players sit down."""

InvitationObstacle = Literal["stranger", "one a mail", "too many"]
"""The reason that a game does not begin. stranger: its sender is not known, and nobody named the mail: it was opened
as it came. one a mail: strangers have begun a game with this mail already. too many: MAX_INVITATIONS games of this
sender are here.
"""


class _Chair(Struct):
    key: str = ""


class _Offer(Struct):
    chair: _Chair | None = None


class _Entry(Struct):
    """The fields of an entry that say who signs."""

    type: str = ""
    by: str = ""
    chair: _Chair | None = None
    offer: _Offer | None = None


class SigningKeys(Struct, frozen=True):
    """The keys that sign in the first lines of a game, as these lines say. The signatures are not judged here."""

    all: frozenset[str]
    last: str
    """The key of the last signature; "" if there is none, or if its key is in doubt."""


def find_signing_keys(lines: Iterable[bytes]) -> SigningKeys:
    """Returns the keys that sign in these lines of a log from its beginning."""
    keys: dict[Seat, str] = {}
    signed: list[str] = []
    for line in lines:
        try:
            entry = read_json(line[BODY_OFFSET:-2], _Entry)
        except UnreadableError:
            continue
        match entry.type:
            case "join":
                keys[entry.by] = entry.chair.key if entry.chair else ""
            case "offer" if entry.offer and entry.offer.chair:
                keys[entry.by] = ""  # the player asks to sign with another key, which nobody has agreed to yet
            case "branch":
                keys.clear()
                signed.clear()
            case "seal":
                signed.append(keys.get(entry.by, ""))
    return SigningKeys(frozenset(filter(None, signed)), signed[-1] if signed else "")


class InvitationCheck:
    """Decides which games may begin here, and counts those that have begun. One instance serves one command."""

    def __init__(
        self, book: PeopleBook, own_key: str | None, list_logs: Callable[[], Iterable[Path]], *, asked: bool
    ) -> None:
        """`own_key` is the public key of this computer's owner, and `list_logs` returns the logs here. `asked` is True
        if the owner has named the mails, and False if they are opened as they come.
        """
        self._known = {one.key for one in book.people}
        self._own_key, self._list_logs, self._asked = own_key, list_logs, asked
        self._strangers: dict[str, str] = {}
        self._begun: Counter[str] | None = None

    def find_obstacle(self, packet: Packet, mail: str) -> InvitationObstacle | None:
        """Returns why a first packet may not begin its game here, as an `InvitationObstacle`; None if it may.

        `mail` is the name of the packet's mail.
        """
        signers = find_signing_keys(packet.lines)
        if self._own_key is not None and self._own_key in signers.all:
            return None  # the owner of this computer has joined the game, and gets it back
        if signers.last not in self._known:
            if not self._asked:
                return "stranger"
            if self._strangers.get(mail, packet.head.record) != packet.head.record:
                return "one a mail"
        return "too many" if self._count_begun_games()[signers.last] >= MAX_INVITATIONS else None

    def count_begun_game(self, packet: Packet, mail: str) -> None:
        """Counts a game that has begun with this packet, whose signatures are judged."""
        signers = find_signing_keys(packet.lines)
        self._count_begun_games().update(() if self._own_key in signers.all else signers.all)
        if signers.last not in self._known:
            self._strangers[mail] = packet.head.record

    def _count_begun_games(self) -> Counter[str]:
        """Returns how many games each key has signed here, without those in which this computer's owner plays."""
        if self._begun is None:
            found = [_read_signers(log) for log in self._list_logs()]
            self._begun = Counter(key for keys in found if self._own_key not in keys for key in keys)
        return self._begun


def _read_signers(log: Path) -> frozenset[str]:
    """Returns the keys that sign in the first lines of a log; none if it cannot be read."""
    try:
        with open_user_file(log) as file:
            return find_signing_keys(
                islice(iter(lambda: file.readline(MAX_LINE_BYTES), b""), MAX_LINES_READ_FOR_SIGNERS)
            ).all
    except OSError:
        return frozenset()
