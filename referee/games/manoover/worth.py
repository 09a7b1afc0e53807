"""Estimates a position for bots, from robots in the goals, robots on their way there, and robots left to steer.

While a player steers, robots count where the automatic moves will leave them: steering decides those places.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import tanh
from typing import NamedTuple

from referee.engine.event import Seat
from referee.games.manoover.board import OFF_BOARD, Board, Heading
from referee.games.manoover.state import State, skips_automatic_phase

GOAL_VALUE = 0.3
"""The value of each robot in a goal."""
COMING_VALUE = 0.14
"""The value of a robot whose next automatic move brings it into a goal. Each further step multiplies it by
STEP_FACTOR.
"""
STEP_FACTOR = 0.75
NEAR_GOAL_VALUE = 0.1
"""The value of an own robot one step from its owner's goal, whichever way it points. For a robot farther away, the
value is divided by the distance in steps.
"""
ALIVE_VALUE = 0.03
"""The value of an own robot that has SAFE_STEPS or more steps to the edge. With fewer steps the value is proportionally
lower.
"""
SAFE_STEPS = 4


class RobotPlaces(NamedTuple):
    """The places of the robots, and the number of robots in each seat's goal."""

    cells: Mapping[str, str]
    robots_in_goals: Mapping[Seat, int]


def estimate_worth(view: State, seat: Seat) -> float:
    """Returns an estimate of the position for a seat, from -1 (lost) to 1 (won)."""
    places = (
        _predict_robot_places(view)
        if _will_move_automatically(view)
        else RobotPlaces(view.cells, dict(view.count_robots_in_goals()))
    )
    values = {one: _evaluate_side(view, places, one) for one in view.board.seats}
    mine = values.pop(seat)
    return tanh(mine - max(values.values()))


def _evaluate_side(view: State, places: RobotPlaces, seat: Seat) -> float:
    """Returns the value of a seat's position: robots in its goal or on their way there, and its own robots."""
    goal = next(cell for cell, owner in view.goals.items() if owner == seat)
    total = GOAL_VALUE * places.robots_in_goals[seat]
    for robot, cell in places.cells.items():
        steps, onto = _find_way_out(view, cell, view.arrows[robot])
        if onto == goal:
            total += COMING_VALUE * STEP_FACTOR ** (steps - 1)
        if view.board.find_owner(robot) == seat:
            left = SAFE_STEPS if onto == goal else min(steps - 1, SAFE_STEPS)
            total += (
                NEAR_GOAL_VALUE / max(1, _measure_distance(view.board, cell, goal)) + ALIVE_VALUE * left / SAFE_STEPS
            )
    return total


def _find_way_out(view: State, cell: str, heading: Heading) -> tuple[int, str]:
    """Returns the number of steps straight on until a robot leaves the game, and the goal that it enters, or OFF_BOARD.

    Other robots do not count.
    """
    steps = 0
    while cell != OFF_BOARD and (not steps or cell not in view.goals):
        cell, steps = view.board.next_cells[cell, heading], steps + 1
    return steps, cell


def _measure_distance(board: Board, one: str, other: str) -> int:
    """Returns the distance between two cells in steps."""
    (q, r), (s, t) = board.axial[one], board.axial[other]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


def _will_move_automatically(view: State) -> bool:
    """True if the turn is in its control phase, and an automatic phase follows."""
    return view.phase == "control" and view.find_opening_phase(view.turn) == "throw" and not skips_automatic_phase(view)


def _predict_robot_places(view: State) -> RobotPlaces:
    """Returns the robots' places after the automatic moves of the player whose turn it is."""
    cells, goals = dict(view.cells), dict(view.count_robots_in_goals())
    for robot in view.board.robots_by_seat[view.turn]:
        if robot in cells:
            _step_robot(view, cells, goals, robot)
    return RobotPlaces(cells, goals)


def _step_robot(view: State, cells: dict[str, str], goals: dict[Seat, int], robot: str) -> None:
    """Moves one robot one step along its arrow, and pushes the robots in its way. Changes `cells` and `goals`."""
    standing = {cell: one for one, cell in cells.items()}
    pushed: str | None = robot
    while pushed is not None:
        onto = view.board.next_cells[cells[pushed], view.arrows[robot]]
        if onto == OFF_BOARD or onto in view.goals:
            del cells[pushed]
            if onto in view.goals:
                goals[view.goals[onto]] += 1
            return
        cells[pushed] = onto
        pushed = standing.get(onto)
