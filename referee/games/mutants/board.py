"""The Science Building: rooms, doors, Set Up squares, tables and counters. `building` reads it from a TOML file and
checks it.

A room is named by its column, `A` in the west, and its row, 1 in the north: `D4` is the Tech Room. A Set Up square
(INTRO.IV.B.1-a) is named by its side and number: `xN1` to `xN7` run from west to east along the north side.

A door is named by the two places that it joins: `C4-D4`, `xN4-D1`. The board holds no furniture, because furniture has
no effect (INTRO.IV.B-b).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.text import expand_run, format_runs
from referee.games.mutants.options import SEATS

PLACE_PATTERN = "^(x[NESW][1-9]|[A-I][1-9])$"
OFF_BOARD = "off"
"""The word for any place beyond the playable area. Nobody can go there."""

RESERVED_WORDS = frozenset({OFF_BOARD, "all", "and", "auto", "from", "rest", "with"})
"""Words that a phrase may have in place of a counter, so no counter may have such a name."""

Spot = tuple[int, int]
"""The column and row of a place in a picture, from 0."""
OUTWARD_STEPS: Mapping[str, Spot] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""The direction out of the building on each of its sides, as columns and rows."""

Neighbours = Mapping[str, str | None]
"""The places next to a place, each with the door that leads there; None between Set Up squares (IV.B.4-c)."""
Destinations = Mapping[str, tuple[str, ...]]
"""For each place, the places next to it to which units can go."""
MAX_CACHED_DOOR_STATES = 16
"""The number of door states whose destinations are cached. A view that hides Walls is a door state of its own."""

UnitKind = Literal["tech", "guard", "janibot", "leader", "radioactive", "normal"]
Side = Literal["human", "mutant"]
"""The Human side has Techs, Guards and Janibots (INTRO.IV.A.1-c); the Mutants are Leaders, Radioactive and Normal
Mutants (INTRO.IV.A.1-d).
"""
Place = Annotated[str, Meta(pattern=PLACE_PATTERN, description="a room such as C4, or a square such as xN4")]
PlaceOrEmpty = Annotated[
    str, Meta(pattern=PLACE_PATTERN.replace(")$", ")?$"), description="a place; empty where none was told")
]
DoorName = Annotated[
    str, Meta(pattern="^(x[NESW][1-9]|[A-I][1-9])-(x[NESW][1-9]|[A-I][1-9])$", description="a door such as C3-C4")
]
Die = Annotated[int, Meta(ge=1, le=6)]
DoorNames = Annotated[tuple[DoorName, ...], Meta(max_length=300)]
HitNumber = Annotated[int, Meta(ge=1, le=6)]
SmashedDoorTable = Annotated[tuple[HitNumber, ...], Meta(min_length=1, max_length=20)]

HUMAN_KINDS = ("tech", "guard")
"""The kinds of Human units. A Janibot fights on the Human side but is not a Human unit (INTRO.IV.A.1-b)."""
SMASHER_KINDS: tuple[UnitKind, ...] = ("radioactive", "normal")
"""The kinds of Mutants that smash doors. Leaders do not (IV.B.2.a-b)."""


