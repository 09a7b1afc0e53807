"""Attacks of zombies on heroes: the dice, and survivors who take the damage (zombie.attack.1 to zombie.attack.5,
zhero.attack.1, survivor.6 to survivor.10).
"""

from collections.abc import Iterator
from typing import Any

from referee.engine.aim import Aim
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies import marching
from referee.games.zombies.attacking import hurt
from referee.games.zombies.board import Square
from referee.games.zombies.components import CardId, HeroId
from referee.games.zombies.order import anybody, verb
from referee.games.zombies.player import Player
from referee.games.zombies.pursuing import is_prey, preferred
from referee.games.zombies.state import Number, State, Two, without_card
from referee.games.zombies.tasks import Bite, Shield, TasksAdded

# What happens


class Bitten(Event, frozen=True, tag="bitten"):
    """A zombie or zombie hero has rolled an attack on a hero (zombie.attack.3, zhero.attack.1)."""

    at: Square
    """Where the attacker stands."""
    hero: HeroId
    faces: Two
    total: Number
    needed: Number
    hit: bool

    def tell(self) -> str:
        """The dice, and what was needed."""
        thrown = f"{self.faces[0]} {self.faces[1]}: {self.total}, {self.needed} or more hits"
        return f"{self.at} attacks {self.hero}, {thrown}. {'A hit!' if self.hit else 'A miss.'}"

    def apply(self, state: State) -> State:
        """It has attacked."""
        left = tuple(attack for attack in state.first(Bite).attacks if attack[0] != self.at)
        return state.with_task(attacks=left) if left else state.done()


class BitesSpared(Event, frozen=True, tag="bites-spared"):
    """Nothing more happens to a hero on the red heart: the other attacks on him are not rolled
    (ruling.red-heart-between).
    """

    told = "{hero} is on the red heart: no more attacks are rolled on {hero}."
    hero: HeroId

    def apply(self, state: State) -> State:
        """They have attacked, too."""
        left = tuple(attack for attack in state.first(Bite).attacks if attack[1] != self.hero)
        return state.with_task(attacks=left) if left else state.done()


class ShieldRaised(Event, frozen=True, tag="shield-raised"):
    """A survivor has taken a successful attack (survivor.6)."""

    told = "{card} is {hero}'s shield: discard the card."
    hero: HeroId
    card: CardId

    def apply(self, state: State) -> State:
        """The survivor is discarded (ruling.shield-discard)."""
        player = state.players[self.hero]
        where = "burdens" if self.card in player.burdens else "survivors"
        left = {where: without_card(getattr(player, where), self.card)}
        spent = tuple(card for card in player.spent if card != self.card)
        return state.done().with_player(self.hero, **left, spent=spent).discarded(self.card)


class Unshielded(Event, frozen=True, tag="unshielded"):
    """Nobody is given up: the hero takes the attack."""

    told = "{hero} gives up nobody."
    hero: HeroId

    def apply(self, state: State) -> State:
        """The damage is told next."""
        return state.done()


# The words


class RollBite(Action, frozen=True, tag="bite"):
    """Roll the next attack of a zombie: each is a roll of its own (zombie.attack.3)."""

    says = "bite"


class RaiseShield(Action, frozen=True, tag="shield"):
    """Give up a survivor, who takes the attack (survivor.6)."""

    says = "shield {card}"
    card: CardId


class TakeIt(Action, frozen=True, tag="no-shield"):
    """Give up nobody, and take the damage (survivor.6)."""

    says = "noshield"


# Who is attacked, and who rolls


def rouse(state: State) -> Script[State]:
    """The zombies of the level act in the turn of every hero (turn.zombie.1, zombie.scope.3, ruling.zombie-rate).

    Who attacks is settled before anybody steps, since nobody does both (zombie.move.7, zombie.move.8,
    ruling.zombie-order).
    """
    march = marching.roused(state)
    tasks = (*token_bites(state), *((march,) if march else ()))
    return (yield TasksAdded(tasks)) if tasks else state


def token_bites(state: State) -> tuple[Bite, ...]:
    """The attacks of a zombie phase: of all free zombies on the level of the hero on turn that are next to a hero, for
    each attacked hero together (zombie.scope.2, ruling.zombie-order, ruling.zombie-targets). One on the red heart is
    attacked too, and nothing comes of it (ruling.red-heart-between).
    """
    prey = [hero for hero in state.heroes if is_prey(state, hero) and hero.at[0] == state.on_turn.at[0]]
    attacks: dict[str, list[str]] = {hero.hero: [] for hero in prey}
    near = state.board.set_of(hero.at for hero in prey)
    for square in state.board.names(state.ground.touching(near) & state.wild) if prey else ():
        beside = [hero for hero in prey if state.ground.near(square) & state.board.bit[hero.at]]
        attacks[preferred(state, beside).hero].append(square)
    return tuple(
        Bite(by=roller_of(state, hero), attacks=tuple((square, hero) for square in squares))
        for hero, squares in attacks.items()
        if squares and state.players[hero].health
    )


def roller_of(state: State, hero: str) -> str:
    """Who rolls the attacks on a hero: the next player on the left, alone he himself (zombie.attack.5,
    ruling.zombie-roller, ruling.solo-zombie-rolls).
    """
    return next((player.hero for player in state.left_of(hero) if not player.is_out), hero)


