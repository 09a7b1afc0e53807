"""Contact and sight between open squares. A set of squares is a whole number with one bit for each square.

There is a line of sight if a straight line joins inner points of two squares and touches nothing that blocks it. The
two squares are moved to (0, 0) and (dx, dy), so that dx and dy are not negative. The lines of one slope m are y = m x +
c. Each square or thin wall in the way blocks a range of c; sight is free if some c is left. The result can only change
at slopes at which a line touches two corners at once. So one slope between every two of these is tried. All is done in
whole numbers, and exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import compress, pairwise
from math import gcd
from operator import or_
from typing import TypeVar

from msgspec import Struct

from referee.games.zombies.board import Board, find_column_and_row

Offset = tuple[int, int]
"""Columns and rows from the first square, both counted towards the second."""
ThinWall = tuple[Offset, Offset]
"""A thin wall: the two squares that it separates."""
Interval = tuple[int, int]
"""A range of c, the height of a line as the module's docstring defines it. Both ends are multiplied to whole numbers.
"""
MAX_CACHED_RESULTS = 4_000
"""The most results that a ground keeps in one table. A full table is emptied."""


K = TypeVar("K")


class _ResultTable(dict[K, int]):
    """A table that computes the result for a set of squares when it is first asked for, and keeps it.

    The same hordes and groups are asked about again and again, and a look-up takes a tenth of the time. Tables for a
    single square have its number or its name as the key, which is faster still.
    """

    def __init__(self, work: Callable[[K], int]) -> None:
        self._work = work

    def __missing__(self, squares: K) -> int:
        if len(self) >= MAX_CACHED_RESULTS:
            self.clear()
        found = self[squares] = self._work(squares)
        return found


class Ground:
    """The open squares, which of them touch, and which see each other, while certain rooms are open."""

    def __init__(self, board: Board, floor: int) -> None:
        self.board, self.open_squares, self.row_stride, self._stairs = (
            board,
            floor,
            board.row_stride,
            board.stair_squares,
        )
        solid = sum(board.square_bits.values()) & ~floor
        self._blocks = {False: solid | board.tanker_squares, True: solid}
        """The squares that block sight. The key is True for lines from or to the top of the tanker, which then blocks
        nothing (zombie.los.2, ruling.sight-tanker).
        """
        self._sights: dict[tuple[str, int], tuple[int, int]] = {}
        """For a square and blocking tiles, two sets: the squares that were looked at, and those of them that are in
        sight.
        """
        self._find_ways()
        self.find_side_neighbours = _ResultTable(self._beside).__getitem__
        """A function that returns the squares which share an open side with a square of a set."""
        self.find_side_neighbours_with_stairs = _ResultTable(self._next_to).__getitem__
        """A function that returns the result of `find_side_neighbours`, and the other ends of stairs on the set
        (ruling.level-links).
        """
        self.find_adjacent_squares = _ResultTable(self._touching).__getitem__
        """A function that returns the squares which touch a square of a set by a side or a corner (ruling.adjacency,
        ruling.wall-adjacency).
        """
        self.find_adjacent_squares_with_stairs = _ResultTable(self._joined).__getitem__
        """A function that returns the result of `find_adjacent_squares`, and the other ends of stairs on the set
        (ruling.stairs-horde).
        """
        self.adjacent_squares_by_length = _ResultTable[int](lambda length: self._touching(1 << length - 1))
        """The results of `find_adjacent_squares` for sets of a single square, by the length of the set in bits."""
        self.adjacent_squares_with_stairs_by_length = _ResultTable[int](lambda length: self._joined(1 << length - 1))
        """The results of `find_adjacent_squares_with_stairs` for sets of a single square, by the length of the set in
        bits.
        """
        self.find_squares_adjacent_to = _ResultTable[str](
            lambda square: self._touching(board.square_bits[square])
        ).__getitem__
        """A function that returns the squares which touch the square of a name."""

    def _find_ways(self) -> None:
        """Finds the squares from which a step east, south and so on is open.

        Thin walls and the ledge of the tanker stop a step. For a diagonal step, one of the two ways round the corner
        has to be open (ruling.ledge, ruling.corner-cut, ruling.wall-adjacency).
        """
        floor, width, tanker = self.open_squares, self.row_stride, self.board.tanker_squares
        thin = self._thin()
        self._east = floor & (floor >> 1) & ~(tanker ^ (tanker >> 1)) & ~thin[1]
        self._south = floor & (floor >> width) & ~(tanker ^ (tanker >> width)) & ~thin[width]
        self._west, self._north = self._east << 1, self._south << width
        east, south, west = self._east, self._south, self._west
        self._south_east = (east & (south >> 1)) | (south & (east >> width))
        self._south_west = (west & (south << 1)) | (south & (west >> width))
        self._north_west = self._south_east << (width + 1)
        self._north_east = self._south_west << (width - 1)
        self.directions = (
            (1, self._east),
            (-1, self._west),
            (width, self._south),
            (-width, self._north),
            (width + 1, self._south_east),
            (width - 1, self._south_west),
            (-width - 1, self._north_west),
            (1 - width, self._north_east),
        )
        """The directions of a step: its shift in bits, and the squares from which it is open. Sideways and up or down
        come first.
        """
        self.squares_beside_barriers = reduce(
            or_, [floor & shift_squares(floor, -way) & ~open_ for way, open_ in self.directions]
        )
        """Open squares with an open neighbour that they do not touch: a thin wall, a ledge or a corner lies between."""

    def _thin(self) -> dict[int, int]:
        """Returns the western or northern squares of thin walls, by the shift in bits to the square behind the wall."""
        walls = {1: 0, self.row_stride: 0}
        for level in self.board.file.level:
            for one, other in level.thin_walls:
                first, second = sorted((self.board.square_numbers[one], self.board.square_numbers[other]))
                walls[second - first] |= 1 << first
        return walls

    def _beside(self, squares: int) -> int:
        width = self.row_stride
        return (
            (squares & self._east) << 1
            | (squares & self._west) >> 1
            | (squares & self._south) << width
            | (squares & self._north) >> width
        )

    def _next_to(self, squares: int) -> int:
        near = self._beside(squares)
        return near | self.board.find_other_stair_ends(squares) if squares & self._stairs else near

    def _touching(self, squares: int) -> int:
        width = self.row_stride
        return self._beside(squares) | (
            (squares & self._south_east) << (width + 1)
            | (squares & self._south_west) << (width - 1)
            | (squares & self._north_west) >> (width + 1)
            | (squares & self._north_east) >> (width - 1)
        )

    def _joined(self, squares: int) -> int:
        near = self._touching(squares)
        return near | self.board.find_other_stair_ends(squares) if squares & self._stairs else near

    def find_neighbours_if_connected(self, squares: int) -> int:
        """Returns the squares that touch a small set or are joined to it by a stair.

        Returns the empty set if the squares of the small set are not all connected with each other.
        """
        return self._joined(squares) if is_connected_set(self.adjacent_squares_with_stairs_by_length, squares) else 0

    def find_squares_within(self, square: str, distance: int) -> int:
        """Returns the open squares of the level within this many king's moves of a square (ruling.horde-distance)."""
        near = 0
        for ring in self.board.find_rings(square)[: distance + 1]:
            near |= ring
        return near & self.open_squares

    def has_line_of_sight(self, one: str, other: str, tile_squares: int) -> bool:
        """True if there is a line of sight between two squares, with blocking tiles on the squares of `tile_squares`.

        That is a straight line between inner points, which touches no wall, closed room, blocking tile or tanker
        (zombie.los.1, ruling.sight-points). Figures do not block it (ruling.figures-sight).
        """
        return bool(self.find_squares_in_sight(one, self.board.square_bits[other], tile_squares))

    def find_squares_in_sight(self, square: str, among: int, tile_squares: int) -> int:
        """Returns the squares of the set `among` in line of sight of a square, with blocking tiles on the squares of
        `tile_squares`.

        Squares that are out of sight without blocking tiles are not looked at again with them.
        """
        if tile_squares:
            among = self.find_squares_in_sight(square, among, 0)
        key = (square, tile_squares)
        known, seen = self._sights.get(key, (0, 0))
        fresh = among & ~known
        if fresh:
            if len(self._sights) >= MAX_CACHED_RESULTS:
                self._sights.clear()
            there = self.board.list_squares(fresh & self.board.squares_by_level[square[0]])
            seen |= self.board.make_set(
                other for other in there if self._has_line_of_sight(square, other, tile_squares)
            )
            self._sights[key] = known | fresh, seen
        return among & seen

    def _has_line_of_sight(self, one: str, other: str, tile_squares: int) -> bool:
        """True if there is a line of sight between two squares. The result is not kept."""
        tanker = self.board.tanker_squares
        is_up = bool((self.board.square_bits[one] | self.board.square_bits[other]) & tanker)
        blocked = (self._blocks[is_up] | tile_squares) & ~self.board.square_bits[one] & ~self.board.square_bits[other]
        (x, y), (x2, y2) = find_column_and_row(one), find_column_and_row(other)
        right, down = (1 if x2 >= x else -1), (1 if y2 >= y else -1)
        dx, dy = abs(x2 - x), abs(y2 - y)
        walls = [wall for wall in self._list_thin_walls(one, right, down) if _is_between(wall, dx, dy)]
        corner = self.board.square_numbers[one] + min(0, x2 - x) + min(0, y2 - y) * self.row_stride
        between = (blocked >> corner) & _find_rectangle(dx, dy, self.row_stride)
        if not walls and not between:
            return True  # nothing is in the way
        if dx == 0 or dy == 0:
            return False
        spots = [divmod(square.bit_length() - 1, self.row_stride) for square in split_squares(between)]
        in_way = {(x if right > 0 else dx - x, y if down > 0 else dy - y) for y, x in spots}
        return make_middle_band(dx, dy).has_free_line(in_way, walls) or any(
            band.has_free_line(in_way, walls) for band in make_slope_bands(dx, dy)
        )

    def _list_thin_walls(self, origin: str, right: int, down: int) -> list[ThinWall]:
        """Returns the thin walls of a level, as offsets from a square.

        `right` and `down` are 1, or -1 if offsets are to be counted to the left or upwards.
        """
        x, y = find_column_and_row(origin)
        level = next(level for level in self.board.file.level if level.id == origin[0])
        spots = [(find_column_and_row(one), find_column_and_row(other)) for one, other in level.thin_walls]
        return [
            (((x1 - x) * right, (y1 - y) * down), ((x2 - x) * right, (y2 - y) * down)) for (x1, y1), (x2, y2) in spots
        ]


