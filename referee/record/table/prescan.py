"""The scan of a whole log for later lines that affect earlier entries, before the log is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import BinaryIO

import msgspec
from msgspec import Struct

from referee.engine.commitment import SALT_SIZE
from referee.gate import make_json_decoder, measure_nesting_depth
from referee.record.log.field_types import MAX_LINE_BYTES, EntryNumber
from referee.record.log.line_format import BODY_OFFSET, LINE_MIDDLE, LINE_START
from referee.record.log.safe_files import BLOCK_BYTES
from referee.record.log.sealing import SecretOpening

AGREED_START = LINE_MIDDLE + b'{"agreed":'
AGREED_OFFSET = BODY_OFFSET - len(LINE_MIDDLE)
"""The place at which `AGREED_START` stands in the lines of takebacks, amendments, reveals and other deeds that need
agreement. Keys are sorted.
"""


MAX_OPENED_DEPTH = 100
"""The deepest brackets in an opened secret. Python versions differ on deeper ones, but must find the same faults."""


class _Takeback(Struct, tag_field="type", tag="takeback"):
    """The part of a takeback that concerns earlier entries. The reader finds out later if the takeback is valid."""

    n: EntryNumber
    to: EntryNumber


class _Reveal(Struct, tag_field="type", tag="reveal"):
    """The part of a reveal that concerns earlier entries. An invalid leaf has no effect."""

    leaf: str
    salt: str
    value: msgspec.Raw


class Prescan(Struct, frozen=True):
    """The effects of later lines of a log on earlier entries."""

    takebacks: Mapping[int, int]
    """The number of the last takeback to each entry, by the number of the entry to which it goes back."""
    openings: Mapping[str, SecretOpening]
    """The first valid opening of each revealed leaf."""


def prescan_log(file: BinaryIO) -> Prescan:
    """Scans the rest of a file, and goes back to the old place. Ignores faults, which the reader finds later."""
    takebacks: dict[int, int] = {}
    openings: dict[str, SecretOpening] = {}
    here = file.tell()
    for line in _find_agreed_lines(file):
        try:
            entry = _make_decoder()(line[BODY_OFFSET:-1])
            if isinstance(entry, _Takeback):
                takebacks[entry.to] = entry.n
            elif entry.leaf not in openings:
                salt, value = bytes.fromhex(entry.salt), bytes(entry.value)
                is_salt = len(salt) == SALT_SIZE and salt.hex() == entry.salt  # the only spelling that a reveal has
                if is_salt and measure_nesting_depth(value, MAX_OPENED_DEPTH) <= MAX_OPENED_DEPTH:
                    openings[entry.leaf] = SecretOpening(salt, value)
        except ValueError:
            continue
    file.seek(here)
    return Prescan(takebacks, openings)


@cache
def _make_decoder() -> Callable[[bytes], _Takeback | _Reveal]:
    """Returns the decoder of takebacks and reveals. It is made on demand, since most games have none."""
    return make_json_decoder(_Takeback | _Reveal)


def _find_agreed_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yields the lines with a list of agreeing seats, and at last the bytes after the last line feed.

    The lines are found in large blocks. Stops if the file has no proper lines.
    """
    rest = b""
    while (block := file.read(BLOCK_BYTES)) and len(rest) <= MAX_LINE_BYTES:
        data = rest + block
        if not data.startswith(LINE_START):
            return
        cut = data.rfind(b"\n") + 1
        rest = data[cut:]
        at = data.find(AGREED_START, 0, cut)
        while at >= 0:
            begin, end = data.rfind(b"\n", 0, at) + 1, data.index(b"\n", at)
            if at - begin == AGREED_OFFSET:
                yield data[begin:end]
            at = data.find(AGREED_START, at + 1, cut)
    yield rest
