"""Hordes: what hangs together with a zombie hero belongs to him, and what is cut off does not (zhero.horde.1 to
zhero.horde.6).
"""

from referee.engine.event import Event, Script
from referee.engine.once import latest
from referee.engine.order import settle as carry_out
from referee.games.zombies.board import Squares
from referee.games.zombies.components import HeroId
from referee.games.zombies.crowd import Field
from referee.games.zombies.ground import Ground, is_linked, linked
from referee.games.zombies.marching import March
from referee.games.zombies.state import MOST_IN_HORDE, State
from referee.games.zombies.tasks import Join, TasksAdded

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


class NobodyJoins(Event, frozen=True, tag="nobody-joins"):
    """Those who were to be chosen among have gone to another horde, or are out of touch (zhero.horde.2)."""

    told = "Nobody is left who could join {hero}'s horde."
    hero: HeroId

    def apply(self, state: State) -> State:
        """It has been settled."""
        return state.done()


# What hangs together


def settle(state: State) -> Script[State]:
    """Do whatever hordes are to come to now."""
    return carry_out(state, loose_end)


def loose_end(state: State) -> Event | None:
    """Whoever moved, was killed or placed: zombies cut off are free, and free ones in contact join, such as a zombie
    hero has just drawn (zhero.horde.1, zhero.horde.5, ruling.horde-join, zhero.token.6). None: all is settled.

    Those of another zombie hero never do (zhero.horde.2). A group of free zombies in the middle of its move goes to its
    end first, since it moves as one (zombie.group.2).
    """
    if not state.zombie_heroes:
        return None
    task = state.task
    if isinstance(task, March) and task.target:
        return None
    if isinstance(task, Join) and not candidates(state, task):
        return NobodyJoins(task.by)
    parted, joining = _loose(state.field)
    if parted:
        hero, gone = parted[0]
        return Parted(hero, state.board.names(gone))
    return next(filter(None, (_joining(state, hero, found) for hero, found in joining)), None) if joining else None


Loose = tuple[tuple[HeroId, int], ...]
"""Zombie heroes, and zombies that are to leave or to join their hordes."""


@latest
def _loose(field: Field) -> tuple[Loose, Loose]:
    """Zombies of hordes that are cut off, and free ones that hang together with hordes that have room."""
    ground, crowd, wild = field.ground, field.crowd, field.wild
    parted, joining = [], []
    for player in crowd.zombie_heroes:
        own = crowd.units[player.hero]
        if player.horde and (gone := own & ~linked(ground.joined, ground.board.bit[player.at], own)):
            parted.append((player.hero, gone))
        if len(player.horde) < MOST_IN_HORDE and ground.joined(own) & wild:
            joining.append((player.hero, linked(ground.joined, own, own | wild) & ~own))
    return tuple(parted), tuple(joining)


def _joining(state: State, hero: str, found: int) -> Event | None:
    """As many as there is room for: with too many, the zombie hero's player picks (ruling.horde-limit-join)."""
    if found.bit_count() <= MOST_IN_HORDE - len(state.players[hero].horde):
        return Joined(hero, state.board.names(found))
    if any(isinstance(task, Join) and task.by == hero for task in state.agenda):
        return None
    return TasksAdded((Join(by=hero, zombies=state.board.names(found)),))


def candidates(state: State, task: Join) -> tuple[str, ...]:
    """Of the zombies among which is chosen who joins a horde those that touch it by now (ruling.horde-limit-join)."""
    own = state.units[task.by]
    within = state.board.set_of(task.zombies) & state.wild
    return state.board.names(state.ground.joined(own) & within)


def can_do_without(ground: Ground, hero: int, unit: int, *gone: int) -> bool:
    """Whether a zombie hero and a horde that hangs together with him still do without some of its zombies: mostly those
    next to them tell.
    """
    near = 0
    for zombie in gone:
        unit ^= zombie
        near |= ground.joins[zombie.bit_length()]
    return is_linked(ground.joins, near & unit) or linked(ground.joined, hero, unit) == unit


def uniting(ground: Ground, squares: int, room: int) -> int:
    """Returns the squares of `room` that touch every part into which some squares fall."""
    while squares and room:
        part = linked(ground.joined, squares & -squares, squares)
        squares ^= part
        room &= ground.joined(part)
    return room
