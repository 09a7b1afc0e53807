"""What happens in Manoover. Events carry results, so that applying one needs no rule."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Seat
from referee.games.manoover.board import Heading
from referee.games.manoover.state import Phase, State, Use

Die = Annotated[int, Meta(ge=1, le=9)]
RobotId = Annotated[str, Meta(max_length=2)]
Place = Annotated[str, Meta(max_length=3)]
Chain = tuple[tuple[RobotId, Place], ...]
"""Robots moved by one push, the mover first, each with the cell it comes to, or "off"."""


class Told(Event, frozen=True):
    """Something that is only told: nothing changes by it that the state does not show."""

    def apply(self, state: State) -> State:
        """The same state."""
        return state


class ThrewOff(Told, frozen=True, tag="threw-off"):
    """Each contender threw a die for the first turn; who goes first, the next event tells."""

    faces: tuple[tuple[Seat, Die], ...]


class Tied(Event, frozen=True, tag="tied"):
    """Several threw the same highest number; they alone throw again."""

    seats: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        """Narrow the contenders."""
        return replace(state, contenders=self.seats, turn=self.seats[0], tied=True)


class FirstChosen(Event, frozen=True, tag="first-chosen"):
    """It is settled who takes the first turn."""

    seat: Seat
    phase: Phase

    def apply(self, state: State) -> State:
        """Open the first turn."""
        return replace(state, contenders=(), tied=False, turn=self.seat, phase=self.phase)


class Thrown(Event, frozen=True, tag="thrown"):
    """The mover made the first throw."""

    kept: tuple[Die, ...]
    """Dice that name a robot in the game."""
    picked_up: tuple[Die, ...]
    """Dice that name a robot out of the game."""

    def apply(self, state: State) -> State:
        """Lay the usable dice on the table."""
        return replace(
            state,
            dice=tuple(sorted(self.kept)),
            dead=len(self.picked_up),
            phase="rethrow" if self.picked_up else "control",
        )


class Rethrown(Event, frozen=True, tag="rethrown"):
    """The mover made the second throw."""

    kept: tuple[Die, ...]
    aside: tuple[Die, ...]
    """Dice that name a robot out of the game once more, and give nothing."""

    def apply(self, state: State) -> State:
        """Add the usable dice to those on the table."""
        dice = tuple(sorted(state.dice + self.kept))
        return replace(state, dice=dice, dead=0, rethrown=True, phase="control")


class Turned(Event, frozen=True, tag="turned"):
    """A die was spent on an arrow."""

    robot: RobotId
    toward: Heading

    def apply(self, state: State) -> State:
        """Turn the arrow and spend the die."""
        dice, spent = _spend(state, "turn", int(self.robot[1:]))
        return replace(state, arrows={**state.arrows, self.robot: self.toward}, dice=dice, spent=spent)


class Advanced(Event, frozen=True, tag="advanced"):
    """A die was spent on moving a robot, and all that it pushed."""

    toward: Heading
    chain: Chain

    def apply(self, state: State) -> State:
        """Move the chain and spend the die."""
        dice, spent = _spend(state, "go", int(self.chain[0][0][1:]))
        return replace(state, cells=_pushed(state, self.chain), dice=dice, spent=spent)


class Stepped(Event, frozen=True, tag="stepped"):
    """A robot made its automatic move, pushing what stood in its way."""

    toward: Heading
    chain: Chain

    def apply(self, state: State) -> State:
        """Move the chain and note that this robot has moved."""
        return replace(state, cells=_pushed(state, self.chain), moved=int(self.chain[0][0][1:]))


class Captured(Event, frozen=True, tag="captured"):
    """A robot came onto a goal: it leaves the game and counts for the goal's owner."""

    robot: RobotId
    goal: Seat

    def apply(self, state: State) -> State:
        """Lay the robot in front of the goal's owner."""
        cells, arrows = _without(state, self.robot)
        captured = {**state.captured, self.goal: (*state.captured[self.goal], self.robot)}
        return replace(state, cells=cells, arrows=arrows, captured=captured)


class Lost(Event, frozen=True, tag="lost"):
    """A robot went over the edge, or into a goal that counts for nobody any more: it is laid aside."""

    robot: RobotId

    def apply(self, state: State) -> State:
        """Lay the robot aside."""
        cells, arrows = _without(state, self.robot)
        return replace(state, cells=cells, arrows=arrows, off=(*state.off, self.robot))


class Eliminated(Told, frozen=True, tag="eliminated"):
    """A player has no robot left."""

    seat: Seat


class Lapsed(Event, frozen=True, tag="lapsed"):
    """Usable dice are lost because their robot left the game."""

    dice: tuple[Die, ...]

    def apply(self, state: State) -> State:
        """Take the dice off the table."""
        left = list(state.dice)
        for die in self.dice:
            left.remove(die)
        return replace(state, dice=tuple(left))


class Declined(Told, frozen=True, tag="declined"):
    """The mover ended the control phase with dice unspent; they lie on the table until the turn is over."""

    dice: tuple[Die, ...]


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The mover goes on to the other phase of the turn."""

    phase: Phase

    def apply(self, state: State) -> State:
        """Set the phase."""
        return replace(state, phase=self.phase, moved=0)


class TurnPassed(Event, frozen=True, tag="turn-passed"):
    """The turn is over and another player's begins."""

    seat: Seat
    phase: Phase

    def apply(self, state: State) -> State:
        """Count the turn, clear the table of dice, and open the next turn."""
        if self.seat not in state.board.seats:
            raise ValueError(f"nobody sits at {self.seat}")
        taken = {**state.taken, state.turn: state.taken[state.turn] + 1}
        table = {"dice": (), "spent": (), "dead": 0, "rethrown": False, "moved": 0}
        return replace(state, taken=taken, turn=self.seat, phase=self.phase, **table)


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Close the game; nothing more is played."""
        return replace(state, phase="over", outcome=self.outcome)


ManooverEvent = (
    ThrewOff
    | Tied
    | FirstChosen
    | Thrown
    | Rethrown
    | Turned
    | Advanced
    | Stepped
    | Captured
    | Lost
    | Eliminated
    | Lapsed
    | Declined
    | PhaseBegun
    | TurnPassed
    | Ended
)


def _pushed(state: State, chain: Chain) -> dict[str, str]:
    """Where the robots stand after a push. A log from a stranger may name robots or cells that are not there."""
    cells, places = dict(state.cells), state.board.places
    for robot, onto in chain:
        if robot not in cells or onto not in places:
            raise ValueError(f"no such push: {chain}")
        cells[robot] = onto
    return cells


def _spend(state: State, use: Use, die: int) -> tuple[tuple[int, ...], tuple[tuple[Use, int], ...]]:
    at = state.dice.index(die)
    return state.dice[:at] + state.dice[at + 1 :], (*state.spent, (use, die))


def _without(state: State, robot: str) -> tuple[dict[str, str], dict[str, Heading]]:
    cells, arrows = dict(state.cells), dict(state.arrows)
    del cells[robot], arrows[robot]
    return cells, arrows
