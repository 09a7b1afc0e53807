"""What a successful attack does: zombies die, players lose health (attack.6, attack.10, supply.health.3)."""

from __future__ import annotations

from referee.engine.event import Script
from referee.games.zombies import hordes
from referee.games.zombies.events import Hurt, ZombieHeroKilled, ZombieKilled
from referee.games.zombies.sequence import fade
from referee.games.zombies.state import Player, State


def strike(state: State, by: str, square: str, damage: int) -> Script[State]:
    """A zombie on this square is killed whatever its level; a player there loses health."""
    if square in state.zombies:
        state = yield ZombieKilled(square, state.zombies[square])
        return (yield from hordes.settle(state))
    struck = state.standing.get(square)
    return (yield from hurt(state, struck, damage, by)) if struck else state


def hurt(state: State, player: Player, damage: int, by: str = "") -> Script[State]:
    """Health never falls below 0, the red heart (ruling.damage-floor): further hits change nothing
    (ruling.red-heart-between), and he may finish a turn of his own (ruling.red-heart-actions).
    """
    left = max(0, player.health - damage)
    if left == player.health:
        return state
    state = yield Hurt(player.hero, player.health - left, left)
    if player.is_zombie and not left:
        state = yield from kill(state, player, by)
    return state


def kill(state: State, player: Player, by: str) -> Script[State]:
    """The zombie hero's player is out, his horde obeys the tokens, his cards stay for the killer
    (ruling.zhero-killed).
    """
    level = player.at[0]
    state = yield ZombieHeroKilled(player.hero, player.at, player.supplies, by)
    state = yield from hordes.settle(state)
    return (yield from fade(state, level))
