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

from referee.games.sheboygan.sight import LinesOfSight, SightLayout, find_lines_of_sight
from referee.games.sheboygan.tables import DIRECTIONS, Direction, Tables, Terrain

SHIPPED_SIGHT = Path(__file__).with_name("shipped") / "sheboygan.sight"
"""The file with the lines of sight on the shipped map."""
BOX_PATTERN = "^([A-Z][0-9]{2}|BRN|BRS|TUN)$"
BUILDING_TERRAINS = ("low", "high")
BURNABLE_TERRAINS = ("low", "high", "park")
"""The terrain that can burn (11.25a)."""
CROSSING_TERRAINS = ("bridge", "tunnel")
ACROSS_FIELDS: Mapping[Direction, str] = {side: f"across_{side}" for side in DIRECTIONS}
OPPOSITE: Mapping[Direction, Direction] = {"north": "south", "south": "north", "east": "west", "west": "east"}
MAX_CORNERS = 4_500
"""The most corners of all boxes, walls and seams. With more, lines of sight would take too long to compute."""
POINT_TOLERANCE = 8
"""The greatest distance, in hundredths of an inch, at which two boxes count as meeting in a point (5.0d)."""

MapEdge = Literal["N", "E", "S", "W"]
MAP_EDGES: tuple[MapEdge, ...] = ("N", "E", "S", "W")
BoxId = Annotated[str, Meta(pattern=BOX_PATTERN)]
BoxIds = Annotated[tuple[BoxId, ...], Meta(max_length=40)]
Length = Annotated[int, Meta(ge=0, le=20_000)]
Corners = Annotated[tuple[tuple[Length, Length], ...], Meta(min_length=3, max_length=60)]


