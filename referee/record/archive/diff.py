"""Comparison of two logs of a game: where they part, how they differ, and whether each obeys the rules.

Only plays count. Times, remarks and the names of branches make no difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from referee.record.archive.audit import AuditReport, audit
from referee.record.archive.equivocation import Equivocation, find_first_equivocation
from referee.record.log.entry import (
    AnyEntry,
    BranchEntry,
    DeedEntry,
    GameEntry,
    NoteEntry,
    PlayEntry,
    encode_for_log,
)
from referee.record.log.field_types import NO_TIME
from referee.record.log.line_format import NO_PREVIOUS_HASH
from referee.record.log.log_errors import Fault, FaultError
from referee.record.log.same_but_times import is_same_but_times
from referee.record.table.opening_logs import open_good_part
from referee.record.table.session import Session

REMARK_TYPES = (NoteEntry, BranchEntry)
"""The types of entries that change nothing in the game."""
FIELDS_THAT_MAY_DIFFER = {"n", "prev", "at", "nonce"}
"""The fields that differ between two logs of the same plays that are not copies."""

DifferenceKind = Literal["nothing", "end", "unreadable", "dice", "events", "play", "game"]


class DiffSide(Struct, frozen=True):
    """One of the two logs."""

    name: str
    """The shortest end of its path that differs from the other's."""
    session: Session | None
    """The log, as far as it can be read; None if even its first entry is bad."""
    report: AuditReport
    """The result of its audit."""
    last: int
    """The number of its last entry that the other log has, too; -1 if there is none."""
    first_own: int | None
    """The number of its first entry that the other log lacks. None if it ends there, or cannot be read."""

    @property
    def first_own_entry(self) -> AnyEntry | None:
        """The first entry that the other log lacks; None if there is none."""
        return self.session.entries[self.first_own] if self.session and self.first_own is not None else None

    @property
    def later_own_entry_count(self) -> int:
        """The number of entries after `first_own_entry`."""
        return len(self.session.entries) - self.first_own - 1 if self.session and self.first_own is not None else 0

    @property
    def fault(self) -> Fault | None:
        """The first fault of the log, wherever it is; None if there is none."""
        return self.report.fault

    @property
    def is_unreadable_at_difference(self) -> bool:
        """True if this log cannot be read at the place where the other log goes on or ends."""
        return self.first_own is None and self.fault is not None and self.fault.n > self.last


class LogDifference(Struct, frozen=True):
    """The difference between two logs."""

    what: DifferenceKind
    """The kind of difference. `nothing`: none. `end`: one log ends where the other goes on. `unreadable`: one cannot be
    read there. `dice`: the same play with other dice. `events`: the same play and dice with other events. `play`:
    another play or entry. `game`: another game.
    """
    common: int
    """The number of equal entries, remarks not counted."""
    fields: tuple[str, ...]
    """The fields of the first entry that differ, if the games differ."""
    sides: tuple[DiffSide, DiffSide]
    fork: Equivocation | None = None
    """By mail, the proof that a seat signed both logs where they part, and so has lied; None if there is none."""

    @property
    def has_same_plays(self) -> bool:
        """True if all plays are the same."""
        return self.what == "nothing"


def compare_logs(one: Path, other: Path) -> LogDifference:
    """Compares two logs. Raises FaultError if one of them is not a log, or OSError.

    >>> compare_logs(Path("friday.jsonl"), Path("friday-other.jsonl")).has_same_plays
    True
    """
    names = find_distinct_path_ends(one, other)
    (mine, report), (theirs, their_report) = _read_log(one, names[0]), _read_log(other, names[1])
    plays, their_plays = _map_counting_entries(mine), _map_counting_entries(theirs)
    common = 0
    for a, b in zip(plays.values(), their_plays.values(), strict=False):
        if a != b:
            break
        common += 1
    sides = (
        _make_side(names[0], mine, report, list(plays), common),
        _make_side(names[1], theirs, their_report, list(their_plays), common),
    )
    fields = (
        _list_differing_fields(mine.reducer.header, theirs.reducer.header) if mine and theirs and not common else ()
    )
    fork = _find_fork(mine, theirs) if mine and theirs and not fields else None
    return LogDifference(_find_kind_of_difference(sides), common, fields, sides, fork)


