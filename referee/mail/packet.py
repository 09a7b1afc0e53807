"""A packet: a run of entries with the hash of the entry before them, as it travels inside its envelope."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct, field

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.gate import UnreadableError, read_json
from referee.gate.text_encodings import read_base64
from referee.record.log.enrolment import Consent, RecoveryWarrant
from referee.record.log.entry import (
    FileBeside,
    MatchPlace,
    OfferEntry,
    RulingEntry,
    SealEntry,
    encode_for_log,
    make_offer_types,
)
from referee.record.log.field_types import MAX_LINE_BYTES, MAX_NUMBER, Hash, Identifier, Signature
from referee.record.log.game_files import read_own_file_bytes
from referee.record.log.line_format import BODY_OFFSET, LINE_START, NO_PREVIOUS_HASH, hash_entry
from referee.record.log.log_errors import LogError
from referee.record.table.session import Session
from referee.record.table.signed_texts import make_consent_text, make_offer_text, make_seal_text, make_share_text

PACKET_FORMAT = 1
"""The number of the packets' form. A higher one comes from a newer referee."""


class PacketError(LogError):
    """Raised if an envelope holds no packet; the message is one sentence."""


if TYPE_CHECKING:
    from referee.record.log.offer import Offer as AnyOffer
else:
    AnyOffer = make_offer_types()


class DirectorConsent(Struct, frozen=True, forbid_unknown_fields=True):
    """A director agrees to an offer in place of a seat."""

    seat: SeatName
    """The seat in whose place the director agrees."""
    signature: Signature
    """The signature, made with the director's key (`make_ruling_text`)."""


class SignedOffer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An offer by a seat without the pen. The seat with the pen records it.

    A request for another key is different: nothing of it is in the log before the others have agreed beside the log.
    """

    by: SeatName
    offer: AnyOffer
    on: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The last entry that the offering seat had seen."""
    signature: Signature
    consents: Annotated[tuple[Consent, ...], Meta(max_length=8)] = ()
    """The signed consents to another key; for another offer, those that the director needs before they may agree."""
    recovery: RecoveryWarrant | None = None
    """The recovery key and its signature, if the owner asks for the pen to sit down again with that key."""
    ruled: DirectorConsent | None = None
    """The director's consent in place of a seat that does not answer."""

    def make_text_to_sign(self, record_id: str) -> bytes:
        """Returns the text that the offering seat signs."""
        return make_offer_text(record_id, self.on, encode_for_log(self.offer))

    def make_text_of_consent(self, record_id: str) -> bytes:
        """Returns the text that a seat signs to agree beside the log."""
        return make_consent_text(record_id, self.by, self.on, encode_for_log(self.offer))