class Box(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """An outlined area of the map (5.0a). Lengths are in hundredths of an inch, x to the east and y to the south."""

    id: BoxId
    terrain: Terrain
    neighbours: BoxIds
    polygon: Corners
    centre: tuple[Length, Length]
    """A point well inside the box."""
    edges: tuple[MapEdge, ...] = ()
    """The map edges that the box borders (3.2d)."""
    key_panel: bool = False
    populace: bool = False
    """True if a populace unit begins here (3.2e)."""
    bank: Literal["", "west", "east", "island"] = ""
    """The side of the river on which the box lies (9.1b)."""
    over: BoxId | None = None
    """The river box below a bridge (5.14a)."""
    under: BoxId | None = None
    """The river box above a tunnel (5.14a)."""
    north: BoxIds = ()
    east: BoxIds = ()
    south: BoxIds = ()
    west: BoxIds = ()
    across_north: BoxIds = ()
    across_east: BoxIds = ()
    across_south: BoxIds = ()
    across_west: BoxIds = ()
    wall: tuple[tuple[Length, Length], ...] = ()
    """The part of a building that blocks lines of sight (C15)."""

    def list_neighbours_on(self, side: Direction) -> tuple[str, ...]:
        """Returns the neighbours on this side of the box (C29)."""
        return getattr(self, side)  # type: ignore[no-any-return]  # fields of the same type

    def list_boxes_across(self, side: Direction) -> tuple[str, ...]:
        """Returns the boxes on this side that lie straight across one street box (11.24a)."""
        return getattr(self, ACROSS_FIELDS[side])  # type: ignore[no-any-return]  # fields of the same type

    @property
    def river_box(self) -> str | None:
        """The river box in the same space as this bridge or tunnel; None for any other box."""
        return self.over or self.under


class DoubtfulLink(Struct, frozen=True, forbid_unknown_fields=True):
    """Two boxes that hardly touch (C39)."""

    a: BoxId
    b: BoxId
    b_lies: Direction
    """The side of box `a` on which box `b` lies."""


class Seam(Struct, frozen=True, forbid_unknown_fields=True):
    """The common wall of two buildings (C38)."""

    a: BoxId
    b: BoxId
    polygon: Corners


class MapFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a map file."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    frame: tuple[Length, Length]
    """The width and height of the sheet, in hundredths of an inch."""
    box: Annotated[tuple[Box, ...], Meta(min_length=2, max_length=1000)]
    doubtful: Annotated[tuple[DoubtfulLink, ...], Meta(max_length=100)] = ()
    seam: Annotated[tuple[Seam, ...], Meta(max_length=1000)] = ()
    reconstruction: Annotated[str, Meta(max_length=200)] = ""
    """The part that no source shows; "" if all is known."""


class Board:
    """A map with its tables, ready to be played on. It never changes."""

    def __init__(self, file: MapFile, doubtful_links: tuple[DoubtfulLink, ...], tables: Tables) -> None:
        """Stores the parts. Boxes with doubtful links count as neighbours although they hardly touch (C39)."""
        self.file = file
        self.boxes: Mapping[str, Box] = {box.id: box for box in file.box}
        """The boxes by name, in the order of the file."""
        self.doubtful_links = doubtful_links
        self.tables = tables

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Board):
            return self is other
        return (self.file, self.doubtful_links, self.tables) == (other.file, other.doubtful_links, other.tables)

    def __hash__(self) -> int:
        return hash((self.name, len(self.boxes), self.doubtful_links))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the file, the links and the tables alone.

        Another process computes the rest anew, or uses an equal board that it already has.
        """
        return _make_board, (self.file, self.doubtful_links, self.tables)

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.boxes)} boxes>"

    @property
    def name(self) -> str:
        """The short name of the map."""
        return self.file.name

    @property
    def reconstruction(self) -> str | None:
        """A note on the parts that no source shows (C42); None if there are none."""
        parts = [part for part in (self.file.reconstruction, self.tables.reconstruction) if part]
        return f"reconstruction: {', '.join(parts)}" if parts else None

    @cached_property
    def box_sort_order(self) -> Mapping[str, int]:
        """The place of every box in the order of the map file, counted from 0."""
        return {box: rank for rank, box in enumerate(self.boxes)}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The adjacent boxes of each box (5.0c, 5.0e), also for bridges and tunnels (5.14c, 5.14d)."""
        beside = {box.id: box.neighbours for box in self.boxes.values()}
        for link in self.doubtful_links:
            beside[link.a] += (link.b,)
            beside[link.b] += (link.a,)
        return beside

    @cached_property
    def neighbour_sets(self) -> Mapping[str, frozenset[str]]:
        """The adjacent boxes of each box, as sets."""
        return {box: frozenset(others) for box, others in self.neighbours.items()}

    @cached_property
    def neighbours_by_side(self) -> Mapping[Direction, Mapping[str, tuple[str, ...]]]:
        """For each side, the neighbours that each box has there: those downwind if the wind blows that way (11.23a)."""
        sides = {side: {box.id: box.list_neighbours_on(side) for box in self.boxes.values()} for side in DIRECTIONS}
        for link in self.doubtful_links:
            sides[link.b_lies][link.a] += (link.b,)
            sides[OPPOSITE[link.b_lies]][link.b] += (link.a,)
        return sides

    def do_boxes_meet_in_point(self, box: str, other: str) -> bool:
        """True if two boxes meet only in a point.

        A corner of one then comes near a corner of the other, but they are neither adjacent (5.0d) nor in the same
        space.
        """
        if box not in self.boxes or other in (box, self.other_box_in_space.get(box), *self.neighbours[box]):
            return False
        return any(other in self.neighbour_sets[near] for near in self.neighbours[box]) and any(
            max(abs(x - x2), abs(y - y2)) <= POINT_TOLERANCE
            for x, y in self.boxes[box].polygon
            for x2, y2 in self.boxes[other].polygon
        )

    @cached_property
    def other_box_in_space(self) -> Mapping[str, str]:
        """For each bridge or tunnel, the river box in its space; for that river box, the bridge or tunnel (5.14a)."""
        pairs = [(box.id, box.river_box) for box in self.boxes.values() if box.river_box]
        return {**dict(pairs), **{river: crossing for crossing, river in pairs}}

    @cached_property
    def edge_boxes(self) -> Mapping[MapEdge, tuple[str, ...]]:
        """The boxes along each edge of the map (3.2d). The border of the key panel is not an edge (C36)."""
        return {edge: tuple(box.id for box in self.boxes.values() if edge in box.edges) for edge in MAP_EDGES}

    @cached_property
    def populace_boxes(self) -> tuple[str, ...]:
        """Boxes with a populace symbol (3.2e)."""
        return tuple(box.id for box in self.boxes.values() if box.populace)

    @cached_property
    def waterside_boxes(self) -> frozenset[str]:
        """The boxes next to a river or bridge box. Infantry fords from them, bridge or not (9.1a, 5.14h)."""
        wet = {box for box, place in self.boxes.items() if place.terrain in ("river", "bridge")}
        return frozenset(box for box in self.boxes if not wet.isdisjoint(self.neighbours[box]))

    @cached_property
    def burnable_boxes(self) -> frozenset[str]:
        """Boxes that can burn: buildings and parks (11.25a)."""
        return frozenset(box.id for box in self.boxes.values() if box.terrain in BURNABLE_TERRAINS)

    def measure_range(self, one: str, other: str) -> int:
        """Returns the number of boxes on the shortest path between two boxes, without the first one (6.13a, 6.13b).

        The path goes over adjacent boxes only (6.13d), whatever is in them (C16). It need not follow a line of sight
        (6.13c).
        """
        return self._measure_steps(one)[other]

    def find_boxes_within(self, box: str, most: int) -> frozenset[str]:
        """Returns all boxes at a range of 1 to `most`."""
        found = self._within.get((box, most))
        if found is None:
            found = self._within[box, most] = frozenset(chain.from_iterable(self.list_rings_around(box, most)[1:]))
        return found

    @cached_property
    def _within(self) -> dict[tuple[str, int], frozenset[str]]:
        return {}

    @cached_property
    def _ranges(self) -> dict[str, Mapping[str, int]]:
        return {}

    def _measure_steps(self, box: str) -> Mapping[str, int]:
        """Returns the range of every box from this one.

        If no path leads to a box, its range is the number of all boxes.
        """
        known = self._ranges.get(box)
        if known is None:
            rings = self.list_rings_around(box, len(self.boxes))
            steps = {other: away for away, ring in enumerate(rings) for other in ring}
            known = self._ranges[box] = {**dict.fromkeys(self.boxes, len(self.boxes)), **steps}
        return known

    @cached_property
    def _rings(self) -> dict[str, list[tuple[str, ...]]]:
        return {}

    def list_rings_around(self, box: str, most: int) -> Sequence[tuple[str, ...]]:
        """Returns the boxes at distance 0, 1 and so on, ring by ring, in the order of the map.

        Most callers need only a few rings, so no more are computed.
        """
        rings = self._rings.setdefault(box, [(box,)])
        while len(rings) <= most and rings[-1]:
            inner = {*rings[-1], *rings[-2]} if len(rings) > 1 else {box}
            rings.append(tuple([other for other in self.list_neighbours_of_ring(rings[-1]) if other not in inner]))
        return rings[: most + 1]

    def list_neighbours_of_ring(self, ring: Iterable[str]) -> Iterable[str]:
        """Returns the neighbours of these boxes, each once. The boxes are taken in the order of the map."""
        in_order = sorted(ring, key=self.box_sort_order.__getitem__)
        return dict.fromkeys(chain.from_iterable(map(self.neighbours.__getitem__, in_order)))

    @cached_property
    def rule_cache(self) -> dict[Any, Any]:
        """A cache for results that rules compute from the map. Each rule chooses its own keys."""
        return {}

    @cached_property
    def pathfinder_cache(self) -> dict[Any, Any]:
        """A cache for the pathfinders of the last few turns, by the obstacles on the map."""
        return {}

    def is_in_sight(self, one: str, other: str, fallen: frozenset[str], *, lightning: bool = False) -> bool:
        """True if there is a line of sight between two boxes (6.12a to 6.12c).

        The buildings `fallen` are rubble and block no line (7.11c). Lightning passes over low buildings (13.13c).
        Adjacent boxes share a line and see each other.
        """
        return other in self.neighbour_sets[one] or self.lines_of_sight.has_clear_line(
            one, other, fallen, lightning=lightning
        )

    @cached_property
    def lines_of_sight(self) -> LinesOfSight:
        """The lines of sight on this map."""
        low = frozenset(box.id for box in self.boxes.values() if box.terrain == "low")
        return find_lines_of_sight(make_sight_layout(self), low, SHIPPED_SIGHT)


def _make_board(file: MapFile, links: tuple[DoubtfulLink, ...], tables: Tables) -> Board:
    return _share_board(Board(file, links, tables))


@lru_cache(maxsize=4)
def _share_board(board: Board) -> Board:
    """Returns the first of equal boards that were unpickled lately, so that its caches are used again."""
    return board


def make_sight_layout(board: Board) -> SightLayout:
    """Returns the parts of a map on which lines of sight depend."""
    places = tuple(dict.fromkeys(tuple(sorted({box, board.other_box_in_space.get(box, box)})) for box in board.boxes))
    walls = [((box.id,), box.wall) for box in board.boxes.values() if box.wall]
    seams = [((seam.a, seam.b), seam.polygon) for seam in board.file.seam]
    owners, blocks = zip(*(*walls, *seams), strict=True) if walls else ((), ())
    outlines = tuple(tuple(board.boxes[box].polygon for box in place) for place in places)
    return SightLayout(places, outlines, owners, blocks)
