"""Attacks of zombies on heroes: the dice, and survivors who take the damage (zombie.attack.1 to zombie.attack.5,
zhero.attack.1, survivor.6 to survivor.10).
"""

from collections.abc import Iterator
from typing import Any

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.target_number import Target
from referee.games.zombies import marching
from referee.games.zombies.attacking import deal_damage
from referee.games.zombies.board import Square
from referee.games.zombies.components import CardId, HeroId
from referee.games.zombies.order_of_play import has_hero, make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.pursuing import find_hero_who_acted_last, is_noticed_by_zombies
from referee.games.zombies.state import EventNumber, State, TwoFaces, remove_cards
from referee.games.zombies.tasks import BiteTask, ShieldTask, TasksAdded

# What happens


class BiteRolled(Event, frozen=True, tag="bitten"):
    """A zombie or zombie hero has rolled an attack on a hero (zombie.attack.3, zhero.attack.1)."""

    at: Square
    """The square of the attacker."""
    hero: HeroId
    faces: TwoFaces
    total: EventNumber
    needed: EventNumber
    hit: bool

    def tell(self) -> str:
        """Tells the dice, and what was needed."""
        thrown = f"{self.faces[0]} {self.faces[1]}: {self.total}, {self.needed} or more hits"
        return f"{self.at} attacks {self.hero}, {thrown}. {'A hit!' if self.hit else 'A miss.'}"

    def apply(self, state: State) -> State:
        """Removes this attack from the task. After the last attack, removes the task too."""
        left = tuple(attack for attack in state.get_first_task(BiteTask).attacks if attack[0] != self.at)
        return state.change_first_task(attacks=left) if left else state.remove_first_task()


