"""A zombie hero's move and attack with their horde (zhero.5, zhero.move.1 to zhero.attack.1, zhero.horde.3)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.legal import Choices
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import OneOf
from referee.games.zombies import hordes
from referee.games.zombies.board import Square, SquarePairs, measure_manhattan_distance
from referee.games.zombies.components import HeroId
from referee.games.zombies.horde_movement import MoveWithHorde
from referee.games.zombies.horde_reach import (
    can_reach_any_square,
    find_reachable_squares,
    find_zombie_hero_stop_squares,
)
from referee.games.zombies.hordes import ZombiesJoined
from referee.games.zombies.marching import find_zombies_after_steps
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import MAX_HORDE_SIZE, State, remove_key
from referee.games.zombies.tasks import (
    BiteTask,
    ChangeFollowersTask,
    ChooseJoiningZombiesTask,
    ChooseTargetTask,
    GoTask,
    TasksAdded,
)

# What happens


class PlacesSwapped(Event, frozen=True, tag="swapped"):
    """A zombie hero has changed places with a zombie of their horde (zhero.move.2, ruling.horde-origin)."""

    told = "{hero} on {origin} and the zombie on {to} change places."
    hero: HeroId
    origin: Square
    to: Square

    def apply(self, state: State) -> State:
        """Exchanges the two figures, and notes that the exchange of this move is done."""
        player = state.players[self.hero]
        zombies = remove_key(state.zombies, self.to) | {self.origin: state.zombies[self.to]}
        horde = state.board.sort_squares((*(each for each in player.horde if each != self.to), self.origin))
        return (
            replace(state, zombies=zombies)
            .change_player(self.hero, at=self.to, horde=horde)
            .change_first_task(led=True)
        )


class HordeMoved(Event, frozen=True, tag="horde-moved"):
    """Zombies of a horde have followed their zombie hero, or one of them was put elsewhere (zhero.horde.3)."""

    hero: HeroId
    steps: SquarePairs
    """The old and the new square of each zombie."""

    def tell(self) -> str:
        """Tells which zombies go where."""
        return f"{self.hero}'s horde follows: {', '.join(f'{origin} to {to}' for origin, to in self.steps)}."

    def apply(self, state: State) -> State:
        """Moves the zombies all at once. A zombie that was put elsewhere cannot be moved again."""
        to = dict(self.steps)
        horde = state.board.sort_squares(to.get(square, square) for square in state.players[self.hero].horde)
        state = replace(state, zombies=find_zombies_after_steps(state, self.steps)).change_player(
            self.hero, horde=horde
        )
        if not isinstance(state.task, ChangeFollowersTask):
            return state
        return state.change_first_task(origins=tuple(pair for pair in state.task.origins if pair[0] not in to))


class HordeLeftUnchanged(Event, frozen=True, tag="horde-settled"):
    """The player leaves the horde as it stands."""

    told = "{hero}'s horde stays where it is."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Ends the task of moving zombies of the horde."""
        return state.remove_first_task()


class HordeAttackBegun(Event, frozen=True, tag="attack-begun"):
    """A zombie hero and their horde attack (zhero.attack.1)."""

    told = "{hero} and the horde attack."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Counts the attack, the one action of the zombie hero."""
        return replace(state, acts=replace(state.acts, attacks=state.acts.attacks + 1))


class TargetChosen(Event, frozen=True, tag="aimed"):
    """The target of an attacker next to several heroes was chosen (ruling.zhero-targets)."""

    told = "{at} attacks {hero}."
    at: Square
    hero: HeroId

    def apply(self, state: State) -> State:
        """Notes the target. After the last choice, the attacks have to be rolled."""
        task = state.get_first_task(ChooseTargetTask)
        left = tuple(square for square in task.attackers if square != self.at)
        aimed = (*task.aimed, (self.at, self.hero))
        if left:
            return state.change_first_task(attackers=left, aimed=aimed)
        attacks = tuple(sorted(aimed, key=lambda attack: state.board.square_numbers[attack[0]]))
        return replace(state, agenda=(BiteTask(by=task.by, attacks=attacks, token=False), *state.agenda[1:]))


class JoiningEnded(Event, frozen=True, tag="joining-ended"):
    """The horde is full; the rest stay free (zhero.horde.6)."""

    told = "{hero}'s horde is full: the others stay free."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Ends the task of choosing zombies that join."""
        return state.remove_first_task()


# The words


