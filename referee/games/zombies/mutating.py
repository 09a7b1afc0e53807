"""The action of a zombie hero that exchanges zombies of their horde for others (mutate.1 to mutate.6)."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from math import comb

from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.legal import Choices
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import OneOf, Subset
from referee.engine.text import spell_number
from referee.games.zombies.board import Board, Square, Squares
from referee.games.zombies.components import HeroId, ZombieLevel
from referee.games.zombies.hordes import is_horde_connected_without
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import MAX_HORDE_SIZE, State

ZombiePair = tuple[str, str]
LOWEST_LEVEL, HIGHEST_LEVEL = 1, 3
"""The lowest and the highest level of zombies."""
OTHERS_IN_EXCHANGE = 2
"""The zombies besides the first: three of one level are worth one of the next (mutate.2 to mutate.5)."""
THREE = spell_number(1 + OTHERS_IN_EXCHANGE)
"""The number of zombies that are worth one of the next level, in words."""


class ZombiesExchanged(Event, frozen=True, tag="exchanged"):
    """Zombies of a horde were exchanged for others (mutate.2 to mutate.5)."""

    hero: HeroId
    taken: Squares
    placed: Squares
    level: ZombieLevel
    """The level of the zombies that are placed."""

    def tell(self) -> str:
        """Tells what to take off, and what to put down."""
        placed = " ".join(self.placed)
        return f"Exchange the zombies on {' '.join(self.taken)} for level {self.level} on {placed}."

    def apply(self, state: State) -> State:
        """Takes the old zombies off, puts the new ones down in the horde, and counts the action."""
        others = {square: level for square, level in state.zombies.items() if square not in self.taken}
        left = [square for square in state.players[self.hero].horde if square not in self.taken]
        horde = state.board.sort_squares((*left, *self.placed))
        state = replace(state, zombies=others | dict.fromkeys(self.placed, self.level))
        acts = replace(state.acts, works=state.acts.works + 1)
        return replace(state, acts=acts).change_player(self.hero, horde=horde)


class MutateZombies(Action, frozen=True, tag="mutate"):
    """Exchange three zombies of one level for one of the next level, which stands on the first square.

    Or exchange one zombie for three of the level below: one on its square, two on free squares (ruling.mutate-squares).
    """

    says = "mutate {square} {squares}"
    square: Square
    squares: Squares


def _offer_mutate(state: State, player: Player) -> Iterator[Choices]:
    for level in (LOWEST_LEVEL, LOWEST_LEVEL + 1):
        yield from _offer_mergers(state, player, level)
    high = tuple(square for square in player.horde if state.zombies[square] > LOWEST_LEVEL)
    room = _find_room(state, player) if high and len(player.horde) + OTHERS_IN_EXCHANGE <= MAX_HORDE_SIZE else 0
    if room.bit_count() >= OTHERS_IN_EXCHANGE:
        yield _offer_splits(state, high, room)


def _offer_mergers(state: State, player: Player, level: int) -> Iterator[Choices]:
    """Yields the exchanges of three zombies of this level for one of the next (mutate.2, mutate.3)."""
    alike = tuple([square for square in player.horde if state.zombies[square] == level])
    if len(alike) > OTHERS_IN_EXCHANGE and state.count_spare_zombies(level + 1):
        able = _list_squares_for_merged(state, player, alike)
        yield Choices(
            able,
            lambda at: _make_exchange(at, partial(_find_pairs, state, player, alike, at)),
            minor=True,
            most=len(alike),
        )


def _list_squares_for_merged(state: State, player: Player, alike: tuple[str, ...]) -> Iterator[str]:
    """Yields the squares on which three zombies of `alike` can become one of the next level.

    The zombie on the square is exchanged. Two others go, and the horde must still be one unit without them.
    """
    found: tuple[str, ...] = next(_list_removable_pairs(state, player, alike), ())
    for at in alike if found else ():
        if at not in found or next(_list_removable_pairs(state, player, _list_others(alike, at)), None):
            yield at


def _make_exchange(square: str, squares: Callable[[], Subset | OneOf]) -> Choice:
    return Choice(MutateZombies, square=square, squares=squares, minor=True)


def _list_removable_pairs(state: State, player: Player, others: tuple[str, ...]) -> Iterator[ZombiePair]:
    """Yields the pairs of these zombies without which the horde is still one unit."""
    ground, bit = state.ground, state.board.square_bits
    hero, unit = bit[player.at], state.unit_squares_by_hero[player.hero]
    for one, other in combinations(others, OTHERS_IN_EXCHANGE):
        if is_horde_connected_without(ground, hero, unit, bit[one], bit[other]):
            yield one, other


def _list_others(alike: tuple[str, ...], square: str) -> tuple[str, ...]:
    return tuple(other for other in alike if other != square)


def _find_pairs(state: State, player: Player, alike: tuple[str, ...], square: str) -> Subset | OneOf:
    """Returns the two other zombies that may go: any two, or certain pairs."""
    others = _list_others(alike, square)
    whole = tuple(_list_removable_pairs(state, player, others))
    return (
        Subset(others, OTHERS_IN_EXCHANGE, OTHERS_IN_EXCHANGE)
        if len(whole) == comb(len(others), OTHERS_IN_EXCHANGE)
        else OneOf(whole)
    )


def _offer_splits(state: State, high: tuple[str, ...], room: int) -> Choices:
    """Returns the exchanges of one zombie for three of the level below, if there are figures (mutate.4, mutate.5)."""
    levels = [
        level
        for level in (LOWEST_LEVEL + 1, HIGHEST_LEVEL)
        if state.count_spare_zombies(level - 1) > OTHERS_IN_EXCHANGE
    ]
    squares = [square for square in high if state.zombies[square] in levels]
    return Choices(squares, lambda square: _make_exchange(square, partial(_pick_two, state.board, room)), minor=True)


def _pick_two(board: Board, room: int) -> Subset:
    return Subset(board.list_squares(room), OTHERS_IN_EXCHANGE, OTHERS_IN_EXCHANGE)


def _find_room(state: State, player: Player) -> int:
    """Returns the free squares next to the zombie hero and their horde."""
    return state.ground.find_adjacent_squares(state.unit_squares_by_hero[player.hero]) & state.empty_squares


def _check_mutate(state: State, player: Player, action: MutateZombies) -> Iterator[Refusal]:
    squares = (action.square, *action.squares)
    if action.square not in player.horde:
        yield Refusal("mutate.6", f"no zombie of the horde of {player.hero} stands on {action.square}")
    elif len(set(squares)) != 1 + OTHERS_IN_EXCHANGE:
        yield Refusal(
            _find_rule(state, action),
            f"{THREE} of one level go for one of the next, or one for {THREE} of the one below",
        )
    elif any(square in state.zombies for square in action.squares):
        yield from _refuse_merger(state, player, action)
    else:
        yield from _refuse_split(state, player, action)


def _find_rule(state: State, action: MutateZombies) -> str:
    """Returns the rule of the exchange that is meant, by the level of the first zombie."""
    return "mutate.3" if state.zombies[action.square] == LOWEST_LEVEL + 1 else "mutate.2"


def _refuse_merger(state: State, player: Player, action: MutateZombies) -> Iterator[Refusal]:
    level = state.zombies[action.square]
    strange = next((square for square in action.squares if square not in player.horde), None)
    if strange:
        yield Refusal("mutate.6", f"{strange} holds no zombie of the horde of {player.hero}")
    elif level == HIGHEST_LEVEL or any(state.zombies[square] != level for square in action.squares):
        yield Refusal(
            _find_rule(state, action),
            f"only {THREE} zombies of level {LOWEST_LEVEL}, or {THREE} of level {LOWEST_LEVEL + 1}, "
            "make one of the next",
        )
    elif not state.count_spare_zombies(level + 1):
        yield Refusal(f"comp.zombies-{level + 1}", f"there is no figure of level {level + 1} left")
    else:
        yield Refusal("zhero.horde.4", "the horde would not be one unit")


def _refuse_split(state: State, player: Player, action: MutateZombies) -> Iterator[Refusal]:
    level = state.zombies[action.square]
    rule = "mutate.4" if level == HIGHEST_LEVEL else "mutate.5"
    if level == LOWEST_LEVEL:
        yield Refusal("mutate.5", f"a zombie of level {LOWEST_LEVEL} cannot be exchanged for others")
    elif len(player.horde) + OTHERS_IN_EXCHANGE > MAX_HORDE_SIZE:
        room = MAX_HORDE_SIZE - len(player.horde)
        for rule in ("mutate.5", "zhero.horde.6"):
            price = Price(OTHERS_IN_EXCHANGE, room, "free place", "the horde")
            yield refuse_price(rule, price, f"a horde has at most {MAX_HORDE_SIZE} zombies")
    elif state.count_spare_zombies(level - 1) <= OTHERS_IN_EXCHANGE:
        yield Refusal(f"comp.zombies-{level - 1}", f"there are not {THREE} figures of level {level - 1} left")
    else:
        yield Refusal(
            rule, f"the {spell_number(OTHERS_IN_EXCHANGE)} more zombies stand on free squares next to the horde"
        )


def _mutate_zombies(state: State, player: Player, action: MutateZombies, _dice: Dice) -> Script[State]:
    """Exchanges the zombies. The first square of the action is that of a zombie that is given up.

    The new zombie, or the first of three new ones, stands on this square.
    """
    level = state.zombies[action.square]
    whole = state.board.sort_squares((action.square, *action.squares))
    if action.squares[0] in state.zombies:
        return (yield ZombiesExchanged(player.hero, whole, (action.square,), level + 1))
    return (yield ZombiesExchanged(player.hero, (action.square,), whole, level - 1))


def _refuse_late(state: State) -> Iterator[Refusal]:
    """Yields refusals if the one action of the turn is done (mutate.1, zhero.5)."""
    if state.phase == "horde" and not state.acts.is_empty:
        yield Refusal("mutate.1", "mutating is an action, and the one of this turn is done")
        yield Refusal("zhero.5", "a zombie hero has one action in a turn")


VERBS = (
    make_verb(
        MutateZombies,
        ("horde",),
        _offer_mutate,
        _mutate_zombies,
        rule="mutate.6",
        check=_check_mutate,
        late=_refuse_late,
    ),
)