class RemainingBitesCancelled(Event, frozen=True, tag="bites-spared"):
    """A hero is on the red heart, so the other attacks on them are not rolled (ruling.red-heart-between)."""

    told = "{hero} is on the red heart: no more attacks are rolled on {hero}."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Removes the other attacks on this hero from the task, and the task if none is left."""
        left = tuple(attack for attack in state.get_first_task(BiteTask).attacks if attack[1] != self.hero)
        return state.change_first_task(attacks=left) if left else state.remove_first_task()


class ShieldRaised(Event, frozen=True, tag="shield-raised"):
    """A survivor has taken a successful attack (survivor.6)."""

    told = "{card} is {hero}'s shield: discard the card."
    hero: HeroId
    card: CardId

    def apply(self, state: State) -> State:
        """Discards the survivor and ends the task (ruling.shield-discard)."""
        player = state.players[self.hero]
        where = "burdens" if self.card in player.burdens else "survivors"
        left = {where: remove_cards(getattr(player, where), self.card)}
        spent = tuple(card for card in player.spent if card != self.card)
        return state.remove_first_task().change_player(self.hero, **left, spent=spent).add_discards(self.card)


class ShieldDeclined(Event, frozen=True, tag="unshielded"):
    """A hero gives up no survivor, and takes the damage."""

    told = "{hero} gives up no survivor and takes the damage."
    hero: HeroId

    def apply(self, state: State) -> State:
        """Ends the task. The damage is an event of its own."""
        return state.remove_first_task()


# The words


class RollBite(Action, frozen=True, tag="bite"):
    """Roll the next attack of a zombie: each is a roll of its own (zombie.attack.3)."""

    says = "bite"


class RaiseShield(Action, frozen=True, tag="shield"):
    """Give up a survivor, who takes the attack (survivor.6)."""

    says = "shield {card}"
    card: CardId


class TakeDamage(Action, frozen=True, tag="no-shield"):
    """Give up nobody, and take the damage (survivor.6)."""

    says = "noshield"


# Who is attacked, and who rolls


def start_zombie_phase(state: State) -> Script[State]:
    """Starts a zombie phase: zombies of the level attack or step (turn.zombie.1).

    That happens in the turn of every hero (zombie.scope.3, ruling.zombie-rate). The attackers are chosen before anybody
    steps, since no zombie does both (zombie.move.7, zombie.move.8, ruling.zombie-order).
    """
    march = marching.make_march_task(state)
    tasks = (*list_bite_tasks(state), *((march,) if march else ()))
    return (yield TasksAdded(tasks)) if tasks else state


def list_bite_tasks(state: State) -> tuple[BiteTask, ...]:
    """Returns the attacks of a zombie phase: one task for each attacked hero.

    Only heroes on the level of the player to move are attacked. Each free zombie next to such a hero attacks
    (zombie.scope.2, ruling.zombie-order, ruling.zombie-targets). An attack on a hero who is on the red heart would
    change nothing, so it is left out (ruling.red-heart-between).
    """
    prey = [
        hero for hero in state.heroes if is_noticed_by_zombies(state, hero) and hero.at[0] == state.current_player.at[0]
    ]
    attacks: dict[str, list[str]] = {hero.hero: [] for hero in prey}
    near = state.board.make_set(hero.at for hero in prey)
    for square in (
        state.board.list_squares(state.ground.find_adjacent_squares(near) & state.free_zombie_squares) if prey else ()
    ):
        beside = [
            hero for hero in prey if state.ground.find_squares_adjacent_to(square) & state.board.square_bits[hero.at]
        ]
        attacks[find_hero_who_acted_last(state, beside).hero].append(square)
    return tuple(
        BiteTask(by=find_hero_to_roll_bites(state, hero), attacks=tuple((square, hero) for square in squares))
        for hero, squares in attacks.items()
        if squares and state.players[hero].health
    )


def find_hero_to_roll_bites(state: State, hero: str) -> str:
    """Returns the hero whose player rolls the attacks on a hero (zombie.attack.5).

    That is the next player on the left (ruling.zombie-roller). If nobody else is left, it is the attacked hero
    (ruling.solo-zombie-rolls).
    """
    return next((player.hero for player in state.list_players_left_of(hero) if not player.is_out_of_game), hero)


def list_seats_that_may_roll_bite(state: State) -> tuple[Seat, ...]:
    """Returns the seats that may roll the attack that is due (ruling.zombie-roller); empty if none is due."""
    return list_bite_rollers(state, state.task) if isinstance(state.task, BiteTask) else ()


def list_bite_rollers(state: State, task: BiteTask) -> tuple[Seat, ...]:
    """Returns the seats that may roll the first attack of a task (ruling.zombie-roller).

    For a horde, its zombie hero rolls. For other zombies, every player but the attacked one may roll. The attacked
    player rolls only if nobody else is left.
    """
    if not task.token:
        return (state.players[task.by].seat,)
    attacked = task.attacks[0][1]
    others = tuple(
        player.seat for player in state.seated_players if player.hero != attacked and not player.is_out_of_game
    )
    return others or (state.players[attacked].seat,)


# The dice


def _make_need(state: State, task: BiteTask) -> Need:
    square, hero = task.attacks[0]
    good_for = "zombies" if task.token else ""
    aim = Target(least=_find_defense(state, hero), of="sum", does=f"hits {hero}", good_for=good_for)
    return Need(f"the attack from {square} on {hero}", 2, 6, aims=(aim,), rule="zombie.attack.3")


def _find_defense(state: State, hero: str) -> int:
    """Returns the total that an attack on a hero has to reach (zombie.attack.4)."""
    return state.components.heroes[hero].defense  # type: ignore[no-any-return]  # a number


def _offer_bite(state: State, player: Player) -> Iterator[Choice]:
    if player.seat in list_seats_that_may_roll_bite(state):
        yield Choice(RollBite, _make_need(state, state.get_first_task(BiteTask)))


def _check_bite(state: State, player: Player, _action: RollBite) -> Iterator[Refusal]:
    task = state.get_first_task(BiteTask)
    if task.token:
        yield Refusal("zombie.attack.5", f"{player.hero} is attacked; {task.by} rolls for the zombies")
    else:
        yield Refusal("zhero.attack.1", f"{task.by} rolls for their horde")


def _refuse_late_bite(state: State) -> Iterator[Refusal]:
    if state.phase == "zombies":
        yield Refusal("zombie.move.7", "a zombie that steps does not attack in the same phase")


def _roll_bite(state: State, _player: Player, _action: RollBite, dice: Dice) -> Script[State]:
    """Rolls the next attack. A success takes 1 health, unless a survivor is the shield (zombie.attack.4, survivor.6).

    Health never falls below the red heart (ruling.damage-floor).
    """
    task = state.get_first_task(BiteTask)
    square, hero = task.attacks[0]
    one, other = dice.throw(_make_need(state, task))
    needed = _find_defense(state, hero)
    state = yield BiteRolled(square, hero, (one, other), one + other, needed, one + other >= needed)
    if one + other >= needed:
        state = yield from _settle_bite(state, state.players[hero])
    return (yield from _spare_hero(state, hero))


def _spare_hero(state: State, hero: str) -> Script[State]:
    """Drops the attacks that are left on a hero who is on the red heart."""
    task = state.task
    left = isinstance(task, BiteTask) and any(attack[1] == hero for attack in task.attacks)
    return (yield RemainingBitesCancelled(hero)) if left and not state.players[hero].health else state


def _settle_bite(state: State, hero: Player) -> Script[State]:
    if hero.health and list_shield_cards(state, hero):
        return (yield TasksAdded((ShieldTask(by=hero.hero),)))
    return (yield from deal_damage(state, hero, 1))


# Shields


def list_shield_cards(state: State, hero: Player) -> tuple[str, ...]:
    """Returns the cards that can be a hero's shield: survivors, and infected ones only in solo (survivor.10)."""
    infected = tuple(card for card in hero.burdens if state.get_card(card).kind == "infected") if state.is_solo else ()
    return tuple(dict.fromkeys((*hero.survivors, *infected)))