class SwapPlaces(Action, frozen=True, tag="lead"):
    """Move from the square of a zombie of the horde: the two change places (zhero.move.2, ruling.horde-origin)."""

    says = "lead {square}"
    square: Square


class ChangeFollowerSquare(Action, frozen=True, tag="follow"):
    """Change the square of a zombie that has followed its zombie hero (zhero.horde.3)."""

    says = "follow {origin} {to}"
    origin: Square
    to: Square


class LeaveHordeUnchanged(Action, frozen=True, tag="hold"):
    """Leave the horde as it stands (zhero.horde.3)."""

    says = "hold"


class AttackWithHorde(Action, frozen=True, tag="attack"):
    """All who are next to a hero attack, the zombie hero too (zhero.attack.1, ruling.zhero-self-attack)."""

    says = "attack"


class ChooseTarget(Action, frozen=True, tag="aim"):
    """Say whom an attacker next to several heroes attacks (ruling.zhero-targets)."""

    says = "aim {square} {hero}"
    square: Square
    hero: HeroId


class LetZombieJoin(Action, frozen=True, tag="join"):
    """Choose one more zombie to join a horde that cannot take all (zhero.horde.6, ruling.horde-limit-join)."""

    says = "join {square}"
    square: Square


# The move


def count_extra_steps(state: State, player: Player) -> int:
    """Returns the squares that speed mutations add to a zombie hero's movement die."""
    return sum(card.amount - 1 for card in state.list_mutations(player.at[0], "speed"))


def refuse_zombie_hero_goal(state: State, player: Player, task: GoTask, square: str) -> Iterator[Refusal]:
    """Yields refusals that tell why a zombie hero cannot go to a free square."""
    bit = state.board.square_bits[square]
    if find_reachable_squares(state, player, player.at, task.steps, find_zombie_hero_stop_squares(state, player)) & bit:
        for rule in ("zhero.horde.3", "zhero.horde.4"):
            yield Refusal(rule, f"with {player.hero} on {square} part of the horde would be left behind")
    elif find_reachable_squares(state, player, player.at, task.steps) & bit:
        yield Refusal("zhero.token.1", f"{player.hero} has to stop next to a token before {square}")
    elif square[0] == player.at[0] and measure_manhattan_distance(player.at, square) > task.steps:
        rule = "mutation.6" if "diagonal" in _find_mutations_elsewhere(state, player) else "zhero.move.4"
        price = Price(measure_manhattan_distance(player.at, square), task.steps, "step", player.hero)
        yield refuse_price(rule, price, f"{square} is too far")
    else:
        yield Refusal("zhero.move.1", f"no way leads to {square} in {task.steps}")


def _find_mutations_elsewhere(state: State, player: Player) -> set[str | None]:
    return {state.get_card(card).mutation for card, level in state.mutations.items() if level != player.at[0]}


def move_horde(state: State, hero: str, course: MoveWithHorde) -> Script[State]:
    """Yields the move of a horde after its zombie hero has moved; nothing if no zombie changes its square."""
    steps = tuple((zombie, to) for zombie, to in course.new_squares.items() if zombie != to)
    return (yield HordeMoved(hero, steps)) if steps else state


def add_change_followers_task(state: State, hero: str, course: MoveWithHorde) -> Script[State]:
    """Adds the task of moving zombies that have followed, if any of them could be put elsewhere (ruling.horde-move)."""
    origins = tuple((to, zombie) for zombie, to in course.new_squares.items())
    if any(_list_movable_zombies(state, state.players[hero], course.steps, origins)):
        state = yield TasksAdded((ChangeFollowersTask(by=hero, steps=course.steps, origins=origins),))
    return state


def _offer_lead(state: State, player: Player) -> Iterator[Choice]:
    if player.is_zombie and player.horde and not state.get_first_task(GoTask).led:
        yield Choice(SwapPlaces, square=OneOf(player.horde), minor=True)


def _check_lead(state: State, player: Player, action: SwapPlaces) -> Iterator[Refusal]:
    if state.get_first_task(GoTask).led:
        yield Refusal("zhero.move.2", f"{player.hero} has changed places in this move")
    else:
        yield Refusal("zhero.move.2", f"no zombie of the horde of {player.hero} stands on {action.square}")


def _swap_places(_state: State, player: Player, action: SwapPlaces, _dice: Dice) -> Script[State]:
    return (yield PlacesSwapped(player.hero, player.at, action.square))


# Following


