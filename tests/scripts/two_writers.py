"""Two processes append to one log as fast as they can; every acknowledged entry must be there in the end.

python tests/scripts/two_writers.py --each 1000
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.log import lock
from referee.record.log.entry import NoteEntry
from referee.record.log.log_errors import MovedOnError
from referee.record.table.opening_logs import open_log, start
from referee.record.table.recording import record_note

SEATS = ("red", "blue")
IMPATIENCE = 0.0002
"""Seconds between two looks at a lock that is taken: so few that the writers really get into each other's way."""


def append_all(path: Path, seat: str, count: int) -> None:
    """Append numbered notes; whenever the log has moved on, look again and repeat."""
    session = open_log(path)
    done = 0
    while done < count:
        try:
            record_note(session, f"{seat} {done}", seat)
            done += 1
        except MovedOnError:
            session = open_log(path)


def in_child(path: Path, seat: str, count: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        append_all(path, seat, count)
        code = 0
    finally:
        os._exit(code)


def check(path: Path, each: int) -> int:
    """The chain is whole, and each writer's notes are there once and in their order. How often they took turns."""
    report = audit(path)
    assert report.fault is None, report.fault
    assert report.entries == 1 + each * len(SEATS), report.entries
    notes = [entry for entry in open_log(path).entries if isinstance(entry, NoteEntry)]
    for seat in SEATS:
        assert [note.text for note in notes if note.by == seat] == [f"{seat} {number}" for number in range(each)]
    return sum(one.by != other.by for one, other in pairwise(notes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the writers and check what they left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1000, metavar="N", help="notes of each process")
    parser.add_argument("--folder", type=Path, help="where to put the log; a temporary folder if not given")
    parser.add_argument("--two-names", action="store_true", help="each process knows the log by a name of its own")
    options = parser.parse_args(arguments)
    lock.POLL_SECONDS = IMPATIENCE
    folder = options.folder or Path(tempfile.mkdtemp())
    path = folder / "two.jsonl"
    start("manoover", path, dice=OpenDice("0" * 64))
    names = [path, path]
    if options.two_names:
        names[1] = folder / "other.jsonl"
        os.link(path, names[1])
    children = [in_child(name, seat, options.each) for name, seat in zip(names, SEATS, strict=True)]
    failed = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
    assert not any(failed), failed
    overtaken = check(path, options.each)
    print(f"{options.each * len(SEATS)} notes of {len(SEATS)} processes, none lost, one valid chain")
    print(f"{overtaken} times one was overtaken by the other and had to look again")
    return 0


if __name__ == "__main__":
    sys.exit(main())
