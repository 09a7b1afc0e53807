"""A rule of thumb for bots: who lives, how much he can bear, and how far he is from being rescued.

A hero collects a few survivors and then goes to the helipad. Attacks that he has left count by their chance.
"""

from __future__ import annotations

from math import sqrt, tanh

from referee.engine.event import Seat
from referee.games.zombies.player import Player
from referee.games.zombies.state import State
from referee.games.zombies.victory import helipad

ALIVE = 0.5
"""What a hero is worth beside a zombie hero."""
HEALTH = 0.2
"""What the first point of health is worth; each further one is worth less, so that who is well dares more."""
BITE = 0.4
"""Health that a zombie beside a hero costs; one a step farther off as much less as SOON says."""
SOON = 0.3
HIT = 0.35
"""Part of the zombies beside him that each attack he has left rids him of."""
SURVIVOR, SUPPLY, BURDEN = 0.04, 0.02, 0.04
SQUARE = 0.03
"""What each square nearer to where he goes is worth."""
FAR = 60
"""Squares before him with which he is worth no more than that he lives."""
ENOUGH = 2
"""Survivors with whom he goes to the helipad."""
LEG = 17
"""Squares as which the way to each survivor counts that he has still to find."""
CALM = 0.1
"""What it is worth to stand on the helipad with no zombie beside one, where a throw for rescue is allowed."""
EVEN = 0.7
"""How fast winning grows with what one is ahead of the best of the others."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    player = view.by_seat.get(seat)
    if player is None:
        return 0.0
    side = view.team_of(player)
    own = sum(_own(view, mate) for mate in side) / len(side)
    others = [_own(view, other) for other in view.players.values() if other not in side]
    return tanh(EVEN * (own - max(others, default=0.0)))


def _own(view: State, player: Player) -> float:
    """What lies before a player is worth."""
    if player.is_zombie:
        return 0.0
    held = SURVIVOR * len(player.survivors) + SUPPLY * len(player.supplies) - BURDEN * len(player.burdens)
    if not player.at:
        return ALIVE + HEALTH * sqrt(player.health) + held + SQUARE * (FAR - LEG * (ENOUGH + 1))
    health = max(0.0, player.health - _danger(view, player))
    calm = CALM * (view.board.bit[player.at] & helipad(view) != 0 and not view.enemies_near(player.at))
    return (
        ALIVE * (player.health > 0)
        + HEALTH * sqrt(health)
        + held
        + calm
        + SQUARE * max(0, FAR - _squares_to_go(view, player))
    )


def _danger(view: State, player: Player) -> float:
    """Health that the zombies about him may cost."""
    near = view.enemies_near(player.at)
    about = view.ground.touching(view.ground.near(player.at)) & view.threats & ~near
    left = max(0.0, 1 - HIT * _attacks_left(view, player))
    return BITE * (left * near.bit_count() + SOON * about.bit_count())


def _attacks_left(view: State, player: Player) -> int:
    if not _is_acting(view, player) or not view.acts.may_attack:
        return 0
    return view.acts.slots + view.acts.extra - view.acts.attacks - view.acts.works


def _is_acting(view: State, player: Player) -> bool:
    """Whether it is his turn, and he has not yet ended it."""
    return view.mover == player.seat and view.phase in ("start", "action")


def _squares_to_go(view: State, player: Player) -> int:
    """Squares that lie before him until he may be rescued: to the next survivor, or with enough to the helipad."""
    missing = max(0, ENOUGH - len(player.survivors))
    tokens = view.board.token_sets["survivor"] & ~view.covered
    away = _away(view, player.at, tokens) if missing else None
    if away is None:
        away = _away(view, player.at, helipad(view)) or 0
    return away + LEG * missing


def _away(view: State, at: str, goals: int) -> int | None:
    """Squares to the nearest of these over open ground, whoever stands there; None where there is no way."""
    reached = fresh = view.board.bit[at]
    steps = 0
    while fresh:
        if fresh & goals:
            return steps
        fresh = view.ground.joined(fresh) & ~(view.barred | reached)
        reached, steps = reached | fresh, steps + 1
    return None