def _offer_shield(state: State, player: Player) -> Iterator[Choice]:
    yield Choice(RaiseShield, card=OneOf(list_shield_cards(state, player)))


def _check_shield(_state: State, player: Player, action: RaiseShield) -> Iterator[Refusal]:
    if action.card in player.burdens:
        yield Refusal("survivor.10", f"{action.card} is infected and cannot be a shield in this game")
    else:
        yield Refusal("survivor.6", f"{action.card} is not a survivor of {player.hero}")


def _refuse_late_shield(state: State) -> Iterator[Refusal]:
    """Yields why no shield can be raised now: it answers a successful zombie attack and nothing else
    (ruling.shield-scope).
    """
    if state.phase == "action" and state.acts.attacks and not isinstance(state.task, BiteTask):
        yield Refusal("survivor.9", "a survivor is not a shield against a hero's attack or a grenade")
    else:
        yield Refusal("survivor.8", "a shield is raised after a zombie has attacked successfully")


def _raise_shield(_state: State, player: Player, action: RaiseShield, _dice: Dice) -> Script[State]:
    """Gives up one survivor for one attack (survivor.7)."""
    return (yield ShieldRaised(player.hero, action.card))


def _take_damage(state: State, player: Player, _action: TakeDamage, _dice: Dice) -> Script[State]:
    state = yield ShieldDeclined(player.hero)
    state = yield from deal_damage(state, state.players[player.hero], 1)
    return (yield from _spare_hero(state, player.hero))


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(
        RollBite,
        ("bite",),
        _offer_bite,
        _roll_bite,
        rule="zombie.attack.3",
        check=_check_bite,
        late=_refuse_late_bite,
        may=has_hero,
    ),
    make_verb(
        RaiseShield,
        ("shield",),
        _offer_shield,
        _raise_shield,
        rule="survivor.6",
        check=_check_shield,
        late=_refuse_late_shield,
    ),
    make_verb(TakeDamage, ("shield",), None, _take_damage, late=_refuse_late_shield),
)
