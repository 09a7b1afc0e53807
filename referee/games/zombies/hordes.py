"""Hordes: what hangs together with a zombie hero belongs to him, and what is cut off does not. They move with him, as
far as he may, through their own ranks, and are one unit afterwards (zhero.horde.1 to zhero.horde.6, zhero.move.1 to
zhero.move.5, ruling.horde-move).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from referee.engine.event import Event, Script
from referee.engine.once import latest
from referee.engine.order import settle as carry_out
from referee.games.zombies.board import Squares, kings_moves
from referee.games.zombies.components import HeroId
from referee.games.zombies.crowd import Crowd
from referee.games.zombies.ground import Ground
from referee.games.zombies.marching import March
from referee.games.zombies.state import MOST_IN_HORDE, Player, State
from referee.games.zombies.tasks import Due, Join
from referee.games.zombies.tokens import drawable

Ways = Mapping[str, int]
"""The squares that each zombie of a horde can get to."""
ANYWHERE = -1
"""The set of all squares."""


# What happens


class Joined(Event, frozen=True, tag="joined"):
    """Free zombies belong to a zombie hero's horde now (zhero.horde.1)."""

    hero: HeroId
    squares: Squares

    def tell(self) -> str:
        """Who joins."""
        return f"{' '.join(self.squares)} join{'s' if len(self.squares) == 1 else ''} {self.hero}'s horde."

    def apply(self, state: State) -> State:
        """Count them to it."""
        horde = state.board.in_order((*state.players[self.hero].horde, *self.squares))
        return state.with_player(self.hero, horde=horde)


class Parted(Event, frozen=True, tag="parted"):
    """Zombies cut off from their zombie hero are free (zhero.horde.5)."""

    hero: HeroId
    squares: Squares

    def tell(self) -> str:
        """Who is free."""
        return (
            f"{' '.join(self.squares)} {'is' if len(self.squares) == 1 else 'are'} cut off from {self.hero} and free."
        )

    def apply(self, state: State) -> State:
        """They no longer belong to his horde."""
        left = tuple(square for square in state.players[self.hero].horde if square not in self.squares)
        return state.with_player(self.hero, horde=left)


# What hangs together


def linked(state: State, start: int, within: int) -> int:
    """Of some squares those that hang together with these: by touching, or by a stair (ruling.horde-unit,
    ruling.stairs-horde).
    """
    return _linked(state.ground, start, within)


@lru_cache(maxsize=1_000)
def _linked(ground: Ground, start: int, within: int) -> int:
    """Cached, since it is asked after every action, and most hordes have not moved meanwhile."""
    found = fresh = start
    while fresh:
        fresh = ground.joined(fresh) & within & ~found
        found |= fresh
    return found


def settle(state: State) -> Script[State]:
    """Do whatever hordes are to come to now."""
    return carry_out(state, loose_end)


def loose_end(state: State) -> Event | None:
    """Whoever moved, was killed or placed: zombies cut off are free, and free ones in contact join, such as a zombie
    hero has just drawn (zhero.horde.1, zhero.horde.5, ruling.horde-join, zhero.token.6). None: all is settled.

    Those of another zombie hero never do (zhero.horde.2). A group of free zombies in the middle of its move goes to its
    end first, since it moves as one (zombie.group.2).
    """
    if not state.zombie_heroes or (isinstance(state.task, March) and state.task.target):
        return None
    parted, joining = _loose(state.ground, state.crowd, state.dead)
    if parted:
        hero, gone = parted[0]
        return Parted(hero, state.board.names(gone))
    return next(filter(None, (_joining(state, hero, found) for hero, found in joining)), None)


Loose = tuple[tuple[HeroId, int], ...]
"""Zombie heroes, and zombies that are to leave or to join their hordes."""


@latest
def _loose(ground: Ground, crowd: Crowd, dead: int) -> tuple[Loose, Loose]:
    """Zombies of hordes that are cut off, and free ones that hang together with hordes that have room."""
    parted, joining, wild = [], [], dead & ~crowd.led
    for player in crowd.zombie_heroes:
        own = crowd.units[player.hero]
        if player.horde and (gone := own & ~_linked(ground, crowd.board.bit[player.at], own)):
            parted.append((player.hero, gone))
        if len(player.horde) < MOST_IN_HORDE and ground.touching(own) & wild:
            joining.append((player.hero, _linked(ground, own, own | wild) & ~own))
    return tuple(parted), tuple(joining)


def _joining(state: State, hero: str, found: int) -> Event | None:
    """As many as there is room for: with too many, the zombie hero's player picks (ruling.horde-limit-join)."""
    if found.bit_count() <= MOST_IN_HORDE - len(state.players[hero].horde):
        return Joined(hero, state.board.names(found))
    if any(isinstance(task, Join) and task.by == hero for task in state.agenda):
        return None
    return Due((Join(by=hero, zombies=state.board.names(found)),))


# How a horde moves


def passable(state: State, player: Player) -> int:
    """Squares that a zombie hero and his horde can pass: free ones, and those of their own ranks."""
    return state.free | state.units[player.hero]


def reached(state: State, player: Player, start: str, steps: int, halts: int = 0) -> int:
    """Squares up to so many steps away; on `halts` a way ends."""
    return _reached(state, start, steps, passable(state, player), halts)


