"""The envelope of a packet: lines of text that can be pasted into a mail, and the search for them in a mail.

    -----BEGIN REFEREE PACKET-----
    Form: 1
    Size: 16384
    SHA-256:
    <64 hex digits, of the data>
    <base64 of the data, compressed by zlib, in lines of 64>
    -----END REFEREE PACKET-----

Only letters, digits, + and / count, in their order. So nothing depends on what mail programs change: blanks, line ends,
quotation marks, dashes. Quoted-printable and HTML are decoded wherever they occur, since none of their signs (= & <)
means anything in a packet. Blocks of base64 are decoded, too. So no header of a mail is needed, and a piece of a mail
is enough. In the end the checksum decides: the data comes out exactly as it went in, or not at all.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from referee.gate import UnreadableError
from referee.gate.text_encodings import decompress_zlib, read_loose_base64, read_quoted_printable
from referee.record.log.log_errors import LogError

ARMOR_FORM = 1
"""The number of the form in which packets are written. A greater number comes from a newer referee."""
MAX_COLUMNS = 64
"""The longest line, in characters."""
MAX_MAIL_BYTES = 16 * 1024 * 1024
"""The longest mail that is searched, in bytes."""
MAX_PACKET_BYTES = 8 * 1024 * 1024
"""The most data in one packet before compression, in bytes."""
MAX_UNPACKED_BYTES = 8 * MAX_PACKET_BYTES
"""The most data that is unpacked for one mail, all its packets together, in bytes."""
MAX_PACKETS_IN_MAIL = 1000
"""The most packets in one mail, damaged ones included."""
MAX_TAGS = 250_000
"""The most tags that are taken out of one packet. Entities and initials have the same limit."""
MAX_BASE64_LAYERS = 4
"""The most layers of base64: a mail attached to a mail attached to a mail."""

BASE64_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
BLANKS = b" \t\n\r\f\v"
NOISE = bytes(set(range(256)) - set(BASE64_CHARACTERS))
ENTITY_CHARACTERS = {
    (form % sign).encode(): bytes([sign])
    for sign in BASE64_CHARACTERS
    for form in ("&#%d;", "&#%03d;", "&#x%x;", "&#x%X;")
} | {b"&plus;": b"+", b"&sol;": b"/", b"&gt;": b">"}
"""The HTML entities for a sign or for the quotation mark >, each with its character. Every other entity is noise."""
TAG = re.compile(rb"<[^<>]*>")
ENTITY = re.compile(rb"&#?[A-Za-z0-9]{1,10};")
INITIALS = re.compile(rb"^(?:[ \t>|]*+[A-Za-z]{1,4}>)+", re.MULTILINE)
"""Quotation marks with the initials of the person who is quoted, as in `AB> `."""
BLOCK = re.compile(rb"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{56}[A-Za-z0-9+/\s]{144,}+")
"""A block that may be base64 with a packet in it. It begins with a long line."""
HEAD = re.compile(rb"Form(\d{1,9})(?:Size(\d{1,9})SHA256([0-9a-f]{64}))?")
"""The lines before the base64, without noise. The groups are the form, the size and the checksum."""
NOISE_PATTERN = rb"(?:[^A-Za-z0-9<&]{1,200}+|<[^<>]{0,200}>|&#?[A-Za-z0-9]{1,10};){0,24}+"
"""Noise between two letters of a first or last line: blanks, dashes, tags, entities. The limits keep a mail of nothing
but tags from being searched once for each tag.
"""


def _make_pattern(words: str) -> bytes:
    return NOISE_PATTERN.join(letter.encode() for letter in words)


MARK = re.compile(
    rb"(?:%b()|%b)%b%b" % (_make_pattern("BEGIN"), _make_pattern("END"), NOISE_PATTERN, _make_pattern("REFEREEPACKET"))
)
"""The first or the last line of a packet. The group is "" for a first line and None for a last line. Each alternative
begins with a fixed letter, so the search skips other text fast.
"""

PacketDamage = Literal["none", "cut-short", "changed", "too-big", "too-new"]
"""The reason why nothing can be taken out of an envelope."""

DAMAGE_TEXTS: dict[PacketDamage, str] = {
    "none": "This text holds no packet.",
    "cut-short": "The packet is cut short: its last line is missing. Ask for it again.",
    "changed": "The packet was changed on the way, and nobody can restore it. Ask for it again, as an attachment.",
    "too-big": "Too big: a mail may have at most 16 MB and 1,000 packets, and a packet at most 8 MB.",
    "too-new": "The packet was made by a newer referee. To open it, bring yours up to date.",
}
"""Each damage in one or two sentences for players."""


class EnvelopeError(LogError):
    """Raised if a mail holds no whole packet, or if data is too big for one. Its text tells players why."""

    def __init__(self, damage: PacketDamage) -> None:
        super().__init__(damage)
        self.damage = damage

    def __str__(self) -> str:
        return DAMAGE_TEXTS[self.damage]


class MailedPackets(Struct, frozen=True):
    """The packets in one mail."""

    whole: tuple[bytes, ...]
    """The data of every whole packet, in the order of the mail, without repetitions."""
    damages: tuple[PacketDamage, ...]
    """The damage of each of the other packets, in their order. A damaged copy of a whole packet is left out."""


class Envelope(Struct, frozen=True):
    """A packet as it stands in a mail, without noise."""

    has_last_line: bool
    """True if the last line is there."""
    form: int = 0
    """The form's number; 0 if the first lines cannot be read."""
    size: int = 0
    """The length of the data in bytes, as the envelope gives it."""
    digest: str = ""
    """The SHA-256 of the data, as the envelope gives it; "" if it cannot be read."""
    body: bytes = b""


