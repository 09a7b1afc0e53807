"""Comparing two logs of a game: where they part, how, and whether each holds under the rules.

When an entry was made makes no difference, nor do remarks and the names of branches: what counts is what was played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from referee.record.archive.audit import Report, audit
from referee.record.archive.forks import Fork, fork_by, is_retold
from referee.record.log.entry import (
    AnyEntry,
    BranchEntry,
    DeedEntry,
    GameEntry,
    NoteEntry,
    PlayEntry,
    encode,
)
from referee.record.log.faults import Fault, FaultError
from referee.record.log.fields import NO_TIME
from referee.record.log.frame import NO_PARENT
from referee.record.table.session import Session
from referee.record.table.start import open_good

REMARKS = (NoteEntry, BranchEntry)
"""Entries that change nothing in the game."""
OWN = {"n", "prev", "at", "nonce"}
"""What differs between two logs of the same plays that were not copied from each other."""

What = Literal["nothing", "end", "unreadable", "dice", "events", "play", "game"]


class Side(Struct, frozen=True):
    """One of two logs."""

    name: str
    """As much of its path as tells it from the other."""
    session: Session | None
    """The log, as far as it can be read; None: not even its first entry."""
    report: Report
    """What an audit of it found."""
    last: int
    """Number of its last entry that the other has, too; -1: there is none."""
    parts: int | None
    """Number of its first entry that the other has not; None: it ends there, or cannot be read."""

    @property
    def entry(self) -> AnyEntry | None:
        """The first entry that the other has not."""
        return self.session.entries[self.parts] if self.session and self.parts is not None else None

    @property
    def after(self) -> int:
        """How many entries follow that one."""
        return len(self.session.entries) - self.parts - 1 if self.session and self.parts is not None else 0

    @property
    def fault(self) -> Fault | None:
        """The first thing wrong in it, wherever it is."""
        return self.report.fault

    @property
    def stops(self) -> bool:
        """Whether it cannot be read where the other goes on, or ends."""
        return self.parts is None and self.fault is not None and self.fault.n > self.last


class Difference(Struct, frozen=True):
    """How two logs differ."""

    what: What
    """`nothing`; one `end`s where the other goes on, or is `unreadable` there; the same play with other `dice`, or with
    the same dice and other `events`; another `play` or entry; another `game`.
    """
    common: int
    """Entries that are the same, remarks not counted."""
    fields: tuple[str, ...]
    """For another game: what of it differs."""
    sides: tuple[Side, Side]
    fork: Fork | None = None
    """By mail: the proof that a seat has signed both where they part, and so has lied."""

    @property
    def same(self) -> bool:
        """Whether all plays are the same."""
        return self.what == "nothing"


def diff(one: Path, other: Path) -> Difference:
    """Compare two logs. FaultError when one of them is none; OSError."""
    names = tell_apart(one, other)
    (mine, report), (theirs, their_report) = _read(one, names[0]), _read(other, names[1])
    plays, their_plays = _counted(mine), _counted(theirs)
    common = 0
    for a, b in zip(plays.values(), their_plays.values(), strict=False):
        if a != b:
            break
        common += 1
    sides = (
        _side(names[0], mine, report, list(plays), common),
        _side(names[1], theirs, their_report, list(their_plays), common),
    )
    fields = _fields(mine.header, theirs.header) if mine and theirs and not common else ()
    fork = _fork(mine, theirs) if mine and theirs and not fields else None
    return Difference(_what(sides), common, fields, sides, fork)


def _fork(one: Session, other: Session) -> Fork | None:
    """The proof that a seat has signed both logs where they part, in whichever words."""
    pact = one.pact
    if pact is None or other.pact is None or pact.record_id != other.pact.record_id:
        return None
    mine, theirs = one.lines(0), other.lines(0)
    apart = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), None)
    if apart is None or is_retold(mine[apart:], theirs[apart:]):
        return None
    return fork_by(pact, apart, (mine[apart:], theirs[apart:]))


def tell_apart(one: Path, other: Path) -> tuple[str, str]:
    """As much of the ends of two paths as tells them apart."""
    longest = max(len(one.parts), len(other.parts))
    ends = ((Path(*one.parts[-size:]), Path(*other.parts[-size:])) for size in range(1, longest + 1))
    a, b = next((pair for pair in ends if pair[0] != pair[1]), (Path(one.name), Path(other.name)))
    return str(a), str(b)


def _read(path: Path, name: str) -> tuple[Session | None, Report]:
    try:
        return open_good(path)[0], audit(path)
    except FaultError as error:
        if error.fault.unreadable:
            raise FaultError(replace(error.fault, cause=f"{name}: {error.fault.cause}")) from None
        return None, audit(path)


def _side(name: str, session: Session | None, report: Report, numbers: Sequence[int], common: int) -> Side:
    last = numbers[common - 1] if common else -1
    return Side(name, session, report, last, numbers[common] if common < len(numbers) else None)


def _counted(session: Session | None) -> Mapping[int, bytes]:
    """The entries that count, by number: each spelt as any log would that holds the same plays."""
    if session is None:
        return {}
    rank: list[int] = []
    counted = -1
    for entry in session.entries:
        counted += not isinstance(entry, REMARKS)
        rank.append(counted)
    return {entry.n: _spelt(entry, rank) for entry in session.entries if not isinstance(entry, REMARKS)}


def _spelt(entry: AnyEntry, rank: Sequence[int]) -> bytes:
    neutral: dict[str, Any] = {"n": 0, "prev": NO_PARENT, "at": NO_TIME}
    match entry:
        case GameEntry():
            neutral["nonce"] = ""
        case DeedEntry() if entry.names_entry:
            neutral[entry.names_entry] = rank[getattr(entry, entry.names_entry)]
    return encode(replace(entry, **neutral))


def _fields(one: GameEntry, other: GameEntry) -> tuple[str, ...]:
    a, b = asdict(one), asdict(other)
    return tuple(name for name in a if name not in OWN and encode(a[name]) != encode(b[name]))


def _what(sides: tuple[Side, Side]) -> What:
    one, other = (side.entry for side in sides)
    if any(side.stops for side in sides):
        return "unreadable"
    if one is None or other is None:
        return "nothing" if one is other else "end"
    if isinstance(one, GameEntry):
        return "game"
    if not (isinstance(one, PlayEntry) and isinstance(other, PlayEntry)):
        return "play"
    if (one.by, encode(one.action)) != (other.by, encode(other.action)) or one.action is None:
        return "play"
    return "events" if encode(one.rolls) == encode(other.rolls) else "dice"
