"""A packet: a run of entries with the head they build on, as it travels inside its envelope."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.record.log.chair import Consent, OnRecovery
from referee.record.log.entry import FileBeside, SealEntry, encode, offer_types
from referee.record.log.faults import LogError
from referee.record.log.fields import MAX_LINE, MAX_NUMBER, Hash, Name, Signature
from referee.record.log.files import read_beside
from referee.record.log.frame import BODY_AT, NO_PARENT, OPENER, hash_of
from referee.record.table.session import Session
from referee.record.table.signing import consent_text, offer_text, part_text, seal_text

FORMAT = 1
"""Number of the form of packets; higher ones are a newer referee's."""


class PacketError(LogError):
    """Something in an envelope that is no packet; the message is one sentence."""


if TYPE_CHECKING:
    from referee.record.log.offer import Offer as AnyOffer
else:
    AnyOffer = offer_types()


class Ask(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An offer by a seat that has not got the pen: who has it puts it on the record. Of another key for a seat nothing
    stands in the log before all others have agreed: that is asked for, and agreed to, beside it.
    """

    by: SeatName
    offer: AnyOffer
    on: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The last entry that who asks had seen."""
    signature: Signature
    consents: Annotated[tuple[Consent, ...], Meta(max_length=8)] = ()
    """Who has agreed that another key plays on."""
    recovery: OnRecovery | None = None
    """The recovery key of the seat, where its owner asks for the pen to sit down again with it."""

    def text(self, record_id: str) -> bytes:
        """What is signed."""
        return offer_text(record_id, self.on, encode(self.offer))

    def consent_text(self, record_id: str) -> bytes:
        """What who agrees beside the log signs."""
        return consent_text(record_id, self.by, self.on, encode(self.offer))


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat without the pen gives to a throw: who has the pen puts it on the record."""

    by: SeatName
    cast: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """Number of the throw."""
    value: Hash
    """The next value of its chain."""
    signature: Signature

    def text(self, record_id: str, opener: str) -> bytes:
        """What is signed; `opener` is the hash of the entry that began the throw."""
        return part_text(record_id, self.cast, opener, self.value)


class PacketHead(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a packet."""

    format: Annotated[int, Meta(ge=1, le=FORMAT)]
    game: Hash
    """Id of the game."""
    record: Hash
    """The same, or on a branch the hash of its `branch` entry."""
    module: Name
    """What is played."""
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    by: SeatName
    """Who sends it."""
    base: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """Number of its first entry."""
    after: Hash
    """Hash of the entry before that."""
    head: Hash
    """Hash of its last entry; of the one before it, if it holds none."""
    files: dict[Hash, str]
    """Files of the players that lie beside the log, in base64, where the packet holds the beginning of the game."""
    asks: Annotated[tuple[Ask, ...], Meta(max_length=16)]
    parts: Annotated[tuple[Part, ...], Meta(max_length=8)] = ()
    """What its sender gives to a throw without the pen, and what others gave so."""


class Packet(Struct, frozen=True):
    """A packet that was checked as far as it can be by itself: its lines are whole and follow one another."""

    head: PacketHead
    lines: tuple[bytes, ...]
    """Its entries as lines of a log, with their line feeds."""

    @property
    def end(self) -> int:
        """Number of the entry after its last one."""
        return self.head.base + len(self.lines)

    @property
    def signer(self) -> Seat:
        """Who is said to have signed all of it: whose seal stands last. Only who judges it knows whether that is so."""
        return _entry_in(self.lines[-1]).by if self.lines else ""

    def hash_at(self, n: int) -> str:
        """Hash of an entry that it holds, or of the one before them."""
        return self.head.after if n < self.head.base else hash_in(self.lines[n - self.head.base])

    def spelt(self) -> bytes:
        """The bytes that travel."""
        return encode(self.head) + b"\n" + b"".join(self.lines)

    def files(self) -> dict[str, bytes]:
        """The files that come along, by their SHA-256; PacketError when one is not what its name says."""
        found = {}
        for digest, text in self.head.files.items():
            try:
                found[digest] = b64decode(text, validate=True)
            except (Base64Error, ValueError):
                raise PacketError("A file that comes with this packet is damaged.") from None
            if sha256(found[digest]).hexdigest() != digest:
                raise PacketError("A file that comes with this packet is not the one it says.")
        return found


def packet_from(session: Session, by: Seat, base: int, asks: Sequence[Ask] = (), parts: Sequence[Part] = ()) -> Packet:
    """The entries of a log from `base` to the last one that somebody has signed."""
    assert session.path is not None, "only a log that is a file is played on by mail"
    pact, header = session.fold.pact, session.header
    assert pact is not None, "only games by mail are sent"
    end = max(pact.sealed.values(), default=-1) + 1
    with session.path.open("rb") as file:
        lines = tuple(islice(file, end))
    sent = lines[base:]
    beside = [file.sha256 for file in header.files.values() if isinstance(file, FileBeside)] if base == 0 else []
    files = {digest: b64encode(read_beside(session.path, digest)).decode() for digest in beside}
    after = hash_in(lines[base - 1]) if base else NO_PARENT
    head = hash_in(lines[-1]) if lines else NO_PARENT
    ids = (pact.game_id, pact.record_id, header.game, header.rules)
    return Packet(PacketHead(FORMAT, *ids, by, base, after, head, files, tuple(asks), tuple(parts)), sent)


def parse_packet(data: bytes) -> Packet:
    """A packet from what was in an envelope; PacketError says why it is none. Its entries are not judged."""
    first, _, rest = data.partition(b"\n")
    head = _head(first)
    lines = tuple(rest.splitlines(keepends=True))
    prev = head.after
    for line in lines:
        if not line.endswith(b"}\n") or not line.startswith(OPENER) or len(line) > MAX_LINE:
            raise PacketError("This packet holds a line that is no entry.")
        if _entry_in(line).prev != prev:
            raise PacketError("The entries in this packet do not follow one another.")
        prev = hash_in(line)
    if prev != head.head:
        raise PacketError("This packet does not end where it says.")
    first_entry = _entry_in(lines[0]) if head.base == 0 and lines else None
    if first_entry and (hash_in(lines[0]), first_entry.game) != (head.game, head.module):
        raise PacketError("The game in this packet is not the one it says.")
    if head.files.keys() - (first_entry.beside if first_entry else set()):
        raise PacketError("This packet brings a file that its game does not name.")
    return Packet(head, lines)


def is_signed(packet: Packet, keys: Mapping[Seat, str]) -> bool:
    """Whether its entries are what their hashes say, and the last one is signed with one of these keys, by seat."""
    from referee.record.log.signature import verify  # a slow import, for mail alone

    if not packet.lines or any(hash_of(line[BODY_AT:-2]) != hash_in(line) for line in packet.lines):
        return False
    try:
        seal = msgspec.json.decode(packet.lines[-1][BODY_AT:-2], type=SealEntry)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    text = seal_text(packet.head.record, seal.n - 1, seal.prev, seal.to, seal.at)
    return seal.by in keys and verify(keys[seal.by], text, seal.signature)


def _head(line: bytes) -> PacketHead:
    try:
        told = msgspec.json.decode(line, type=dict[str, Any])
        if isinstance(told.get("format"), int) and told["format"] > FORMAT:
            raise PacketError("This packet was made by a newer referee: yours is too old to read it.")
        return msgspec.convert(told, PacketHead)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise PacketError("This is no packet: its first line does not say what one says.") from None


class _File(Struct):
    kind: str = field(default="", name="from")
    sha256: str = ""


class _Entry(Struct):
    prev: Hash
    by: str = ""
    game: str = ""
    """What is played, in the first entry."""
    files: dict[str, _File] = {}
    """What it is played with, in the first entry."""

    @property
    def beside(self) -> set[str]:
        """The files beside the log that it names, by SHA-256."""
        return {file.sha256 for file in self.files.values() if file.kind == "beside"}


def _entry_in(line: bytes) -> _Entry:
    try:
        return msgspec.json.decode(line[BODY_AT:-2], type=_Entry)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise PacketError("This packet holds a line that is no entry.") from None


def hash_in(line: bytes) -> str:
    """The hash that a line of a log says it has."""
    return line[len(OPENER) : len(OPENER) + 64].decode("ascii", "replace")
