"""Descriptions of robots, cells, goals and dice, found by name."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.manoover.board import OFF_BOARD
from referee.games.manoover.pushing import PushChain, find_push_chain
from referee.games.manoover.state import State


def describe_thing(view: State, word: str) -> tuple[str, ...]:
    """Returns sentences about the robot, cell or thing with this name. The word is in small letters."""
    return (*_describe_robots(view, word), *_describe_cells(view, word), *_describe_goals_and_edge(view, word))


def _describe_robots(view: State, word: str) -> Iterator[str]:
    """Describes a robot named by letter and number, or by number alone if it belongs to the player whose turn it is."""
    robot = view.name_own_robot(word) if word.isdigit() else word.upper()
    if robot not in view.board.robots:
        return
    owner = view.board.find_owner(robot)
    if robot not in view.cells:
        yield f"Robot {robot} of {owner} is out of the game and never comes back (goal.8)."
        return
    place = f"is on {view.cells[robot]} and points {view.arrows[robot]}"
    step = _describe_step(view, find_push_chain(view, robot))
    yield f"Robot {robot} of {owner} {place}; one step {step} (auto.5, control.5)."


def _describe_step(view: State, chain: PushChain) -> str:
    """Describes a step of a robot along its arrow: where it leads, whom it pushes and who leaves the game."""
    (_, onto), *pushed = chain
    front, last = chain[-1]
    end = "leads over the edge" if onto == OFF_BOARD else f"leads to {onto}"
    moved = f" and pushes {', '.join(robot for robot, _ in pushed)}" if pushed else ""
    ending = f"; {front} leaves the game" if last == OFF_BOARD or last in view.goals else ""
    return f"{end}{moved}{ending}"


def _describe_cells(view: State, word: str) -> Iterator[str]:
    if word in view.goals:
        seat = view.goals[word]
        yield f"{word} is {seat}'s goal: a robot that enters it leaves the game and counts for {seat} (goal.3, goal.4)."
    elif word in view.board.cells:
        robot = view.find_occupant(word)
        yield f"{word} is a cell: {f'{robot} stands there' if robot else 'it is empty'} (bump.1, bump.4)."


def _describe_goals_and_edge(view: State, word: str) -> Iterator[str]:
    if word in ("goal", "goals"):
        yield from (f"{cell} is {seat}'s goal (goal.3, goal.4)." for cell, seat in view.goals.items())
    if word in ("arrow", "arrows"):
        yield "An arrow points to one of the six cells beside it: N, NE, SE, S, SW or NW (setup.7)."
    if word in ("die", "dice"):
        yield "A die names your own robot with that number and pays for one turn or one step of it (dice.2, control.1)."
