"""The envelope of a packet: lines of text that can be pasted into a mail, and how they are found again in one.

    -----BEGIN REFEREE PACKET-----
    Form: 1
    Size: 16384
    SHA-256:
    <64 hex digits, of the data>
    <base64 of the data, compressed by zlib, in lines of 64>
    -----END REFEREE PACKET-----

Only letters, digits, + and / count, in their order; so nothing depends on what mail programs change: blanks, line ends,
marks of quotation, dashes. What they write in other ways (quoted-printable, HTML) is undone wherever it stands, since
none of its signs (= & <) means anything in a packet. What travels in base64 is unpacked where it stands. So no header
of a mail is believed, and a piece of a mail will do. The checksum has the last word: data comes out as it went in, or
not at all.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from binascii import a2b_base64, a2b_qp
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from referee.record.log.faults import LogError

FORM = 1
"""Number of the form in which we write; a greater one is a newer referee's."""
COLUMNS = 64
"""Characters of the longest line."""
MAX_MAIL = 16 * 1024 * 1024
"""Bytes of the longest mail that is looked through."""
MAX_DATA = 8 * 1024 * 1024
"""Bytes of the most data in one packet, before it is compressed."""
MAX_WORK = 8 * MAX_DATA
"""Bytes of data that are unpacked for one mail, all its packets together."""
MAX_PACKETS = 1000
"""Packets in one mail, damaged ones counted."""
MAX_SPOTS = 250_000
"""Tags that are taken out of one packet; so many entities, and so many initials, too."""
MAX_NESTED = 4
"""How often base64 may lie within base64: a mail attached to a mail attached to a mail."""

SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
BLANKS = b" \t\n\r\f\v"
NOISE = bytes(set(range(256)) - set(SIGNS))
CHARACTERS = {
    (form % sign).encode(): bytes([sign]) for sign in SIGNS for form in ("&#%d;", "&#%03d;", "&#x%x;", "&#x%X;")
} | {b"&plus;": b"+", b"&sol;": b"/", b"&gt;": b">"}
"""What HTML may write in place of a sign, or of a mark of quotation; every other entity is noise."""
TAG = re.compile(rb"<[^<>]*>")
ENTITY = re.compile(rb"&#?[A-Za-z0-9]{1,10};")
INITIALS = re.compile(rb"^(?:[ \t>|]*+[A-Za-z]{1,4}>)+", re.MULTILINE)
"""Marks of quotation with the initials of who is quoted."""
BLOCK = re.compile(rb"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{56}[A-Za-z0-9+/\s]{144,}+")
"""What may be base64 with a packet in it: it begins with a long line."""
HEAD = re.compile(rb"Form(\d{1,9})(?:Size(\d{1,9})SHA256([0-9a-f]{64}))?")
"""The lines before the base64, when all noise is gone."""
BETWEEN = rb"(?:[^A-Za-z0-9<&]{1,200}+|<[^<>]{0,200}>|&#?[A-Za-z0-9]{1,10};){0,24}+"
"""What may come between two letters of a first or last line: blanks and dashes, tags, entities. So many and no more:
else a mail of nothing but tags would be looked through once for each of them.
"""


def _line(words: str) -> bytes:
    return BETWEEN.join(letter.encode() for letter in words)


MARK = re.compile(rb"(?:%b()|%b)%b%b" % (_line("BEGIN"), _line("END"), BETWEEN, _line("REFEREEPACKET")))
"""The first line of a packet, in which there is an empty group, or its last. Each way begins with its letter: so what
begins otherwise is passed over quickly.
"""

Damage = Literal["none", "cut-short", "changed", "too-big", "too-new"]
"""Why nothing can be taken out of an envelope."""

WORDS: dict[Damage, str] = {
    "none": "There is no packet in it.",
    "cut-short": "The packet is cut short: its last line is missing. Ask for it again.",
    "changed": "The packet was changed on the way, and nobody can tell how it was. Ask for it again, as an attachment.",
    "too-big": "It is bigger than allowed: a mail may have 16 MB and 1,000 packets, a packet 8 MB.",
    "too-new": "The packet was made by a newer referee. To open it, bring yours up to date.",
}
"""Each damage as a sentence or two for players."""


