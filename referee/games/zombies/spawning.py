"""Zombies that cards bring: the player who drew the card puts them on the board, one by one (card.zombie.5,
card.zombie.2 to card.zombie.6, horde.4, horde.5).
"""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.text import count_of
from referee.games.zombies.board import Square, measure_kings_moves
from referee.games.zombies.components import HeroId, ZombieLevel
from referee.games.zombies.notation import Reader
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import EventNumber, State, Task


class PlaceZombiesTask(Task, frozen=True, tag="place"):
    """Place zombies, one after another (card.zombie.2)."""

    rule: ClassVar[str] = "card.zombie.2"
    level: ZombieLevel
    count: Annotated[int, Meta(ge=0, le=40)]
    how: Literal["spawn", "horde", "turned"]
    """The squares to place on: around a token (card.zombie.3), at a distance (horde.4), or next to the hero
    (survivor.3).
    """
    at: Square
    """The square around which they are placed."""
    distance: Annotated[int, Meta(ge=0, le=20)] = 1
    in_sight: bool = False
    """True if only squares in sight of that square may be used."""

    @property
    def todo(self) -> str:
        """The task as a clause, with the number of zombies and their level."""
        return f"place {count_of(self.count, f'level {self.level} zombie')}"

    def make_forced_events(self, state: State) -> Event | None:
        """Returns the event that ends the task without placing the rest, if no figure or no square is left; else None
        (ruling.shortage, ruling.zombie-deck-square).
        """
        if self.count and can_place_zombie(state, self):
            return None
        return RestNotPlaced(self.by, self.level, self.count)


# What happens


class ZombiePlaced(Event, frozen=True, tag="zombie-placed"):
    """A zombie of a card stands on the board (card.zombie.2)."""

    hero: HeroId
    """The player who placed it."""
    level: ZombieLevel
    at: Square
    left: EventNumber
    """The number of zombies still to be placed."""

    def tell(self) -> str:
        """Tells where the zombie stands, and how many more there are."""
        return f"Put a level {self.level} zombie on {self.at}{f'; {self.left} more' if self.left else ''}."

    def apply(self, state: State) -> State:
        """Puts the zombie on the square. After the last one the task ends."""
        state = replace(state, zombies={**state.zombies, self.at: self.level})
        return state.change_first_task(count=self.left) if self.left else state.remove_first_task()


class RestNotPlaced(Event, frozen=True, tag="rest-lost"):
    """The zombies that are left are not placed, because no figure or no square is left (ruling.shortage,
    ruling.zombie-deck-square).
    """

    hero: HeroId
    level: ZombieLevel
    count: EventNumber

    def tell(self) -> str:
        """Tells how many are not placed."""
        return f"No room, or no figure: {count_of(self.count, f'level {self.level} zombie')} not placed."

    def apply(self, state: State) -> State:
        """Ends the task. The rest is not placed."""
        return state.remove_first_task()


# Where they may stand


def can_place_zombie(state: State, task: PlaceZombiesTask) -> bool:
    """True if there is a figure left, and a square for it."""
    return bool(state.count_spare_zombies(task.level) and find_placement_squares(state, task))


def find_placement_squares(state: State, task: PlaceZombiesTask) -> int:
    """Returns the squares on which the next zombie may be put.

    While a token's own square is free, the zombies of its card may be put on that square only.
    """
    found = _find_squares_near_enough(state, task) & state.empty_squares & ~_find_last_sides(state, task)
    first = state.board.square_bits[task.at]
    if task.how == "spawn" and first & found:
        return first  # the first zombie goes on the action tile (card.zombie.3, ruling.spawn-first-taken)
    return found


def _find_squares_near_enough(state: State, task: PlaceZombiesTask) -> int:
    """Returns the squares that are near enough to the task's square, occupied ones included.

    If the task asks for it, only squares in sight of the task's square are returned.
    """
    if task.how == "spawn":
        return state.ground.find_squares_adjacent_to(task.at) | state.board.square_bits[task.at]  # card.zombie.4
    if task.how == "turned":
        return state.ground.find_squares_adjacent_to(task.at)  # survivor.3
    around = state.ground.find_squares_within(task.at, task.distance)
    return state.find_squares_in_sight(task.at, around) if task.in_sight else around


def _find_last_sides(state: State, task: PlaceZombiesTask) -> int:
    """Returns the squares on which a zombie would close the last open side of a hero.

    No zombie may be placed there (card.zombie.6, horde.5, ruling.three-sides, ruling.three-sides-whom). Survivors who
    turn into zombies may close that side, unless the option `infected-sides` is "yes" (ruling.infected-sides). So for
    them the result is empty.
    """
    if task.how == "turned" and state.options["infected-sides"] == "no":
        return 0
    found = 0
    for hero in state.heroes:
        sides = _find_open_sides(state, hero.at)
        if sides.bit_count() == 1:
            found |= sides
    return found


SIDES_OF_SQUARE = 4
"""The sides of a square."""


