"""Joint rolls that were begun and never made in logs that a branch has left, and seats that may know their dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from referee.record.log.line_format import OPENER
from referee.record.log.safe_files import open_named
from referee.record.table.joint_roll import DroppedRoll

ASIDE_MARK = ".aside-"
"""Part of the name of a log that was set aside."""
BRANCHES = b',"type":"branch"}}'
"""The end of a line with a `branch` entry. It is always the same, since keys are sorted."""
ID = len(OPENER) + 64
"""The number of bytes of a log up to the end of its game's id."""


class LeftLog(Struct, frozen=True):
    """A log of the same game that a branch has left."""

    path: Path
    n: int
    """The number of the `branch` entry. All entries before it are the same in both logs."""
    name: str
    """The name of the branch."""


def list_left_logs(log: Path, others: Iterable[Path]) -> list[LeftLog]:
    """Returns the logs among `others` that this log left as a branch. Raises OSError if a file cannot be read."""
    with open_named(log) as file:
        game = file.read(ID)
    named = (path for path in others if ASIDE_MARK not in path.name and path.resolve() != log.resolve())
    kin = (path for path in named if _begins_with(path, game))
    return [left for left in (_find_branch(log, path) for path in kin) if left]


def _begins_with(path: Path, game: bytes) -> bool:
    try:
        with open_named(path) as file:
            return file.read(ID) == game
    except OSError:
        return False


def _find_branch(log: Path, other: Path) -> LeftLog | None:
    """Returns the branch with which this log left the other one; None if it did not. The other log may be shorter."""
    with open_named(log) as mine, open_named(other) as theirs:
        for n, line in enumerate(mine):
            known = theirs.readline()
            if known != line and line.rstrip(b"\n").endswith(BRANCHES):
                return LeftLog(other, n, _name_in(line))
            if known not in (line, b""):
                return None
    return None


def _name_in(line: bytes) -> str:
    return line.partition(b'"name":"')[2].partition(b'"')[0].decode("ascii", "replace")


def list_left_rolls(left: LeftLog) -> Iterator[DroppedRoll]:
    """Yields the joint rolls of a log that a branch has left.

    These are the rolls that began after the branch left it, and the one that was open at that point. The log is read as
    far as it is good. Raises OSError if it cannot be opened.
    """
    from referee.record.table.log_loop import LogLoop  # most commands never look at a branch

    found: dict[int, DroppedRoll] = {}
    with open_named(left.path) as file:
        walk = LogLoop(file, log=left.path)
        for entry in walk:
            protocol = walk.reducer.protocol if walk.reducer else None
            throw = protocol.roll_to_drop if protocol else None
            waited = entry.n == left.n - 1 and protocol is not None and protocol.is_pending
            if throw and (waited or throw.n >= left.n or throw.number in found):
                found[throw.number] = throw
    for throw in found.values():
        yield DroppedRoll(
            throw.number, throw.by, throw.n, throw.known, f"branch {left.name} leaves it", left.n, left.path.name
        )
