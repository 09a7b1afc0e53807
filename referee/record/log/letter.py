"""A log that came by mail: what mail programs do to text is undone where nothing is lost, and told where something is.

Only a file that is no log as it stands is looked at so. What is taken out of it is read like any other log: every hash
must fit, so that whatever was changed within an entry is found.
"""

from __future__ import annotations

from io import SEEK_END
from itertools import pairwise
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.record.log.faults import Fault
from referee.record.log.frame import OPENER
from referee.record.log.reader import is_framed

MAX_LETTER = 64 * 1024 * 1024
"""Bytes of the longest file that is looked through for a log."""
MAX_LINES = 1_000_000
"""Lines of it, at most."""
BROKEN_BY = frozenset({"not-a-log", "byte-order-mark", "bad-frame"})
"""Faults that mail may be the cause of."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLANKS = b" \t\r"
REQUOTED = tuple(f"{mark}hash".encode() for mark in "\u201c\u201d\u201e\u00ab")
"""What an entry begins with once a mail program has put other quotation marks into it."""
SIGNS = (b'"hash"', b'"entry"', b'"prev"', b'"type"', b"\0")
"""What no text round a log holds: it would be an entry that was damaged, and is not left out."""
ASK = "ask for the log as an attachment"


class Letter(Struct, frozen=True):
    """A log as it was before it was mailed."""

    log: bytes
    undone: tuple[str, ...]
    """What mail had done to it, each as a clause."""


def letter_in(file: BinaryIO, fault: Fault | None) -> Letter | Fault | None:
    """The log in a file that is none as it stands, for this fault, or the fault that mail has done what cannot be
    undone; None: mail is not the cause. `file` must seek.
    """
    if fault is None or fault.code not in BROKEN_BY:
        return None
    if file.seek(0, SEEK_END) > MAX_LETTER:
        return None
    file.seek(0)
    data = file.read(MAX_LETTER)
    if not any(sign in data for sign in (OPENER, *REQUOTED)) or data.count(b"\n") > MAX_LINES:
        return None
    lines = [line.lstrip(b"> \t").rstrip(BLANKS) for line in data.removeprefix(BYTE_ORDER_MARK).split(b"\n")]
    broken = _why_lost(data, lines)
    if broken:
        return replace(fault, code="mangled", cause=broken)
    found = _run(lines)
    log = b"".join(line + b"\n" for line in lines[found.start : found.stop] if line)
    return Letter(log, _undone(data, lines, found)) if found and log != data else None


def _why_lost(data: bytes, lines: list[bytes]) -> str | None:
    """Why nobody can tell how the log was, as a clause; None: nothing of the kind."""
    if any(sign in data for sign in REQUOTED):
        return f"a mail program has put other quotation marks into it; {ASK}"
    for line, after in pairwise(line for line in lines if line):
        if line.startswith(OPENER) and not is_framed(line) and not after.startswith(OPENER):
            return f"a mail program has broken its lines in two, and nobody can tell how they were; {ASK}"
    return None


def _run(lines: list[bytes]) -> range:
    """The lines from the first entry to the last, if all that is not blank between is entries, and nothing outside is
    what is left of one; else none.
    """
    whole = [at for at, line in enumerate(lines) if is_framed(line)]
    if not whole:
        return range(0)
    run = range(whole[0], whole[-1] + 1)
    outside = [*lines[: run.start], *lines[run.stop :]]
    within = sum(1 for line in lines[run.start : run.stop] if line)
    return range(0) if within > len(whole) or any(sign in line for line in outside for sign in SIGNS) else run


def _undone(data: bytes, lines: list[bytes], run: range) -> tuple[str, ...]:
    """What had been done to a log, in the order in which one would see it."""
    raw = data.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    entries = [line.rstrip(b"\r") for line in raw[run.start : run.stop]]
    marks = {
        "a byte order mark before it": data.startswith(BYTE_ORDER_MARK),
        "text before it": any(lines[: run.start]),
        "text after it": any(lines[run.stop :]),
        "line ends of Windows": any(line.endswith(b"\r") for line in raw),
        "lines quoted with >": any(line.lstrip().startswith(b">") for line in entries),
        "blanks round its lines": any(line.strip(BLANKS) != line for line in entries),
        "empty lines": not all(lines[run.start : run.stop])
        or (len(lines) > run.stop + 1 and not any(lines[run.stop :])),
    }
    return tuple(what for what, done in marks.items() if done)
