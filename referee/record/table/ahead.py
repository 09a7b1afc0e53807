"""What a log tells further on about its earlier entries: it is looked through before it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import BinaryIO

import msgspec
from msgspec import Struct

from referee.engine.leaf import SALT_SIZE
from referee.record.log.disk import BLOCK
from referee.record.log.fields import MAX_LINE, Number
from referee.record.log.frame import BODY_AT, MIDDLE, OPENER
from referee.record.log.limits import depth_of
from referee.record.log.sealing import Opening

AGREED = MIDDLE + b'{"agreed":'
AGREED_AT = BODY_AT - len(MIDDLE)
"""What stands in the lines of takebacks, amendments and reveals, and in no other line: keys are sorted."""


DEEP = 100
"""Brackets within brackets in what a reveal opens. Some versions of Python decode deeper ones and others do not; all of
them are to find the same fault.
"""


class _Takeback(Struct, tag_field="type", tag="takeback"):
    """What a takeback says about entries before it; whether it is one is for the second reading."""

    n: Number
    to: Number


class _Reveal(Struct, tag_field="type", tag="reveal"):
    """The same of a reveal. A leaf that is none is looked up by nobody."""

    leaf: str
    salt: str
    value: msgspec.Raw


class Ahead(Struct, frozen=True):
    """What a log tells further on about its earlier entries."""

    takebacks: Mapping[int, int]
    """Entries that takebacks go back to, each with the last one that does."""
    openings: Mapping[str, Opening]
    """What opens each leaf that is revealed: the first that could."""


def look_ahead(file: BinaryIO) -> Ahead:
    """Read to the end and come back to where the file was. Faults are for the second reading."""
    takebacks: dict[int, int] = {}
    openings: dict[str, Opening] = {}
    here = file.tell()
    for line in _agreed_lines(file):
        try:
            entry = _decoder().decode(line[BODY_AT:-1])
            if isinstance(entry, _Takeback):
                takebacks[entry.to] = entry.n
            elif entry.leaf not in openings:
                salt, value = bytes.fromhex(entry.salt), bytes(entry.value)
                is_salt = len(salt) == SALT_SIZE and salt.hex() == entry.salt  # in the one spelling that a reveal has
                if is_salt and depth_of(value, DEEP) <= DEEP:
                    openings[entry.leaf] = Opening(salt, value)
        except (msgspec.DecodeError, RecursionError, ValueError):
            continue
    file.seek(here)
    return Ahead(takebacks, openings)


@cache
def _decoder() -> msgspec.json.Decoder[_Takeback | _Reveal]:
    """It is made when there is a line to be read: in most games nothing is ever taken back or revealed."""
    return msgspec.json.Decoder(_Takeback | _Reveal)


def _agreed_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines that somebody may have agreed to, looked for in many at once; where there are no lines, it is given up."""
    rest = b""
    while (block := file.read(BLOCK)) and len(rest) <= MAX_LINE:
        data = rest + block
        if not data.startswith(OPENER):
            return
        cut = data.rfind(b"\n") + 1
        rest = data[cut:]
        at = data.find(AGREED, 0, cut)
        while at >= 0:
            begin, end = data.rfind(b"\n", 0, at) + 1, data.index(b"\n", at)
            if at - begin == AGREED_AT:
                yield data[begin:end]
            at = data.find(AGREED, at + 1, cut)
    yield rest