def encode_ascii_armor(data: bytes) -> str:
    """Returns the lines to paste into a mail. Raises EnvelopeError if `data` is longer than MAX_PACKET_BYTES."""
    if len(data) > MAX_PACKET_BYTES:
        raise EnvelopeError("too-big")
    body = b64encode(zlib.compress(data, 9)).decode()
    lines = [body[at : at + MAX_COLUMNS] for at in range(0, len(body), MAX_COLUMNS)]
    head = [f"Form: {ARMOR_FORM}", f"Size: {len(data)}", "SHA-256:", sha256(data).hexdigest()]
    return "\n".join(["-----BEGIN REFEREE PACKET-----", *head, *lines, "-----END REFEREE PACKET-----", ""])


def read_mailed_packets(mail: bytes) -> MailedPackets:
    """Returns all packets in a mail, or in a piece of one. Raises EnvelopeError if none is whole.

    Work and memory are bounded, whatever the mail holds. EnvelopeError is also raised for more than MAX_MAIL_BYTES
    bytes, or for more than MAX_PACKETS_IN_MAIL packets. So the caller need not read more than MAX_MAIL_BYTES + 1 bytes
    of a file.
    """
    if len(mail) > MAX_MAIL_BYTES:
        raise EnvelopeError("too-big")
    whole: dict[str, bytes] = {}
    damaged: dict[tuple[str, PacketDamage], None] = {}
    left = MAX_UNPACKED_BYTES
    for number, envelope in enumerate(_list_envelopes(_decode_layers(mail, MAX_BASE64_LAYERS))):
        if number == MAX_PACKETS_IN_MAIL:
            raise EnvelopeError("too-big")
        if envelope.digest in whole:
            continue
        damage = _find_damage(envelope, min(left, MAX_PACKET_BYTES))
        data = None if damage else _unpack_data(envelope)
        if data is None:
            damaged[envelope.digest, damage or "changed"] = None
        else:
            whole[envelope.digest] = data
        left -= 0 if damage else envelope.size
    told = tuple(damage for digest, damage in damaged if digest not in whole)
    if not whole:
        raise EnvelopeError(told[0] if told else "none")
    return MailedPackets(tuple(whole.values()), told)


def _decode_layers(data: bytes, nested: int) -> bytes:
    """Decodes UTF-16, quoted-printable and up to `nested` layers of base64. Quotation marks and HTML stay."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode()
    text = data.replace(b"\r", b"\n")
    if nested:
        text = BLOCK.sub(lambda block: _decode_block(block[0], nested - 1), text)
    return read_quoted_printable(text)


def _decode_block(block: bytes, nested: int) -> bytes:
    """Returns the decoded base64 if it holds a packet; otherwise the block unchanged."""
    inner = _decode_layers(read_loose_base64(block.translate(None, BLANKS)), nested)
    return inner if MARK.search(inner) else block


def _list_envelopes(text: bytes) -> Iterator[Envelope]:
    """Yields all packets in a text.

    Each goes from its first line to the next line that begins or ends a packet, or to the end of the text.
    """
    begun = None
    for mark in MARK.finditer(text):
        if begun:
            yield _make_envelope(text[begun.end() : mark.start()], ended=mark[1] is None)
        begun = mark if mark[1] is not None else None
    if begun:
        yield _make_envelope(text[begun.end() :], ended=False)


def _make_envelope(inside: bytes, ended: bool) -> Envelope:
    """Returns the envelope of the text `inside`, which follows the first line of a packet.

    `ended` is True if the last line of the packet follows the text.
    """
    text = TAG.sub(b"", inside, MAX_TAGS)
    text = ENTITY.sub(lambda entity: ENTITY_CHARACTERS.get(entity[0], b""), text, MAX_TAGS)
    text = INITIALS.sub(b"", text, MAX_TAGS).translate(None, NOISE)
    head = HEAD.match(text)
    if not head:
        return Envelope(ended)
    return Envelope(ended, int(head[1]), int(head[2] or 0), (head[3] or b"").decode(), text[head.end() :])


def _find_damage(envelope: Envelope, most: int) -> PacketDamage | None:
    """Returns the damage that is plain before unpacking, or None; `most` is the allowed size in bytes."""
    if envelope.form > ARMOR_FORM:
        return "too-new"
    if not envelope.has_last_line:
        return "cut-short"
    return "too-big" if envelope.size > most else None


def _unpack_data(envelope: Envelope) -> bytes | None:
    """Returns the unpacked data; None if it does not have the size and the checksum that the envelope gives."""
    try:
        data = decompress_zlib(read_loose_base64(envelope.body), envelope.size + 1).data
    except UnreadableError:
        return None
    return data if len(data) == envelope.size and sha256(data).hexdigest() == envelope.digest else None
