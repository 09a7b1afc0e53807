"""Contributions of logs to common figures: each roll counts once, and one log stands for each game.

A roll is recognised by the hash of its entry, so copies and branches share it. A game that was read back from a sheet
has other hashes, and is recognised by its plays and faces.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from referee.record.archive.trace import DICE_FLAG, IN_FORCE_FLAG, KNOWN_FLAG, EntryColumns

RollMark = tuple[str, int]
"""A roll: the id of its game, and its identity in the game."""


class LogContribution(Struct, frozen=True):
    """The rolls of one log that count when many logs are counted together, and whether it stands for its game."""

    log: str
    leads: bool = True
    """True if the log stands for its game, because it goes furthest."""
    numbers: frozenset[int] | None = None
    """The entries whose rolls count. None if all rolls in force count, because no other log may hold the same rolls."""
    repeats: int = 0
    """The number of rolls in force that are counted in another log."""
    like: str = ""
    """The log that stands for the game in place of this one; "" if this one does."""
    kin: tuple[str, ...] = ()
    """The other logs of the same game: copies, branches and parents."""

    @property
    def is_counted(self) -> bool:
        """True if the log stands for its game, or if one of its rolls counts."""
        return self.leads or bool(self.numbers)


def compute_contributions(traces: Sequence[EntryColumns]) -> list[LogContribution]:
    """Returns the contribution of each log, in the same order as the logs."""
    found: dict[int, LogContribution] = {}
    for group in _group_logs(traces):
        if len(group) == 1:
            found[group[0]] = LogContribution(traces[group[0]].log)
        else:
            found |= zip(group, _share_in_group([traces[at] for at in group]), strict=True)
    return [found[at] for at in range(len(traces))]


class DisjointSets:
    """The numbers from 0 on, each in a group. Groups can be joined."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def find_root(self, one: int) -> int:
        """Returns the number that stands for the group of this number."""
        while self._parents[one] != one:
            self._parents[one] = one = self._parents[self._parents[one]]
        return one

    def join(self, one: int, other: int) -> None:
        """Joins the groups of two numbers."""
        self._parents[self.find_root(one)] = self.find_root(other)

    def list_groups(self) -> list[list[int]]:
        """Returns all groups."""
        groups: dict[int, list[int]] = defaultdict(list)
        for one in range(len(self._parents)):
            groups[self.find_root(one)].append(one)
        return list(groups.values())


# Groups of logs that may hold the same rolls


def _group_logs(traces: Sequence[EntryColumns]) -> list[list[int]]:
    """Returns the places of the logs in groups. Logs of a group are of one game, or share more than chance explains."""
    unions, first = DisjointSets(len(traces)), dict[object, int]()
    wholes: set[object] = {(trace.label, trace.last) for trace in traces if trace.last in trace.early}
    for at, trace in enumerate(traces):
        early = {(trace.label, path) for path in trace.early} & wholes
        for key in (trace.id, *trace.deep, *early):
            unions.join(at, first.setdefault(key, at))
    return unions.list_groups()


# Shares within a group


def _share_in_group(traces: list[EntryColumns]) -> list[LogContribution]:
    """Returns the share of each log in a group, in the same order as the logs."""
    order = sorted(range(len(traces)), key=lambda at: _rank_trace(traces[at]))
    ranked = [traces[at] for at in order]
    leaders, counted = _find_leaders(ranked), RollAssignment(ranked).counted
    shares = [
        replace(
            _make_share(trace, ranked[lead], numbers), kin=_list_kin(trace, traces) if ranked[lead] is trace else ()
        )
        for trace, lead, numbers in zip(ranked, leaders, counted, strict=True)
    ]
    return [share for _, share in sorted(zip(order, shares, strict=True), key=lambda one: one[0])]


def _make_share(trace: EntryColumns, leader: EntryColumns, counted: frozenset[int]) -> LogContribution:
    repeats = sum(n not in counted for n in trace.list_entries_with_open_dice())
    return LogContribution(trace.log, trace is leader, counted, repeats, "" if trace is leader else leader.log)


def _list_kin(trace: EntryColumns, group: Sequence[EntryColumns]) -> tuple[str, ...]:
    return tuple(other.log for other in group if other.id == trace.id and other is not trace)


def _rank_trace(trace: EntryColumns) -> tuple[object, ...]:
    """Returns a key that sorts logs by how much they are believed.

    First come logs whose dice nobody typed, since such logs were not read back from a sheet. Then come the logs with
    the most entries, with the fewest unknown secrets, and with the earliest beginning. Of equal copies, the one with
    the shortest path comes first.
    """
    went = (trace.is_typed, -trace.weight, trace.unknown_seats, trace.began)
    return *went, trace.head, len(Path(trace.log).parts), len(trace.log), trace.log


