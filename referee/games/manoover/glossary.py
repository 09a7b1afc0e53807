"""What robots, cells, goals and garages are and do, by their names."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.manoover.board import OFF
from referee.games.manoover.pushing import Chain, chain_of
from referee.games.manoover.state import State


def describes(view: State, word: str) -> tuple[str, ...]:
    """What a robot, a cell or a goal of this name in small letters is and does."""
    return (*_robots(view, word), *_cells(view, word), *_things(view, word))


def _robots(view: State, word: str) -> Iterator[str]:
    """A robot by its letter and number; by its number alone, that of who is on turn."""
    robot = view.own(word) if word.isdigit() else word.upper()
    if robot not in view.board.robots:
        return
    owner = view.board.owner_of(robot)
    if robot not in view.cells:
        yield f"Robot {robot} of {owner} is out of the game: its number names nothing any more (goal.8)."
        return
    stands = f"is on {view.cells[robot]} and points {view.arrows[robot]}"
    yield f"Robot {robot} of {owner} {stands}; one step {_led(view, chain_of(view, robot))} (auto.5, control.5)."


def _led(view: State, chain: Chain) -> str:
    """Where a step along its arrow leads a robot, whom it pushes, and who leaves the game by it."""
    (_, onto), *pushed = chain
    front, last = chain[-1]
    to = "leads over the edge" if onto == OFF else f"leads to {onto}"
    moved = f" and pushes {', '.join(robot for robot, _ in pushed)}" if pushed else ""
    gone = f"; {front} leaves the game" if last == OFF or last in view.goals else ""
    return f"{to}{moved}{gone}"


def _cells(view: State, word: str) -> Iterator[str]:
    if word in view.goals:
        seat = view.goals[word]
        yield f"{word} is {seat}'s goal: who comes onto it leaves the game and counts for {seat} (goal.3, goal.4)."
    elif word in view.board.cells:
        robot = view.occupant(word)
        yield f"A cell, {word}: {f'{robot} stands there' if robot else 'empty'} (bump.1, bump.4)."


def _things(view: State, word: str) -> Iterator[str]:
    if word in ("goal", "goals"):
        yield from (f"{cell} is {seat}'s goal (goal.3, goal.4)." for cell, seat in view.goals.items())
    if word in ("arrow", "arrows"):
        yield "An arrow points to one of the six cells beside it: N, NE, SE, S, SW or NW (setup.7)."
    if word in ("die", "dice"):
        yield "A die names one's own robot of that number, and buys it a turn or a step (dice.2, control.1)."
