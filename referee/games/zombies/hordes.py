"""Hordes: what hangs together with a zombie hero belongs to him, and what is cut off does not."""

from __future__ import annotations

from functools import lru_cache

from referee.engine.event import Script
from referee.games.zombies.ground import Ground
from referee.games.zombies.state import MOST_IN_HORDE, Player, State
from referee.games.zombies.tasks import Join, March
from referee.games.zombies.turn_events import Due
from referee.games.zombies.zombie_events import Joined, Parted


def linked(state: State, start: int, within: int) -> int:
    """Of some squares those that hang together with these: by touching, or by a stair (ruling.horde-unit,
    ruling.stairs-horde).
    """
    return _linked(state.ground, start, within)


@lru_cache(maxsize=1_000)
def _linked(ground: Ground, start: int, within: int) -> int:
    """Kept, since it is asked after every action, and most hordes have not moved meanwhile."""
    found = fresh = start
    while fresh:
        fresh = ground.joined(fresh) & within & ~found
        found |= fresh
    return found


def settle(state: State) -> Script[State]:
    """Whoever moved, was killed or placed: zombies cut off are free, and free ones in contact join, such as a zombie
    hero has just drawn (zhero.horde.1, zhero.horde.5, ruling.horde-join, zhero.token.6).

    Those of another zombie hero never do (zhero.horde.2). A group of free zombies in the middle of its move goes to its
    end first, since it moves as one (zombie.group.2).
    """
    if isinstance(state.task, March) and state.task.target:
        return state
    for each in state.zombie_heroes:
        if gone := _parted(state, each):
            state = yield Parted(each.hero, state.board.names(gone))
    for each in state.zombie_heroes:
        if _touched(state, each):
            state = yield from _join(state, each)
    return state


def _parted(state: State, player: Player) -> int:
    """Zombies of a horde that are cut off from their zombie hero."""
    own = state.units[player.hero]
    return own & ~linked(state, state.board.bit[player.at], own) if player.horde else 0


def _touched(state: State, player: Player) -> int:
    """Free zombies that touch a horde, its zombie hero included."""
    return state.ground.touching(state.units[player.hero]) & state.wild


def _join(state: State, player: Player) -> Script[State]:
    """As many as there is room for: with too many, the zombie hero's player picks (ruling.horde-limit-join)."""
    own = state.units[player.hero]
    found = linked(state, own, own | state.wild) & ~own
    room = MOST_IN_HORDE - len(player.horde)
    if not room:
        return state
    if found.bit_count() <= room:
        return (yield Joined(player.hero, state.board.names(found)))
    if not any(isinstance(task, Join) and task.by == player.hero for task in state.agenda):
        state = yield Due((Join(by=player.hero, zombies=state.board.names(found)),))
    return state
