"""A rule of thumb for bots: survivors and health, supplies, and the way to the helipad."""

from __future__ import annotations

from referee.engine.event import Seat
from referee.games.zombies.state import Player, State
from referee.games.zombies.victory import helipad

SURVIVOR, HEALTH, SUPPLY, BURDEN, KILL = 0.09, 0.03, 0.02, 0.04, 0.004
NEED = 4
"""Survivors with whom the way to the helipad is worth going."""
FAR = 60
"""Squares that are far off."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    player = view.by_seat.get(seat)
    if player is None:
        return 0.0
    others = [_own(view, other) for other in view.players.values() if other.seat != seat]
    return max(-1.0, min(1.0, _own(view, player) - 0.3 * max(others, default=0.0)))


def _own(view: State, player: Player) -> float:
    """What lies before a player is worth."""
    if not player.is_hero:
        return -0.3
    held = SURVIVOR * len(player.survivors) + SUPPLY * len(player.supplies) - BURDEN * len(player.burdens)
    return held + HEALTH * player.health - KILL * len(view.zombies) / 10 + 0.2 * _way(view, player)


def _way(view: State, player: Player) -> float:
    """How near he is to where he should go: the helipad once he has survivors, else the nearest token."""
    goals = helipad(view) if len(player.survivors) >= NEED else view.board.set_of(_open_tokens(view))
    away = _steps(view, player.at, goals)
    return 1 - away / FAR


def _open_tokens(view: State) -> tuple[str, ...]:
    return tuple(square for square in view.board.tokens if square not in view.used)


def _steps(view: State, at: str, goals: int) -> int:
    """Squares to the nearest of these, over open ground; FAR where there is no way."""
    reached = here = view.board.bit[at]
    for steps in range(FAR):
        if reached & goals:
            return steps
        here = view.ground.next_to(here) & view.board.floor & ~reached
        if not here:
            return FAR
        reached |= here
    return FAR