def _find_fork(one: Session, other: Session) -> Equivocation | None:
    """Returns the proof that a seat signed both logs where they part; None if there is none."""
    protocol = one.reducer.protocol
    if protocol is None or other.reducer.protocol is None or protocol.record_id != other.reducer.protocol.record_id:
        return None
    mine, theirs = one.entries.read_raw_lines(0), other.entries.read_raw_lines(0)
    apart = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), None)
    if apart is None or is_same_but_times(mine[apart:], theirs[apart:], is_timeless=protocol.is_timeless):
        return None
    return find_first_equivocation(protocol, apart, (mine[apart:], theirs[apart:]))


def find_distinct_path_ends(one: Path, other: Path) -> tuple[str, str]:
    """Returns the ends of two paths, as short as possible but still different. Equal paths give their file names."""
    longest = max(len(one.parts), len(other.parts))
    ends = ((Path(*one.parts[-size:]), Path(*other.parts[-size:])) for size in range(1, longest + 1))
    a, b = next((pair for pair in ends if pair[0] != pair[1]), (Path(one.name), Path(other.name)))
    return str(a), str(b)


def _read_log(path: Path, name: str) -> tuple[Session | None, AuditReport]:
    try:
        return open_good_part(path)[0], audit(path)
    except FaultError as error:
        if error.fault.is_unreadable:
            raise FaultError(replace(error.fault, cause=f"{name}: {error.fault.cause}")) from None
        return None, audit(path)


def _make_side(
    name: str, session: Session | None, report: AuditReport, numbers: Sequence[int], common: int
) -> DiffSide:
    last = numbers[common - 1] if common else -1
    return DiffSide(name, session, report, last, numbers[common] if common < len(numbers) else None)


def _map_counting_entries(session: Session | None) -> Mapping[int, bytes]:
    """Returns the bytes of each entry that is not a remark, by number. Logs with the same plays have the same bytes, in
    the same order.
    """
    if session is None:
        return {}
    rank: list[int] = []
    counted = -1
    for entry in session.entries:
        counted += not isinstance(entry, REMARK_TYPES)
        rank.append(counted)
    return {
        entry.n: _encode_comparable(entry, rank) for entry in session.entries if not isinstance(entry, REMARK_TYPES)
    }


def _encode_comparable(entry: AnyEntry, rank: Sequence[int]) -> bytes:
    neutral: dict[str, Any] = {"n": 0, "prev": NO_PREVIOUS_HASH, "at": NO_TIME}
    match entry:
        case GameEntry():
            neutral["nonce"] = ""
        case DeedEntry() if entry.names_entry:
            neutral[entry.names_entry] = rank[getattr(entry, entry.names_entry)]
    return encode_for_log(replace(entry, **neutral))


def _list_differing_fields(one: GameEntry, other: GameEntry) -> tuple[str, ...]:
    a, b = asdict(one), asdict(other)
    return tuple(
        name for name in a if name not in FIELDS_THAT_MAY_DIFFER and encode_for_log(a[name]) != encode_for_log(b[name])
    )


def _find_kind_of_difference(sides: tuple[DiffSide, DiffSide]) -> DifferenceKind:
    one, other = (side.first_own_entry for side in sides)
    if any(side.is_unreadable_at_difference for side in sides):
        return "unreadable"
    if one is None or other is None:
        return "nothing" if one is other else "end"
    if isinstance(one, GameEntry):
        return "game"
    if not (isinstance(one, PlayEntry) and isinstance(other, PlayEntry)):
        return "play"
    if (one.by, encode_for_log(one.action)) != (other.by, encode_for_log(other.action)) or one.action is None:
        return "play"
    return "events" if encode_for_log(one.rolls) == encode_for_log(other.rolls) else "dice"
