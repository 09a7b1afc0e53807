"""A rule of thumb for bots: robots in one's goal, those on their way there, and those that are left to steer.

While somebody steers, robots count where his automatic moves will leave them: that is what steering is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import tanh
from typing import NamedTuple

from referee.engine.event import Seat
from referee.games.manoover.board import OFF, Board, Heading
from referee.games.manoover.state import State, is_spared

IN_GOAL = 0.3
"""What a robot more in one's goal than in the best of the others' is worth."""
COMES = 0.14
"""What a robot is worth whose next automatic move brings it into a goal; one more step away, LATER of it."""
LATER = 0.75
NEAR = 0.1
"""What an own robot one step from one's goal is worth, wherever it points; one farther off as much less."""
ALIVE = 0.03
"""What an own robot is worth that has SAFE steps or more before it goes over the edge; with fewer as much less."""
SAFE = 4


class Standing(NamedTuple):
    """Robots as they stand, and how many each seat has in its goal."""

    cells: Mapping[str, str]
    goals: Mapping[Seat, int]


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    now = _after_moves(view) if _moves_follow(view) else Standing(view.cells, dict(view.scores()))
    values = {one: _own(view, now, one) for one in view.board.seats}
    mine = values.pop(seat)
    return tanh(mine - max(values.values()))


def _own(view: State, now: Standing, seat: Seat) -> float:
    """What robots in the goal of a seat, or on their way there, and its own on the board are worth to it."""
    goal = next(cell for cell, owner in view.goals.items() if owner == seat)
    total = IN_GOAL * now.goals[seat]
    for robot, cell in now.cells.items():
        steps, onto = _way_out(view, cell, view.arrows[robot])
        if onto == goal:
            total += COMES * LATER ** (steps - 1)
        if view.board.owner_of(robot) == seat:
            left = SAFE if onto == goal else min(steps - 1, SAFE)
            total += NEAR / max(1, _apart(view.board, cell, goal)) + ALIVE * left / SAFE
    return total


def _way_out(view: State, cell: str, heading: Heading) -> tuple[int, str]:
    """Steps straight on until a robot leaves the game, if nothing is in its way, and where it does."""
    steps = 0
    while cell != OFF and (not steps or cell not in view.goals):
        cell, steps = view.board.steps[cell, heading], steps + 1
    return steps, cell


def _apart(board: Board, one: str, other: str) -> int:
    """Steps from cell to cell."""
    (q, r), (s, t) = board.axial[one], board.axial[other]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


def _moves_follow(view: State) -> bool:
    """Whether who steers has his automatic moves still before him."""
    return view.phase == "control" and view.opening(view.turn) == "throw" and not is_spared(view)


def _after_moves(view: State) -> Standing:
    """How the robots will stand when those of who steers have moved on by themselves."""
    cells, goals = dict(view.cells), dict(view.scores())
    for robot in view.board.crews[view.turn]:
        if robot in cells:
            _step(view, cells, goals, robot)
    return Standing(cells, goals)


def _step(view: State, cells: dict[str, str], goals: dict[Seat, int], robot: str) -> None:
    """One robot goes a step and pushes what stands there."""
    standing = {cell: one for one, cell in cells.items()}
    pushed: str | None = robot
    while pushed is not None:
        onto = view.board.steps[cells[pushed], view.arrows[robot]]
        if onto == OFF or onto in view.goals:
            del cells[pushed]
            if onto in view.goals:
                goals[view.goals[onto]] += 1
            return
        cells[pushed] = onto
        pushed = standing.get(onto)
