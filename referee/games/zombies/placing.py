"""Zombies that cards bring: where they may be put, one by one (card.zombie.2 to card.zombie.6, horde.4, horde.5)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.event import Script
from referee.games.zombies.board import kings_moves
from referee.games.zombies.card_events import RestLost, ZombiePlaced
from referee.games.zombies.state import State
from referee.games.zombies.tasks import Place


def go_on(state: State, task: Place) -> Script[State]:
    """Without a figure or a square left the rest is not placed (ruling.shortage, ruling.zombie-deck-square)."""
    if task.count and state.spare_zombies(task.level) and squares_for(state, task):
        return state
    return (yield RestLost(task.by, task.level, task.count))


def squares_for(state: State, task: Place) -> int:
    """Squares on which the next zombie may be put."""
    reach = _reach(state, task) & state.free
    first = state.board.bit[task.at]
    if task.how == "spawn" and first & reach and not _closes(state, task, task.at):
        return first  # the first zombie goes on the action tile (card.zombie.3, ruling.spawn-first-taken)
    return state.board.set_of(square for square in state.board.names(reach) if not _closes(state, task, square))


def _reach(state: State, task: Place) -> int:
    """Squares near enough, and in sight where that is asked for, whoever stands there."""
    if task.how == "spawn":
        return state.ground.near(task.at) | state.board.bit[task.at]  # card.zombie.4
    if task.how == "turned":
        return state.ground.near(task.at)  # survivor.3
    around = state.ground.within(task.at, task.distance)
    if not task.in_sight:
        return around
    return state.board.set_of(square for square in state.board.names(around) if state.sees(task.at, square))


def _closes(state: State, task: Place, square: str) -> bool:
    """Whether a zombie there would close the last open side of a hero (card.zombie.6, horde.5, ruling.three-sides,
    ruling.three-sides-whom). Turned survivors may (ruling.infected-sides).
    """
    if task.how == "turned" and state.options["infected-sides"] == "no":
        return False
    here = state.board.bit[square]
    beside = state.ground.beside(here) & state.living
    return any(_open_sides(state, hero) == here for hero in state.board.names(beside))


def _open_sides(state: State, hero: str) -> int:
    sides = state.ground.beside(state.board.bit[hero])
    if state.options["three-sides"] == "zombies-only":
        return sides & ~state.dead
    return sides & state.free


def nearest(state: State, task: Place) -> str:
    """Where the next one goes when the referee places the rest: the nearest square, in reading order."""
    squares = state.board.names(squares_for(state, task))
    return min(squares, key=lambda square: kings_moves(task.at, square))


def placed(task: Place, square: str) -> Script[State]:
    """Put one zombie down."""
    return (yield ZombiePlaced(task.by, task.level, square, task.count - 1))


def why_not(state: State, task: Place, square: str) -> Iterator[tuple[str, str]]:
    """Every rule that keeps a zombie from a square, with the reason."""
    if square not in state.board.index or not state.board.bit[square] & state.ground.floor:
        yield "card.zombie.4", f"{square} is no open square"
        return
    if not state.board.bit[square] & state.free:
        yield "move.7", f"{square} is not free"
    if not _reach(state, task) & state.board.bit[square]:
        yield _too_far(task, square)
    elif _closes(state, task, square):
        yield "horde.5" if task.how == "horde" else "card.zombie.6", f"a hero beside {square} would have no open side"
    elif task.how == "spawn" and squares_for(state, task) == state.board.bit[task.at]:
        yield "card.zombie.3", f"the first zombie goes on the action tile, {task.at}"


def _too_far(task: Place, square: str) -> tuple[str, str]:
    if task.how != "horde":
        return "survivor.3" if task.how == "turned" else "card.zombie.4", f"{square} does not touch {task.at}"
    if square[0] != task.at[0] or kings_moves(task.at, square) > task.distance:
        return "horde.4", f"{square} is more than {task.distance} squares from {task.at}"
    return "horde.4", f"{square} is out of sight of {task.at}"
