"""Throws that were begun and never made: of which game by mail, and who may know how their dice would have fallen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from referee.record.log.disk import open_named
from referee.record.log.frame import OPENER
from referee.record.table.cast import DroppedThrow

ASIDE = ".aside-"
"""In the name of a log that was set aside."""
BRANCHES = b',"type":"branch"}}'
"""How the line of a `branch` entry ends: keys are sorted."""
ID = len(OPENER) + 64
"""Bytes of a log up to the end of its game's id."""


class LeftLog(Struct, frozen=True):
    """A log of the same game that a branch has left."""

    path: Path
    n: int
    """The number of the `branch` entry: all before it is the same in both."""
    name: str
    """The name of the branch."""


def list_left_logs(log: Path, others: Iterable[Path]) -> list[LeftLog]:
    """Returns the logs among `others` that this one has left as a branch. OSError."""
    with open_named(log) as file:
        game = file.read(ID)
    named = (path for path in others if ASIDE not in path.name and path.resolve() != log.resolve())
    named = (path for path in others if ASIDE not in path.name and path.resolve() != log.resolve())
    kin = (path for path in named if _begins(path, game))
    return [left for left in (_left(log, path) for path in kin) if left]


def _begins(path: Path, game: bytes) -> bool:
    try:
        with open_named(path) as file:
            return file.read(ID) == game
    except OSError:
        return False


def _left(log: Path, other: Path) -> LeftLog | None:
    """How a log has left another one as a branch, which may have come less far; None: it has not."""
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


def list_left_throws(left: LeftLog) -> Iterator[DroppedThrow]:
    """Yields the throws of a log that a branch has left: those that began after the branch leaves it, and the one that
    was being made there, as far as that log can be read. OSError.
    """
    from referee.record.table.walk import Walk  # only where a branch is looked at

    found: dict[int, DroppedThrow] = {}
    with open_named(left.path) as file:
        walk = Walk(file, log=left.path)
        for entry in walk:
            pact = walk.fold.pact if walk.fold else None
            throw = pact.throw if pact else None
            waited = entry.n == left.n - 1 and pact is not None and pact.is_pending
            if throw and (waited or throw.n >= left.n or throw.number in found):
                found[throw.number] = throw
    for throw in found.values():
        yield DroppedThrow(
            throw.number, throw.by, throw.n, throw.known, f"branch {left.name} leaves it", left.n, left.path.name
        )
