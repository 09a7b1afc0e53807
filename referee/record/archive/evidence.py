"""Evidence has an identity: over many logs each throw counts once, and each game has one log that stands for it.

A throw is known by the hash of its entry, so copies, branches and conflict copies share those that they have in common.
A game that was read back from words has other hashes, and is known by its plays and faces.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from referee.record.archive.trace import OPEN, STANDS, THROWN, Trace

Mark = tuple[str, int]
"""A throw of a game, by the game's id."""


class Share(Struct, frozen=True):
    """What one log adds to those that were read with it."""

    log: str
    leads: bool = True
    """Whether it stands for its game: it goes furthest."""
    numbers: frozenset[int] | None = None
    """Its entries whose throws count; None: all that are in force, for no other log is like it."""
    repeats: int = 0
    """Its throws in force that were counted in another log."""
    like: str = ""
    """The log that stands for its game, where it is another one."""

    @property
    def adds(self) -> bool:
        """Whether a throw of it counts, or it stands for its game."""
        return self.leads or bool(self.numbers)


def shares_of(traces: Sequence[Trace]) -> list[Share]:
    """Returns what each log adds, in the order in which they are given, whatever that is."""
    found: dict[int, Share] = {}
    for group in _groups(traces):
        if len(group) == 1:
            found[group[0]] = Share(traces[group[0]].log)
        else:
            found |= zip(group, _shared([traces[at] for at in group]), strict=True)
    return [found[at] for at in range(len(traces))]


class Unions:
    """Things by their numbers, those together that were joined."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def root(self, one: int) -> int:
        """Returns the number that stands for all that are together with this one."""
        while self._parents[one] != one:
            self._parents[one] = one = self._parents[self._parents[one]]
        return one

    def join(self, one: int, other: int) -> None:
        """Put two together, with all that are together with them."""
        self._parents[self.root(one)] = self.root(other)

    def together(self) -> list[list[int]]:
        """Returns them all, those that were joined in one list."""
        groups: dict[int, list[int]] = defaultdict(list)
        for one in range(len(self._parents)):
            groups[self.root(one)].append(one)
        return list(groups.values())


# Which logs may hold the same throws


def _groups(traces: Sequence[Trace]) -> list[list[int]]:
    """The logs by their places, those together that are of one game or share more than chance gives two games."""
    unions, first = Unions(len(traces)), dict[object, int]()
    wholes: set[object] = {(trace.label, trace.last) for trace in traces if trace.last in trace.early}
    for at, trace in enumerate(traces):
        early = {(trace.label, path) for path in trace.early} & wholes
        for key in (trace.id, *trace.deep, *early):
            unions.join(at, first.setdefault(key, at))
    return unions.together()


# What each of them adds


def _shared(traces: list[Trace]) -> list[Share]:
    """What each log of a group adds, in the order in which they are given."""
    order = sorted(range(len(traces)), key=lambda at: _rank(traces[at]))
    ranked = [traces[at] for at in order]
    leaders, counted = _leaders(ranked), Claims(ranked).counted
    shares = [
        _share(trace, ranked[lead], numbers) for trace, lead, numbers in zip(ranked, leaders, counted, strict=True)
    ]
    return [share for _, share in sorted(zip(order, shares, strict=True), key=lambda one: one[0])]


def _share(trace: Trace, leader: Trace, counted: frozenset[int]) -> Share:
    repeats = sum(n not in counted for n in trace.standing())
    return Share(trace.log, trace is leader, counted, repeats, "" if trace is leader else leader.log)


def _rank(trace: Trace) -> tuple[object, ...]:
    """In this order logs are believed: those first whose dice nobody typed, for they are not read back from words; then
    the one that goes furthest, then the one of which most is known here, then the oldest. Of copies the one with the
    shortest path is the first.
    """
    went = (trace.is_typed, -trace.weight, trace.shut, trace.began)
    return *went, trace.head, len(Path(trace.log).parts), len(trace.log), trace.log


def _leaders(ranked: Sequence[Trace]) -> list[int]:
    """For each log the one that stands for its game, by its place: of logs of one game the first; and one that holds
    all of another stands for that, too.
    """
    unions, first, follow = Unions(len(ranked)), dict[object, int](), set[int]()
    for at, trace in enumerate(ranked):
        for key in (trace.id, *(_key(trace, path) for path in trace.paths)):
            first.setdefault(key, at)
    for at, trace in enumerate(ranked):
        whole = trace.id if trace.last is None else _key(trace, trace.last)
        others = {first[trace.id], first[whole]} - {at} or set(_holding(ranked, at))
        follow |= {at} if others else set()
        for other in others:
            unions.join(at, other)
    found = [0] * len(ranked)
    for group in unions.together():
        lead = next((at for at in group if at not in follow), group[0])
        for at in group:
            found[at] = lead if at in follow else at
    return found


def _key(trace: Trace, path: int) -> object:
    """What a path is known by: few dice say something only between the same players."""
    return (trace.label, path) if path in trace.early else path


def _holding(ranked: Sequence[Trace], at: int) -> Iterator[int]:
    """Yields the logs that hold all of one that ranks before them, and more."""
    one = ranked[at]
    for place in range(at + 1, len(ranked)):
        if _holds(ranked[place], one) and not _holds(one, ranked[place]):
            yield place


def _holds(one: Trace, other: Trace) -> bool:
    """Whether all that the other has come to is in this one, too."""
    if other.last is None or (other.last in other.early and one.label != other.label):
        return False
    return other.last in one.paths


class Claims:
    """Deals the throws of logs of one group out, each to one log; the logs are ranked."""

    def __init__(self, ranked: Sequence[Trace]) -> None:
        self._ranked = ranked
        self._stands: dict[Mark, bool] = {}
        """Whether a throw is in force, as the first log has it that holds it."""
        self._first: dict[int, Trace] = {}
        """The first log that holds a path."""
        self._holding: set[int] = set()
        """Paths with a throw that is in force there."""
        for trace in ranked:
            self._note(trace)
        self._claimed: set[Mark] = set()
        self._own: Counter[Mark] = Counter()
        """How many throws each game has on a path."""
        self._taken: Counter[int] = Counter()
        """How many were counted on it."""
        counted = [set[int]() for _ in ranked]
        for opened in (OPEN, 0):  # where a log lacks a vault, another one tells more
            for at, trace in enumerate(ranked):
                counted[at].update(self._claim(trace, opened))
        self.counted = [frozenset(numbers) for numbers in counted]
        """The entries of each log whose throws count."""

    def _note(self, trace: Trace) -> None:
        for mark, path, flag in zip(trace.marks, trace.paths, trace.flags, strict=True):
            if flag & THROWN:
                self._stands.setdefault((trace.id, mark), bool(flag & STANDS))
                if self._first.setdefault(path, trace) is trace and flag & STANDS:
                    self._holding.add(path)

    def _claim(self, trace: Trace, opened: int) -> Iterator[int]:
        for n, mark, path, flag in zip(trace.numbers, trace.marks, trace.paths, trace.flags, strict=True):
            throw = (trace.id, mark)
            if not flag & THROWN or flag & OPEN < opened or throw in self._claimed or not self._stands[throw]:
                continue
            self._claimed.add(throw)
            if self._is_new(trace.id, path):
                yield n

    def _is_new(self, game: str, path: int) -> bool:
        """Whether this game has more throws on a path than were counted there; what another game took back that tells
        of it first is none.
        """
        if self._first[path].id != game and path not in self._holding:
            return False
        self._own[game, path] += 1
        if self._own[game, path] <= self._taken[path]:
            return False
        self._taken[path] += 1
        return True
