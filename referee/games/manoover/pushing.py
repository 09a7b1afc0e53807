"""Pushing: how a robot moves by one cell, what it moves before it, and who leaves the game by it.

One set of rules for all forms: what differs between them is in the board, the options and the number of seats
(plus.7, three.7).
"""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Script, Seat, Told
from referee.engine.text import listing
from referee.games.manoover.board import OFF, Heading
from referee.games.manoover.state import State
from referee.games.manoover.victory import outcome_of

RobotId = Annotated[str, Meta(max_length=2)]
Place = Annotated[str, Meta(max_length=3)]
Chain = tuple[tuple[RobotId, Place], ...]
"""Robots moved by one push, the mover first, each with the cell it comes to, or "off"."""


# A push


def push(state: State, robot: str, moved: Callable[[Heading, Chain], Event]) -> Script[State]:
    """A robot goes one cell along its arrow and pushes what stands there (auto.5, control.5, control.6).

    The pusher's direction governs the whole chain (bump.2), which is of any length (bump.3, bump.9), ends at an empty
    cell (bump.4), blocks nobody (bump.12) and turns no arrow (bump.8). Own and enemy robots are pushed alike (auto.8,
    bump.1, bump.7), and a player may drive out his own (control.10, r.own-loss). A garage is no cell: nothing is pushed
    in it or into it (r.garage).
    """
    chain = chain_of(state, robot)
    state = yield moved(state.arrows[robot], chain)
    front, onto = chain[-1]
    return (yield from _leave(state, front, onto)) if onto == OFF or onto in state.goals else state


def chain_of(state: State, robot: str) -> Chain:
    """Who moves when a robot goes one cell along its arrow, and where to: itself first."""
    toward, steps = state.arrows[robot], state.board.steps
    chain = []
    pushed: str | None = robot
    while pushed is not None:
        onto = steps[state.cells[pushed], toward]
        chain.append((pushed, onto))
        pushed = state.occupant(onto)
    return tuple(chain)


def moved_by(state: State, chain: Chain) -> dict[str, str]:
    """Where the robots stand after a push. A log from a stranger may name robots or cells that are not there."""
    cells, places = dict(state.cells), state.board.places
    for robot, onto in chain:
        if robot not in cells or onto not in places:
            raise ValueError(f"no such push: {chain}")
        cells[robot] = onto
    return cells


def tell_push(toward: Heading, chain: Chain) -> str:
    """What to move, and where it comes to."""
    mover, *pushed = [f"{robot} {'over the edge' if cell == OFF else f'to {cell}'}" for robot, cell in chain]
    return f"Move {toward}: {mover}{', pushing ' if pushed else ''}{listing(pushed)}."


# Leaving the board


class Captured(Event, frozen=True, tag="captured"):
    """A robot came onto a goal: it leaves the game and counts for the goal's owner."""

    told = "Take {robot} off the board and put it in front of {goal}: it is in {goal}'s goal."
    robot: RobotId
    goal: Seat

    def apply(self, state: State) -> State:
        """Lay the robot in front of the goal's owner."""
        cells, arrows = _without(state, self.robot)
        captured = {**state.captured, self.goal: (*state.captured[self.goal], self.robot)}
        return replace(state, cells=cells, arrows=arrows, captured=captured)


class Lost(Event, frozen=True, tag="lost"):
    """A robot went over the edge, or into a goal that counts for nobody any more: it is laid aside."""

    told = "Take {robot} off the board and lay it aside: it counts for nobody."
    robot: RobotId

    def apply(self, state: State) -> State:
        """Lay the robot aside."""
        cells, arrows = _without(state, self.robot)
        return replace(state, cells=cells, arrows=arrows, off=(*state.off, self.robot))


def _without(state: State, robot: str) -> tuple[dict[str, str], dict[str, Heading]]:
    cells, arrows = dict(state.cells), dict(state.arrows)
    del cells[robot], arrows[robot]
    return cells, arrows


def _leave(state: State, front: str, onto: str) -> Script[State]:
    """Only the front robot of a chain can leave the game (bump.11): over the edge (auto.6, bump.5, goal.5, goal.6), or
    into a goal (auto.7, bump.6, goal.2, goal.3, goal.4, goal.7, three.9), beyond which nothing is touched (bump.10,
    r.goal-wall).
    """
    owner = state.goals.get(onto)
    void = owner and state.options["eliminated-goal"] == "void" and not state.in_game(owner)  # r.eliminated-goal
    state = yield Captured(front, owner) if owner and not void else Lost(front)
    return (yield from _after_removal(state, state.board.owner_of(front)))


# Leaving the game


class Eliminated(Told, frozen=True, tag="eliminated"):
    """A player has no robot left."""

    seat: Seat

    def tell(self) -> str:
        """Who is out."""
        return f"{self.seat.capitalize()} has no robots left."


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome

    def apply(self, state: State) -> State:
        """Close the game; nothing more is played."""
        return replace(state, phase="over", outcome=self.outcome)

    def tell(self) -> str:
        """How the game ended."""
        return f"Game over: {self.outcome.because}{'; the tie is broken' if _is_broken(self.outcome) else ''}."


def _is_broken(outcome: Outcome) -> bool:
    """Whether somebody has won alone though another has as many robots in his goal."""
    scores = dict(outcome.scores)
    return len(outcome.winners) == 1 and list(scores.values()).count(scores[outcome.winners[0]]) > 1


def _after_removal(state: State, seat: Seat) -> Script[State]:
    """A player is out with his last robot; the game ends when only one is left in it, at once.

    That is the moment the first of two, or the second of three, is out (end.1, three.10, three.11), in the middle of
    whatever phase it happens (end.6, r.control-end).
    """
    if state.in_game(seat):
        return state
    state = yield Eliminated(seat)
    if sum(state.in_game(seat) for seat in state.board.seats) < 2:
        state = yield Ended(outcome_of(state))
    return state
