"""Line of sight: whether a straight line joins inner points of two squares and touches nothing that blocks it.

A line y = m x + c is judged from its two squares moved to (0, 0) and (dx, dy), both positive. Between two slopes at
which the line can touch two corners at once nothing changes but c; so a few slopes are tried, and for each the values
of c that squares in the way leave over. All is done in whole numbers, and exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import gcd

from msgspec import Struct

Offset = tuple[int, int]
"""Columns and rows from the first square, both counted towards the second."""
Edge = tuple[Offset, Offset]
"""A thin wall: the two squares that it parts."""
Interval = tuple[int, int]


class Band(Struct, frozen=True):
    """All lines of one slope from the one square to the other."""

    low: int
    high: int
    """Between these lies c, times the denominator of the slope."""
    rise: int
    run: int
    """The slope, as a fraction."""
    ways: tuple[tuple[Offset, int, int], ...]
    """Squares that some of these lines touch, each with the values of c that it blocks."""

    def is_free(self, blocked: Iterable[tuple[int, int]], edges: Iterable[Edge]) -> bool:
        """Whether some line is left over by squares that block these values of c, and by thin walls."""
        low, high = self.low, self.high
        for start, end in blocked:
            if start <= low:
                low = max(low, end)
            else:
                high = min(high, start)
        return low < high and _has_gap(low, high, (self._blocked(edge) for edge in edges))

    def _blocked(self, edge: Edge) -> Interval:
        (x1, y1), (x2, y2) = edge
        x, y = max(x1, x2), max(y1, y2)
        if y1 == y2:
            return self.run * y - self.rise * x, self.run * (y + 1) - self.rise * x
        return self.run * y - self.rise * (x + 1), self.run * y - self.rise * x


def _has_gap(low: int, high: int, intervals: Iterable[Interval]) -> bool:
    for start, end in sorted(intervals):
        if start > low:
            break
        low = max(low, end)
    return low < high


@lru_cache(maxsize=2048)
def first_band(dx: int, dy: int) -> Band:
    """The lines from middle to middle and beside it; dx and dy are not 0."""
    return _band(dx, dy, dy // gcd(dx, dy), dx // gcd(dx, dy))


@lru_cache(maxsize=2048)
def bands(dx: int, dy: int) -> tuple[Band, ...]:
    """A band for every slope that can make a difference."""
    slopes = sorted(_critical(dx, dy), key=lambda slope: slope[0] / slope[1] if slope[1] else float("inf"))
    between = [(a + c, b + d) for (a, b), (c, d) in pairwise(slopes)]
    return tuple(_band(dx, dy, rise, run) for rise, run in between)


def _critical(dx: int, dy: int) -> set[tuple[int, int]]:
    """Slopes, as fractions in lowest terms, of lines through two corners between the steepest and the flattest one."""
    found = {_lowest(dy - 1, dx + 1), _lowest(dy + 1, dx - 1)}
    for run in range(1, dx + 2):
        least, most = -(-(dy - 1) * run // (dx + 1)), dy + 1 if dx == 1 else min(dy + 1, (dy + 1) * run // (dx - 1))
        found |= {_lowest(rise, run) for rise in range(least, most + 1)}
    return found


def _lowest(rise: int, run: int) -> tuple[int, int]:
    return rise // gcd(rise, run), run // gcd(rise, run)


def _band(dx: int, dy: int, rise: int, run: int) -> Band:
    low, high = max(-rise, run * dy - rise * (dx + 1)), min(run, run * (dy + 1) - rise * dx)
    return Band(low, high, rise, run, tuple(_ways(dx, dy, rise, run, (low, high))))


def _ways(dx: int, dy: int, rise: int, run: int, between: Interval) -> Iterator[tuple[Offset, int, int]]:
    low, high = between
    for x in range(dx + 1):
        lowest, highest = (low + rise * x) // run - 1, (high + rise * (x + 1)) // run + 1
        for y in range(max(0, lowest), min(dy, highest) + 1):
            start, end = run * y - rise * (x + 1), run * (y + 1) - rise * x
            if start < high and end > low and (x, y) not in ((0, 0), (dx, dy)):
                yield (x, y), start, end