def _list_movable_zombies(
    state: State, player: Player, steps: int, origins: SquarePairs
) -> Iterator[tuple[str, str, int]]:
    """Yields the zombies that have followed and could be put elsewhere while the horde stays one unit (zhero.horde.4).

    Each zombie comes with its square, the square that it came from, and the free squares where it would join the rest.
    If only this zombie holds the rest together, the free squares touch all parts of the rest. At least one of the free
    squares is in reach.
    """
    ground, bit, free, once, twice = state.ground, state.board.square_bits, state.empty_squares, 0, 0
    for square in (player.at, *player.horde):
        near = ground.adjacent_squares_with_stairs_by_length[bit[square].bit_length()]
        once, twice = once | near, twice | (once & near)
    hero, unit = bit[player.at], state.unit_squares_by_hero[player.hero]
    for at, origin in origins:
        room = (twice | (once & ~ground.adjacent_squares_with_stairs_by_length[bit[at].bit_length()])) & free
        if room and not hordes.is_horde_connected_without(ground, hero, unit, bit[at]):
            room = hordes.find_bridging_squares(ground, unit ^ bit[at], room)
        if room and can_reach_any_square(state, player, origin, steps, room):
            yield at, origin, room


def _offer_follow(state: State, player: Player) -> Iterator[Choices]:
    """Offers new squares for the zombies that have followed their zombie hero.

    Usually all zombies stay, so the offers are computed only when somebody looks at them.
    """
    steps, origins = state.get_first_task(ChangeFollowersTask).steps, state.get_first_task(ChangeFollowersTask).origins
    able = _list_movable_zombies(state, player, steps, origins)
    yield Choices(able, partial(_make_follow_choice, state, player, steps), minor=True, most=len(origins))


def _make_follow_choice(state: State, player: Player, steps: int, able: tuple[str, str, int]) -> Choice:
    at, origin, room = able
    to = state.board.list_squares(find_reachable_squares(state, player, origin, steps) & room)
    return Choice(ChangeFollowerSquare, origin=at, to=OneOf(to), minor=True)


def _can_follow(state: State, player: Player, action: ChangeFollowerSquare) -> bool:
    task, to = state.get_first_task(ChangeFollowersTask), state.board.square_bits.get(action.to, 0)
    named = tuple(pair for pair in task.origins if pair[0] == action.origin)
    found = _list_movable_zombies(state, player, task.steps, named)
    return any(find_reachable_squares(state, player, origin, task.steps) & room & to for _, origin, room in found)


def _check_follow(state: State, player: Player, action: ChangeFollowerSquare) -> Iterator[Refusal]:
    task = state.get_first_task(ChangeFollowersTask)
    if action.origin not in dict(task.origins):
        yield Refusal("zhero.horde.3", f"no zombie on {action.origin} may go elsewhere now")
    elif action.to not in state.board.square_numbers or not state.board.square_bits[action.to] & state.empty_squares:
        yield Refusal("move.7", f"{action.to} is not free")
    elif (
        find_reachable_squares(state, player, dict(task.origins)[action.origin], task.steps)
        & state.board.square_bits[action.to]
    ):
        yield Refusal("zhero.horde.4", f"with a zombie on {action.to} the horde would not be one unit")
    else:
        yield Refusal("zhero.move.1", f"{action.to} is too far from where the zombie came from")


def _put_zombie_elsewhere(_state: State, player: Player, action: ChangeFollowerSquare, _dice: Dice) -> Script[State]:
    """Puts a zombie of the horde on another square. The same zombie cannot be moved again."""
    return (yield HordeMoved(player.hero, ((action.origin, action.to),)))


def _settle_horde(_state: State, player: Player, _action: LeaveHordeUnchanged, _dice: Dice) -> Script[State]:
    return (yield HordeLeftUnchanged(player.hero))


# The attack


def list_attackable_heroes(state: State, square: str) -> tuple[Player, ...]:
    """Returns the heroes whom a figure of a horde can attack from this square.

    Heroes under stealth are safe, unless an option says otherwise (ruling.stealth-zhero). Nothing more happens to
    heroes on the red heart (ruling.red-heart-between).
    """
    hidden = state.options["stealth-vs-zombie-hero"] == "protects"
    near = state.ground.find_squares_adjacent_to(square)
    return tuple(
        hero
        for hero in state.heroes
        if near & state.board.square_bits[hero.at] and hero.health and not (hidden and state.is_stealthed(hero))
    )


