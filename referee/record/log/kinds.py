"""What a path is: the one place that says so, for whatever asks. Who makes a new kind of file adds it to `KINDS`.

A file is told by how it begins, and only where that leaves it open by its name, or by more of what it holds. Whether it
is a good one of its kind, who reads it finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from referee.record.log.disk import open_named
from referee.record.log.fields import MAX_LINE
from referee.record.log.frame import BODY_AT, OPENER

LONGEST = 1_000
"""Bytes that are looked at first."""
WHOLE = 16 * 1024 * 1024
"""Bytes that are looked at where the first ones do not tell."""
PACKET = rb"(?i)-----begin referee packet"
NO_LOG = "this is no log: the first line is no entry"


class Looked:
    """What is looked at of a file that holds something."""

    def __init__(self, file: BinaryIO, name: str = "") -> None:
        """`name`: what it is called; empty for what was piped in."""
        self._file = file
        self.ending = Path(name).suffix.lower()
        """How its name ends, in small letters."""
        self.start = file.read(LONGEST)
        """Its first bytes."""

    def begins(self, pattern: str) -> bool:
        """Whether it begins so, blanks before it and big letters aside."""
        text = self.start[:LONGEST].removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()
        return re.match(pattern, text, re.IGNORECASE) is not None

    def holds(self, pattern: bytes) -> bool:
        """Whether this stands in it somewhere."""
        parts = (self.start, self.start[-LONGEST:] + self._rest[:LONGEST], self._rest)  # never all of it twice
        return any(re.search(pattern, part) for part in parts)

    @cached_property
    def _rest(self) -> bytes:
        return self._file.read(WHOLE)

    @cached_property
    def log_of(self) -> str:
        """What the first entry of a log begins, a game or a match; empty where that cannot be read, or it is none."""
        if not self.start.startswith(OPENER):
            return ""
        if b"\n" not in self.start:
            self.start += self._file.readline(MAX_LINE)
        line = self.start.partition(b"\n")[0]
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return msgspec.json.decode(line[BODY_AT:-1], type=_First).type
        return ""


class _First(Struct):
    type: str


class Kind(Struct, frozen=True):
    """A kind of file, or of what else a path may be."""

    name: str
    is_one: Callable[[Looked], bool] = lambda _: False
    """Whether a file is of this kind, if it is of none before it."""
    no_log: str = NO_LOG
    """What it is told as where a log was wanted, and what is done with it instead: a clause."""
    no_mail: str = ""
    """The same where a mail was wanted, as a sentence; empty: what is wrong with it as a mail."""
    no_position: str = ""
    """The same where a position was wanted, as a clause; empty: what is wrong with it as one."""
    is_log: bool = False
    """Whether entries stand in it."""


def _beginning(pattern: str) -> Callable[[Looked], bool]:
    """Tells a file by how it begins."""
    return partial(Looked.begins, pattern=pattern)


A_LOG = {
    "no_mail": "it is a log, and no mail: referee use FILE plays on in it, referee diff FILE compares it with yours.",
    "no_position": "it is a log; to play on from an entry of it: referee -g LOG branch NAME --at WHEN",
}
A_PAGE = "this is a page, not a log; referee use PAGE -o LOG takes the log out of it"

MATCH = Kind("match", lambda file: file.log_of == "match", is_log=True, **A_LOG)
"""The log of a match, whose games have logs of their own."""
LOG = Kind("log", lambda file: file.start.startswith(OPENER), is_log=True, **A_LOG)
"""The log of a game."""
PAGE = Kind("page", lambda file: file.ending in (".html", ".htm") and file.begins("<!doctype html>"), A_PAGE)
"""A game as a page, by its name."""
HTML = Kind("another page", _beginning(r"<!doctype html|<html"), A_PAGE)
PICTURE = Kind("picture", _beginning(r"<svg|<\?xml"), "this is a picture or another file in XML, not a log")
KEY = Kind("key", _beginning("-----begin openssh"), "this is a key, not a log; keep it to yourself")
MAIL = Kind(
    "mail",
    lambda file: file.begins(r"(from|to|subject|date|received|return-path): ") or file.holds(PACKET),
    "this is a mail; referee open MAIL",
)
"""A mail as it came, or a text with a packet in it; a packet that was wrapped once more only who opens it sees."""
SHEET = Kind(
    "sheet",
    _beginning("referee words "),
    "this is a game as words, not a log; referee new --from FILE reads it",
)
"""A game as words."""
POSITION = Kind(
    "position",
    _beginning(r"\[?[a-z_][\w. -]*(\]|\s*=)"),
    "this looks like a board or a position, not a log; referee new GAME --from FILE",
)
"""A board or a position, as TOML."""
BINARY = Kind("binary", _beginning(r"PK\x03\x04|\x89PNG|%PDF|\x1f\x8b"), "this is no text, and so no log")
PROOF = Kind("proof", lambda file: file.begins(r"\{") and file.holds(rb'"referee":\s*"fork/1"'))
"""A proof that somebody has signed two entries with one number."""
BACKUP = Kind(
    "back-up",
    lambda file: file.begins(r"\{") and file.holds(rb'"referee":\s*"backup/1"'),
    "this is a back-up of a key, not a log; keep it to yourself",
)
OTHER = Kind("other")
"""A file of which nothing is known."""
KINDS = (MATCH, LOG, PAGE, HTML, PICTURE, KEY, SHEET, POSITION, BINARY, MAIL, PROOF, BACKUP)
"""All kinds of files: of those that fit, the first."""
FOLDER = Kind("folder")
NOTHING = Kind("nothing")
"""There is no such file, or none that can be read: who opens it is told why."""


def kind_of(path: Path) -> Kind:
    """What lies under a path."""
    if path.is_dir():
        return FOLDER
    try:
        with open_named(path) as file:
            return _kind(Looked(file, path.name))
    except OSError:
        return NOTHING


def kind_in(data: bytes) -> Kind:
    """What this would be as a file."""
    return _kind(Looked(BytesIO(data)))


def _kind(file: Looked) -> Kind:
    return next((kind for kind in KINDS if kind.is_one(file)), OTHER)
