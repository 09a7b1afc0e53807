"""What touches what on the squares that are open, and what sees what: sets of squares are numbers, a bit for each.

There is a line of sight where a straight line joins inner points of two squares and touches nothing that blocks it. A
line y = m x + c is judged from its two squares moved to (0, 0) and (dx, dy), both positive. Between two slopes at which
the line can touch two corners at once nothing changes but c; so a few slopes are tried, and for each the values of c
that squares in the way leave over. All is done in whole numbers, and exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import compress, pairwise
from math import gcd
from operator import or_
from typing import TypeVar

from msgspec import Struct

from referee.games.zombies.board import Board, spot_of

Offset = tuple[int, int]
"""Columns and rows from the first square, both counted towards the second."""
Edge = tuple[Offset, Offset]
"""A thin wall: the two squares that it parts."""
Interval = tuple[int, int]
MANY = 4_000
"""Sets of which one ground keeps what is next to them, before it begins anew."""


K = TypeVar("K")


class _Known(dict[K, int]):
    """What a function makes of each set of squares. The same hordes and groups are asked about again and again, and to
    look a set up takes a tenth of the time; a single square is looked up sooner by its number or its name.
    """

    def __init__(self, work: Callable[[K], int]) -> None:
        self._work = work

    def __missing__(self, squares: K) -> int:
        if len(self) >= MANY:
            self.clear()
        found = self[squares] = self._work(squares)
        return found


class Ground:
    """Which squares can be stood on, which touch, and which see each other, while certain rooms are open."""

    def __init__(self, board: Board, floor: int) -> None:
        self.board, self.floor, self.width, self._stairs = board, floor, board.width, board.stair_ends
        solid = sum(board.bit.values()) & ~floor
        self._blocks = {False: solid | board.tanker, True: solid}
        """What stops sight: from the ground the tanker too, from its roof not (zombie.los.2, ruling.sight-tanker)."""
        self._sights: dict[tuple[str, int], tuple[int, int]] = {}
        """For a square and blocking tiles: of which squares it is known whether they see it, and which of them do."""
        self._find_ways()
        self.beside = _Known(self._beside).__getitem__
        """Squares that share an open side with one of these."""
        self.next_to = _Known(self._next_to).__getitem__
        """The same, and the other ends of their stairs (ruling.level-links)."""
        self.touching = _Known(self._touching).__getitem__
        """Squares that touch one of these by a side or a corner (ruling.adjacency, ruling.wall-adjacency)."""
        self.joined = _Known(self._joined).__getitem__
        """The same, and the other ends of their stairs (ruling.stairs-horde)."""
        self.touches = _Known[int](lambda length: self._touching(1 << length - 1))
        """`touching` for a set of one square, by its length in bits."""
        self.joins = _Known[int](lambda length: self._joined(1 << length - 1))
        """`joined` for one."""
        self.near = _Known[str](lambda square: self._touching(board.bit[square])).__getitem__
        """Squares that touch this one."""

    def _find_ways(self) -> None:
        """From which squares a step east, south and so on is open. Thin walls and the ledge of the tanker stop it, and
        a diagonal one needs one of its two ways round the corner (ruling.ledge, ruling.corner-cut,
        ruling.wall-adjacency).
        """
        floor, width, tanker = self.floor, self.width, self.board.tanker
        thin = self._thin()
        self._east = floor & (floor >> 1) & ~(tanker ^ (tanker >> 1)) & ~thin[1]
        self._south = floor & (floor >> width) & ~(tanker ^ (tanker >> width)) & ~thin[width]
        self._west, self._north = self._east << 1, self._south << width
        east, south, west = self._east, self._south, self._west
        self._south_east = (east & (south >> 1)) | (south & (east >> width))
        self._south_west = (west & (south << 1)) | (south & (west >> width))
        self._north_west = self._south_east << (width + 1)
        self._north_east = self._south_west << (width - 1)
        self.ways = (
            (1, self._east),
            (-1, self._west),
            (width, self._south),
            (-width, self._north),
            (width + 1, self._south_east),
            (width - 1, self._south_west),
            (-width - 1, self._north_west),
            (1 - width, self._north_east),
        )
        """How many bits each step goes on, and from which squares it is open: first sideways and up or down."""
        self.edged = reduce(or_, [floor & shifted(floor, -way) & ~open_ for way, open_ in self.ways])
        """Open squares with a neighbour that is open too and that they do not touch: a thin wall, a ledge or a corner
        lies between.
        """

    def _thin(self) -> dict[int, int]:
        """The western and northern squares of thin walls, by how far off the other square lies."""
        walls = {1: 0, self.width: 0}
        for level in self.board.file.level:
            for one, other in level.thin_walls:
                first, second = sorted((self.board.index[one], self.board.index[other]))
                walls[second - first] |= 1 << first
        return walls

    def _beside(self, squares: int) -> int:
        width = self.width
        return (
            (squares & self._east) << 1
            | (squares & self._west) >> 1
            | (squares & self._south) << width
            | (squares & self._north) >> width
        )

    def _next_to(self, squares: int) -> int:
        near = self._beside(squares)
        return near | self.board.over_stairs(squares) if squares & self._stairs else near

    def _touching(self, squares: int) -> int:
        width = self.width
        return self._beside(squares) | (
            (squares & self._south_east) << (width + 1)
            | (squares & self._south_west) << (width - 1)
            | (squares & self._north_west) >> (width + 1)
            | (squares & self._north_east) >> (width - 1)
        )

    def _joined(self, squares: int) -> int:
        near = self._touching(squares)
        return near | self.board.over_stairs(squares) if squares & self._stairs else near

    def around(self, squares: int) -> int:
        """The squares next to a few ones, over stairs too, if these hang together by themselves; else none."""
        return self._joined(squares) if is_linked(self.joins, squares) else 0

    def within(self, square: str, distance: int) -> int:
        """Open squares of the level up to so many king's moves away (ruling.horde-distance)."""
        near = 0
        for ring in self.board.rings(square)[: distance + 1]:
            near |= ring
        return near & self.floor

    def sees(self, one: str, other: str, tiles: int) -> bool:
        """Whether a straight line joins inner points of two squares and touches no wall, closed room, blocking tile or
        tanker (zombie.los.1, ruling.sight-points); figures are in nobody's way (ruling.figures-sight).
        """
        return bool(self.seen_from(one, self.board.bit[other], tiles))

    def seen_from(self, square: str, among: int, tiles: int) -> int:
        """Of some squares those between which and a square there is a line of sight. What is not seen without blocking
        tiles is not seen behind them either.
        """
        if tiles:
            among = self.seen_from(square, among, 0)
        key = (square, tiles)
        known, seen = self._sights.get(key, (0, 0))
        fresh = among & ~known
        if fresh:
            if len(self._sights) >= MANY:
                self._sights.clear()
            there = self.board.names(fresh & self.board.levels[square[0]])
            seen |= self.board.set_of(other for other in there if self._looks(square, other, tiles))
            self._sights[key] = known | fresh, seen
        return among & seen

    def _looks(self, one: str, other: str, tiles: int) -> bool:
        tanker = self.board.tanker
        is_up = bool((self.board.bit[one] | self.board.bit[other]) & tanker)
        blocked = (self._blocks[is_up] | tiles) & ~self.board.bit[one] & ~self.board.bit[other]
        (x, y), (x2, y2) = spot_of(one), spot_of(other)
        right, down = (1 if x2 >= x else -1), (1 if y2 >= y else -1)
        dx, dy = abs(x2 - x), abs(y2 - y)
        edges = [edge for edge in self._edges(one, right, down) if _is_between(edge, dx, dy)]
        corner = self.board.index[one] + min(0, x2 - x) + min(0, y2 - y) * self.width
        between = (blocked >> corner) & _rectangle(dx, dy, self.width)
        if not edges and not between:
            return True  # nothing at all stands between them
        if dx == 0 or dy == 0:
            return False
        spots = [divmod(square.bit_length() - 1, self.width) for square in each(between)]
        in_way = {(x if right > 0 else dx - x, y if down > 0 else dy - y) for y, x in spots}
        return first_band(dx, dy).is_free(in_way, edges) or any(band.is_free(in_way, edges) for band in bands(dx, dy))

    def _edges(self, origin: str, right: int, down: int) -> list[Edge]:
        """Thin walls of the level, seen from a square."""
        x, y = spot_of(origin)
        level = next(level for level in self.board.file.level if level.id == origin[0])
        spots = [(spot_of(one), spot_of(other)) for one, other in level.thin_walls]
        return [
            (((x1 - x) * right, (y1 - y) * down), ((x2 - x) * right, (y2 - y) * down)) for (x1, y1), (x2, y2) in spots
        ]


