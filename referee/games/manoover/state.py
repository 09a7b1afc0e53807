"""The state of a game of Manoover: everything that a rule may ask for, including the board and the options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from referee.engine.event import Outcome, Seat
from referee.engine.options import Options
from referee.games.manoover.board import Board, Heading

Phase = Literal["throw-off", "throw", "rethrow", "control", "auto", "over"]
"""The next step: the roll for the first turn, the first roll, the second roll, actions, or the automatic phase."""

DieUse = Literal["go", "turn"]
"""The ways to spend a die."""


class State(Struct, frozen=True, gc=False):
    """Everything about a game at one moment. It holds only plain values, so the garbage collector need not watch it."""

    board: Board
    options: Options
    goals: Mapping[str, Seat]
    """The owner of each goal cell."""
    turn: Seat
    """The seat whose turn it is; before the first turn, the seat that rolls for all."""
    phase: Phase
    cells: Mapping[str, str]
    """The cell of every robot in the game."""
    arrows: Mapping[str, Heading]
    """The heading of every robot in the game."""
    captured: Mapping[Seat, tuple[str, ...]]
    """The robots that lie in front of each seat, in the order in which they entered its goal."""
    off: tuple[str, ...] = ()
    """The robots that left over the edge."""
    taken: Mapping[Seat, int] = {}
    """The number of turns that each seat has finished."""
    dice: tuple[int, ...] = ()
    """The usable dice not yet spent, in rising order. They stay on the table until the turn is over."""
    spent: tuple[tuple[DieUse, int], ...] = ()
    """The dice of this turn that were spent, as (use, die)."""
    dead: int = 0
    """The number of dice picked up for the second roll."""
    rethrown: bool = False
    """True if this turn's second roll was made."""
    moved: int = 0
    """The number of the robot that made its automatic move last in this phase; 0 for none."""
    contenders: tuple[Seat, ...] = ()
    """The seats that roll for the first turn: all of them, or those that tied."""
    tied: bool = False
    """True if the last roll for the first turn was a tie."""
    outcome: Outcome | None = None

    def is_in_game(self, seat: Seat) -> bool:
        """True if a seat has a robot left, on the board or in a garage (end.1, r.garage)."""
        return not self.cells.keys().isdisjoint(self.board.robots_by_seat[seat])

    def name_own_robot(self, number: int | str) -> str:
        """Returns the id of the mover's robot with this number."""
        return f"{self.turn[0].upper()}{number}"

    def map_occupants(self) -> dict[str, str]:
        """Returns the robot on each occupied cell."""
        return {cell: robot for robot, cell in self.cells.items()}

    def find_occupant(self, cell: str) -> str | None:
        """Returns the robot on a cell; None if the cell is empty."""
        # Most cells are empty, and this check is quick.
        if cell not in self.cells.values():
            return None
        return next(robot for robot, at in self.cells.items() if at == cell)

    def count_robots_in_goals(self) -> tuple[tuple[Seat, int], ...]:
        """Returns the number of robots that lie in front of each seat."""
        return tuple((seat, len(self.captured[seat])) for seat in self.board.seats)

    def find_opening_phase(self, seat: Seat) -> Phase:
        """Returns the phase that opens the next turn of a seat."""
        return find_opening_phase(self.options, self.taken[seat])


def find_opening_phase(options: Options, taken: int) -> Phase:
    """Returns the phase that opens a turn, given the number of turns its player has finished (turn.1, variant.alt.1,
    variant.crash.1).
    """
    order = options["order"]
    return "auto" if order == "auto-control" or (order == "alternate" and taken) else "throw"


def skips_automatic_phase(state: State) -> bool:
    """True if this turn has no automatic phase: a first turn in the alternate order (variant.alt.1, r.alt-first)."""
    return state.options["order"] == "alternate" and not state.taken[state.turn]
