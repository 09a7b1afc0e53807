"""The map: boxes, their terrain and neighbours, distances and lines of sight, from a TOML file that `building` checks.

A box is named by its column, `A` in the west to `Y`, `Z` for the river, and its number from north to south: `H09`. The
bridges are `BRN` and `BRS`, the tunnel is `TUN`. The printed map has no names for them. Where it has no dividing line
between a low and a high building, they are two boxes all the same (C41).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from referee.games.sheboygan.sight import Layout, Sight, sight_on
from referee.games.sheboygan.tables import COMPASS, Compass, Tables, Terrain

SIGHT = Path(__file__).with_name("shipped") / "sheboygan.sight"
"""Lines of sight on the shipped map."""
BOX = "^([A-Z][0-9]{2}|BRN|BRS|TUN)$"
BUILDINGS = ("low", "high")
BURNABLE = ("low", "high", "park")
"""What can be on fire (11.25a)."""
CROSSINGS = ("bridge", "tunnel")
ACROSS: Mapping[Compass, str] = {side: f"across_{side}" for side in COMPASS}
OPPOSITE: Mapping[Compass, Compass] = {"north": "south", "south": "north", "east": "west", "west": "east"}
MOST_CORNERS = 4_500
"""Of all boxes, walls and seams: lines of sight on a map with more would take too long to work out."""
POINT = 8
"""Hundredths of an inch within which two boxes meet in a point (5.0d)."""

Edge = Literal["N", "E", "S", "W"]
EDGES: tuple[Edge, ...] = ("N", "E", "S", "W")
BoxId = Annotated[str, Meta(pattern=BOX)]
Some = Annotated[tuple[BoxId, ...], Meta(max_length=40)]
Length = Annotated[int, Meta(ge=0, le=20_000)]
Corners = Annotated[tuple[tuple[Length, Length], ...], Meta(min_length=3, max_length=60)]


class Box(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """An outlined area of the map (5.0a). Neighbours and lengths as the map file explains them."""

    id: BoxId
    terrain: Terrain
    neighbours: Some
    polygon: Corners
    centre: tuple[Length, Length]
    """A spot well within it."""
    edges: tuple[Edge, ...] = ()
    """Map edges that it borders (3.2d)."""
    key_panel: bool = False
    populace: bool = False
    """Whether a populace unit begins here (3.2e)."""
    bank: Literal["", "west", "east", "island"] = ""
    """The side of the river that it lies on (9.1b)."""
    over: BoxId | None = None
    """The river box below a bridge (5.14a)."""
    under: BoxId | None = None
    """The river box above a tunnel (5.14a)."""
    north: Some = ()
    east: Some = ()
    south: Some = ()
    west: Some = ()
    across_north: Some = ()
    across_east: Some = ()
    across_south: Some = ()
    across_west: Some = ()
    wall: tuple[tuple[Length, Length], ...] = ()
    """What of a building blocks lines of sight (C15)."""

    def beside(self, side: Compass) -> tuple[str, ...]:
        """Neighbours on that side (C29)."""
        return getattr(self, side)  # type: ignore[no-any-return]  # fields of the same type

    def across(self, side: Compass) -> tuple[str, ...]:
        """Boxes across one street box on that side (11.24a)."""
        return getattr(self, ACROSS[side])  # type: ignore[no-any-return]  # fields of the same type

    @property
    def river(self) -> str | None:
        """The river box in the same space as this bridge or tunnel."""
        return self.over or self.under


class Doubtful(Struct, frozen=True, forbid_unknown_fields=True):
    """Two boxes that hardly touch (C39)."""

    a: BoxId
    b: BoxId
    b_lies: Compass
    """On which side of the first the second lies."""


class Seam(Struct, frozen=True, forbid_unknown_fields=True):
    """The common wall of two buildings (C38)."""

    a: BoxId
    b: BoxId
    polygon: Corners


class MapFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a map file holds."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    frame: tuple[Length, Length]
    """Width and height of the sheet."""
    box: Annotated[tuple[Box, ...], Meta(min_length=2, max_length=1000)]
    doubtful: Annotated[tuple[Doubtful, ...], Meta(max_length=100)] = ()
    seam: Annotated[tuple[Seam, ...], Meta(max_length=1000)] = ()
    reconstruction: Annotated[str, Meta(max_length=200)] = ""
    """Which part no source shows; empty: all is known."""


class Board:
    """A map and tables that can be played with. It never changes."""

    def __init__(self, file: MapFile, links: tuple[Doubtful, ...], tables: Tables) -> None:
        """`links` are boxes that are neighbours though they hardly touch."""
        self.file = file
        self.boxes: Mapping[str, Box] = {box.id: box for box in file.box}
        """By name, in the order of the file."""
        self.links = links
        self.tables = tables

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Board):
            return self is other
        return (self.file, self.links, self.tables) == (other.file, other.links, other.tables)

    def __hash__(self) -> int:
        return hash((self.name, len(self.boxes), self.links))

    def __reduce__(self) -> tuple[Any, ...]:
        """Nothing of what was worked out of it goes to another process; one that has it already goes on with that."""
        return _board_of, (self.file, self.links, self.tables)

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.boxes)} boxes>"

    @property
    def name(self) -> str:
        """Short name of the map."""
        return self.file.name

    @property
    def reconstruction(self) -> str | None:
        """Which parts no source shows (C42)."""
        parts = [part for part in (self.file.reconstruction, self.tables.reconstruction) if part]
        return f"reconstruction: {', '.join(parts)}" if parts else None

    @cached_property
    def order(self) -> Mapping[str, int]:
        """The rank of every box, as the file has them."""
        return {box: rank for rank, box in enumerate(self.boxes)}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """Adjacent boxes (5.0c, 5.0e), of a bridge and a tunnel too (5.14c, 5.14d)."""
        beside = {box.id: box.neighbours for box in self.boxes.values()}
        for link in self.links:
            beside[link.a] += (link.b,)
            beside[link.b] += (link.a,)
        return beside

    @cached_property
    def beside(self) -> Mapping[str, frozenset[str]]:
        """The same as sets."""
        return {box: frozenset(others) for box, others in self.neighbours.items()}

    @cached_property
    def on_side(self) -> Mapping[Compass, Mapping[str, tuple[str, ...]]]:
        """Adjacent boxes by the side of a box that they lie on: those downwind when the wind blows there (11.23a)."""
        sides = {side: {box.id: box.beside(side) for box in self.boxes.values()} for side in COMPASS}
        for link in self.links:
            sides[link.b_lies][link.a] += (link.b,)
            sides[OPPOSITE[link.b_lies]][link.b] += (link.a,)
        return sides

    def touch(self, box: str, other: str) -> bool:
        """Whether boxes meet only in a point: a corner of one comes near a corner of the other, but they are neither
        adjacent (5.0d) nor in the same space.
        """
        if box not in self.boxes or other in (box, self.mate.get(box), *self.neighbours[box]):
            return False
        return any(other in self.beside[near] for near in self.neighbours[box]) and any(
            max(abs(x - x2), abs(y - y2)) <= POINT
            for x, y in self.boxes[box].polygon
            for x2, y2 in self.boxes[other].polygon
        )

    @cached_property
    def mate(self) -> Mapping[str, str]:
        """For a bridge, a tunnel, and the river box in the same space: the other one (5.14a)."""
        pairs = [(box.id, box.river) for box in self.boxes.values() if box.river]
        return {**dict(pairs), **{river: crossing for crossing, river in pairs}}

    @cached_property
    def edge(self) -> Mapping[Edge, tuple[str, ...]]:
        """The boxes along each edge of the map (3.2d); the key panel is none (C36)."""
        return {edge: tuple(box.id for box in self.boxes.values() if edge in box.edges) for edge in EDGES}

    @cached_property
    def populace(self) -> tuple[str, ...]:
        """Boxes with a populace symbol (3.2e)."""
        return tuple(box.id for box in self.boxes.values() if box.populace)

    @cached_property
    def waterside(self) -> frozenset[str]:
        """Boxes beside the river or a bridge, which can be gone: infantry fords from there (9.1a, 5.14h)."""
        wet = {box for box, place in self.boxes.items() if place.terrain in ("river", "bridge")}
        return frozenset(box for box in self.boxes if not wet.isdisjoint(self.neighbours[box]))

    @cached_property
    def burnable(self) -> frozenset[str]:
        """Boxes that can burn: buildings and parks (11.25a)."""
        return frozenset(box.id for box in self.boxes.values() if box.terrain in BURNABLE)

    def range(self, one: str, other: str) -> int:
        """Boxes on the shortest path, the last one counted, the first not (6.13a, 6.13b).

        It goes over adjacent boxes only (6.13d), whatever there is (C16), and need not follow a line of sight (6.13c).
        """
        return self._steps(one)[other]

    def within(self, box: str, most: int) -> frozenset[str]:
        """All boxes 1 to so many boxes away."""
        found = self._within.get((box, most))
        if found is None:
            found = self._within[box, most] = frozenset(chain.from_iterable(self.rings(box, most)[1:]))
        return found

    @cached_property
    def _within(self) -> dict[tuple[str, int], frozenset[str]]:
        return {}

    @cached_property
    def _ranges(self) -> dict[str, Mapping[str, int]]:
        return {}

    def _steps(self, box: str) -> Mapping[str, int]:
        """The range of every box from this one; boxes that no path reaches are beyond all range."""
        known = self._ranges.get(box)
        if known is None:
            rings = self.rings(box, len(self.boxes))
            steps = {other: away for away, ring in enumerate(rings) for other in ring}
            known = self._ranges[box] = {**dict.fromkeys(self.boxes, len(self.boxes)), **steps}
        return known

    @cached_property
    def _rings(self) -> dict[str, list[tuple[str, ...]]]:
        return {}

    def rings(self, box: str, most: int) -> Sequence[tuple[str, ...]]:
        """The boxes 0, 1 and so on up to so many boxes away, those of each ring as the ring before it names them in the
        order of the map. Most who ask look no farther than a few boxes, so no more is worked out.
        """
        rings = self._rings.setdefault(box, [(box,)])
        while len(rings) <= most and rings[-1]:
            inner = {*rings[-1], *rings[-2]} if len(rings) > 1 else {box}
            rings.append(tuple([other for other in self.round(rings[-1]) if other not in inner]))
        return rings[: most + 1]

    def round(self, ring: Iterable[str]) -> Iterable[str]:
        """The neighbours of these boxes, those of the first box of the map first, each once."""
        in_order = sorted(ring, key=self.order.__getitem__)
        return dict.fromkeys(chain.from_iterable(map(self.neighbours.__getitem__, in_order)))

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What rules work out of the map and keep, under keys of their own."""
        return {}

    @cached_property
    def lately(self) -> dict[Any, Any]:
        """The same for a few turns only: what bars the ways of units, by all that does."""
        return {}

    def sees(self, one: str, other: str, fallen: frozenset[str], *, lightning: bool = False) -> bool:
        """Whether there is a line of sight between two boxes when these buildings are rubble (6.12a to 6.12c, 7.11c);
        with lightning, over low buildings (13.13c). Adjacent boxes share a line and see each other.
        """
        return other in self.beside[one] or self.sight.is_open(one, other, fallen, lightning=lightning)

    @cached_property
    def sight(self) -> Sight:
        """Lines of sight."""
        low = frozenset(box.id for box in self.boxes.values() if box.terrain == "low")
        return sight_on(layout_of(self), low, SIGHT)


def _board_of(file: MapFile, links: tuple[Doubtful, ...], tables: Tables) -> Board:
    return _same(Board(file, links, tables))


@lru_cache(maxsize=4)
def _same(board: Board) -> Board:
    """The board that came first of those that are equal."""
    return board


def layout_of(board: Board) -> Layout:
    """What lines of sight on a map depend on."""
    places = tuple(dict.fromkeys(tuple(sorted({box, board.mate.get(box, box)})) for box in board.boxes))
    walls = [((box.id,), box.wall) for box in board.boxes.values() if box.wall]
    seams = [((seam.a, seam.b), seam.polygon) for seam in board.file.seam]
    owners, blocks = zip(*(*walls, *seams), strict=True) if walls else ((), ())
    outlines = tuple(tuple(board.boxes[box].polygon for box in place) for place in places)
    return Layout(places, outlines, owners, blocks)
