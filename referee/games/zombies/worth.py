"""A rough estimate of a view for bots: life, health, cards, and the distance to a rescue.

A hero is expected to collect a few survivors and then to go to the helipad. Attacks that the hero has left lower the
danger from zombies.
"""

from __future__ import annotations

from math import sqrt, tanh

from referee.engine.event import Seat
from referee.games.zombies.player import Player
from referee.games.zombies.state import State
from referee.games.zombies.victory import find_helipad_squares

HERO_WORTH = 0.5
"""The worth of a hero compared with a zombie hero."""
FIRST_HEALTH_WORTH = 0.2
"""The worth of the first point of health. Each further one is worth less, so a healthy hero dares more."""
HEALTH_LOSS_PER_ZOMBIE = 0.4
"""The points of health that a zombie beside a hero is expected to take."""
LATER_LOSS_SHARE = 0.3
"""The part of `HEALTH_LOSS_PER_ZOMBIE` that a zombie one step farther away is expected to take."""
KILL_SHARE_PER_ATTACK = 0.35
"""The part of the zombies beside a hero that each attack left is expected to kill."""
SURVIVOR_WORTH, SUPPLY_WORTH, BURDEN_WORTH = 0.04, 0.02, 0.04
"""The worth of a card of each kind. A burden lowers the estimate."""
SQUARE_WORTH = 0.03
"""The worth of each square nearer to the goal."""
MAX_COUNTED_SQUARES = 60
"""At this number of squares to a rescue, or more, the distance adds nothing to the worth."""
SURVIVORS_WANTED = 2
"""The number of survivors with which a hero goes to the helipad."""
SQUARES_PER_SURVIVOR = 17
"""The number of squares that each survivor still to be found counts for."""
SAFE_HELIPAD_WORTH = 0.1
"""The worth of standing on the helipad without a zombie beside, when a rescue roll is allowed."""
LEAD_STEEPNESS = 0.7
"""The steepness with which the estimate grows with the lead over the best of the others."""


def estimate_worth(view: State, seat: Seat) -> float:
    """Returns an estimate of a view for a seat: above -1 (lost) and below 1 (won). It is 0 without a hero."""
    player = view.players_by_seat.get(seat)
    if player is None:
        return 0.0
    side = view.list_team(player)
    own = sum(_estimate_own_worth(view, mate) for mate in side) / len(side)
    others = [_estimate_own_worth(view, other) for other in view.players.values() if other not in side]
    return tanh(LEAD_STEEPNESS * (own - max(others, default=0.0)))


def _estimate_own_worth(view: State, player: Player) -> float:
    """Returns the worth of a player's own situation; 0 for a zombie hero."""
    if player.is_zombie:
        return 0.0
    held = (
        SURVIVOR_WORTH * len(player.survivors)
        + SUPPLY_WORTH * len(player.supplies)
        - BURDEN_WORTH * len(player.burdens)
    )
    if not player.at:
        return (
            HERO_WORTH
            + FIRST_HEALTH_WORTH * sqrt(player.health)
            + held
            + SQUARE_WORTH * (MAX_COUNTED_SQUARES - SQUARES_PER_SURVIVOR * (SURVIVORS_WANTED + 1))
        )
    health = max(0.0, player.health - _estimate_danger(view, player))
    calm = SAFE_HELIPAD_WORTH * (
        view.board.square_bits[player.at] & find_helipad_squares(view) != 0 and not view.find_threats_near(player.at)
    )
    return (
        HERO_WORTH * (player.health > 0)
        + FIRST_HEALTH_WORTH * sqrt(health)
        + held
        + calm
        + SQUARE_WORTH * max(0, MAX_COUNTED_SQUARES - _count_squares_to_go(view, player))
    )


def _estimate_danger(view: State, player: Player) -> float:
    """Returns the health that zombies near a player are expected to cost."""
    near = view.find_threats_near(player.at)
    about = (
        view.ground.find_adjacent_squares(view.ground.find_squares_adjacent_to(player.at)) & view.threat_squares & ~near
    )
    left = max(0.0, 1 - KILL_SHARE_PER_ATTACK * _count_attacks_left(view, player))
    return HEALTH_LOSS_PER_ZOMBIE * (left * near.bit_count() + LATER_LOSS_SHARE * about.bit_count())


def _count_attacks_left(view: State, player: Player) -> int:
    if not _is_acting(view, player) or not view.acts.has_attack_left:
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
    missing = max(0, SURVIVORS_WANTED - len(player.survivors))
    tokens = view.board.token_squares_by_kind["survivor"] & ~view.used_token_squares
    away = _count_steps_to_nearest(view, player.at, tokens) if missing else None
    if away is None:
        away = _count_steps_to_nearest(view, player.at, find_helipad_squares(view)) or 0
    return away + SQUARES_PER_SURVIVOR * missing


def _count_steps_to_nearest(view: State, at: str, goals: int) -> int | None:
    """Returns the steps to the nearest of these squares over open ground, occupied or not; None without a way there."""
    reached = fresh = view.board.square_bits[at]
    steps = 0
    while fresh:
        if fresh & goals:
            return steps
        fresh = view.ground.find_adjacent_squares_with_stairs(fresh) & ~(view.tile_squares | reached)
        reached, steps = reached | fresh, steps + 1
    return None
