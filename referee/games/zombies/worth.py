"""A rough estimate of a view for bots: life, health, cards, and the distance to a rescue.

A hero is expected to collect a few survivors and then to go to the helipad. Attacks that the hero has left lower the
danger from zombies.
"""

from __future__ import annotations

from math import sqrt, tanh

from referee.engine.event import Seat
from referee.games.zombies.player import Player
from referee.games.zombies.state import State
from referee.games.zombies.victory import find_helipad

ALIVE = 0.5
"""The worth of a hero compared with a zombie hero."""
HEALTH = 0.2
"""The worth of the first point of health. Each further one is worth less, so a healthy hero dares more."""
BITE = 0.4
"""The points of health that a zombie beside a hero is expected to take."""
BITE_SOON = 0.3
"""The part of `BITE` that a zombie one step farther away is expected to take."""
HIT = 0.35
"""The part of the zombies beside a hero that each attack left is expected to kill."""
SURVIVOR, SUPPLY, BURDEN = 0.04, 0.02, 0.04
"""The worth of a card of each kind. A burden lowers the estimate."""
SQUARE = 0.03
"""The worth of each square nearer to the goal."""
FARTHEST = 60
"""At this number of squares to a rescue, or more, the distance adds nothing to the worth."""
ENOUGH = 2
"""The number of survivors with which a hero goes to the helipad."""
SQUARES_PER_SURVIVOR = 17
"""The number of squares that each survivor still to be found counts for."""
CALM = 0.1
"""The worth of standing on the helipad without a zombie beside, when a rescue roll is allowed."""
STEEPNESS = 0.7
"""The steepness with which the estimate grows with the lead over the best of the others."""


def estimate_worth(view: State, seat: Seat) -> float:
    """Returns an estimate of a view for a seat: above -1 (lost) and below 1 (won). It is 0 without a hero."""
    player = view.players_by_seat.get(seat)
    if player is None:
        return 0.0
    side = view.list_team(player)
    own = sum(_estimate_own_worth(view, mate) for mate in side) / len(side)
    others = [_estimate_own_worth(view, other) for other in view.players.values() if other not in side]
    return tanh(STEEPNESS * (own - max(others, default=0.0)))


def _estimate_own_worth(view: State, player: Player) -> float:
    """Returns the worth of a player's own situation; 0 for a zombie hero."""
    if player.is_zombie:
        return 0.0
    held = SURVIVOR * len(player.survivors) + SUPPLY * len(player.supplies) - BURDEN * len(player.burdens)
    if not player.at:
        return ALIVE + HEALTH * sqrt(player.health) + held + SQUARE * (FARTHEST - SQUARES_PER_SURVIVOR * (ENOUGH + 1))
    health = max(0.0, player.health - _estimate_danger(view, player))
    calm = CALM * (
        view.board.square_bits[player.at] & find_helipad(view) != 0 and not view.find_enemies_near(player.at)
    )
    return (
        ALIVE * (player.health > 0)
        + HEALTH * sqrt(health)
        + held
        + calm
        + SQUARE * max(0, FARTHEST - _count_squares_to_go(view, player))
    )


def _estimate_danger(view: State, player: Player) -> float:
    """Returns the health that zombies near a player are expected to cost."""
    near = view.find_enemies_near(player.at)
    about = view.ground.touching(view.ground.near(player.at)) & view.threat_squares & ~near
    left = max(0.0, 1 - HIT * _count_attacks_left(view, player))
    return BITE * (left * near.bit_count() + BITE_SOON * about.bit_count())


def _count_attacks_left(view: State, player: Player) -> int:
    if not _is_acting(view, player) or not view.acts.may_attack:
        return 0
    return view.acts.attacks_in_sequence + view.acts.extra - view.acts.attacks - view.acts.works


def _is_acting(view: State, player: Player) -> bool:
    """True if it is the player's turn and they have not ended it."""
    return view.mover == player.seat and view.phase in ("start", "action")


def _count_squares_to_go(view: State, player: Player) -> int:
    """Returns an estimate of the squares that a hero still has to go for a rescue.

    It is the way to the nearest token for a survivor, and a fixed number of squares for each missing survivor. If none
    is missing, or no such token can be reached, the way to the helipad counts instead.
    """
    missing = max(0, ENOUGH - len(player.survivors))
    tokens = view.board.token_squares_by_kind["survivor"] & ~view.used_token_squares
    away = _count_steps_to_nearest(view, player.at, tokens) if missing else None
    if away is None:
        away = _count_steps_to_nearest(view, player.at, find_helipad(view)) or 0
    return away + SQUARES_PER_SURVIVOR * missing


def _count_steps_to_nearest(view: State, at: str, goals: int) -> int | None:
    """Returns the steps to the nearest of these squares over open ground, occupied or not; None without a way there."""
    reached = fresh = view.board.square_bits[at]
    steps = 0
    while fresh:
        if fresh & goals:
            return steps
        fresh = view.ground.joined(fresh) & ~(view.tile_squares | reached)
        reached, steps = reached | fresh, steps + 1
    return None
