"""How a horde moves with its zombie hero: as far as he may, through its own ranks, and one unit afterwards
(zhero.move.1 to zhero.move.5, zhero.horde.3, zhero.horde.4, ruling.horde-move).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.games.zombies.board import kings_moves
from referee.games.zombies.hordes import linked
from referee.games.zombies.reaching import drawable
from referee.games.zombies.state import Player, State

Ways = Mapping[str, int]
"""The squares that each zombie of a horde can get to."""


def passable(state: State, player: Player) -> int:
    """Squares that a zombie hero and his horde can pass: free ones, and those of their own ranks."""
    return state.free | state.board.set_of((player.at, *player.horde))


def reached(state: State, player: Player, start: str, steps: int, halts: int = 0) -> int:
    """Squares up to so many steps away; on `halts` a way ends."""
    return _flooded(state, start, steps, passable(state, player), halts)


def _flooded(state: State, start: str, steps: int, entered: int, halts: int) -> int:
    """Step by step: sideways, up or down, or by a stair; under a movement mutation diagonally too (zhero.move.4,
    zhero.move.5, mutation.6, ruling.level-links).
    """
    spread = state.ground.touching if state.mutated(start[0], "diagonal") else state.ground.beside
    found = fresh = state.board.bit[start]
    for _ in range(steps):
        fresh = (spread(fresh) | state.board.over_stairs(fresh)) & entered & ~found
        found |= fresh
        fresh &= ~halts
        if not fresh:
            break
    return found


def halts(state: State, player: Player) -> int:
    """Squares on which the zombie hero stops: next to or on tokens that he draws for; his zombies stop for none
    (zhero.token.1, zhero.token.2, ruling.horde-tokens).
    """
    tokens = drawable(state, player)
    return tokens | state.ground.touching(tokens)


def goals(state: State, player: Player, steps: int) -> int:
    """Squares to which the zombie hero can go so that his horde can follow; his own one, where he stays, included."""
    own = state.board.bit[player.at]
    squares = reached(state, player, player.at, steps, halts(state, player)) & ~own
    if not player.horde:
        return squares | own
    ways = ways_of(state, player, steps)
    found = (square for square in state.board.names(squares) if can_follow(state, player, square, ways))
    return state.board.set_of(found) | own


def may_go(state: State, player: Player, steps: int, square: str) -> bool:
    """Whether one square is among those goals."""
    if square == player.at:
        return True
    if not reached(state, player, player.at, steps, halts(state, player)) & state.board.bit[square]:
        return False
    return not player.horde or can_follow(state, player, square, ways_of(state, player, steps))


def ways_of(state: State, player: Player, steps: int) -> Ways:
    """Where each zombie of the horde can go while its zombie hero moves (ruling.horde-move)."""
    entered = passable(state, player)
    return {zombie: _flooded(state, zombie, steps, entered, 0) for zombie in player.horde}


def can_follow(state: State, player: Player, square: str, ways: Ways) -> bool:
    """Whether the horde can be one unit with its zombie hero on this square: as it stands, or arranged anew."""
    horde, goal = state.board.set_of(player.horde), state.board.bit[square]
    stands = not horde & goal and linked(state, goal, goal | horde) == goal | horde
    return stands or arranged(state, player, square, ways) is not None


def arranged(state: State, player: Player, square: str, ways: Ways) -> dict[str, str] | None:
    """Where the horde follows to: everybody as near to the zombie hero as there is room, the nearest first; where that
    leaves somebody behind, those who still hang together with him stay. None: it cannot follow.
    """
    goal = state.board.bit[square]
    order = sorted(player.horde, key=lambda zombie: _gap(zombie, square))
    found = _filled(state, player, order, goal, {}, ways, square)
    if found is None:
        horde = state.board.set_of(player.horde) & ~goal
        staying = linked(state, goal, goal | horde) & horde
        stay = {zombie: zombie for zombie in state.board.names(staying)}
        found = _filled(state, player, order, goal | staying, stay, ways, square)
    return found


def _filled(
    state: State, player: Player, order: Iterable[str], unit: int, placed: dict[str, str], ways: Ways, goal: str
) -> dict[str, str] | None:
    """Put every zombie that has no place yet on the square nearest to the goal that touches the unit."""
    room = passable(state, player) & ~unit
    left = [zombie for zombie in order if zombie not in placed]
    rim = state.ground.touching(unit) | state.board.over_stairs(unit)
    while left:
        zombie = next((zombie for zombie in left if ways[zombie] & rim & room), None)
        if zombie is None:
            return None
        place = _nearest(state, ways[zombie] & rim & room, goal)
        placed[zombie] = state.board.name_of(place)
        left.remove(zombie)
        room &= ~place
        rim |= state.ground.near(placed[zombie]) | state.board.over_stairs(place)
    return placed


def _nearest(state: State, squares: int, goal: str) -> int:
    """Of a set of squares the nearest to the goal, the first in reading order."""
    near = next((squares & ring for ring in state.board.rings(goal) if squares & ring), squares)
    return near & -near


def _gap(square: str, goal: str) -> int:
    """How far two squares are apart; another level is farther than anything."""
    return kings_moves(square, goal) if square[0] == goal[0] else 100


def is_unit(state: State, player: Player, horde: int) -> bool:
    """Whether zombies on these squares hang together with their zombie hero (zhero.horde.4, ruling.horde-unit)."""
    hero = state.board.bit[player.at]
    return linked(state, hero, hero | horde) == hero | horde