def find_connected_squares(near: Callable[[int], int], start: int, within: int) -> int:
    """Returns the squares `start` and all squares of `within` that are connected with them.

    Squares are connected by contact if `near` is `Ground.find_adjacent_squares` (ruling.horde-unit). If it is
    `Ground.find_adjacent_squares_with_stairs`, stairs connect them too (ruling.stairs-horde).
    """
    found = fresh = start
    while fresh:
        fresh = near(fresh) & within & ~found
        found |= fresh
    return found


def is_connected_set(near: Mapping[int, int], squares: int) -> bool:
    """True if all squares of a small set are connected with each other, or the set is empty.

    `near` holds the neighbours of every square: `Ground.adjacent_squares_by_length` for contact,
    `Ground.adjacent_squares_with_stairs_by_length` for contact and stairs.
    The set should be small, because its squares are looked at one by one.
    """
    found = squares & -squares
    left = squares ^ found
    while found and left:
        one = found & -found
        beside = near[one.bit_length()] & left
        found ^= one | beside
        left ^= beside
    return not left


def find_ground(board: Board, opened: tuple[str, ...]) -> Ground:
    """Returns the ground of a board while these rooms are open. It is made only once."""
    found = board.ground_cache.get(opened)
    if found is None:
        floor = board.initially_open_squares | sum(board.squares_by_room[mark] for mark in opened)
        found = board.ground_cache[opened] = Ground(board, floor)
    return found


