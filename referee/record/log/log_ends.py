"""Logs with several ends, as merges of shared folders leave them: one file in which two people have played on.

Every line of a log has its own hash and names the hash of the line before it. So all ends are found by content,
whatever marks a merge has put between the lines and in whatever order it has put them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import SEEK_END
from typing import BinaryIO

from msgspec import Struct

from referee.gate import UnreadableError, read_json
from referee.record.log.line_format import BODY_OFFSET, BYTE_ORDER_MARK, LINE_START, NO_PREVIOUS_HASH, format_entry_line
from referee.record.log.log_errors import Fault
from referee.record.log.mail_damage import BLANKS, MAX_LINES
from referee.record.log.reader import is_entry_line
from referee.record.log.safe_files import MAX_SEARCHED_FILE_BYTES

FAULTS_LEFT_BY_MERGES = frozenset({"not-a-log", "byte-order-mark", "bad-frame", "bad-chain", "bad-order"})
"""The faults that a merge may have caused."""
MAX_ENDS = 16
"""The most ends that are told apart."""
CONFLICT_MARK = re.compile(rb"(<{7,}|>{7,}|={7,}|\|{7,}|%{7,}|\+{7,}|-{7,}|\\{7,})( .*)?")
"""A line that Git, Mercurial or Jujutsu writes into a file with a conflict."""


class LogEnds(Struct, frozen=True):
    """The ends of a log: the lines that all ends share, then the further lines of each end."""

    common: bytes
    """The lines that all ends share: at least the first entry."""
    tails: tuple[tuple[bytes, ...], ...]
    """The further lines of each end, in the order in which the ends begin in the file."""

    @property
    def common_entry_count(self) -> int:
        """The number of common entries."""
        return self.common.count(b"\n")

    def get_lines_of_end(self, at: int) -> bytes:
        """Returns all lines of one end, with the common lines first. `at` is the number of the end, counted from 0."""
        return self.common + b"".join(self.tails[at])

    def has_line(self, hash_: str) -> bool:
        """True if a line of any end has this hash."""
        start = LINE_START + hash_.encode()
        return start in self.common or any(line.startswith(start) for tail in self.tails for line in tail)


class _Link(Struct):
    """The fields that link an entry to the line before it."""

    n: int
    prev: str


class _Line(Struct, frozen=True):
    """A line with an intact entry."""

    n: int
    prev: str
    text: bytes


def read_log_ends(file: BinaryIO, fault: Fault | None) -> LogEnds | None:
    """Returns the ends of a log from a file in which the fault was found.

    Returns None if a merge does not explain the fault, if a line is damaged, or if the file is too big. `file` must be
    able to seek.
    """
    if fault is None or fault.code not in FAULTS_LEFT_BY_MERGES or file.seek(0, SEEK_END) > MAX_SEARCHED_FILE_BYTES:
        return None
    file.seek(0)
    data = file.read(MAX_SEARCHED_FILE_BYTES)
    ends = find_log_ends(data, fault.offset)
    if (
        ends
        and len(ends.tails) == 1
        and not any(CONFLICT_MARK.fullmatch(line.rstrip(BLANKS)) for line in data.split(b"\n"))
    ):
        return None  # somebody has moved or repeated lines; a merge leaves marks or several ends
    return ends


def find_log_ends(data: bytes, sound: int = 0) -> LogEnds | None:
    """Returns the ends of the log whose lines are in this data, in any order. One end means that nobody disagrees.

    The first `sound` bytes are lines that a reader has checked already. Returns None if a line is neither an intact
    entry nor the mark of a merge. Returns None, too, if the lines do not go on from one first entry, or if there are
    too many lines or ends.
    """
    if data.count(b"\n") > MAX_LINES:
        return None
    lines = _check_lines(data[:sound])
    for line in data[sound:].removeprefix(BYTE_ORDER_MARK).split(b"\n"):
        text = _find_entry(line.rstrip(BLANKS))
        if text is None:
            return None
        if text:
            found = _parse_line(text)
            if found is None:
                return None
            lines.setdefault(_find_hash(text), found)
    return _group_ends(lines)


def _check_lines(data: bytes) -> dict[str, _Line]:
    """Returns the lines in `data`, the beginning of a log, by their hashes.

    The lines are not checked here, because a reader has checked them.
    """
    lines, prev = dict[str, _Line](), NO_PREVIOUS_HASH
    for n, text in enumerate(data.splitlines(keepends=True)):
        hash_ = _find_hash(text)
        lines[hash_] = _Line(n, prev, text)
        prev = hash_
    return lines


def _find_hash(line: bytes) -> str:
    return line[len(LINE_START) : len(LINE_START) + 64].decode()


def _find_entry(line: bytes) -> bytes | None:
    """Returns the entry in a line, without the plus or space that a diff puts before it.

    Returns b"" for an empty line, a mark of a merge, and a line that a diff removes. Returns None for any other line.
    """
    if line.startswith(LINE_START):
        return line
    if line[1:].startswith(LINE_START) and line[:1] in b" +-":
        return b"" if line[:1] == b"-" else line[1:]  # an end does not hold what its difference takes away
    return b"" if not line or CONFLICT_MARK.fullmatch(line) else None


def _parse_line(text: bytes) -> _Line | None:
    """Returns a line with its links; None if it is damaged."""
    body = text[BODY_OFFSET:-1]
    if not is_entry_line(text) or format_entry_line(body) != text + b"\n":
        return None
    try:
        link = read_json(body, _Link)
    except UnreadableError:
        return None
    return _Line(link.n, link.prev, text + b"\n")


def _group_ends(lines: dict[str, _Line]) -> LogEnds | None:
    """Returns the ends of a log from its lines, by hash. None if they do not go on from one first entry, or if there
    are too many ends.
    """
    parents = {line.prev for line in lines.values()}
    last = [hash_ for hash_ in lines if hash_ not in parents]
    roots = [line for line in lines.values() if line.prev not in lines]
    in_order = all(line.n == lines[line.prev].n + 1 for line in lines.values() if line.prev in lines)
    if len(roots) != 1 or (roots[0].n, roots[0].prev) != (0, NO_PREVIOUS_HASH) or not in_order or len(last) > MAX_ENDS:
        return None
    runs = [list(_list_lines_up_to(hash_, lines)) for hash_ in last]
    shared = _count_shared(runs)
    places = {id(line): at for at, line in enumerate(lines.values())}
    runs.sort(key=lambda run: places[id(run[min(shared, len(run) - 1)])])
    tails = tuple(tuple(line.text for line in run[shared:]) for run in runs)
    return LogEnds(b"".join(line.text for line in runs[0][:shared]), tails)


def _list_lines_up_to(hash_: str, lines: dict[str, _Line]) -> Iterator[_Line]:
    """Returns the lines from the first one to the one with this hash."""
    found: list[_Line] = []
    while hash_ in lines:
        found.append(lines[hash_])
        hash_ = lines[hash_].prev
    return reversed(found)


def _count_shared(runs: list[list[_Line]]) -> int:
    """Returns the number of lines that all these runs begin with."""
    columns = zip(*runs, strict=False)
    return next(
        (at for at, column in enumerate(columns) if any(line is not column[0] for line in column)), min(map(len, runs))
    )
