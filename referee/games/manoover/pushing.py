"""Pushing: how a robot moves one cell, which robots it pushes, and which robot leaves the game.

All forms share these rules. The board, the options and the number of seats hold the differences (plus.7, three.7).
"""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, MessageEvent, Outcome, Script, Seat
from referee.engine.text import listing
from referee.games.manoover.board import OFF_BOARD, Heading
from referee.games.manoover.state import State
from referee.games.manoover.victory import decide_outcome

RobotId = Annotated[str, Meta(max_length=2)]
Place = Annotated[str, Meta(max_length=3)]
PushChain = tuple[tuple[RobotId, Place], ...]
"""The robots that one push moves, the mover first, each with the cell it reaches, or "off"."""


# A push


def push_robots(state: State, robot: str, make_event: Callable[[Heading, PushChain], Event]) -> Script[State]:
    """Moves a robot one cell along its arrow and pushes any robots in the way (auto.5, control.5, control.6).

    The whole chain goes in the pusher's direction (bump.2). It may be of any length (bump.3, bump.9) and ends at an
    empty cell (bump.4). No robot blocks a move (bump.12), and no arrow turns (bump.8).

    Own and enemy robots are pushed alike (auto.8, bump.1, bump.7). Players may drive out their own robots (control.10,
    r.own-loss). A garage is not a cell: no robot is pushed in it or into it (r.garage).
    """
    chain = find_push_chain(state, robot)
    state = yield make_event(state.arrows[robot], chain)
    front, onto = chain[-1]
    return (yield from _remove_front_robot(state, front, onto)) if onto == OFF_BOARD or onto in state.goals else state


def find_push_chain(state: State, robot: str) -> PushChain:
    """Returns the robots that move when a robot takes a step, itself first, each with the cell it reaches."""
    toward, steps = state.arrows[robot], state.board.next_cells
    chain = []
    pushed: str | None = robot
    while pushed is not None:
        onto = steps[state.cells[pushed], toward]
        chain.append((pushed, onto))
        pushed = state.find_occupant(onto)
    return tuple(chain)


def find_cells_after_push(state: State, chain: PushChain) -> dict[str, str]:
    """Returns the robots' cells after a push.

    Raises ValueError if the chain names an unknown robot or place, as a forged log may.
    """
    cells, places = dict(state.cells), state.board.places
    for robot, onto in chain:
        if robot not in cells or onto not in places:
            raise ValueError(f"no such push: {chain}")
        cells[robot] = onto
    return cells


def describe_push(toward: Heading, chain: PushChain) -> str:
    """Returns the sentence that says which robots to move, and where to."""
    mover, *pushed = [f"{robot} {'over the edge' if cell == OFF_BOARD else f'to {cell}'}" for robot, cell in chain]
    return f"Move {toward}: {mover}{', pushing ' if pushed else ''}{listing(pushed)}."


# Leaving the board


class RobotCaptured(Event, frozen=True, tag="captured"):
    """A robot came onto a goal: it leaves the game and counts for the goal's owner."""

    told = "Take {robot} off the board and put it in front of {goal}: it is in {goal}'s goal."
    robot: RobotId
    goal: Seat

    def apply(self, state: State) -> State:
        """Lays the robot in front of the goal's owner."""
        cells, arrows = _remove_robot(state, self.robot)
        captured = {**state.captured, self.goal: (*state.captured[self.goal], self.robot)}
        return replace(state, cells=cells, arrows=arrows, captured=captured)


class RobotLost(Event, frozen=True, tag="lost"):
    """A robot went over the edge, or into a goal that no longer counts: it is laid aside."""

    told = "Take {robot} off the board and lay it aside: it counts for nobody."
    robot: RobotId

    def apply(self, state: State) -> State:
        """Lays the robot aside."""
        cells, arrows = _remove_robot(state, self.robot)
        return replace(state, cells=cells, arrows=arrows, off=(*state.off, self.robot))


def _remove_robot(state: State, robot: str) -> tuple[dict[str, str], dict[str, Heading]]:
    cells, arrows = dict(state.cells), dict(state.arrows)
    del cells[robot], arrows[robot]
    return cells, arrows


def _remove_front_robot(state: State, front: str, onto: str) -> Script[State]:
    """Takes the front robot of a chain out of the game; no other robot of the chain can leave it (bump.11).

    It leaves over the edge (auto.6, bump.5, goal.5, goal.6) or into a goal (auto.7, bump.6, goal.2, goal.3, goal.4,
    goal.7, three.9). Robots beyond the goal are not touched (bump.10, r.goal-wall).
    """
    owner = state.goals.get(onto)
    void = owner and state.options["eliminated-goal"] == "void" and not state.is_in_game(owner)  # r.eliminated-goal
    state = yield RobotCaptured(front, owner) if owner and not void else RobotLost(front)
    return (yield from _check_elimination(state, state.board.find_owner(front)))


# Leaving the game


class PlayerEliminated(MessageEvent, frozen=True, tag="eliminated"):
    """A player has no robots left."""

    seat: Seat

    def tell(self) -> str:
        """Tells the players who is out."""
        return f"{self.seat.capitalize()} has no robots left."


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Closes the game."""
        return replace(state, phase="over", outcome=self.outcome)

    def tell(self) -> str:
        """Tells the players how the game ended."""
        return f"Game over: {self.outcome.because}{'; the tie is broken' if _is_broken(self.outcome) else ''}."


def _is_broken(outcome: Outcome) -> bool:
    """True if the tie was broken: one player won alone although another has as many robots in the goal."""
    scores = dict(outcome.scores)
    return len(outcome.winners) == 1 and list(scores.values()).count(scores[outcome.winners[0]]) > 1


def _check_elimination(state: State, seat: Seat) -> Script[State]:
    """Notes that a player is out after losing the last robot. Ends the game at once if only one player is left in it.

    With two players that is the first loss of all robots, with three the second (end.1, three.10, three.11). It can
    happen in the middle of any phase (end.6, r.control-end).
    """
    if state.is_in_game(seat):
        return state
    state = yield PlayerEliminated(seat)
    if sum(state.is_in_game(seat) for seat in state.board.seats) < 2:
        state = yield GameEnded(decide_outcome(state))
    return state