def _find_open_sides(state: State, hero: str) -> int:
    """Returns the squares beside a hero that leave a side open; none if a side can never be closed.

    By default, everything on which no figure can be put closes a side. If the option `three-sides` is "zombies-only",
    only zombies do. Then a side at a wall stays open, and a side at the end of the map can never be closed.
    """
    if state.options["three-sides"] == "orthogonal":
        return state.ground.find_side_neighbours(state.board.square_bits[hero]) & state.empty_squares
    sides = state.board.find_squares_within_steps(hero)[1] & ~state.board.square_bits[hero]
    return sides & ~state.zombie_squares if sides.bit_count() == SIDES_OF_SQUARE else 0


def _find_next_square(state: State, task: PlaceZombiesTask) -> str:
    """Returns the square of the next zombie when the referee places the rest: the nearest, ties in reading order.

    Squares next to the hero who places come last, since the zombie would attack them (ruling.place-rest).
    """
    player = state.players[task.by]
    near = 0 if player.is_zombie else state.ground.find_squares_adjacent_to(player.at)
    squares = state.board.list_squares(find_placement_squares(state, task))
    return min(
        squares, key=lambda square: (bool(near & state.board.square_bits[square]), measure_kings_moves(task.at, square))
    )


# The words


class PlaceZombie(Action, frozen=True, tag="place"):
    """Put the next zombie of a card on a square (card.zombie.2, card.zombie.4)."""

    says = "place {square}"
    square: Square


class PlaceRest(Action, frozen=True, tag="place-rest"):
    """Let the referee place the zombies that are left, on the nearest squares."""

    says = "place rest"


def _offer_place(state: State, _player: Player) -> Iterator[Choice]:
    squares = state.board.list_squares(find_placement_squares(state, state.get_first_task(PlaceZombiesTask)))
    yield Choice(PlaceZombie, square=OneOf(squares))


def _offer_rest(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(PlaceRest, minor=True)


def _check_place(state: State, _player: Player, action: PlaceZombie) -> Iterator[Refusal]:
    task, square = state.get_first_task(PlaceZombiesTask), action.square
    if square not in state.board.square_numbers or not state.board.square_bits[square] & state.ground.open_squares:
        yield Refusal("card.zombie.4", f"{square} is not an open square")
        return
    if not state.board.square_bits[square] & state.empty_squares:
        yield Refusal("move.7", f"{square} is not free")
    if not _find_squares_near_enough(state, task) & state.board.square_bits[square]:
        yield _make_far_refusal(task, square)
    elif _find_last_sides(state, task) & state.board.square_bits[square]:
        rule = "horde.5" if task.how == "horde" else "card.zombie.6"
        yield Refusal(rule, f"a hero beside {square} would have no open side")
    elif task.how == "spawn" and find_placement_squares(state, task) == state.board.square_bits[task.at]:
        yield Refusal("card.zombie.3", f"the first zombie goes on the action tile, {task.at}")


def _make_far_refusal(task: PlaceZombiesTask, square: str) -> Refusal:
    if task.how != "horde":
        rule = "survivor.3" if task.how == "turned" else "card.zombie.4"
        return Refusal(rule, f"{square} does not touch {task.at}")
    if square[0] != task.at[0] or measure_kings_moves(task.at, square) > task.distance:
        return Refusal("horde.4", f"{square} is more than {task.distance} squares from {task.at}")
    return Refusal("horde.4", f"{square} is out of sight of {task.at}")


def _place_zombie(state: State, _player: Player, action: PlaceZombie, _dice: Dice) -> Script[State]:
    return (yield _make_placed_event(state.get_first_task(PlaceZombiesTask), action.square))


def _place_rest(state: State, _player: Player, _action: PlaceRest, _dice: Dice) -> Script[State]:
    for square in list_squares_for_rest(state):
        state = yield _make_placed_event(state.get_first_task(PlaceZombiesTask), square)
    return state


def list_squares_for_rest(state: State) -> tuple[str, ...]:
    """Returns the squares where the referee would place the rest, in order, as long as there are figures and room."""
    agenda, squares = len(state.agenda), []
    while len(state.agenda) == agenda and can_place_zombie(state, task := state.get_first_task(PlaceZombiesTask)):
        squares.append(_find_next_square(state, task))
        state = _make_placed_event(task, squares[-1]).apply(state)
    return tuple(squares)


def _make_placed_event(task: PlaceZombiesTask, square: str) -> ZombiePlaced:
    return ZombiePlaced(task.by, task.level, square, task.count - 1)


def _refuse_late(state: State) -> Iterator[Refusal]:
    if state.task is None:
        yield Refusal("card.zombie.2", "no zombies are to be placed")


def _read_place(reader: Reader) -> PlaceZombie | PlaceRest:
    return PlaceRest() if reader.read_word_if_last("rest") else PlaceZombie(reader.read_square())


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(
        PlaceZombie,
        ("place",),
        _offer_place,
        _place_zombie,
        rule="card.zombie.4",
        check=_check_place,
        late=_refuse_late,
        read=_read_place,
        carries=True,
    ),
    make_verb(
        PlaceRest,
        ("place",),
        _offer_rest,
        _place_rest,
        rule="card.zombie.2",
        late=_refuse_late,
        read=_read_place,
        carries=True,
    ),
)
