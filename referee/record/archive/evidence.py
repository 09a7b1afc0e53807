"""Evidence has an identity: over many logs each throw counts once, and each game has one log that stands for it.

A throw is known by the hash of its entry, so copies, branches and conflict copies share those that they have in common.
A game that was read back from words has other hashes, and is known by its plays and faces.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set

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


# Which logs may hold the same throws


def _groups(traces: Sequence[Trace]) -> list[list[int]]:
    """The logs by their places, those together that are of one game or share more than chance gives two games."""
    parents = list(range(len(traces)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = at = parents[parents[at]]
        return at

    first: dict[object, int] = {}
    wholes: set[tuple[int, int | None]] = {(trace.label, trace.last) for trace in traces if trace.last in trace.early}
    for at, trace in enumerate(traces):
        for key in _keys(trace, wholes):
            parents[root(at)] = root(first.setdefault(key, at))
    groups: dict[int, list[int]] = defaultdict(list)
    for at in range(len(traces)):
        groups[root(at)].append(at)
    return list(groups.values())


def _keys(trace: Trace, wholes: Set[tuple[int, int | None]]) -> Iterator[object]:
    """What no two logs share but those of one game: of a path with few dice, only where that is all of a game."""
    yield trace.id
    yield from trace.deep
    yield from (key for path in trace.early if (key := (trace.label, path)) in wholes)


# What each of them adds


def _shared(traces: list[Trace]) -> list[Share]:
    """What each log of a group adds, in the order in which they are given."""
    order = sorted(range(len(traces)), key=lambda at: _rank(traces[at]))
    ranked = [traces[at] for at in order]
    leads, counted = _leading(ranked), Claims(ranked).counted
    likes = [_leader_of(at, ranked, leads) for at in range(len(ranked))]
    shares = [
        Share(trace.log, at in leads, counted[at], sum(n not in counted[at] for n in trace.standing()), likes[at])
        for at, trace in enumerate(ranked)
    ]
    return [share for _, share in sorted(zip(order, shares, strict=True), key=lambda one: one[0])]


def _rank(trace: Trace) -> tuple[bool, int, int, str, str, str]:
    """In this order logs are believed: those first whose dice nobody typed, for they are not read back from words; then
    the one that goes furthest, then the one of which most is known here, then the oldest.
    """
    return trace.is_typed, -trace.weight, trace.shut, trace.began, trace.head, trace.log


def _holds(one: Trace, other: Trace) -> bool:
    """Whether all that the other has come to is in this one, too."""
    if other.last is None or (other.last in other.early and one.label != other.label):
        return False
    return other.last in one.paths


def _leading(ranked: Sequence[Trace]) -> list[int]:
    """The logs that stand for a game: of logs of one game the first, and none that another one holds whole."""
    leads: list[int] = []
    for at, trace in enumerate(ranked):
        if not any(ranked[lead].id == trace.id or _holds(ranked[lead], trace) for lead in leads):
            leads.append(at)
    for at in [*leads]:
        if any(_holds(ranked[lead], ranked[at]) for lead in leads if lead != at):
            leads.remove(at)
    return leads


def _leader_of(at: int, ranked: Sequence[Trace], leads: Sequence[int]) -> str:
    """The log that stands for another: one of its own game, or that holds it, or the first at all; "" for itself."""
    if at in leads:
        return ""
    mine = ranked[at]
    likely = [ranked[lead] for lead in leads if ranked[lead].id == mine.id]
    likely += [ranked[lead] for lead in leads if _holds(ranked[lead], mine)]
    return (likely or [ranked[leads[0]]])[0].log


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