def _reached(state: State, start: str, steps: int, entered: int, halts: int) -> int:
    diagonal = bool(state.mutated(start[0], "diagonal"))
    return _flooded(state.ground, state.board.bit[start], steps, entered, halts, diagonal)


@lru_cache(maxsize=1_000)
def _flooded(ground: Ground, start: int, steps: int, entered: int, halts: int, diagonal: bool) -> int:
    """Step by step: sideways, up or down, or by a stair; under a movement mutation diagonally too (zhero.move.4,
    zhero.move.5, mutation.6, ruling.level-links). Cached, since the list, the verdict and the move itself ask the same.
    """
    spread = ground.joined if diagonal else ground.next_to
    found = fresh = start
    for _ in range(steps):
        fresh = spread(fresh) & entered & ~found
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


def goals(state: State, player: Player, steps: int, among: int = ANYWHERE) -> int:
    """Squares to which the zombie hero can go so that his horde can follow; his own one, where he stays, included.

    Only those `among` some squares are found out.
    """
    own = state.board.bit[player.at]
    squares = reached(state, player, player.at, steps, halts(state, player)) & among & ~own
    if squares and player.horde:
        squares = _followed(state, player, squares, ways_of(state, player, steps))
    return squares | (own & among)


def _followed(state: State, player: Player, squares: int, ways: Ways) -> int:
    """Of some squares those to which the horde can follow."""
    roomy = squares & _roomy(state, ways)
    others = state.board.names(squares & ~roomy)
    return roomy | state.board.set_of(square for square in others if can_follow(state, player, square, ways))


def _roomy(state: State, ways: Ways) -> int:
    """Squares to which any horde that has these ways can follow: each of its zombies can get to more squares than there
    are zombies, and they hang together there. However others fill them up, one that touches them is still open.
    """
    found = ANYWHERE
    for way in ways.values():
        found &= way | state.ground.joined(way) if way.bit_count() > len(ways) else 0
    return found


def ways_of(state: State, player: Player, steps: int) -> Ways:
    """Where each zombie of the horde can go while its zombie hero moves (ruling.horde-move)."""
    entered = passable(state, player)
    return {zombie: _reached(state, zombie, steps, entered, 0) for zombie in player.horde}


def can_follow(state: State, player: Player, square: str, ways: Ways) -> bool:
    """Whether the horde can be one unit with its zombie hero on this square: as it stands, or arranged anew."""
    horde, goal = state.horde_of(player), state.board.bit[square]
    near = state.ground.joined_to(goal) & horde
    stands = near and not horde & goal and linked(state, goal, goal | horde) == goal | horde
    return bool(stands) or _arranged(state, player, square, ways) is not None


def arranged(state: State, player: Player, square: str, ways: Ways) -> dict[str, str] | None:
    """Where the horde follows to: everybody as near to the zombie hero as there is room, the nearest first; where that
    leaves somebody behind, those who still hang together with him stay. None: it cannot follow.
    """
    found = _arranged(state, player, square, ways)
    return None if found is None else {zombie: state.board.name_of(place) for zombie, place in found.items()}


def _arranged(state: State, player: Player, square: str, ways: Ways) -> dict[str, int] | None:
    goal, bit = state.board.bit[square], state.board.bit
    order = sorted(player.horde, key=lambda zombie: _gap(zombie, square))
    found = _filled(state, player, order, goal, {}, ways, square)
    if found is None:
        horde = state.horde_of(player) & ~goal
        staying = linked(state, goal, goal | horde) & horde
        stay = {zombie: bit[zombie] for zombie in state.board.names(staying)}
        found = _filled(state, player, order, goal | staying, stay, ways, square)
    return found


def _filled(
    state: State, player: Player, order: Iterable[str], unit: int, placed: dict[str, int], ways: Ways, goal: str
) -> dict[str, int] | None:
    """Put every zombie that has no place yet on the square nearest to the goal that touches the unit."""
    room, rim, rings = passable(state, player) & ~unit, state.ground.joined(unit), state.board.rings(goal)
    left = [zombie for zombie in order if zombie not in placed]
    while left:
        beside = rim & room
        for zombie in left:
            if open_ := ways[zombie] & beside:
                break
        else:
            return None
        place = placed[zombie] = _nearest(open_, rings)
        left.remove(zombie)
        room ^= place
        rim |= state.ground.joined_to(place)
    return placed


def _nearest(squares: int, rings: Iterable[int]) -> int:
    """Of a set of squares the first in reading order in the nearest of these rings; where they are in none, of all."""
    for ring in rings:
        if near := squares & ring:
            return near & -near
    return squares & -squares


def _gap(square: str, goal: str) -> int:
    """How far two squares are apart; another level is farther than anything."""
    return kings_moves(square, goal) if square[0] == goal[0] else 100


def is_unit(state: State, player: Player, horde: int) -> bool:
    """Whether zombies on these squares hang together with their zombie hero (zhero.horde.4, ruling.horde-unit)."""
    hero = state.board.bit[player.at]
    return linked(state, hero, hero | horde) == hero | horde


def can_do_without(state: State, player: Player, zombie: str) -> bool:
    """Whether the rest of a horde hangs together without one of its zombies: mostly those next to it tell."""
    horde, square = state.horde_of(player), state.board.bit[zombie]
    near = state.ground.joined_to(square) & state.units[player.hero]
    if linked(state, near & -near, near) == near and is_unit(state, player, horde):
        return True
    return is_unit(state, player, horde & ~square)
