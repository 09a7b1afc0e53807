"""The board: hexagonal cells with flat tops, goals and start cells. `building` reads it from a TOML file and checks it.

A cell is named by its column, `a` in the west, and its row in that column, counted from the south. On the standard
board `d1` to `d7` is the middle column.

A board file may also give a cell as axial `[q, r]`: `q` is the column from west to east, and `r` grows southward. A
garage has a cell name just outside the board (`a0`).
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
"""A direction that an arrow can have (setup.7)."""
HEADINGS: tuple[Heading, ...] = get_args(Heading)
"""All six directions, clockwise."""

AXIAL_STEPS: Mapping[Heading, tuple[int, int]] = {
    "N": (0, -1),
    "NE": (1, -1),
    "SE": (1, 0),
    "S": (0, 1),
    "SW": (-1, 1),
    "NW": (-1, 0),
}
"""The change in axial (q, r) that one step makes."""

OFF_BOARD = "off"
"""The place that a robot reaches when it goes over the edge."""

MAX_CELLS = 400
MAX_ROBOTS = 8

AxialPosition = tuple[int, int]


class SeatPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat and the side of the board where its player sits (setup.4)."""

    name: SeatName
    side: Annotated[str, Meta(pattern="^(N|NE|SE|S|SW|NW)$")]


class BoardFile(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The contents of a board file. `robots` are written "R1 a1 N": robot, cell, arrow."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    title: Annotated[str, Meta(min_length=1, max_length=120)]
    seats: Annotated[tuple[SeatPlace, ...], Meta(min_length=2, max_length=3)]
    """The seats in playing order, clockwise."""
    dice: Annotated[int, Meta(ge=1, le=8)]
    """The number of dice in a control phase."""
    sides: Annotated[int, Meta(ge=1, le=MAX_ROBOTS)]
    """The number of faces of a die; it is also the highest robot number."""
    goals: dict[str, str]
    """The goal cell of each seat."""
    start: tuple[str, ...]
    """The robots at the start."""
    radius: Annotated[int, Meta(ge=1, le=10)] | None = None
    """The number of rings around the middle of a hexagonal board. Give either this or `cells`."""
    cells: Annotated[tuple[AxialPosition, ...], Meta(max_length=MAX_CELLS)] | None = None
    """All cells of a board of any other shape. Give either this or `radius`."""
    goals_third: dict[str, str] | None = None
    """The goal cells under the option goal-cells=third."""
    start_garage: tuple[str, ...] | None = None
    """The robots at the start under the option start=garage, on cells outside the board."""
    status: dict[str, str] = {}
    """The certainty of each part of the file: verified, inferred or reconstruction."""


class Board(Struct, frozen=True, dict=True):
    """A board, ready to be played on."""

    file: BoardFile
    cells: frozenset[str]
    """The names of all cells that belong to the board itself."""
    axial: Mapping[str, AxialPosition]
    """The axial position of every cell and every garage."""
    next_cells: Mapping[tuple[str, Heading], str]
    """The cell that a robot reaches from (cell, heading); OFF_BOARD over the edge."""

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.cells)} cells>"

    @property
    def name(self) -> str:
        """The short name of the board."""
        return self.file.name

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return tuple(seat.name for seat in self.file.seats)

    @cached_property
    def has_three_seats(self) -> bool:
        """True if three people play on this board."""
        return len(self.seats) == 3

    @property
    def dice_rule(self) -> str:
        """The id of the rule that says how many dice are rolled."""
        return "plus.3" if self.file.dice == 4 else "dice.1"

    @cached_property
    def seat_by_letter(self) -> Mapping[str, Seat]:
        """For each letter, the seat whose robots have names that begin with this letter."""
        return {seat[0].upper(): seat for seat in self.seats}

    @cached_property
    def places(self) -> frozenset[str]:
        """Every place that a robot can reach, including OFF_BOARD."""
        return frozenset((*self.axial, OFF_BOARD))

    @cached_property
    def robots_by_seat(self) -> Mapping[Seat, tuple[str, ...]]:
        """The robots of each seat, such as "R1", by rising number (setup.2, plus.2, three.2)."""
        numbers = range(1, self.file.sides + 1)
        return {seat: tuple(f"{seat[0].upper()}{number}" for number in numbers) for seat in self.seats}

    @cached_property
    def robots(self) -> tuple[str, ...]:
        """Every robot of the game, ordered by seat and number."""
        return tuple(chain.from_iterable(self.robots_by_seat.values()))

    @property
    def reconstruction(self) -> str | None:
        """A note on the parts of the board that no source shows (r.start-cells, r.numbering, r.three-board); None if
        there are none.
        """
        parts = [part for part, status in self.file.status.items() if status == "reconstruction"]
        return f"reconstruction: {', '.join(parts)}" if parts else None

    def find_owner(self, robot: str) -> Seat:
        """Returns the seat that owns a robot."""
        return self.seat_by_letter[robot[0]]

    def map_goal_owners(self, goal_cells: str) -> dict[str, Seat]:
        """Returns the owner of each goal cell (goal.1, goal.2). `goal_cells` is "second" or "third" (r.goal-cells).
        Raises BoardError if the board has no such goals.
        """
        chosen = self.file.goals_third if goal_cells == "third" else self.file.goals
        if chosen is None:
            raise BoardError(f"board {self.name} has no goals for goal-cells=third")
        return {cell: seat for seat, cell in chosen.items()}

    def list_starting_robots(self, start: str, numbering: str) -> list[tuple[str, str, str]]:
        """Returns the robot, cell and arrow of every robot at the start (setup.3, setup.8, three.3). Raises BoardError
        if the board has no garages but `start` asks for them.
        """
        chosen = self.file.start_garage if start == "garage" else self.file.start
        if chosen is None:
            raise BoardError(f"board {self.name} has no garages")
        robots = [parse_robot_cell_and_arrow(text) for text in chosen]
        if numbering == "right-to-left":
            last = self.file.sides + 1
            robots = [(f"{robot[0]}{last - int(robot[1:])}", cell, heading) for robot, cell, heading in robots]
        return sorted(robots)


def find_heading(word: str) -> Heading:
    """Returns the heading that a word names. Raises ValueError if it names none."""
    return HEADINGS[HEADINGS.index(word)]


def list_heading_and_neighbours(heading: Heading) -> tuple[Heading, ...]:
    """Returns a heading and its two neighbours, in the order of `HEADINGS`."""
    index = HEADINGS.index(heading)
    return tuple(toward for number, toward in enumerate(HEADINGS) if (number - index) % 6 in (0, 1, 5))


def parse_robot_cell_and_arrow(text: str) -> tuple[str, str, str]:
    """Reads "R1 a1 N" into robot, cell and arrow. Raises BoardError unless the text has three words."""
    words = text.split()
    if len(words) != 3:
        raise BoardError(f"{text!r} is not a robot, a cell and an arrow, like 'R1 a1 N'")
    return words[0].upper(), words[1].lower(), words[2].upper()
