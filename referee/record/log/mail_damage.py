"""Logs that came by mail: the harmless changes of mail programs are undone, and harmful ones are reported.

This is tried only for files that are not logs as they stand. The extracted log is read like any other: every hash must
fit, so a change within an entry is found.
"""

from __future__ import annotations

from io import SEEK_END
from itertools import pairwise
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.record.log.line_format import BYTE_ORDER_MARK, LINE_START
from referee.record.log.log_errors import Fault
from referee.record.log.reader import is_entry_line
from referee.record.log.safe_files import MAX_SEARCHED_FILE_BYTES

MAX_LINES = 1_000_000
"""The most lines of a file in which a mailed log is looked for."""
FAULTS_LEFT_BY_MAIL = frozenset({"not-a-log", "byte-order-mark", "bad-frame"})
"""The faults that a mail program may have caused."""
BLANKS = b" \t\r"
REQUOTED_STARTS = tuple(f"{mark}hash".encode() for mark in "\u201c\u201d\u201e\u00ab")
"""Beginnings of entries whose quotation marks were replaced by a mail program."""
ENTRY_SIGNS = (b'"hash"', b'"entry"', b'"prev"', b'"type"', b"\0")
"""Bytes that occur in entries, but not in other text. Outside the entries, they belong to a damaged entry."""
MARKED, LINE_ENDS = "an invisible mark at its beginning", "Windows line ends"
BLANKS_AROUND, EMPTY_LINES = "blanks around its lines", "empty lines"
MERGED, SAID_TWICE = "the marks of a merge", "the same moves at other times"
HARMLESS_CHANGES = frozenset({MARKED, LINE_ENDS, BLANKS_AROUND, EMPTY_LINES, MERGED, SAID_TWICE})
"""Changes that leave every line of the log as it is, with nothing else in the file."""
ASK_FOR_ATTACHMENT = "ask for the log as an attachment"


class RecoveredLog(Struct, frozen=True):
    """A log as it was before it was mailed."""

    log: bytes
    undone: tuple[str, ...]
    """The changes of the mail programs, each as a clause."""

    @property
    def keeps_all_lines(self) -> bool:
        """True if only line ends, blanks and marks were changed, as editors and version control do it."""
        return HARMLESS_CHANGES.issuperset(self.undone)


def repair_mailed_log(file: BinaryIO, fault: Fault | None) -> RecoveredLog | Fault | None:
    """Returns the log in a file that mail programs have changed, with their changes undone.

    Returns a fault if mail has caused it and nobody can undo that. Returns None if `fault` did not come from mail, or
    if the file holds no log that can be found. `file` must be able to seek.
    """
    if fault is None or fault.code not in FAULTS_LEFT_BY_MAIL:
        return None
    if file.seek(0, SEEK_END) > MAX_SEARCHED_FILE_BYTES:
        return None
    file.seek(0)
    data = file.read(MAX_SEARCHED_FILE_BYTES)
    if not any(sign in data for sign in (LINE_START, *REQUOTED_STARTS)) or data.count(b"\n") > MAX_LINES:
        return None
    lines = [line.lstrip(b"> \t").rstrip(BLANKS) for line in data.removeprefix(BYTE_ORDER_MARK).split(b"\n")]
    broken = _explain_loss(data, lines)
    if broken:
        return replace(fault, code="mangled", cause=broken)
    found = _find_entry_range(lines)
    log = b"".join(line + b"\n" for line in lines[found.start : found.stop] if line)
    return RecoveredLog(log, _list_undone(data, lines, found)) if found and log != data else None


def _explain_loss(data: bytes, lines: list[bytes]) -> str | None:
    """Returns why nobody can restore the log, as a clause; None if it can be restored."""
    if any(sign in data for sign in REQUOTED_STARTS):
        return f"a mail program changed its quotation marks; {ASK_FOR_ATTACHMENT}"
    for line, after in pairwise(line for line in lines if line):
        if line.startswith(LINE_START) and not is_entry_line(line) and not after.startswith(LINE_START):
            return f"a mail program broke its lines, and nobody can restore them; {ASK_FOR_ATTACHMENT}"
    return None


def _find_entry_range(lines: list[bytes]) -> range:
    """Returns the range of lines from the first entry to the last.

    It is empty if other text stands between entries, or if a damaged entry stands before or after the range.
    """
    whole = [at for at, line in enumerate(lines) if is_entry_line(line)]
    if not whole:
        return range(0)
    run = range(whole[0], whole[-1] + 1)
    outside = [*lines[: run.start], *lines[run.stop :]]
    within = sum(1 for line in lines[run.start : run.stop] if line)
    return range(0) if within > len(whole) or any(sign in line for line in outside for sign in ENTRY_SIGNS) else run


def _list_undone(data: bytes, lines: list[bytes], run: range) -> tuple[str, ...]:
    """Returns the changes that were undone, in the order in which a reader would see them."""
    raw = data.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    entries = [line.rstrip(b"\r") for line in raw[run.start : run.stop]]
    marks = {
        MARKED: data.startswith(BYTE_ORDER_MARK),
        "text before it": any(lines[: run.start]),
        "text after it": any(lines[run.stop :]),
        LINE_ENDS: any(line.endswith(b"\r") for line in raw),
        "lines quoted with >": any(line.lstrip().startswith(b">") for line in entries),
        BLANKS_AROUND: any(line.strip(BLANKS) != line for line in entries),
        EMPTY_LINES: not all(lines[run.start : run.stop]) or (len(lines) > run.stop + 1 and not any(lines[run.stop :])),
    }
    return tuple(what for what, done in marks.items() if done)