def rollers(state: State) -> tuple[Seat, ...]:
    """Everybody who may roll the attack that is due: any player but the attacked one, and for a horde its zombie hero
    (ruling.zombie-roller).
    """
    task = state.task
    if not isinstance(task, Bite):
        return ()
    if not task.token:
        return (state.players[task.by].seat,)
    attacked = task.attacks[0][1]
    others = tuple(player.seat for player in state.seated if player.hero != attacked and not player.is_out)
    return others or (state.players[attacked].seat,)


# The dice


def _need(state: State, task: Bite) -> Need:
    square, hero = task.attacks[0]
    good_for = "zombies" if task.token else ""
    aim = Aim(least=_defense(state, hero), of="sum", does=f"hits {hero}", good_for=good_for)
    return Need(f"the attack from {square} on {hero}", 2, 6, aims=(aim,), rule="zombie.attack.3")


def _defense(state: State, hero: str) -> int:
    """What an attack has to reach (zombie.attack.4)."""
    return state.components.heroes[hero].defense  # type: ignore[no-any-return]  # a number


def _bite_offers(state: State, player: Player) -> Iterator[Choice]:
    if player.seat in rollers(state):
        yield Choice(RollBite, _need(state, state.first(Bite)))


def _bite_reasons(state: State, player: Player, _action: RollBite) -> Iterator[Refusal]:
    task = state.first(Bite)
    if task.token:
        yield Refusal("zombie.attack.5", f"{player.hero} is attacked; {task.by} rolls for the zombies")
    else:
        yield Refusal("zhero.attack.1", f"{task.by} rolls for his horde")


def _bite_late(state: State) -> Iterator[Refusal]:
    if state.phase == "zombies":
        yield Refusal("zombie.move.7", "a zombie that steps does not attack in the same phase")


def _bite(state: State, _player: Player, _action: RollBite, dice: Dice) -> Script[State]:
    """Each success takes 1 health, unless a survivor is the shield (zombie.attack.4, survivor.6); health never falls
    below the red heart (ruling.damage-floor).
    """
    task = state.first(Bite)
    square, hero = task.attacks[0]
    one, other = dice.throw(_need(state, task))
    needed = _defense(state, hero)
    state = yield Bitten(square, hero, (one, other), one + other, needed, one + other >= needed)
    if one + other >= needed:
        state = yield from _struck(state, state.players[hero])
    return (yield from _spare(state, hero))


def _spare(state: State, hero: str) -> Script[State]:
    """Attacks that are left on a hero on the red heart are over."""
    task = state.task
    left = isinstance(task, Bite) and any(attack[1] == hero for attack in task.attacks)
    return (yield BitesSpared(hero)) if left and not state.players[hero].health else state


def _struck(state: State, hero: Player) -> Script[State]:
    if hero.health and shields(state, hero):
        return (yield TasksAdded((Shield(by=hero.hero),)))
    return (yield from hurt(state, hero, 1))


# Shields


def shields(state: State, hero: Player) -> tuple[str, ...]:
    """Survivors who can be a shield: infected ones only for who plays alone (survivor.10)."""
    infected = tuple(card for card in hero.burdens if state.card(card).kind == "infected") if state.is_solo else ()
    return tuple(dict.fromkeys((*hero.survivors, *infected)))


def _shield_offers(state: State, player: Player) -> Iterator[Choice]:
    yield Choice(RaiseShield, card=OneOf(shields(state, player)))


def _shield_reasons(_state: State, player: Player, action: RaiseShield) -> Iterator[Refusal]:
    if action.card in player.burdens:
        yield Refusal("survivor.10", f"{action.card} is infected, and no shield in this game")
    else:
        yield Refusal("survivor.6", f"{action.card} is no survivor of {player.hero}")


def _shield_late(state: State) -> Iterator[Refusal]:
    """A shield answers a successful attack of a zombie, and nothing else (ruling.shield-scope)."""
    if state.phase == "action" and state.acts.attacks and not isinstance(state.task, Bite):
        yield Refusal("survivor.9", "no survivor is a shield against a hero's attack, or a grenade")
    else:
        yield Refusal("survivor.8", "a shield is raised after a zombie has attacked successfully")


def _shield(_state: State, player: Player, action: RaiseShield, _dice: Dice) -> Script[State]:
    """One survivor takes one attack (survivor.7)."""
    return (yield ShieldRaised(player.hero, action.card))


def _take(state: State, player: Player, _action: TakeIt, _dice: Dice) -> Script[State]:
    state = yield Unshielded(player.hero)
    state = yield from hurt(state, state.players[player.hero], 1)
    return (yield from _spare(state, player.hero))


VERBS: tuple[Verb[State, Any], ...] = (
    verb(
        RollBite,
        ("bite",),
        _bite_offers,
        _bite,
        rule="zombie.attack.3",
        check=_bite_reasons,
        late=_bite_late,
        may=anybody,
    ),
    verb(
        RaiseShield, ("shield",), _shield_offers, _shield, rule="survivor.6", check=_shield_reasons, late=_shield_late
    ),
    verb(TakeIt, ("shield",), None, _take, late=_shield_late),
)