class EnvelopeError(LogError):
    """There is no packet that is whole; says why in a sentence for players."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(damage)
        self.damage = damage

    def __str__(self) -> str:
        return WORDS[self.damage]


class Letters(Struct, frozen=True):
    """What a mail holds."""

    whole: tuple[bytes, ...]
    """The data of every whole packet, each as `wrapped` got it, in the order of the mail; none twice."""
    damaged: tuple[Damage, ...]
    """What is wrong with the others, in their order; a damaged copy of a whole one is not told."""


class Envelope(Struct, frozen=True):
    """A packet as it stands in a mail, when all noise is gone."""

    ended: bool
    """Whether its last line is there."""
    form: int = 0
    """0: its first lines cannot be read."""
    size: int = 0
    digest: str = ""
    """SHA-256 of the data, as it says itself; "" where that cannot be read."""
    body: bytes = b""


def wrapped(data: bytes) -> str:
    """The lines to be pasted into a mail, and nothing else; EnvelopeError if `data` is more than MAX_DATA."""
    if len(data) > MAX_DATA:
        raise EnvelopeError("too-big")
    body = b64encode(zlib.compress(data, 9)).decode()
    lines = [body[at : at + COLUMNS] for at in range(0, len(body), COLUMNS)]
    head = [f"Form: {FORM}", f"Size: {len(data)}", "SHA-256:", sha256(data).hexdigest()]
    return "\n".join(["-----BEGIN REFEREE PACKET-----", *head, *lines, "-----END REFEREE PACKET-----", ""])


def letters_in(mail: bytes) -> Letters:
    """All packets in a mail as it arrived, or in a piece of one; EnvelopeError says why if none is whole.

    Work and memory are bounded, whatever is in it; of a file, read MAX_MAIL + 1 bytes at most.
    """
    if len(mail) > MAX_MAIL:
        raise EnvelopeError("too-big")
    whole: dict[str, bytes] = {}
    damaged: dict[tuple[str, Damage], None] = {}
    left = MAX_WORK
    for number, envelope in enumerate(_envelopes_in(_plain(mail, MAX_NESTED))):
        if number == MAX_PACKETS:
            raise EnvelopeError("too-big")
        if envelope.digest in whole:
            continue
        damage = _damage_to(envelope, min(left, MAX_DATA))
        data = None if damage else _data_of(envelope)
        if data is None:
            damaged[envelope.digest, damage or "changed"] = None
        else:
            whole[envelope.digest] = data
        left -= 0 if damage else envelope.size
    told = tuple(damage for digest, damage in damaged if digest not in whole)
    if not whole:
        raise EnvelopeError(told[0] if told else "none")
    return Letters(tuple(whole.values()), told)


def _plain(data: bytes, nested: int) -> bytes:
    """A text in which every packet stands in ASCII, with marks of quotation and of HTML at most."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode()
    text = data.replace(b"\r", b"\n")
    if nested:
        text = BLOCK.sub(lambda block: _unpacked(block[0], nested - 1), text)
    return a2b_qp(text)


def _unpacked(block: bytes, nested: int) -> bytes:
    """What travelled in base64, if there is a packet in it; else the block as it is."""
    inner = _plain(_decoded(block.translate(None, BLANKS)), nested)
    return inner if MARK.search(inner) else block


def _envelopes_in(text: bytes) -> Iterator[Envelope]:
    """All packets, from each first line to the last line that follows, or as far as it goes."""
    begun = None
    for mark in MARK.finditer(text):
        if begun:
            yield _envelope(text[begun.end() : mark.start()], ended=mark[1] is None)
        begun = mark if mark[1] is not None else None
    if begun:
        yield _envelope(text[begun.end() :], ended=False)


def _envelope(inside: bytes, ended: bool) -> Envelope:
    """What stands between the first and the last line."""
    text = TAG.sub(b"", inside, MAX_SPOTS)
    text = ENTITY.sub(lambda entity: CHARACTERS.get(entity[0], b""), text, MAX_SPOTS)
    text = INITIALS.sub(b"", text, MAX_SPOTS).translate(None, NOISE)
    head = HEAD.match(text)
    if not head:
        return Envelope(ended)
    return Envelope(ended, int(head[1]), int(head[2] or 0), (head[3] or b"").decode(), text[head.end() :])


def _damage_to(envelope: Envelope, most: int) -> Damage | None:
    """What can be seen without unpacking; `most` bytes of data are allowed."""
    if envelope.form > FORM:
        return "too-new"
    if not envelope.ended:
        return "cut-short"
    return "too-big" if envelope.size > most else None


def _data_of(envelope: Envelope) -> bytes | None:
    """The data, if it is what was sent."""
    try:
        data = zlib.decompressobj().decompress(_decoded(envelope.body), envelope.size + 1)
    except zlib.error:
        return None
    return data if len(data) == envelope.size and sha256(data).hexdigest() == envelope.digest else None


def _decoded(letters: bytes) -> bytes:
    """The bytes of base64 whose end cannot be seen: there may be some more behind them."""
    return a2b_base64(letters + b"A" * (-len(letters) % 4))
