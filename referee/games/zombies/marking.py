"""What is marked on the board when somebody asks: what is seen from a square, and how far a figure gets."""

from __future__ import annotations

from referee.engine.scene import NoPlaceError, Overlay
from referee.games.zombies import herding, reaching
from referee.games.zombies.marching import steps_from
from referee.games.zombies.moving import steps_with
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import Go

HIGHEST = 6
"""What the die shows at most."""


def overlay(state: State, name: Overlay, of: str) -> tuple[str, ...]:
    """Squares in sight of a square or a player's figure, or in its reach; NoPlaceError where there is none."""
    player = state.players.get(of.upper())
    square = player.at if player else next((each for each in state.board.index if each.lower() == of.lower()), "")
    if not square:
        raise NoPlaceError(f"there is no square {of}, and nobody called so stands on the board")
    if name == "sight":
        return _seen(state, square)
    return _reached(state, state.standing.get(square), square)


def _seen(state: State, square: str) -> tuple[str, ...]:
    """Open squares of the level in line of sight (zombie.los.1)."""
    level = state.board.names(state.level_of(square) & state.ground.floor)
    return tuple(other for other in level if other != square and state.sees(square, other))


def _reached(state: State, player: Player | None, square: str) -> tuple[str, ...]:
    """Where a figure can end its move: with the die that was thrown, else with the highest (move.1, zhero.move.1). A
    free zombie goes one step (zombie.move.3).
    """
    if player is None:
        if square not in state.zombies:
            raise NoPlaceError(f"no figure stands on {square}")
        return state.board.names(steps_from(state, state.board.bit[square]) & state.free)
    task = state.task if isinstance(state.task, Go) and state.task.by == player.hero else None
    task = task or Go(by=player.hero, steps=steps_with(state, player, HIGHEST))
    found = herding.goals(state, player, task.steps) if player.is_zombie else reaching.goals(state, player, task)
    return state.board.names(found & ~state.board.bit[square])
