"""Conflict copies: files beside a log that hold other entries of the same game.

Programs that synchronise folders make such a copy if two people change a log at the same time. They name it after the
log: `friday (1).jsonl`, `friday (Bo's conflicted copy).jsonl` and the like. The name only says where to look. The
content decides.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, takewhile
from pathlib import Path

from msgspec import Struct

from referee.record.log.line_format import BODY_OFFSET
from referee.record.log.safe_files import MAX_SEARCHED_FILE_BYTES, read_user_file

MAX_COPIES = 20
"""The most files that are compared with the log."""
BRANCH_LINE_END = b',"type":"branch"}}\n'
"""The end of every line with a `branch` entry. The fields of an entry are in order of the alphabet."""


class ConflictCopy(Struct, frozen=True):
    """A copy of a log that holds other entries than the log."""

    path: Path
    common: int
    """The number of entries with which both files begin."""
    here: tuple[bytes, ...]
    """The lines of the log after the common ones; empty if the copy only goes on."""
    there: tuple[bytes, ...]
    """The lines of the copy after the common ones; at least one."""


def find_conflict_copies(log: Path) -> Iterator[ConflictCopy]:
    """Yields the conflict copies beside a log. Skips unreadable files, other games, older copies, and branches."""
    named = list_logs_named_alike(log)
    if not named:
        return
    with suppress(OSError):
        data = read_user_file(log, MAX_SEARCHED_FILE_BYTES)
        for path in named:
            with suppress(OSError):
                found = _compare(path, data, read_user_file(path, MAX_SEARCHED_FILE_BYTES))
                if found:
                    yield found


def list_logs_named_alike(log: Path) -> list[Path]:
    """Returns the other `.jsonl` files in the folder whose names contain the stem of this log, at most `MAX_COPIES`."""
    return list(islice(_find_named_alike(log), MAX_COPIES))


def _find_named_alike(log: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(log.parent) as found:
        names = sorted(one.name for one in found if log.stem in one.name and one.name.endswith(".jsonl"))
        yield from (log.parent / name for name in names if name != log.name)


def _compare(path: Path, log: bytes, copy: bytes) -> ConflictCopy | None:
    """Returns the copy with the lines that differ; None if it is not a conflict copy."""
    if copy[:BODY_OFFSET] != log[:BODY_OFFSET]:
        return None  # another game
    lines, others = log.splitlines(keepends=True), copy.splitlines(keepends=True)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(lines, others, strict=False)))
    here, there = lines[common:], others[common:]
    if not there or not there[-1].endswith(b"\n") or any(line.endswith(BRANCH_LINE_END) for line in (*here, *there)):
        return None
    return ConflictCopy(path, common, tuple(here), tuple(there))