def _is_between(wall: ThinWall, dx: int, dy: int) -> bool:
    """True if both squares of a thin wall are in the rectangle that (0, 0) and (dx, dy) span.

    Lines of sight stay inside this rectangle and meet no other wall.
    """
    return all(0 <= x <= dx and 0 <= y <= dy for x, y in wall)


@lru_cache(maxsize=2048)
def _find_rectangle(dx: int, dy: int, width: int) -> int:
    """Returns the squares of the rectangle that (0, 0) and (dx, dy) span, with (0, 0) as the lowest bit."""
    return sum(((2 << dx) - 1) << (width * y) for y in range(dy + 1))


# Lines of sight


class SightLineBand(Struct, frozen=True):
    """All lines of one slope that join inner points of two squares."""

    low: int
    high: int
    """The limits of c for these lines, multiplied by `run`."""
    rise: int
    run: int
    """The slope is `rise` divided by `run`."""
    touched_squares: tuple[Offset, ...]
    """The squares that some of these lines touch."""
    blocked_ranges: tuple[Interval, ...]
    """For each of these squares, the range of c that it blocks."""

    def has_free_line(self, in_way: Collection[Offset], walls: Iterable[ThinWall]) -> bool:
        """True if some line touches no square of `in_way` and no thin wall of `walls`."""
        low, high = self.low, self.high
        for start, end in compress(self.blocked_ranges, map(in_way.__contains__, self.touched_squares)):
            if start <= low:
                low = max(low, end)
            else:
                high = min(high, start)
            if low >= high:
                return False
        return _is_gap_left(low, high, (self._find_blocked_range(wall) for wall in walls))

    def _find_blocked_range(self, wall: ThinWall) -> Interval:
        (x1, y1), (x2, y2) = wall
        x, y = max(x1, x2), max(y1, y2)
        if y1 == y2:
            return self.run * y - self.rise * x, self.run * (y + 1) - self.rise * x
        return self.run * y - self.rise * (x + 1), self.run * y - self.rise * x


