"""What touches what on the squares that are open, and what sees what: sets of squares are numbers, a bit for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.zombies.board import spot_of
from referee.games.zombies.sight import Edge, bands, first_band

if TYPE_CHECKING:
    from referee.games.zombies.board import Board


class Ground:
    """Which squares can be stood on, which touch, and which see each other, while certain rooms are open."""

    def __init__(self, board: Board, floor: int) -> None:
        self.board, self.floor, self.width, self._stairs = board, floor, board.width, board.stair_ends
        solid = sum(board.bit.values()) & ~floor
        self._blocks = {False: solid | board.tanker, True: solid}
        """What stops sight: from the ground the tanker too, from its roof not (zombie.los.2, ruling.sight-tanker)."""
        self._joined: dict[int, int] = {}
        self._touching: dict[str, int] = {}
        self._seen: dict[tuple[str, str, int], bool] = {}
        self._find_ways()

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

    def _thin(self) -> dict[int, int]:
        """The western and northern squares of thin walls, by how far off the other square lies."""
        walls = {1: 0, self.width: 0}
        for level in self.board.file.level:
            for one, other in level.thin_walls:
                first, second = sorted((self.board.index[one], self.board.index[other]))
                walls[second - first] |= 1 << first
        return walls

    def beside(self, squares: int) -> int:
        """Squares that share an open side with one of these."""
        width = self.width
        return (
            (squares & self._east) << 1
            | (squares & self._west) >> 1
            | (squares & self._south) << width
            | (squares & self._north) >> width
        )

    def next_to(self, squares: int) -> int:
        """The same, and the other ends of their stairs (ruling.level-links)."""
        near = self.beside(squares)
        return near | self.board.over_stairs(squares) if squares & self._stairs else near

    def touching(self, squares: int) -> int:
        """Squares that touch one of these by a side or a corner (ruling.adjacency, ruling.wall-adjacency)."""
        width = self.width
        return (
            (squares & self._east) << 1
            | (squares & self._west) >> 1
            | (squares & self._south) << width
            | (squares & self._north) >> width
            | (squares & self._south_east) << (width + 1)
            | (squares & self._south_west) << (width - 1)
            | (squares & self._north_west) >> (width + 1)
            | (squares & self._north_east) >> (width - 1)
        )

    def joined(self, squares: int) -> int:
        """The same, and the other ends of their stairs (ruling.stairs-horde)."""
        near = self.touching(squares)
        return near | self.board.over_stairs(squares) if squares & self._stairs else near

    def joined_to(self, square: int) -> int:
        """The same for a set of one square."""
        found = self._joined.get(square)
        if found is None:
            found = self._joined[square] = self.joined(square)
        return found

    def near(self, square: str) -> int:
        """Squares that touch this one."""
        found = self._touching.get(square)
        if found is None:
            found = self._touching[square] = self.touching(self.board.bit[square])
        return found

    def linked(self, start: int, within: int) -> int:
        """Of some squares those that hang together with these by touching (ruling.horde-unit)."""
        found, fresh = start, start
        while fresh:
            fresh = self.touching(fresh) & within & ~found
            found |= fresh
        return found

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
        key = (one, other, tiles) if one < other else (other, one, tiles)
        found = self._seen.get(key)
        if found is None:
            if len(self._seen) > 100_000:
                self._seen.clear()
            found = self._seen[key] = one[0] == other[0] and self._looks(one, other, tiles)
        return found

    def _looks(self, one: str, other: str, tiles: int) -> bool:
        tanker = self.board.tanker
        is_up = bool((self.board.bit[one] | self.board.bit[other]) & tanker)
        blocked = (self._blocks[is_up] | tiles) & ~self.board.bit[one] & ~self.board.bit[other]
        (x, y), (x2, y2) = spot_of(one), spot_of(other)
        right, down = (1 if x2 >= x else -1), (1 if y2 >= y else -1)
        dx, dy = abs(x2 - x), abs(y2 - y)
        edges = self._edges(one, right, down)
        origin, across, below = self.board.index[one], right, down * self.width
        if dx == 0 or dy == 0:
            step = below if dx == 0 else across
            between = [origin + step * number for number in range(1, max(dx, dy))]
            crossed = [edge for edge in edges if _crosses(edge, dx, dy)]
            return not crossed and not any(blocked >> number & 1 for number in between)
        for band in (first_band(dx, dy), *bands(dx, dy)):
            in_way = [(s, e) for (ox, oy), s, e in band.ways if blocked >> (origin + ox * across + oy * below) & 1]
            if band.is_free(in_way, edges):
                return True
        return False

    def _edges(self, origin: str, right: int, down: int) -> list[Edge]:
        """Thin walls of the level, seen from a square."""
        x, y = spot_of(origin)
        level = next(level for level in self.board.file.level if level.id == origin[0])
        spots = [(spot_of(one), spot_of(other)) for one, other in level.thin_walls]
        return [
            (((x1 - x) * right, (y1 - y) * down), ((x2 - x) * right, (y2 - y) * down)) for (x1, y1), (x2, y2) in spots
        ]


def _crosses(edge: Edge, dx: int, dy: int) -> bool:
    """Whether a thin wall stands across a straight row of squares, of which one of the differences is 0."""
    return all(0 <= x <= dx and 0 <= y <= dy for x, y in edge)
