"""Slots: what a field of an action may be, without listing it.

A player chooses how many units he buys and where he puts them, and so how long a list would be. Nothing here makes one
unasked: slots are counted, picked from and looked into by arithmetic, and listed one value at a time.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations
from math import comb, perm
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.engine.text import in_runs

if TYPE_CHECKING:
    from random import Random

Weights = Mapping[Any, int]
"""What a value counts for, where that is not 1."""
SHORT = 8
"""Values of a slot that still fit on a line; more are spaced, so that the line can be broken."""


def length_of(count: int) -> int:
    """What `len` says of so many: it cannot say more than `sys.maxsize`."""
    return min(count, sys.maxsize)


class OneOf(Struct, frozen=True, tag="one-of"):
    """A slot that takes one of these values."""

    values: tuple[Any, ...]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return "/".join(map(str, self.values))

    @property
    def count(self) -> int:
        """How many values it takes."""
        return len(self.values)

    def pick(self, random: Random) -> Any:
        """One of the values, at random."""
        return random.choice(self.values)


class Between(Struct, frozen=True, tag="between"):
    """A slot that takes a whole number from `low` to `high`."""

    low: int
    high: int

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def __len__(self) -> int:
        return length_of(self.count)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        return self.high - self.low + 1

    def pick(self, random: Random) -> int:
        """One of the numbers, at random."""
        return random.randint(self.low, self.high)


class Ordered(Struct, frozen=True, tag="ordered"):
    """A slot that takes `least` to `most` different values in any order: who stands in box 1, who in box 2."""

    values: tuple[Any, ...]
    least: int
    most: int

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        sizes = range(self.least, self.most + 1)
        return chain.from_iterable(permutations(self.values, size) for size in sizes)

    def __len__(self) -> int:
        return length_of(self.count)

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        return len(set(value)) == len(value) and all(item in self.values for item in value)

    def __str__(self) -> str:
        if self.most == len(self.values) == 1:
            return str(self.values[0])
        return f"{how_many(self.least, self.most)} of {_any_of(self.values)} in any order"

    @property
    def count(self) -> int:
        """How many rows of values it takes."""
        return sum(perm(len(self.values), size) for size in range(self.least, self.most + 1))

    def pick(self, random: Random) -> tuple[Any, ...]:
        """So many of the values at random, in random order."""
        return tuple(random.sample(self.values, random.randint(self.least, self.most)))


class Subset(Struct, frozen=True, tag="subset", omit_defaults=True):
    """A slot that takes `least` to `most` of these values, kept in this order."""

    values: tuple[Any, ...]
    least: int
    most: int
    needs: Mapping[Any, tuple[Any, ...]] = {}
    """Values that are taken only along with one of these others, which need nobody: who is led, and by whom. Those who
    are led by one are led by the same.
    """
    covered: tuple[Any, ...] = ()
    """Values of which any is taken only along with all of `cover`. Not where some need others."""
    cover: tuple[Any, ...] = ()

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self.covered:
            return self.weighing({}, self.least, self.most)
        sizes = range(self.least, self.most + 1)
        return filter(self._is_led, chain.from_iterable(combinations(self.values, size) for size in sizes))

    def __len__(self) -> int:
        return length_of(self.count)

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        left = iter(self.values)
        return all(item in left for item in value) and self._is_led(value)

    def __str__(self) -> str:
        if self.least == len(self.values):
            return " ".join(map(str, self.values))
        led = "".join(f" ({_any_of(followers)} with {_any_of(leaders)})" for leaders, followers in self._parties())
        if self.covered:
            led = f" ({_any_of(self.covered)} only with {' '.join(map(str, self.cover))})"
        return f"{how_many(self.least, self.most)} of {_any_of(self.values)}{led}"

    @property
    def count(self) -> int:
        """In how many ways it can be filled."""
        return sum(self.ways()[self.least : self.most + 1])

    def pick(self, random: Random) -> tuple[Any, ...]:
        """So many of the values at random; every number of them is equally likely."""
        if self.covered:
            sizes = [size for size, ways in enumerate(self.ways()) if ways and self.least <= size <= self.most]
            size = random.choice(sizes)
            return self.pick_weighing({}, size, random)
        while True:
            size = random.randint(self.least, self.most)
            taken = tuple(map(self.values.__getitem__, sorted(random.sample(range(len(self.values)), size))))
            if self._is_led(taken):
                return taken

    def ways(self) -> list[int]:
        """In how many ways it can take none, one, two and so on: those who are free, times each party."""
        if self.covered:
            sizes = self.totals({}, 0, len(self.values))
            return [sizes.get(size, 0) for size in range(len(self.values) + 1)]
        parties = [(len(leaders), len(followers)) for leaders, followers in self._parties()]
        free = len(self.values) - sum(map(sum, parties))
        counts = [comb(free, taken) for taken in range(free + 1)]
        for lead, led in parties:
            party = [comb(lead + led, taken) - comb(led, taken) + (taken == 0) for taken in range(lead + led + 1)]
            counts = [
                sum(
                    counts[n - taken] * party[taken]
                    for taken in range(max(0, n - len(counts) + 1), min(n, lead + led) + 1)
                )
                for n in range(len(counts) + lead + led)
            ]
        return counts

    def _parties(self) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Leaders, and those who go with one of them only."""
        for leaders in dict.fromkeys(self.needs.values()):
            yield leaders, tuple(value for value, by in self.needs.items() if by == leaders)

    def _is_led(self, taken: tuple[Any, ...]) -> bool:
        needs = self.needs
        if not needs and not self.covered:
            return True
        asked_for = {needs[value] for value in taken if value in needs}
        led = all(any(one in taken for one in leaders) for leaders in asked_for)
        return led and (set(taken).isdisjoint(self.covered) or set(self.cover).issubset(taken))

    # What its values weigh together

    def totals(self, weights: Weights, least: int | None = None, most: int | None = None) -> dict[int, int]:
        """What it can weigh, and in how many ways; with `least` to `most` values, where that is not its own bound."""
        if self.needs:
            return dict(Counter(sum(weights.get(item, 1) for item in taken) for taken in self))
        low, high = self.least if least is None else least, self.most if most is None else most
        totals: dict[int, int] = {}
        for part in self._parts():
            for (size, total), count in part.tails(weights)[0].items():
                if low <= size <= high:
                    totals[total] = totals.get(total, 0) + count
        return totals

    def span(self, weights: Weights) -> tuple[int, int]:
        """The least and the most that its values may weigh; what some need is left aside."""
        edges = _edges(self.values, weights)[0]
        some = edges[self.least : self.most + 1]
        return min(low for low, _ in some), max(high for _, high in some)

    def weighing(self, weights: Weights, low: int, high: int) -> Iterator[tuple[Any, ...]]:
        """What of it weighs `low` to `high`, small groups first."""
        parts = [(part, _edges(part.rest, weights)) for part in self._parts()]
        for size in range(self.least, self.most + 1):
            for part, edges in parts:
                left, base = size - len(part.base), part.weight(weights)
                if left >= 0:
                    for taken in _taken(part.rest, weights, edges, 0, left, low - base, high - base):
                        if part.holds(taken) and self._is_led(taken + part.base):
                            yield self._in_order(taken + part.base)

    def pick_weighing(self, weights: Weights, total: int, random: Random) -> tuple[Any, ...]:
        """One of those ways at random to weigh just so much, each being equally likely; IndexError when there is none.
        Not where some need others.
        """
        ways = {
            (part, size): count
            for part in self._parts()
            for (size, weight), count in part.tails(weights)[0].items()
            if weight == total and self.least <= size <= self.most
        }
        part, size = random.choices(list(ways), list(ways.values()))[0]
        return self._in_order(part.pick(weights, size, total, random))

    def _in_order(self, taken: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(value for value in self.values if value in taken) if self.cover else taken

    def _parts(self) -> tuple[_Part, ...]:
        """What it takes, in parts that have nothing in common: without all that are covered, and with some of them."""
        if not self.covered:
            return (_Part((), self.values),)
        rest = tuple(value for value in self.values if value not in self.cover)
        open_ = tuple(value for value in self.values if value not in self.covered)
        some = () if set(self.covered).intersection(self.cover) else self.covered
        return _Part((), open_), _Part(self.cover, rest, some)


class _Part(Struct, frozen=True):
    """Groups of values: all that have these, any of the rest, and one at the least of some."""

    base: tuple[Any, ...]
    rest: tuple[Any, ...]
    some: tuple[Any, ...] = ()

    def holds(self, taken: tuple[Any, ...]) -> bool:
        """Whether these of the rest will do."""
        return not self.some or not set(self.some).isdisjoint(taken)

    def weight(self, weights: Weights) -> int:
        """What those weigh that all have."""
        return sum(weights.get(value, 1) for value in self.base)

    def tails(self, weights: Weights) -> list[dict[tuple[int, int], int]]:
        """In how many ways so many values weigh so much, if all before a place in the rest are left out."""
        weighed = _tails(self.rest, weights)
        if self.some:
            without = _tails(tuple(value for value in self.rest if value not in self.some), weights)[0]
            weighed[0] = {key: left for key, count in weighed[0].items() if (left := count - without.get(key, 0))}
        more, base = len(self.base), self.weight(weights)
        weighed[0] = {(size + more, total + base): count for (size, total), count in weighed[0].items()}
        return weighed

    def pick(self, weights: Weights, size: int, total: int, random: Random) -> tuple[Any, ...]:
        """So many values that weigh so much, at random."""
        tails = _tails(self.rest, weights)
        while True:
            taken = self._pick(tails, weights, size - len(self.base), total - self.weight(weights), random)
            if self.holds(taken):
                return self.base + taken

    def _pick(
        self, tails: list[dict[tuple[int, int], int]], weights: Weights, size: int, total: int, random: Random
    ) -> tuple[Any, ...]:
        taken: list[Any] = []
        for at, value in enumerate(self.rest):
            key = (size - 1, total - weights.get(value, 1))
            if random.randrange(tails[at][size, total]) < tails[at + 1].get(key, 0):
                taken.append(value)
                size, total = key
        return tuple(taken)


def _tails(values: Sequence[Any], weights: Weights) -> list[dict[tuple[int, int], int]]:
    """For each place: in how many ways so many of the values from there on weigh so much."""
    tails: list[dict[tuple[int, int], int]] = [{(0, 0): 1}]
    for value in reversed(values):
        weight, ways = weights.get(value, 1), dict(tails[-1])
        for (size, total), count in tails[-1].items():
            key = (size + 1, total + weight)
            ways[key] = ways.get(key, 0) + count
        tails.append(ways)
    return tails[::-1]


Edges = list[list[tuple[int, int]]]
"""For each place, and each number of values from there on: the least and the most that they weigh."""


def _edges(values: Sequence[Any], weights: Weights) -> Edges:
    edges: Edges = [[(0, 0)]]
    for value in reversed(values):
        weight, before = weights.get(value, 1), edges[-1]
        with_it = [(low + weight, high + weight) for low, high in before]
        both = [(min(one[0], other[0]), max(one[1], other[1])) for one, other in zip(before[1:], with_it, strict=False)]
        edges.append([(0, 0), *both, with_it[-1]])
    return edges[::-1]


def _taken(
    values: Sequence[Any], weights: Weights, edges: Edges, at: int, left: int, low: int, high: int
) -> Iterator[tuple[Any, ...]]:
    """So many of the values from a place on that weigh `low` to `high`; nothing is tried that cannot come to it."""
    if not left:
        if low <= 0 <= high:
            yield ()
        return
    for place in range(at, len(values) - left + 1):
        weight = weights.get(values[place], 1)
        lightest, heaviest = edges[place + 1][left - 1]
        if lightest + weight <= high and heaviest + weight >= low:
            more = _taken(values, weights, edges, place + 1, left - 1, low - weight, high - weight)
            yield from ((values[place], *others) for others in more)


def _any_of(values: tuple[Any, ...]) -> str:
    """Values to choose several of: "r1..r24/n3", or spaced where there are many."""
    words = in_runs(map(str, values))
    return (" / " if len(words) > SHORT else "/").join(words)


def how_many(least: int, most: int) -> str:
    """A number, or from which to which."""
    return str(least) if least == most else f"{least}..{most}"


Slot = OneOf | Subset | Ordered | Between
SLOTS = frozenset((OneOf, Subset, Ordered, Between))
"""The kinds of slots."""
