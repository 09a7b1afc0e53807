"""The kinds of files. Only this module decides which kind a path has. A new kind of file is added to `FILE_KINDS`.

A file is recognised by its first bytes, and if those leave it open, by its name or by more of its content. Whether it
is a valid file of its kind is found when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from referee.gate import UnreadableError, read_json
from referee.record.log.field_types import MAX_LINE_BYTES
from referee.record.log.line_format import BODY_OFFSET, LINE_START
from referee.record.log.safe_files import PACKED_STARTS, open_without_unpacking

START_BYTES = 1_000
"""The number of bytes at the start of a file that are searched first."""
MAX_SEARCHED_BYTES = 16 * 1024 * 1024
"""The most bytes after the first `START_BYTES` that are searched, if the first ones do not decide the kind."""
PACKET_START = rb"(?i)-----begin referee packet"
NO_LOG_MESSAGE = "this is not a log: its first line is not an entry"


class FileContent:
    """The parts of a file that decide its kind."""

    def __init__(self, file: BinaryIO, name: str = "") -> None:
        """Reads the start of a file. `name` is its name; "" for a stream."""
        self._file = file
        self.ending = Path(name).suffix.lower()
        """The ending of the file's name, in small letters."""
        self.start = file.read(START_BYTES)
        """The first bytes of the file."""

    def begins_with(self, pattern: str) -> bool:
        """True if the file begins with this regular expression. A byte order mark, blanks at the beginning, and
        capitals make no difference.
        """
        text = self.start[:START_BYTES].removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()
        return re.match(pattern, text, re.IGNORECASE) is not None

    def contains(self, pattern: bytes) -> bool:
        """True if the regular expression is found in the file, as far as it is read (`MAX_SEARCHED_BYTES`)."""
        parts = (self.start, self.start[-START_BYTES:] + self._rest[:START_BYTES], self._rest)  # never a copy of it all
        return any(re.search(pattern, part) for part in parts)

    @cached_property
    def _rest(self) -> bytes:
        return self._file.read(MAX_SEARCHED_BYTES)

    @cached_property
    def log_type(self) -> str:
        """The type of a log's first entry, "game" or "match"; "" if it cannot be read, or if this is not a log."""
        if not self.start.startswith(LINE_START):
            return ""
        if b"\n" not in self.start:
            self.start += self._file.readline(MAX_LINE_BYTES)
        line = self.start.partition(b"\n")[0]
        with suppress(UnreadableError):
            return read_json(line[BODY_OFFSET:-1], _First).type
        return ""


class _First(Struct):
    type: str


class FileKind(Struct, frozen=True):
    """A kind of file or path."""

    name: str
    is_of_kind: Callable[[FileContent], bool] = lambda _: False
    """Returns True if a file fits this kind. If several kinds fit, the first one of `FILE_KINDS` counts."""
    no_log: str = NO_LOG_MESSAGE
    """The message if a log was wanted, with the right command for this kind; a clause."""
    no_mail: str = ""
    """The message if a mail was wanted, as a sentence; "" if the reader of mails explains the problem."""
    no_position: str = ""
    """The message if a position was wanted, as a clause; "" if the reader of positions explains the problem."""
    is_log: bool = False
    """True if the file holds entries."""


def _make_beginning_test(pattern: str) -> Callable[[FileContent], bool]:
    """Returns a test for files that begin with a pattern."""
    return partial(FileContent.begins_with, pattern=pattern)


LOG_MESSAGES = {
    "no_mail": "it is a log, not a mail. To play on in it: referee use FILE. To compare it: referee diff FILE.",
    "no_position": "it is a log; to play on from one of its entries: referee -g LOG branch NAME --at WHEN",
}
PAGE_MESSAGE = "this is a page, not a log; to take the log out of it: referee use PAGE -o LOG"
NAMELESS_PAGE_MESSAGE = "this is a web page, not a log; if the referee wrote it, give it a name that ends in .html"

MATCH = FileKind("match", lambda file: file.log_type == "match", is_log=True, **LOG_MESSAGES)
"""The log of a match; its games have logs of their own."""
LOG = FileKind("log", lambda file: file.start.startswith(LINE_START), is_log=True, **LOG_MESSAGES)
"""The log of a game."""
PAGE = FileKind(
    "page", lambda file: file.ending in (".html", ".htm") and file.begins_with("<!doctype html>"), PAGE_MESSAGE
)
"""A game as a page, recognised by its name and start."""
HTML = FileKind("another page", _make_beginning_test(r"<!doctype html|<html"), NAMELESS_PAGE_MESSAGE)
PICTURE = FileKind(
    "picture", _make_beginning_test(r"<svg|<\?xml"), "this is a picture or another file in XML, not a log"
)
KEY = FileKind("key", _make_beginning_test("-----begin openssh"), "this is a key, not a log; keep it to yourself")
MAIL = FileKind(
    "mail",
    lambda file: file.begins_with(r"(from|to|subject|date|received|return-path): ") or file.contains(PACKET_START),
    "this is a mail, not a log; to open it: referee mail open MAIL",
)
"""A mail, or a text with a packet in it. A packet that was wrapped once more is found only by opening it."""
SHEET = FileKind(
    "sheet",
    _make_beginning_test("referee words "),
    "this is a game as words, not a log; to read it: referee new --from FILE",
)
"""A game as words."""
POSITION = FileKind(
    "position",
    _make_beginning_test(r"\[?[a-z_][\w. -]*(\]|\s*=)"),
    "this looks like a board or a position, not a log; to start from it: referee new GAME --from FILE",
)
"""A board or a position, as TOML."""
PACKED = FileKind(
    "packed file",
    lambda file: file.start.startswith(PACKED_STARTS),
    "this is packed; to take the log out of it: referee use FILE -o LOG",
)
"""A gzip or a ZIP."""
BINARY = FileKind("binary", _make_beginning_test(r"\x89PNG|%PDF"), "this is not text, so it is not a log")
PROOF = FileKind("proof", lambda file: file.begins_with(r"\{") and file.contains(rb'"referee":\s*"fork/1"'))
"""A proof that a seat has signed two entries with one number."""
BACKUP = FileKind(
    "back-up",
    lambda file: file.begins_with(r"\{") and file.contains(rb'"referee":\s*"backup/1"'),
    "this is a back-up of a key, not a log; keep it to yourself",
)
OTHER = FileKind("other")
"""A file of an unknown kind."""
FILE_KINDS = (MATCH, LOG, PAGE, HTML, PICTURE, KEY, SHEET, POSITION, PACKED, BINARY, MAIL, PROOF, BACKUP)
"""All kinds of files. If several fit, the first one counts."""
FOLDER = FileKind("folder")
NO_FILE = FileKind("nothing")
"""A path without a readable file. The error on opening it says why."""


def find_path_kind(path: Path) -> FileKind:
    """Returns the kind of a path: `FOLDER`, `NO_FILE` if no file can be read there, or the kind of the file."""
    if path.is_dir():
        return FOLDER
    try:
        with open_without_unpacking(path) as file:
            return _find_kind(FileContent(file, path.name))
    except OSError:
        return NO_FILE


def find_content_kind(data: bytes) -> FileKind:
    """Returns the kind that this data would have as a file."""
    return _find_kind(FileContent(BytesIO(data)))


def _find_kind(file: FileContent) -> FileKind:
    return next((kind for kind in FILE_KINDS if kind.is_of_kind(file)), OTHER)
