"""The state of a game of Manoover: everything that a rule may ask for, the board and the options included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from referee.engine.event import Outcome, Seat
from referee.engine.options import Options
from referee.games.manoover.board import Board, Heading

Phase = Literal["throw-off", "throw", "rethrow", "control", "auto", "over"]
"""What the game waits for: dice for the first turn, the first throw, the second throw, actions, the automatic phase."""

Use = Literal["go", "turn"]
"""What a die can be spent on."""


class State(Struct, frozen=True, gc=False):
    """Everything about a game at one moment. Values only, so no cycles for the garbage collector to look for."""

    board: Board
    options: Options
    goals: Mapping[str, Seat]
    """Owner of each goal cell."""
    turn: Seat
    """Whose turn it is; before the first turn, who throws for all."""
    phase: Phase
    cells: Mapping[str, str]
    """Cell of every robot in the game."""
    arrows: Mapping[str, Heading]
    """Heading of every robot in the game."""
    captured: Mapping[Seat, tuple[str, ...]]
    """Robots that lie in front of each seat, in the order in which they entered its goal."""
    off: tuple[str, ...] = ()
    """Robots that left over the edge."""
    taken: Mapping[Seat, int] = {}
    """Turns each seat has finished."""
    dice: tuple[int, ...] = ()
    """Usable dice not yet spent, in rising order; they stay on the table until the turn is over."""
    spent: tuple[tuple[Use, int], ...] = ()
    """What each die of this turn was spent on: (use, die)."""
    dead: int = 0
    """Dice picked up, to be thrown a second time."""
    rethrown: bool = False
    """Whether this turn's second throw was made."""
    moved: int = 0
    """Number of the last robot that made its automatic move in this phase."""
    contenders: tuple[Seat, ...] = ()
    """Who throws for the first turn: everybody, or those who tied."""
    tied: bool = False
    """Whether the last throw for the first turn was a tie."""
    outcome: Outcome | None = None

    def in_game(self, seat: Seat) -> bool:
        """Whether a seat has a robot left, on the board or in a garage (end.1, r.garage)."""
        return not self.cells.keys().isdisjoint(self.board.crews[seat])

    def own(self, number: int | str) -> str:
        """Id of the mover's robot with this number."""
        return f"{self.turn[0].upper()}{number}"

    def occupants(self) -> dict[str, str]:
        """The robot on each occupied cell."""
        return {cell: robot for robot, cell in self.cells.items()}

    def occupant(self, cell: str) -> str | None:
        """The robot on a cell. Most cells that somebody moves to are empty, which is seen before who stands there."""
        if cell not in self.cells.values():
            return None
        return next(robot for robot, at in self.cells.items() if at == cell)

    def scores(self) -> tuple[tuple[Seat, int], ...]:
        """How many robots lie in front of each seat."""
        return tuple((seat, len(self.captured[seat])) for seat in self.board.seats)

    def opening(self, seat: Seat) -> Phase:
        """The phase that opens the next turn of a seat."""
        return opening(self.options, self.taken[seat])


def opening(options: Options, taken: int) -> Phase:
    """The phase that opens a turn of who has finished so many (turn.1, variant.alt.1, variant.crash.1)."""
    order = options["order"]
    return "auto" if order == "auto-control" or (order == "alternate" and taken) else "throw"


def is_spared(state: State) -> bool:
    """Whether this turn has no automatic phase: a first one in the alternate order (variant.alt.1, r.alt-first)."""
    return state.options["order"] == "alternate" and not state.taken[state.turn]