def linked(near: Callable[[int], int], start: int, within: int) -> int:
    """Of some squares those that hang together with these: by touching (`Ground.touching`, ruling.horde-unit), or by a
    stair too (`Ground.joined`, ruling.stairs-horde).
    """
    found = fresh = start
    while fresh:
        fresh = near(fresh) & within & ~found
        found |= fresh
    return found


def is_linked(near: Mapping[int, int], squares: int) -> bool:
    """Whether a few squares hang together by themselves, or there are none: by touching (`Ground.touches`), or by a
    stair too (`Ground.joins`). One after another, since what is next to one is known.
    """
    found = squares & -squares
    left = squares ^ found
    while found and left:
        one = found & -found
        beside = near[one.bit_length()] & left
        found ^= one | beside
        left ^= beside
    return not left


def ground_of(board: Board, opened: tuple[str, ...]) -> Ground:
    """What touches what while these rooms are open."""
    found = board.grounds.get(opened)
    if found is None:
        floor = board.floor | sum(board.rooms[mark] for mark in opened)
        found = board.grounds[opened] = Ground(board, floor)
    return found


def _is_between(edge: Edge, dx: int, dy: int) -> bool:
    """Whether a thin wall parts two squares of the rectangle that two squares span: lines between them stay inside it,
    and meet none that stands behind either.
    """
    return all(0 <= x <= dx and 0 <= y <= dy for x, y in edge)