def _is_gap_left(low: int, high: int, intervals: Iterable[Interval]) -> bool:
    """True if some value between `low` and `high` is in none of the intervals."""
    for start, end in sorted(intervals):
        if start > low:
            break
        low = max(low, end)
    return low < high


def split_squares(squares: int) -> Iterator[int]:
    """Yields the squares of a set in reading order, each as a set."""
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest


def shift_squares(squares: int, shift: int) -> int:
    """Returns a set with its squares moved on by this many bits; a negative number moves them back."""
    return squares << shift if shift >= 0 else squares >> -shift


@lru_cache(maxsize=2048)
def make_middle_band(dx: int, dy: int) -> SightLineBand:
    """Returns the lines with the slope from middle to middle, which are tried first. dx and dy are not 0."""
    return _make_band(dx, dy, dy // gcd(dx, dy), dx // gcd(dx, dy))


@lru_cache(maxsize=2048)
def make_slope_bands(dx: int, dy: int) -> tuple[SightLineBand, ...]:
    """Returns one band for each range between two neighbouring critical slopes, the flattest range first.

    Within such a range, all slopes give the same result. dx and dy are not 0.
    """
    slopes = sorted(_find_critical_slopes(dx, dy), key=lambda slope: slope[0] / slope[1] if slope[1] else float("inf"))
    between = [(a + c, b + d) for (a, b), (c, d) in pairwise(slopes)]
    return tuple(_make_band(dx, dy, rise, run) for rise, run in between)


def _find_critical_slopes(dx: int, dy: int) -> set[tuple[int, int]]:
    """Returns the slopes at which a line between the two squares can touch two corners at once.

    Each slope is a rise and a run in lowest terms. The flattest and the steepest possible slope are included.
    """
    found = {_find_lowest(dy - 1, dx + 1), _find_lowest(dy + 1, dx - 1)}
    for run in range(1, dx + 2):
        least, most = -(-(dy - 1) * run // (dx + 1)), dy + 1 if dx == 1 else min(dy + 1, (dy + 1) * run // (dx - 1))
        found |= {_find_lowest(rise, run) for rise in range(least, most + 1)}
    return found


def _find_lowest(rise: int, run: int) -> tuple[int, int]:
    return rise // gcd(rise, run), run // gcd(rise, run)


def _make_band(dx: int, dy: int, rise: int, run: int) -> SightLineBand:
    low, high = max(-rise, run * dy - rise * (dx + 1)), min(run, run * (dy + 1) - rise * dx)
    ways = dict(_list_obstacles(dx, dy, rise, run, (low, high)))
    return SightLineBand(low, high, rise, run, tuple(ways), tuple(ways.values()))


def _list_obstacles(dx: int, dy: int, rise: int, run: int, between: Interval) -> Iterator[tuple[Offset, Interval]]:
    """Yields the squares that lines of a band touch, each with the range of c, the height of a line, that it blocks.

    The two squares that the lines join are left out.
    """
    low, high = between
    for x in range(dx + 1):
        first, last = (low + rise * x) // run, (high + rise * (x + 1) - 1) // run
        for y in range(max(0, first), min(dy, last) + 1):
            if (x, y) not in ((0, 0), (dx, dy)):
                yield (x, y), (run * y - rise * (x + 1), run * (y + 1) - rise * x)
