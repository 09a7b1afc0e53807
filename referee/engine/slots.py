"""Slots: the values that one field of an action may have, without listing them.

Players choose how many units they buy and where they put them, so a list could grow without limit. Slots are therefore
counted, sampled and searched by arithmetic. They are only listed on request, one value at a time.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations
from math import comb, perm
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.engine.text import format_runs

if TYPE_CHECKING:
    from random import Random

Weights = Mapping[Any, int]
"""The weight of each value, where it is not 1."""
MAX_VALUES_ON_LINE = 8
"""The number of values that still fit on one line. Longer lists get spaces, so that the line can be broken."""


def cap_at_maxsize(count: int) -> int:
    """Returns the count for `len`, which cannot return more than `sys.maxsize`."""
    return min(count, sys.maxsize)


class OneOf(Struct, frozen=True, tag="one-of"):
    """A slot that takes one of these values.

    >>> "NE" in OneOf(("N", "NE")), OneOf(("N", "NE")).count
    (True, 2)
    """

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
        """The number of values."""
        return len(self.values)

    def pick(self, random: Random) -> Any:
        """Returns one of the values at random."""
        return random.choice(self.values)


class Between(Struct, frozen=True, tag="between"):
    """A slot that takes a whole number from `low` to `high`.

    >>> list(Between(2, 4))
    [2, 3, 4]
    """

    low: int
    high: int

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def __len__(self) -> int:
        return cap_at_maxsize(self.count)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    @property
    def count(self) -> int:
        """The number of values."""
        return self.high - self.low + 1

    def pick(self, random: Random) -> int:
        """Returns one of the numbers at random."""
        return random.randint(self.low, self.high)


class Ordered(Struct, frozen=True, tag="ordered"):
    """A slot that takes `least` to `most` different values in any order, such as the units in box 1, box 2 and so on.

    >>> list(Ordered(("a", "b"), 2, 2))
    [('a', 'b'), ('b', 'a')]
    """

    values: tuple[Any, ...]
    least: int
    most: int

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        sizes = range(self.least, self.most + 1)
        return chain.from_iterable(permutations(self.values, size) for size in sizes)

    def __len__(self) -> int:
        return cap_at_maxsize(self.count)

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        return len(set(value)) == len(value) and all(item in self.values for item in value)

    def __str__(self) -> str:
        if self.most == len(self.values) == 1:
            return str(self.values[0])
        return f"{format_range(self.least, self.most)} of {_format_alternatives(self.values)} in any order"

    @property
    def count(self) -> int:
        """The number of ways to fill the slot."""
        return sum(perm(len(self.values), size) for size in range(self.least, self.most + 1))

    def pick(self, random: Random) -> tuple[Any, ...]:
        """Returns random values in a random order. Every possible number of values is equally likely."""
        return tuple(random.sample(self.values, random.randint(self.least, self.most)))


class Subset(Struct, frozen=True, tag="subset", omit_defaults=True):
    """A slot that takes `least` to `most` of these values, in the order given here.

    >>> list(Subset(("a", "b", "c"), 2, 2))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """

    values: tuple[Any, ...]
    least: int
    most: int
    needs: Mapping[Any, tuple[Any, ...]] = {}
    """Values that need a leader, each with its possible leaders. Leaders need nobody.

    A value is taken only together with one of its leaders. Two values that share a leader share all their leaders.
    """
    covered: tuple[Any, ...] = ()
    """Values that are taken only together with all of `cover`. It is empty if some values need leaders."""
    cover: tuple[Any, ...] = ()
    """Values that must be taken along with any of `covered`."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self.covered:
            return self.list_by_weight({}, self.least, self.most)
        sizes = range(self.least, self.most + 1)
        return filter(self._is_led, chain.from_iterable(combinations(self.values, size) for size in sizes))

    def __len__(self) -> int:
        return cap_at_maxsize(self.count)

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        left = iter(self.values)
        return all(item in left for item in value) and self._is_led(value)

    def __str__(self) -> str:
        if self.least == len(self.values):
            return " ".join(map(str, self.values))
        led = "".join(
            f" ({_format_alternatives(followers)} with {_format_alternatives(leaders)})"
            for leaders, followers in self._group_by_leaders()
        )
        if self.covered:
            led = f" ({_format_alternatives(self.covered)} only with {' '.join(map(str, self.cover))})"
        return f"{format_range(self.least, self.most)} of {_format_alternatives(self.values)}{led}"

    @property
    def count(self) -> int:
        """The number of ways to fill the slot."""
        return sum(self.count_by_size()[self.least : self.most + 1])

    def pick(self, random: Random) -> tuple[Any, ...]:
        """Returns a random selection. Every possible size is equally likely, unless some values need leaders."""
        if self.covered:
            sizes = [size for size, ways in enumerate(self.count_by_size()) if ways and self.least <= size <= self.most]
            size = random.choice(sizes)
            return self.pick_by_weight({}, size, random)
        while True:
            size = random.randint(self.least, self.most)
            taken = tuple(map(self.values.__getitem__, sorted(random.sample(range(len(self.values)), size))))
            if self._is_led(taken):
                return taken

    def count_by_size(self) -> list[int]:
        """Returns the number of ways to take none, one, two values and so on."""
        if self.covered:
            sizes = self.count_by_weight({}, 0, len(self.values))
            return [sizes.get(size, 0) for size in range(len(self.values) + 1)]
        parties = [(len(leaders), len(followers)) for leaders, followers in self._group_by_leaders()]
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

    def _group_by_leaders(self) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Yields each group of leaders, with the values that need one of them."""
        for leaders in dict.fromkeys(self.needs.values()):
            yield leaders, tuple(value for value, by in self.needs.items() if by == leaders)

    def _is_led(self, taken: tuple[Any, ...]) -> bool:
        """True if these values may be taken together.

        Each value that needs a leader must come with one, and each covered value with the whole cover.
        """
        needs = self.needs
        if not needs and not self.covered:
            return True
        asked_for = {needs[value] for value in taken if value in needs}
        led = all(any(one in taken for one in leaders) for leaders in asked_for)
        return led and (set(taken).isdisjoint(self.covered) or set(self.cover).issubset(taken))

    # Weights

    def count_by_weight(self, weights: Weights, least: int | None = None, most: int | None = None) -> dict[int, int]:
        """Returns the weights that a selection can have, with the number of ways for each.

        `least` and `most` replace the slot's own bounds for the number of values.
        """
        if self.needs:
            return dict(Counter(sum(weights.get(item, 1) for item in taken) for taken in self))
        low, high = self.least if least is None else least, self.most if most is None else most
        totals: dict[int, int] = {}
        for part in self._split_into_parts():
            for (size, total), count in part.count_tails(weights)[0].items():
                if low <= size <= high:
                    totals[total] = totals.get(total, 0) + count
        return totals

    def find_span(self, weights: Weights) -> tuple[int, int]:
        """Returns the least and the greatest weight of a selection. Leaders and covers are ignored."""
        edges = _find_edges(self.values, weights)[0]
        some = edges[self.least : self.most + 1]
        return min(low for low, _ in some), max(high for _, high in some)

    def list_by_weight(self, weights: Weights, low: int, high: int) -> Iterator[tuple[Any, ...]]:
        """Yields the selections that weigh from `low` to `high`; those with few values come first."""
        parts = [(part, _find_edges(part.rest, weights)) for part in self._split_into_parts()]
        for size in range(self.least, self.most + 1):
            for part, edges in parts:
                left, base = size - len(part.base), part.weigh_base(weights)
                if left >= 0:
                    for taken in _select_by_weight(part.rest, weights, edges, 0, left, low - base, high - base):
                        if part.has_one_of_some(taken) and self._is_led(taken + part.base):
                            yield self._sort_values(taken + part.base)

    def pick_by_weight(self, weights: Weights, total: int, random: Random) -> tuple[Any, ...]:
        """Returns a random selection that weighs exactly `total`; all such selections are equally likely.

        Raises IndexError if there is none. Must not be called if some values need leaders.
        """
        ways = {
            (part, size): count
            for part in self._split_into_parts()
            for (size, weight), count in part.count_tails(weights)[0].items()
            if weight == total and self.least <= size <= self.most
        }
        part, size = random.choices(list(ways), list(ways.values()))[0]
        return self._sort_values(part.pick(weights, size, total, random))

    def _sort_values(self, taken: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(value for value in self.values if value in taken) if self.cover else taken

    def _split_into_parts(self) -> tuple[_Part, ...]:
        """Returns the selections as parts without overlap: those with no covered value, and those with at least one."""
        if not self.covered:
            return (_Part((), self.values),)
        rest = tuple(value for value in self.values if value not in self.cover)
        open_ = tuple(value for value in self.values if value not in self.covered)
        some = () if set(self.covered).intersection(self.cover) else self.covered
        return _Part((), open_), _Part(self.cover, rest, some)


class _Part(Struct, frozen=True):
    """All selections with every value of `base` and any number of values of `rest`.

    If `some` is not empty, a selection needs at least one of its values, too. They are a part of `rest`.
    """

    base: tuple[Any, ...]
    rest: tuple[Any, ...]
    some: tuple[Any, ...] = ()

    def has_one_of_some(self, taken: tuple[Any, ...]) -> bool:
        """True if these values of `rest` include one of `some`, or if `some` is empty."""
        return not self.some or not set(self.some).isdisjoint(taken)

    def weigh_base(self, weights: Weights) -> int:
        """Returns the weight of `base`."""
        return sum(weights.get(value, 1) for value in self.base)

    def count_tails(self, weights: Weights) -> list[dict[tuple[int, int], int]]:
        """Returns, for each index in `rest`, the number of ways to choose values from there on, by size and weight.

        Index 0 counts whole selections: they include `base`, and at least one of `some`.
        """
        weighed = _count_tails(self.rest, weights)
        if self.some:
            without = _count_tails(tuple(value for value in self.rest if value not in self.some), weights)[0]
            weighed[0] = {key: left for key, count in weighed[0].items() if (left := count - without.get(key, 0))}
        more, base = len(self.base), self.weigh_base(weights)
        weighed[0] = {(size + more, total + base): count for (size, total), count in weighed[0].items()}
        return weighed

    def pick(self, weights: Weights, size: int, total: int, random: Random) -> tuple[Any, ...]:
        """Returns a random selection with this size and weight."""
        tails = _count_tails(self.rest, weights)
        while True:
            taken = self._pick(tails, weights, size - len(self.base), total - self.weigh_base(weights), random)
            if self.has_one_of_some(taken):
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


def _count_tails(values: Sequence[Any], weights: Weights) -> list[dict[tuple[int, int], int]]:
    """Returns one table for each index: how many selections of the values from there on have each size and weight."""
    tails: list[dict[tuple[int, int], int]] = [{(0, 0): 1}]
    for value in reversed(values):
        weight, ways = weights.get(value, 1), dict(tails[-1])
        for (size, total), count in tails[-1].items():
            key = (size + 1, total + weight)
            ways[key] = ways.get(key, 0) + count
        tails.append(ways)
    return tails[::-1]


WeightBounds = list[list[tuple[int, int]]]
"""For each position, and each number of values chosen from there on: their least and their greatest weight."""


def _find_edges(values: Sequence[Any], weights: Weights) -> WeightBounds:
    edges: WeightBounds = [[(0, 0)]]
    for value in reversed(values):
        weight, before = weights.get(value, 1), edges[-1]
        with_it = [(low + weight, high + weight) for low, high in before]
        both = [(min(one[0], other[0]), max(one[1], other[1])) for one, other in zip(before[1:], with_it, strict=False)]
        edges.append([(0, 0), *both, with_it[-1]])
    return edges[::-1]


def _select_by_weight(
    values: Sequence[Any], weights: Weights, edges: WeightBounds, at: int, left: int, low: int, high: int
) -> Iterator[tuple[Any, ...]]:
    """Yields the selections of `left` values, from index `at` on, that weigh from `low` to `high`.

    Branches that cannot reach such a weight are skipped.
    """
    if not left:
        if low <= 0 <= high:
            yield ()
        return
    for place in range(at, len(values) - left + 1):
        weight = weights.get(values[place], 1)
        lightest, heaviest = edges[place + 1][left - 1]
        if lightest + weight <= high and heaviest + weight >= low:
            more = _select_by_weight(values, weights, edges, place + 1, left - 1, low - weight, high - weight)
            yield from ((values[place], *others) for others in more)


def _format_alternatives(values: tuple[Any, ...]) -> str:
    """Returns values to choose from: "r1..r24/n3". Long lists get spaces."""
    words = format_runs(map(str, values))
    return (" / " if len(words) > MAX_VALUES_ON_LINE else "/").join(words)


def format_range(least: int, most: int) -> str:
    """Returns one number, or a range of numbers."""
    return str(least) if least == most else f"{least}..{most}"


Slot = OneOf | Subset | Ordered | Between
SLOTS = frozenset((OneOf, Subset, Ordered, Between))
"""The classes of slots."""