def list_attackable_heroes_by_square(state: State, player: Player) -> dict[str, tuple[Player, ...]]:
    """Returns the squares of a zombie hero and their horde from which heroes can be attacked, with these heroes.

    The result is empty if nobody can attack.
    """
    if not state.ground.find_adjacent_squares(state.unit_squares_by_hero[player.hero]) & state.hero_squares:
        return {}
    found = {
        square: list_attackable_heroes(state, square) for square in state.board.sort_squares((player.at, *player.horde))
    }
    return {square: prey for square, prey in found.items() if prey}


def _check_attack(state: State, player: Player, _action: AttackWithHorde) -> Iterator[Refusal]:
    if not list_attackable_heroes_by_square(state, player):
        yield Refusal("zhero.attack.1", f"neither {player.hero} nor the horde is next to a hero who can be hurt")


def _begin_attack(state: State, player: Player, _action: AttackWithHorde, _dice: Dice) -> Script[State]:
    found = list_attackable_heroes_by_square(state, player)
    clear = tuple((square, prey[0].hero) for square, prey in found.items() if len(prey) == 1)
    open_ = tuple(square for square, prey in found.items() if len(prey) > 1)
    state = yield HordeAttackBegun(player.hero)
    task = (
        ChooseTargetTask(by=player.hero, attackers=open_, aimed=clear)
        if open_
        else BiteTask(by=player.hero, attacks=clear, token=False)
    )
    return (yield TasksAdded((task,)))


def _refuse_late_attack(state: State) -> Iterator[Refusal]:
    if state.phase in ("start", "action") and state.task is None:
        yield Refusal("attack.3", "a hero attacks with: hit, or shoot")
    if state.phase == "horde" and not state.acts.is_empty:
        yield Refusal("zhero.5", "a zombie hero has one action in a turn")


def _offer_aim(state: State, _player: Player) -> Iterator[Choice]:
    task = state.get_first_task(ChooseTargetTask)
    prey = list_attackable_heroes(state, task.attackers[0])
    yield Choice(ChooseTarget, square=task.attackers[0], hero=OneOf(tuple(hero.hero for hero in prey)))


def _check_aim(state: State, _player: Player, action: ChooseTarget) -> Iterator[Refusal]:
    task = state.get_first_task(ChooseTargetTask)
    if action.square != task.attackers[0]:
        yield Refusal("zhero.attack.1", f"the attacker on {task.attackers[0]} chooses now")
    else:
        yield Refusal("zhero.attack.1", f"{action.hero} is not next to {action.square}")


def _choose_target(_state: State, _player: Player, action: ChooseTarget, _dice: Dice) -> Script[State]:
    return (yield TargetChosen(action.square, action.hero))


# Who joins


def _offer_join(state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(
        LetZombieJoin,
        square=OneOf(hordes.list_joining_candidates(state, state.get_first_task(ChooseJoiningZombiesTask))),
    )


def _check_join(state: State, player: Player, action: LetZombieJoin) -> Iterator[Refusal]:
    other = next((each.hero for each in state.zombie_heroes if action.square in each.horde), None)
    if other and other != player.hero:
        yield Refusal("zhero.horde.2", f"the zombie on {action.square} belongs to the horde of {other}")
    else:
        yield Refusal("zhero.horde.6", f"no zombie on {action.square} can join now")


def _join_zombie(state: State, player: Player, action: LetZombieJoin, _dice: Dice) -> Script[State]:
    """Adds a zombie to the horde. Once the horde is full, the rest stay free (zhero.horde.6)."""
    state = yield ZombiesJoined(player.hero, (action.square,))
    if len(state.players[player.hero].horde) >= MAX_HORDE_SIZE:
        state = yield JoiningEnded(player.hero)
    return state


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(SwapPlaces, ("go",), _offer_lead, _swap_places, rule="zhero.move.2", check=_check_lead, carries=True),
    make_verb(
        ChangeFollowerSquare,
        ("follow",),
        _offer_follow,
        _put_zombie_elsewhere,
        rule="zhero.horde.3",
        check=_check_follow,
        allows=_can_follow,
    ),
    make_verb(LeaveHordeUnchanged, ("follow",), None, _settle_horde),
    make_verb(AttackWithHorde, ("horde",), None, _begin_attack, check=_check_attack, late=_refuse_late_attack),
    make_verb(
        ChooseTarget, ("aim",), _offer_aim, _choose_target, rule="zhero.attack.1", check=_check_aim, carries=True
    ),
    make_verb(LetZombieJoin, ("join",), _offer_join, _join_zombie, rule="zhero.horde.6", check=_check_join),
)