@lru_cache(maxsize=2048)
def _rectangle(dx: int, dy: int, width: int) -> int:
    """The squares that two squares span which lie so far apart, the first of them being the lowest bit."""
    return sum(((2 << dx) - 1) << (width * y) for y in range(dy + 1))


# Lines of sight


class Band(Struct, frozen=True):
    """All lines of one slope from the one square to the other."""

    low: int
    high: int
    """Between these lies c, times the denominator of the slope."""
    rise: int
    run: int
    """The slope, as a fraction."""
    spots: tuple[Offset, ...]
    """Squares that some of these lines touch."""
    blocks: tuple[Interval, ...]
    """The values of c that each of them blocks."""

    def is_free(self, in_way: Collection[Offset], edges: Iterable[Edge]) -> bool:
        """Whether some line is left over by squares in the way, and by thin walls."""
        low, high = self.low, self.high
        for start, end in compress(self.blocks, map(in_way.__contains__, self.spots)):
            if start <= low:
                low = max(low, end)
            else:
                high = min(high, start)
            if low >= high:
                return False
        return _has_gap(low, high, (self._blocked(edge) for edge in edges))

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


def each(squares: int) -> Iterator[int]:
    """The squares of a set in reading order, each as a set."""
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest


def shifted(squares: int, shift: int) -> int:
    """Returns some squares moved on by so many bits, or back by as many where it is negative."""
    return squares << shift if shift >= 0 else squares >> -shift


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
    ways = dict(_ways(dx, dy, rise, run, (low, high)))
    return Band(low, high, rise, run, tuple(ways), tuple(ways.values()))


def _ways(dx: int, dy: int, rise: int, run: int, between: Interval) -> Iterator[tuple[Offset, Interval]]:
    low, high = between
    for x in range(dx + 1):
        first, last = (low + rise * x) // run, (high + rise * (x + 1) - 1) // run
        for y in range(max(0, first), min(dy, last) + 1):
            if (x, y) not in ((0, 0), (dx, dy)):
                yield (x, y), (run * y - rise * (x + 1), run * (y + 1) - rise * x)