class CounterGroup(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Counters of one kind with the same Hit Numbers."""

    kind: UnitKind
    units: Annotated[str, Meta(max_length=400)]
    """The names of the counters: "b1..b8", "prof penny"."""
    hit: HitNumber | None = None
    """The Hit Number of a Human-side counter (INTRO.IV.A.1-e)."""
    hit_h: HitNumber | None = None
    """The Hit Number of a Mutant against Techs and Guards (V.D.2-a)."""
    hit_j: HitNumber | None = None
    """The Hit Number of a Mutant against Janibots."""
    status: str = ""


SEAT_COLOURS: Mapping[Seat, Colour] = {"human": "blue", "mutant": "green"}
"""The colour of each side's counters."""


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The contents of a board file: floor plan, tables and counters (M1)."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    columns: Annotated[int, Meta(ge=1, le=9)]
    rows: Annotated[int, Meta(ge=1, le=9)]
    tech_room: Place
    inner_doors: DoorNames
    outer_doors: DoorNames
    """Doors between a Set Up square and a room, the square first."""
    links: DoorNames
    """Pairs of Set Up squares side by side, with no door between them (IV.B.4-c)."""
    corner_links: DoorNames
    """Pairs of squares that meet at a corner of the building (M2)."""
    smashed_door_table: SmashedDoorTable
    """The Hit Numbers for 1, 2, 3 ... Mutants. The last one holds for all larger groups (M10)."""
    glow_and_go: Annotated[tuple[HitNumber, ...], Meta(max_length=6)]
    """The faces on which a Radioactive Mutant dies (VI-b)."""
    walls: Annotated[int, Meta(ge=0, le=99)]
    more_walls: Annotated[int, Meta(ge=0, le=99)]
    smashed_door_markers: Annotated[int, Meta(ge=0, le=300)]
    counter: Annotated[tuple[CounterGroup, ...], Meta(max_length=40)]
    other_smashed_door_tables: dict[str, SmashedDoorTable] = {}
    names: dict[str, Annotated[str, Meta(max_length=60)]] = {}
    """The full names of counters that have one."""
    status: dict[str, str] = {}
    """The certainty of each part: verified, single-source, inferred or reconstruction."""


class Unit(Struct, frozen=True):
    """A Character unit (INTRO.IV.A.1-a)."""

    id: str
    kind: UnitKind
    side: Side
    hit_number: int
    """The Hit Number of a Human-side unit, or of a Mutant against Techs and Guards."""
    hit_number_against_janibots: int
    """The Hit Number of a Mutant against Janibots."""


# The ways from place to place, which change only with the doors


class Passages:
    """The connections between places, and the places to which each side can go through them.

    These destinations depend on which doors have Walls, are smashed or are held open.
    """

    def __init__(self, neighbours: Mapping[str, Neighbours], rooms: frozenset[str]) -> None:
        self.neighbours = neighbours
        """The places next to every place."""
        self._rooms = rooms
        self.map_human_destinations = lru_cache(maxsize=MAX_CACHED_DOOR_STATES)(self._map_human_destinations)
        self.map_mutant_destinations = lru_cache(maxsize=MAX_CACHED_DOOR_STATES)(self._map_mutant_destinations)

    def _map_human_destinations(self, walls: frozenset[str]) -> Destinations:
        """Returns destinations of the Human side. It needs no open doors (IV.B, IV.C-a) and enters no squares (M61)."""
        rooms = self._rooms
        return _Destinations(
            self.neighbours, lambda place, to, door: door not in walls and place in rooms and to in rooms
        )

    def _map_mutant_destinations(
        self, walls: frozenset[str], smashed: frozenset[str], held_open: frozenset[tuple[str, str]]
    ) -> Destinations:
        """Returns the destinations of the Mutants, through smashed doors (IV.B.2.f-c) and opened doors.

        Squares lie open to one another (INTRO.IV.B.1-b, IV.B.4-b). For these rules a square counts as a room, and its
        door leads in and out of the building (M3).
        """

        def is_way(place: str, to: str, door: str | None) -> bool:
            return door is None or (door not in walls and (door in smashed or (place, to) in held_open))

        return _Destinations(self.neighbours, is_way)


class _Destinations(dict[str, tuple[str, ...]]):
    """For each place, the places to which units can go from it. They are computed when the place is first looked up."""

    def __init__(self, beside: Mapping[str, Neighbours], is_way: Callable[[str, str, str | None], bool]) -> None:
        super().__init__()
        self._beside, self._is_way = beside, is_way

    def __missing__(self, place: str) -> tuple[str, ...]:
        beside = self._beside[place].items()
        found = self[place] = tuple(to for to, door in beside if self._is_way(place, to, door))
        return found


# The board


class _Order(dict[str, int]):
    """The ranks of units by name. Every other name ranks after all units."""

    def __missing__(self, unit: str) -> int:
        return len(self)


class Board(Struct, frozen=True, dict=True):
    """A board, ready to be played on."""

    file: BoardFile
    rooms: tuple[str, ...]
    squares: tuple[str, ...]
    doors_by_ends: Mapping[tuple[str, str], str]
    """The name of the door between two places, in either direction."""
    units: Mapping[str, Unit]
    """Every Character unit, in this order: Techs, Guards, Janibots, Leaders, Radioactive and Normal Mutants."""

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.rooms)} rooms>"

    @property
    def name(self) -> str:
        """The short name of the board."""
        return self.file.name

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The two seats (INTRO.II)."""
        return SEATS

    @property
    def tech_room(self) -> str:
        """The Tech Room."""
        return self.file.tech_room

    @property
    def reconstruction(self) -> str | None:
        """A note on the parts of the board that no source shows (M1, M26); None if there are none."""
        parts = [part for part, status in self.file.status.items() if status == "reconstruction"]
        return f"reconstruction: {', '.join(parts)}" if parts else None

    @cached_property
    def places(self) -> tuple[str, ...]:
        """All rooms and Set Up squares."""
        return self.rooms + self.squares

    @cached_property
    def unit_sort_order(self) -> Mapping[str, int]:
        """The rank of every unit. Groups are written in this order; names that are not units come last."""
        return _Order((unit, rank) for rank, unit in enumerate(self.units))

    @cached_property
    def door_ends(self) -> Mapping[str, tuple[str, str]]:
        """The two places that each door joins."""
        return {door: find_door_ends(door) for door in (*self.file.inner_doors, *self.file.outer_doors)}

    @property
    def neighbours(self) -> Mapping[str, Neighbours]:
        """The places next to every place, through a door or along the squares of one side."""
        return self.passages.neighbours

    @cached_property
    def doors_by_word(self) -> Mapping[str, tuple[str, ...]]:
        """The doors that a lower-case word may mean: all doors of a place, or one door that is typed without its
        hyphen.
        """
        found: dict[str, tuple[str, ...]] = {}
        for door in map(str.lower, self.door_ends):
            for word in (*door.split("-"), door.replace("-", "")):
                found[word] = (*found.get(word, ()), door)
        return found

    @cached_property
    def passages(self) -> Passages:
        """The connections through doors and along the squares of one side."""
        return self._make_passages((*self.door_ends, *self.file.links))

    @cached_property
    def passages_round_corners(self) -> Passages:
        """The connections of `passages`, and also those of squares round the corners (M2)."""
        return self._make_passages((*self.door_ends, *self.file.links, *self.file.corner_links))

    def _make_passages(self, links: tuple[str, ...]) -> Passages:
        beside: dict[str, dict[str, str | None]] = {place: {} for place in self.places}
        for one, other in map(find_door_ends, links):
            beside[one][other] = beside[other][one] = self.doors_by_ends.get((one, other))
        return Passages(beside, self.room_set)

    @cached_property
    def doors_for_walls(self) -> tuple[str, ...]:
        """The doors that can take a Wall: all but outer doors and doors of the Tech Room (II.B.1.a-e)."""
        return tuple(door for door in self.file.inner_doors if self.tech_room not in self.door_ends[door])

    @cached_property
    def wall_ends(self) -> Mapping[str, frozenset[tuple[int, int]]]:
        """For each inner door, the two grid points at which its piece of wall ends (M5)."""
        return {door: find_wall_ends(*self.door_ends[door]) for door in self.file.inner_doors}

    @cached_property
    def adjoining_doors(self) -> Mapping[str, frozenset[str]]:
        """For each inner door, the other inner doors whose piece of wall shares an end with it."""
        ends = self.wall_ends
        return {door: frozenset(other for other in ends if other != door and ends[other] & ends[door]) for door in ends}

    @cached_property
    def spots_by_place(self) -> Mapping[str, Spot]:
        """The spot of every place in a picture. Squares lie around the rooms, each outside the room that it leads to.

        Squares that lead to the same room lie one behind another, in the order of the file, the first next to the room.
        """
        at, taken = {room: find_column_and_row(room) for room in self.rooms}, Counter[Spot]()
        for square in self.squares:
            (x, y), (dx, dy) = find_column_and_row(next(iter(self.neighbours[square]))), OUTWARD_STEPS[square[1]]
            taken[x + dx, y + dy] += 1
            steps = taken[x + dx, y + dy]
            at[square] = x + steps * dx, y + steps * dy
        left, top = (min(-1, *(spot[axis] for spot in at.values())) for axis in (0, 1))
        return {place: (x - left, y - top) for place, (x, y) in at.items()}

    @cached_property
    def door_spots(self) -> Mapping[str, tuple[Spot, Spot]]:
        """For each door, the two neighbouring spots that it joins in a picture, the northern or western one first."""
        return {door: self._find_gap(*ends) for door, ends in self.door_ends.items()}

    def _find_gap(self, one: str, other: str) -> tuple[Spot, Spot]:
        x, y = self.spots_by_place[one]
        dx, dy = OUTWARD_STEPS[one[1]] if is_square(one) else (0, 0)
        inward = (x - dx, y - dy) if is_square(one) else self.spots_by_place[other]
        return min((x, y), inward), max((x, y), inward)

    @cached_property
    def units_that_move_alone(self) -> Mapping[Seat, frozenset[str]]:
        """The units of each side that move by themselves: all but Janibots (IV.C.2-a)."""
        return {side: units.difference(self.janibots) for side, units in self.units_by_side.items()}

    @cached_property
    def room_set(self) -> frozenset[str]:
        """The rooms as a set."""
        return frozenset(self.rooms)

    @cached_property
    def unit_set(self) -> frozenset[str]:
        """All units as a set."""
        return frozenset(self.units)

    @cached_property
    def units_by_side(self) -> Mapping[Seat, frozenset[str]]:
        """All units of each side."""
        units = self.units.values()
        return {side: frozenset(unit.id for unit in units if unit.side == side) for side in ("human", "mutant")}

    @cached_property
    def units_by_side_without_penny(self) -> Mapping[Seat, frozenset[str]]:
        """All units of each side but Penny, who as a captive is on no side (M49)."""
        return {side: units - {"penny"} for side, units in self.units_by_side.items()}

    @cached_property
    def units_by_kind(self) -> Mapping[UnitKind, tuple[str, ...]]:
        """All units of each kind, in the order of the counters."""
        units = self.units.values()
        return {kind: tuple(unit.id for unit in units if unit.kind == kind) for kind in get_args(UnitKind)}

    @cached_property
    def smashers(self) -> tuple[str, ...]:
        """Mutants that can smash doors: all but Leaders (IV.B.2.a-b)."""
        return tuple(unit.id for unit in self.units.values() if unit.kind in SMASHER_KINDS)

    @cached_property
    def smasher_set(self) -> frozenset[str]:
        """The Mutants that can smash doors, as a set."""
        return frozenset(self.smashers)

    @property
    def janibots(self) -> tuple[str, ...]:
        """All Janibots."""
        return self.units_by_kind["janibot"]

    def find_side(self, unit: str) -> Side:
        """Returns the side that a unit fights on."""
        return self.units[unit].side

    def sort_places_by_unit(self, at: Mapping[str, str]) -> dict[str, str]:
        """Returns units and their places in the order of the counters. Names that are not units come last."""
        return {unit: at[unit] for unit in self.sort_units(at)}

    def find_places_after_move(self, at: Mapping[str, str], units: Mapping[str, str]) -> dict[str, str]:
        """Returns the places of all units after some units were put elsewhere."""
        there = {**at, **units}
        return there if len(there) == len(at) else self.sort_places_by_unit(there)

    def sort_units(self, units: Any) -> tuple[str, ...]:
        """Returns units in the order of the counters. Names that are not units come last."""
        return tuple(sorted(units, key=self.unit_sort_order.__getitem__))


def find_column_and_row(place: str) -> tuple[int, int]:
    """Returns the column and row of a room, from 0."""
    return ord(place[0]) - ord("A"), int(place[1]) - 1


def is_square(place: str) -> bool:
    """True if a place is a Set Up square."""
    return place[0] == "x"


def find_door_ends(door: str) -> tuple[str, str]:
    """Returns the two places that a door joins, from its name."""
    one, _, other = door.partition("-")
    return one, other


def find_wall_ends(one: str, other: str) -> frozenset[tuple[int, int]]:
    """Returns the two grid points at which the wall between two rooms ends."""
    (x, y), (x2, y2) = find_column_and_row(one), find_column_and_row(other)
    right, below = max(x, x2), max(y, y2)
    return frozenset({(right, y), (right, y + 1)} if y == y2 else {(x, below), (x + 1, below)})


def describe_door(door: str) -> str:
    """Returns a door in words: "the door between C4 and D4"."""
    one, other = find_door_ends(door)
    return f"the door between {one} and {other}"


def expand_name_ranges(text: str) -> list[str]:
    """Returns the unit names in a text: "n1..n3 l1" becomes n1, n2, n3 and l1. Other words stay as they are."""
    words = text.lower().replace("+", " ").replace("/", " ").split()
    return [name for word in words for name in expand_run(word)]


def compact_names(units: tuple[str, ...]) -> str:
    """Returns unit names with runs of four or more as a range: "l1 n1..n4".

    `expand_name_ranges` reads such a text back.
    """
    return " ".join(format_runs(units))
