"""The board: hexagons with flat tops, goals, start cells, from a TOML file that `building` checks.

A cell is named by its column, `a` from the west, and its row in that column counted from the south: `d1` to `d7`
is the middle column of the standard board. In board files a cell may also be given as axial `[q, r]`, q the column
from west to east, r growing southward. A garage is a cell name just outside the board (`a0`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from referee.engine.component import BoardError
from referee.engine.event import Seat
from referee.games.manoover.options import SeatName

Heading = Literal["N", "NE", "SE", "S", "SW", "NW"]
"""A direction of an arrow (setup.7)."""
HEADINGS: tuple[Heading, ...] = get_args(Heading)
"""All six, clockwise."""

STEPS: Mapping[Heading, tuple[int, int]] = {
    "N": (0, -1),
    "NE": (1, -1),
    "SE": (1, 0),
    "S": (0, 1),
    "SW": (-1, 1),
    "NW": (-1, 0),
}
"""What one step changes in axial (q, r)."""

OFF = "off"
"""Where a robot comes to that goes over the edge."""

MAX_CELLS = 400
MAX_ROBOTS = 8

Axial = tuple[int, int]


class SeatPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat and the side of the board it sits at (setup.4)."""

    name: SeatName
    side: Annotated[str, Meta(pattern="^(N|NE|SE|S|SW|NW)$")]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What a board file holds. `robots` are written "R1 a1 N": robot, cell, arrow."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    seats: Annotated[tuple[SeatPlace, ...], Meta(min_length=2, max_length=3)]
    """In playing order, clockwise."""
    dice: Annotated[int, Meta(ge=1, le=8)]
    """Dice thrown in a control phase."""
    sides: Annotated[int, Meta(ge=1, le=MAX_ROBOTS)]
    """Faces of a die, which is also the highest robot number."""
    goals: dict[str, str]
    """Each seat's goal cell."""
    start: tuple[str, ...]
    """Robots at the start."""
    radius: Annotated[int, Meta(ge=1, le=10)] | None = None
    """A hexagon of hexagons with so many rings around the middle."""
    cells: Annotated[tuple[Axial, ...], Meta(max_length=MAX_CELLS)] | None = None
    """All cells, for a board of any other shape. Either this or radius."""
    goals_third: dict[str, str] | None = None
    """Goal cells under the option goal-cells=third."""
    start_garage: tuple[str, ...] | None = None
    """Robots at the start under the option start=garage, on cells outside the board."""
    status: dict[str, str] = {}
    """How sure each part of the file is: verified, inferred or reconstruction."""


class Board(Struct, frozen=True, dict=True):
    """A board that can be played on."""

    file: BoardFile
    cells: frozenset[str]
    """Names of the cells of the board proper."""
    axial: Mapping[str, Axial]
    """Place of every cell, and of every garage."""
    steps: Mapping[tuple[str, Heading], str]
    """Cell that one comes to from (cell, heading); OFF over the edge."""

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.cells)} cells>"

    @property
    def name(self) -> str:
        """Short name of the board."""
        return self.file.name

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return tuple(seat.name for seat in self.file.seats)

    @cached_property
    def three(self) -> bool:
        """Whether three play."""
        return len(self.seats) == 3

    @property
    def dice_rule(self) -> str:
        """The rule that says how many dice are thrown."""
        return "plus.3" if self.file.dice == 4 else "dice.1"

    @cached_property
    def seat_by_letter(self) -> Mapping[str, Seat]:
        """The seat whose robots bear this letter."""
        return {seat[0].upper(): seat for seat in self.seats}

    @cached_property
    def places(self) -> frozenset[str]:
        """Everywhere a robot can come to, OFF included."""
        return frozenset((*self.axial, OFF))

    @cached_property
    def crews(self) -> Mapping[Seat, tuple[str, ...]]:
        """The robots of each seat, such as "R1", by rising number (setup.2, plus.2, three.2)."""
        numbers = range(1, self.file.sides + 1)
        return {seat: tuple(f"{seat[0].upper()}{number}" for number in numbers) for seat in self.seats}

    @cached_property
    def robots(self) -> tuple[str, ...]:
        """Every robot of the game, in the order of seats and numbers."""
        return tuple(chain.from_iterable(self.crews.values()))

    @property
    def reconstruction(self) -> str | None:
        """Which parts of the board no source shows (r.start-cells, r.numbering, r.three-board)."""
        parts = [part for part, status in self.file.status.items() if status == "reconstruction"]
        return f"reconstruction: {', '.join(parts)}" if parts else None

    def owner_of(self, robot: str) -> Seat:
        """The seat that a robot belongs to, whoever's turn it is."""
        return self.seat_by_letter[robot[0]]

    def goals(self, goal_cells: str) -> dict[str, Seat]:
        """Owner of each goal cell (goal.1, goal.2), on the second or third cell of the column (r.goal-cells)."""
        chosen = self.file.goals_third if goal_cells == "third" else self.file.goals
        if chosen is None:
            raise BoardError(f"board {self.name} has no goals for goal-cells=third")
        return {cell: seat for seat, cell in chosen.items()}

    def start(self, start: str, numbering: str) -> list[tuple[str, str, str]]:
        """Robot, cell and arrow of every robot at the start (setup.3, setup.8, three.3)."""
        chosen = self.file.start_garage if start == "garage" else self.file.start
        if chosen is None:
            raise BoardError(f"board {self.name} has no garages")
        robots = [split_robot(text) for text in chosen]
        if numbering == "right-to-left":
            last = self.file.sides + 1
            robots = [(f"{robot[0]}{last - int(robot[1:])}", cell, heading) for robot, cell, heading in robots]
        return sorted(robots)


def heading_of(word: str) -> Heading:
    """The direction that a word names; ValueError for none."""
    return HEADINGS[HEADINGS.index(word)]


def within_one_edge(heading: Heading) -> tuple[Heading, ...]:
    """A direction and the two beside it, in the order of `HEADINGS`."""
    at = HEADINGS.index(heading)
    return tuple(toward for turned, toward in enumerate(HEADINGS) if (turned - at) % 6 in (0, 1, 5))


def split_robot(text: str) -> tuple[str, str, str]:
    """Robot, cell and arrow of "R1 a1 N"; BoardError when there are not three words."""
    words = text.split()
    if len(words) != 3:
        raise BoardError(f"{text!r} is not a robot, a cell and an arrow, like 'R1 a1 N'")
    return words[0].upper(), words[1].lower(), words[2].upper()
