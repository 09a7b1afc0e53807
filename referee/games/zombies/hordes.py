"""The members of hordes: free zombies in contact with a horde join it, and zombies cut off from it become free
(zhero.horde.1 to zhero.horde.6).
"""

from referee.engine.caching import cache_latest
from referee.engine.event import Event, Script
from referee.engine.turn_order import settle_tasks as carry_out
from referee.games.zombies.board import Squares
from referee.games.zombies.components import HeroId
from referee.games.zombies.derived_facts import SquareSets
from referee.games.zombies.ground import Ground, find_connected_squares, is_connected_set
from referee.games.zombies.marching import MarchTask
from referee.games.zombies.state import MAX_HORDE_SIZE, State
from referee.games.zombies.tasks import ChooseJoiningZombiesTask, TasksAdded

# What happens


class ZombiesJoined(Event, frozen=True, tag="joined"):
    """Free zombies have joined the horde of a zombie hero (zhero.horde.1)."""

    hero: HeroId
    squares: Squares

    def tell(self) -> str:
        """Tells which zombies join."""
        return f"{' '.join(self.squares)} join{'s' if len(self.squares) == 1 else ''} {self.hero}'s horde."

    def apply(self, state: State) -> State:
        """Adds the zombies to the horde."""
        horde = state.board.sort_squares((*state.players[self.hero].horde, *self.squares))
        return state.change_player(self.hero, horde=horde)


class ZombiesCutOff(Event, frozen=True, tag="parted"):
    """Zombies cut off from their zombie hero are free (zhero.horde.5)."""

    hero: HeroId
    squares: Squares

    def tell(self) -> str:
        """Tells which zombies are free."""
        return (
            f"{' '.join(self.squares)} {'is' if len(self.squares) == 1 else 'are'} cut off from {self.hero} and free."
        )

    def apply(self, state: State) -> State:
        """Takes the zombies out of the horde."""
        left = tuple(square for square in state.players[self.hero].horde if square not in self.squares)
        return state.change_player(self.hero, horde=left)


class NobodyJoins(Event, frozen=True, tag="nobody-joins"):
    """No zombie is left to choose: the candidates have joined another horde, or no longer touch this one
    (zhero.horde.2).
    """

    told = "No zombie is left that could join {hero}'s horde."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Ends the task of choosing zombies that join."""
        return state.remove_first_task()


# Joining and leaving


def settle_hordes(state: State) -> Script[State]:
    """Yields all changes of hordes that are due now, until nobody has to leave or join any more."""
    return carry_out(state, find_next_horde_change)


def find_next_horde_change(state: State) -> Event | None:
    """Returns the next change of hordes after a move, a kill or a placement; None if there is none.

    Zombies that are cut off become free. Free zombies in contact with a horde join it, such as those that a zombie hero
    has just drawn (zhero.horde.1, zhero.horde.5, ruling.horde-join, zhero.token.6). Zombies of another horde never do
    (zhero.horde.2). A group of free zombies in the middle of its move finishes it first, since it moves as one
    (zombie.group.2).
    """
    if not state.zombie_heroes:
        return None
    task = state.task
    if isinstance(task, MarchTask) and task.target:
        return None
    if isinstance(task, ChooseJoiningZombiesTask) and not list_joining_candidates(state, task):
        return NobodyJoins(task.by)
    parted, joining = _find_partings_and_joinings(state.square_sets)
    if parted:
        hero, gone = parted[0]
        return ZombiesCutOff(hero, state.board.list_squares(gone))
    return next(filter(None, (_find_joining(state, hero, found) for hero, found in joining)), None) if joining else None


HordeChanges = tuple[tuple[HeroId, int], ...]
"""Pairs of a zombie hero and the squares whose zombies leave or join the horde, as a set of bits."""


@cache_latest
def _find_partings_and_joinings(squares: SquareSets) -> tuple[HordeChanges, HordeChanges]:
    """Returns the zombies that are cut off from their hordes, and the free zombies that can join hordes.

    Each group stands with the zombie hero of its horde. Free zombies join a horde with room for more if they touch it,
    directly or through other free zombies.
    """
    ground, players, wild = squares.ground, squares.player_facts, squares.free_zombie_squares
    parted, joining = [], []
    for player in players.zombie_heroes:
        own = players.unit_squares_by_hero[player.hero]
        if player.horde and (
            gone := own
            & ~find_connected_squares(
                ground.find_adjacent_squares_with_stairs, ground.board.square_bits[player.at], own
            )
        ):
            parted.append((player.hero, gone))
        if len(player.horde) < MAX_HORDE_SIZE and ground.find_adjacent_squares_with_stairs(own) & wild:
            joining.append(
                (player.hero, find_connected_squares(ground.find_adjacent_squares_with_stairs, own, own | wild) & ~own)
            )
    return tuple(parted), tuple(joining)


def _find_joining(state: State, hero: str, found: int) -> Event | None:
    """Returns the event by which the zombies on the squares `found` join a horde.

    If there are too many, the zombie hero's player has to choose among them (ruling.horde-limit-join). Returns None if
    the task of choosing is due already.
    """
    if found.bit_count() <= MAX_HORDE_SIZE - len(state.players[hero].horde):
        return ZombiesJoined(hero, state.board.list_squares(found))
    if any(isinstance(task, ChooseJoiningZombiesTask) and task.by == hero for task in state.agenda):
        return None
    return TasksAdded((ChooseJoiningZombiesTask(by=hero, zombies=state.board.list_squares(found)),))


def list_joining_candidates(state: State, task: ChooseJoiningZombiesTask) -> tuple[str, ...]:
    """Returns the zombies of the task that are still free and in contact with the horde (ruling.horde-limit-join)."""
    own = state.unit_squares_by_hero[task.by]
    within = state.board.make_set(task.zombies) & state.free_zombie_squares
    return state.board.list_squares(state.ground.find_adjacent_squares_with_stairs(own) & within)


def is_horde_connected_without(ground: Ground, hero: int, unit: int, *gone: int) -> bool:
    """True if a zombie hero and their horde are still one unit without the zombies `gone`.

    Usually a look at the neighbours of these zombies is enough to tell.
    """
    near = 0
    for zombie in gone:
        unit ^= zombie
        near |= ground.adjacent_squares_with_stairs_by_length[zombie.bit_length()]
    return (
        is_connected_set(ground.adjacent_squares_with_stairs_by_length, near & unit)
        or find_connected_squares(ground.find_adjacent_squares_with_stairs, hero, unit) == unit
    )


def find_bridging_squares(ground: Ground, squares: int, room: int) -> int:
    """Returns the squares of `room` on which one more figure would connect all separate parts of the set `squares`."""
    while squares and room:
        part = find_connected_squares(ground.find_adjacent_squares_with_stairs, squares & -squares, squares)
        squares ^= part
        room &= ground.find_adjacent_squares_with_stairs(part)
    return room
