"""The city as a player sees it on the table: squares that touch, and lines of sight, from the board file alone.

Slow on purpose. Squares are names, sets are sets, and nothing of `referee.games.zombies.ground` is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import Any

SIDEWAYS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south and west."""
DIAGONALS = ((1, -1), (1, 1), (-1, 1), (-1, -1))
FINE = 10_000
"""Parts of a side of a square. Corners are whole squares apart, so a shift of one part passes no other corner."""


def spot(square):
    return ord(square[1]) - ord("a"), int(square[2:]) - 1


def name(level, x, y):
    return f"{level}{chr(ord('a') + x)}{y + 1}"


def moved(square, way):
    """The square in a direction; empty off the map."""
    (x, y), (dx, dy) = spot(square), way
    return name(square[0], x + dx, y + dy) if 0 <= x + dx < 26 and y + dy >= 0 else ""


class City:
    """The squares of a board while some rooms are open."""

    def __init__(self, board, opened):
        self.signs = {
            name(level.id, x, y): pair
            for level in board.file.level
            for y, rows in enumerate(zip(lines(level.terrain), lines(level.features), strict=True))
            for x, pair in enumerate(zip(*rows, strict=True))
        }
        self.floor = {square for square, (terrain, _) in self.signs.items() if terrain in (*".~T", *opened)}
        self.tanker = {square for square, (terrain, _) in self.signs.items() if terrain == "T"}
        self.thin_walls = [frozenset(pair) for level in board.file.level for pair in level.thin_walls]
        self.stairs = [stair.ends for stair in board.file.stair]
        self.ropes = [(rope.symbol, rope.landing) for rope in board.file.rope]
        self.beside = cache(self._beside)
        self.touching = cache(self._touching)
        self.sees = cache(self._sees)

    def _beside(self, square):
        """Squares that share an open side: no wall, thin wall or ledge of the tanker lies between (ruling.ledge)."""
        near = {moved(square, way) for way in SIDEWAYS} & self.floor if square in self.floor else set()
        apart = {to for to in near if frozenset((square, to)) in self.thin_walls}
        return {to for to in near - apart if (to in self.tanker) == (square in self.tanker)}

    def _touching(self, square):
        """All eight neighbours, unless a wall or ledge lies between (ruling.adjacency, ruling.wall-adjacency).

        Past a corner, one of the two ways round must be open (ruling.corner-cut).
        """
        found = set(self.beside(square))
        for dx, dy in DIAGONALS:
            to = moved(square, (dx, dy))
            corners = {moved(square, (dx, 0)), moved(square, (0, dy))} & self.beside(square)
            if any(to in self.beside(corner) for corner in corners):
                found.add(to)
        return found

    def over_stairs(self, square):
        return other_ends(self.stairs, square)

    def joined(self, square):
        """Squares that touch, or are the other end of a stair (ruling.stairs-horde)."""
        return self.touching(square) | self.over_stairs(square)

    # Lines of sight (zombie.los.1, zombie.los.2, ruling.sight-points, ruling.sight-tanker)

    def _sees(self, one, other, tiles):
        """True if some straight line joins inner points of two squares and touches nothing that blocks.

        Such a line can be turned and shifted until it nearly touches two corners. So only those lines are tried.
        """
        if one[0] != other[0]:
            return False
        shapes = self._shapes_between(one, other, tiles)
        ends = [corners_of(spot(square)) for square in (one, other)]
        corners = sorted({corner for shape in (*ends, *shapes) for corner in shape})
        lines = (line for pair in combinations(corners, 2) for line in lines_near(*pair))
        return any(is_free(line, ends, shapes) for line in lines)

    def _shapes_between(self, one, other, tiles):
        """The corners of what blocks: solid squares, closed rooms, blocking tiles, thin walls, and the tanker."""
        (x, y), (x2, y2) = spot(one), spot(other)
        columns, rows = range(min(x, x2), max(x, x2) + 1), range(min(y, y2), max(y, y2) + 1)
        between = {name(one[0], column, row) for column, row in product(columns, rows)}
        tanker = set() if {one, other} & self.tanker else self.tanker
        closed = {square for square in between if square not in self.floor or square in tiles or square in tanker}
        walls = [pair for pair in self.thin_walls if pair <= between]
        sides = [set.intersection(*(corners_of(spot(square)) for square in pair)) for pair in walls]
        return [*(corners_of(spot(square)) for square in closed - {one, other}), *sides]


_cities: dict[tuple[int, tuple[str, ...]], tuple[Any, City]] = {}


def city_of(board, opened):
    """The city of a board, made once; the board is kept so that no other gets its number."""
    if (id(board), opened) not in _cities:
        _cities[id(board), opened] = board, City(board, opened)
    return _cities[id(board), opened][1]


def lines(picture):
    return picture.strip("\n").split("\n")


def other_ends(pairs, square):
    return {other for one, other in (*pairs, *(pair[::-1] for pair in pairs)) if one == square}


def is_unit(near: Callable[[str], set[str]], squares):
    """True if all of these squares hang together (ruling.horde-unit)."""
    left = set(squares)
    fresh = {left.pop()} if left else set()
    while fresh:
        fresh = {other for one in fresh for other in near(one)} & left
        left -= fresh
    return not left


def corners_of(at):
    return {((at[0] + dx) * FINE, (at[1] + dy) * FINE) for dx, dy in product((0, 1), repeat=2)}


def lines_near(one, other):
    """The four lines that pass two corners on either side, very near."""
    (x, y), (x2, y2) = one, other
    dx, dy = (0, 1) if abs(x2 - x) >= abs(y2 - y) else (1, 0)
    for near, far in product((-1, 1), repeat=2):
        yield (x + near * dx, y + near * dy), (x2 + far * dx, y2 + far * dy)


def is_free(line, ends, shapes):
    """True if a line passes through both squares inside, and between them touches no shape."""
    spans = [span(line, shape) for shape in ends]
    if any(each is None or each[0] >= each[1] for each in spans):
        return False
    (first, last), (first2, last2) = spans
    low, high = (last, first2) if last <= first2 else (last2, first)
    return all(met is None or met[1] < low or met[0] > high for met in (span(line, shape) for shape in shapes))


def span(line, shape):
    """Where a line is in a square or on a wall, from one place on the line to another; None if it meets it nowhere."""
    low, high = float("-inf"), float("inf")
    for axis in (0, 1):
        origin, step = line[0][axis], line[1][axis] - line[0][axis]
        least, most = min(corner[axis] for corner in shape), max(corner[axis] for corner in shape)
        if step:
            one, other = sorted(((least - origin) / step, (most - origin) / step))
            low, high = max(low, one), min(high, other)
        elif not least <= origin <= most:
            return None
    return (low, high) if low <= high else None