class RollShare(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's share of a joint roll, given without the pen. The seat with the pen records it."""

    by: SeatName
    cast: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The number of the roll."""
    value: Hash
    """The next value of the seat's chain."""
    signature: Signature

    def make_text_to_sign(self, record_id: str, opener: str) -> bytes:
        """Returns the text that the seat signs; `opener` is the hash of the entry that began the roll."""
        return make_share_text(record_id, self.cast, opener, self.value)


class PacketHead(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a packet."""

    format: Annotated[int, Meta(ge=1, le=PACKET_FORMAT)]
    game: Hash
    """The game's id."""
    record: Hash
    """The game's id, or on a branch the hash of its `branch` entry."""
    module: Identifier
    """The name of the game that is played."""
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    by: SeatName
    """The seat that sends the packet."""
    base: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The number of the packet's first entry."""
    after: Hash
    """The hash of the entry before the first one."""
    head: Hash
    """The hash of the packet's last entry, or of the entry before the packet if it holds none."""
    files: dict[Hash, str]
    """The players' own files beside the log, in base64, if the packet holds the beginning of the game."""
    asks: Annotated[tuple[SignedOffer, ...], Meta(max_length=16)]
    parts: Annotated[tuple[RollShare, ...], Meta(max_length=8)] = ()
    """The shares of a joint roll that are given without the pen: the sender's, and those of others that came here."""


class Packet(Struct, frozen=True):
    """A packet whose lines are whole and follow one another. Its entries are not judged yet."""

    head: PacketHead
    lines: tuple[bytes, ...]
    """The entries as lines of a log, with their line feeds."""

    @property
    def end(self) -> int:
        """The number of the packet's last entry, plus one."""
        return self.head.base + len(self.lines)

    @property
    def signing_seat(self) -> Seat:
        """The seat that wrote the last entry, which should be a signature; "" if the packet holds no entry.

        Nothing is verified here.
        """
        return _read_entry(self.lines[-1]).by if self.lines else ""

    def hash_at(self, n: int) -> str:
        """Returns the hash of an entry in the packet, or of the one before the packet."""
        return self.head.after if n < self.head.base else read_line_hash(self.lines[n - self.head.base])

    def encode(self) -> bytes:
        """Returns the packet as bytes, the data of its envelope."""
        return encode_for_log(self.head) + b"\n" + b"".join(self.lines)

    def decode_files(self) -> dict[str, bytes]:
        """Returns the files in the packet by their SHA-256. Raises PacketError if a file has another hash."""
        found = {}
        for digest, text in self.head.files.items():
            try:
                found[digest] = read_base64(text)
            except UnreadableError:
                raise PacketError("A file in this packet is damaged. Ask for the mail again.") from None
            if sha256(found[digest]).hexdigest() != digest:
                raise PacketError("A file in this packet is not the one that its name says.")
        return found


def make_packet_from_log(
    session: Session, by: Seat, base: int, asks: Sequence[SignedOffer] = (), parts: Sequence[RollShare] = ()
) -> Packet:
    """Returns a packet from seat `by` with the entries of a log from `base` to the last signed one."""
    protocol, header = session.reducer.protocol, session.reducer.header
    assert protocol is not None, "this game is not played by mail"
    end = max(protocol.signed_up_to.values(), default=-1) + 1
    with session.file_path.open("rb") as file:
        lines = tuple(islice(file, end))
    sent = lines[base:]
    beside = [file.sha256 for file in header.files.values() if isinstance(file, FileBeside)] if base == 0 else []
    files = {digest: b64encode(read_own_file_bytes(session.file_path, digest)).decode() for digest in beside}
    after = read_line_hash(lines[base - 1]) if base else NO_PREVIOUS_HASH
    head = read_line_hash(lines[-1]) if lines else NO_PREVIOUS_HASH
    ids = (protocol.game_id, protocol.record_id, header.game, header.rules)
    return Packet(PacketHead(PACKET_FORMAT, *ids, by, base, after, head, files, tuple(asks), tuple(parts)), sent)


def parse_packet(data: bytes) -> Packet:
    """Parses the data of an envelope. The entries are not judged.

    Raises PacketError if the first line is not that of a packet, or if the entries do not follow one another.
    """
    first, _, rest = data.partition(b"\n")
    head = _read_head(first)
    lines = tuple(rest.splitlines(keepends=True))
    prev = head.after
    for line in lines:
        if not line.endswith(b"}\n") or not line.startswith(LINE_START) or len(line) > MAX_LINE_BYTES:
            raise PacketError("This packet holds a line that is not an entry.")
        if _read_entry(line).prev != prev:
            raise PacketError("The entries in this packet do not follow one another.")
        prev = read_line_hash(line)
    if prev != head.head:
        raise PacketError("This packet does not end where it says.")
    first_entry = _read_entry(lines[0]) if head.base == 0 and lines else None
    if first_entry and (read_line_hash(lines[0]), first_entry.game) != (head.game, head.module):
        raise PacketError("The game in this packet is not the one that its first line names.")
    if head.files.keys() - (first_entry.companion_digests if first_entry else set()):
        raise PacketError("This packet brings a file that its game does not name.")
    return Packet(head, lines)


def has_recorded_offer(session: Session, ask: SignedOffer) -> bool:
    """True if the log has this offer already. An old offer with the same words does not count.

    An offer in the log is old if it is no longer pending, and if the seat had seen it there before making `ask`.
    """
    same = [one for one in session.entries if isinstance(one, OfferEntry | RulingEntry) and one.by == ask.by]
    standing = session.reducer.protocol.offers if session.reducer.protocol else {}
    return any(
        one.signature == ask.signature or (one.offer == ask.offer and (one.n > ask.on or one.n in standing))
        for one in same
    )


def is_signed_packet(packet: Packet, keys: Mapping[Seat, str]) -> bool:
    """True if the entries match their hashes, and the last one is a signature by the key of its seat.

    `keys` holds the public key of each seat.
    """
    if not packet.lines or any(hash_entry(line[BODY_OFFSET:-2]) != read_line_hash(line) for line in packet.lines):
        return False
    return is_valid_seal_line(packet.lines[-1], packet.head.record, keys)


def is_valid_seal_line(line: bytes, record_id: str, keys: Mapping[Seat, str]) -> bool:
    """True if a line is a seat's signature of the entries before it, made with the key of that seat in `keys`."""
    from referee.record.log.signature import verify_signature  # a slow import, for mail alone

    try:
        seal = read_json(line[BODY_OFFSET:-2], SealEntry)
    except UnreadableError:
        return False
    text = make_seal_text(record_id, seal.n - 1, seal.prev, seal.to, seal.at)
    return seal.by in keys and verify_signature(keys[seal.by], text, seal.signature)


class _Form(Struct):
    format: int | None = None


def _read_head(line: bytes) -> PacketHead:
    try:
        if (told := read_json(line, _Form).format) and told > PACKET_FORMAT:
            raise PacketError("This packet was made by a newer referee: yours is too old to read it.")
        return read_json(line, PacketHead)
    except UnreadableError:
        raise PacketError("This is not a packet: its first line is not that of a packet.") from None


class _File(Struct):
    kind: str = field(default="", name="from")
    sha256: str = ""


class _Entry(Struct):
    prev: Hash
    by: str = ""
    game: str = ""
    """The game's name, in the first entry."""
    files: dict[str, _File] = {}
    """The files of the game, in the first entry."""

    @property
    def companion_digests(self) -> set[str]:
        """The SHA-256 of each file beside the log that the entry names."""
        return {file.sha256 for file in self.files.values() if file.kind == "beside"}


class _Begun(Struct):
    match: MatchPlace | None = None


def find_match_place(packet: Packet) -> MatchPlace | None:
    """Returns the place in the match for the game that a packet begins.

    None if the game belongs to no match, or if the packet begins no game.
    """
    if packet.head.base or not packet.lines:
        return None
    try:
        return read_json(packet.lines[0][BODY_OFFSET:-2], _Begun).match
    except UnreadableError:
        return None


class _Chair(Struct):
    key: str


class _Join(Struct, tag="join"):
    by: str
    chair: _Chair


def parse_join(line: bytes) -> tuple[Seat, str] | None:
    """Returns the seat and the public key of an entry in which a player sits down; None for another entry."""
    try:
        joined = read_json(line[BODY_OFFSET:-2], _Join)
    except UnreadableError:
        return None
    return joined.by, joined.chair.key


def _read_entry(line: bytes) -> _Entry:
    try:
        return read_json(line[BODY_OFFSET:-2], _Entry)
    except UnreadableError:
        raise PacketError("This packet holds a line that is not an entry.") from None


def read_line_hash(line: bytes) -> str:
    """Returns the hash that a line of a log gives for itself."""
    return line[len(LINE_START) : len(LINE_START) + 64].decode("ascii", "replace")