def _find_leaders(ranked: Sequence[EntryColumns]) -> list[int]:
    """Returns, for each log, the place of the log that stands for its game.

    Of several logs of one game, it is the one with the highest rank. A log that holds all of another log stands for the
    other log, too.
    """
    unions, first, follow = DisjointSets(len(ranked)), dict[object, int](), set[int]()
    for at, trace in enumerate(ranked):
        for key in (trace.id, *(_make_path_key(trace, path) for path in trace.paths)):
            first.setdefault(key, at)
    for at, trace in enumerate(ranked):
        whole = trace.id if trace.last is None else _make_path_key(trace, trace.last)
        others = {first[trace.id], first[whole]} - {at} or set(_list_contained_logs(ranked, at))
        follow |= {at} if others else set()
        if len(others) > 1:  # a log from a sheet also follows the log that went on after the sheet
            follow |= {other for other in others if ranked[other].last == trace.last}
        for other in others:
            unions.join(at, other)
    found = [0] * len(ranked)
    for group in unions.list_groups():
        lead = next((at for at in group if at not in follow), group[0])
        for at in group:
            found[at] = lead if at in follow else at
    return found


def _make_path_key(trace: EntryColumns, path: int) -> object:
    """Returns the key of a path. A path stands for the plays and faces up to an entry (`EntryColumns.paths`).

    A path with few dice is compared only between games of the same players and options, so its key holds their label
    too.
    """
    return (trace.label, path) if path in trace.early else path


def _list_contained_logs(ranked: Sequence[EntryColumns], at: int) -> Iterator[int]:
    """Yields the places of later logs that hold all of the log at this place, and more."""
    one = ranked[at]
    for place in range(at + 1, len(ranked)):
        if _does_contain_log(ranked[place], one) and not _does_contain_log(one, ranked[place]):
            yield place


def _does_contain_log(one: EntryColumns, other: EntryColumns) -> bool:
    """True if the first log holds everything that led to the end of the other."""
    if other.last is None or (other.last in other.early and one.label != other.label):
        return False
    return other.last in one.paths


class RollAssignment:
    """Counts each roll in exactly one log of a group. The logs are ranked."""

    def __init__(self, ranked: Sequence[EntryColumns]) -> None:
        self._ranked = ranked
        self._stands: dict[RollMark, bool] = {}
        """True for a roll that is in force in the first log that holds it."""
        self._first: dict[int, EntryColumns] = {}
        """The first log that holds each path."""
        self._paths_in_force: set[int] = set()
        """The paths with a roll that is in force in their first log."""
        for trace in ranked:
            self._note_trace(trace)
        self._claimed: set[RollMark] = set()
        self._own: Counter[RollMark] = Counter()
        """The number of rolls of each game on a path."""
        self._taken: Counter[int] = Counter()
        """The number of rolls that were counted on a path."""
        counted = [set[int]() for _ in ranked]
        for opened in (KNOWN_FLAG, 0):  # another log tells more if one lacks a vault
            for at, trace in enumerate(ranked):
                counted[at].update(self._claim(trace, opened))
        self.counted = [frozenset(numbers) for numbers in counted]
        """The entries of each log whose rolls count."""

    def _note_trace(self, trace: EntryColumns) -> None:
        for mark, path, flag in zip(trace.marks, trace.paths, trace.flags, strict=True):
            if flag & DICE_FLAG:
                self._stands.setdefault((trace.id, mark), bool(flag & IN_FORCE_FLAG))
                if self._first.setdefault(path, trace) is trace and flag & IN_FORCE_FLAG:
                    self._paths_in_force.add(path)

    def _claim(self, trace: EntryColumns, opened: int) -> Iterator[int]:
        for n, mark, path, flag in zip(trace.numbers, trace.marks, trace.paths, trace.flags, strict=True):
            throw = (trace.id, mark)
            if not flag & DICE_FLAG or flag & KNOWN_FLAG < opened or throw in self._claimed or not self._stands[throw]:
                continue
            self._claimed.add(throw)
            if self._is_new(trace.id, path):
                yield n

    def _is_new(self, game: str, path: int) -> bool:
        """Notes one more roll of a game on a path. Returns True if the roll counts.

        It counts if the game now has more rolls on the path than were counted there. A path stands for the plays and
        faces up to an entry (`EntryColumns.paths`). A roll does not count if another game holds the path first and took
        all its rolls there back.
        """
        if self._first[path].id != game and path not in self._paths_in_force:
            return False
        self._own[game, path] += 1
        if self._own[game, path] <= self._taken[path]:
            return False
        self._taken[path] += 1
        return True
