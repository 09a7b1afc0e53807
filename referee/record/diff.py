"""Comparing two logs: where they part, and which side broke which rule."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.game import AnyGame
from referee.record.audit import audit
from referee.record.entry import AnyEntry, PlayEntry
from referee.record.faults import Fault, FaultError
from referee.record.fold import Walk


class Side(Struct, frozen=True):
    """One log from where the two part."""

    name: str
    entry: str | None
    """Its first entry of its own in words; None when it ends there."""
    fault: Fault | None
    """What an audit finds wrong at that entry; None: it is legal there, if it could be judged."""
    after: int
    """Entries after that one."""
    judged: bool = True
    """Whether it could be judged: what is secret can not, nor what depends on it."""


class Difference(Struct, frozen=True):
    """What two logs have in common, and how they go on."""

    same: bool
    common: int
    """Entries that are the same, byte for byte."""
    sides: tuple[Side, Side]


def diff(one: Path, other: Path) -> Difference:
    """Compare two logs line by line; OSError."""
    with one.open("rb") as first, other.open("rb") as second:
        common = 0
        for mine, theirs in zip_longest(first, second):
            if mine is None or theirs is None or mine.rstrip(b"\n") != theirs.rstrip(b"\n"):
                break
            common += 1
    sides = _side(one, common), _side(other, common)
    return Difference(all(side.entry is None for side in sides), common, sides)


def _side(path: Path, common: int) -> Side:
    report = audit(path)
    entry, count = _entry_at(path, common)
    fault = report.fault if report.fault and report.fault.n <= common else None
    if fault and fault.unreadable and not report.game:
        raise FaultError(replace(fault, cause=f"{path.name}: {fault.cause}"))
    if entry is None and fault and fault.n == common:
        entry = "(unreadable)"
    return Side(path.name, entry, fault, max(0, count - common - 1), not report.unjudged)


def _entry_at(path: Path, n: int) -> tuple[str | None, int]:
    """An entry in words, and how many can be read."""
    found = None
    with path.open("rb") as file:
        walk = Walk(file, log=path)
        for entry in walk:
            if entry.n == n:
                found = _told(walk.reader.game, entry)
    return found, walk.reader.n


def _told(game: AnyGame, entry: AnyEntry) -> str:
    if not isinstance(entry, PlayEntry):
        return str(type(entry).__struct_config__.tag)
    return f"{entry.by}: {'a secret' if entry.action is None else game.format(entry.action)}"
