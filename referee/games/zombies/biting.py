"""Attacks of zombies on heroes: the dice, and survivors who take the damage (zombie.attack.1 to zombie.attack.5,
zhero.attack.1, survivor.6 to survivor.10).
"""

from collections.abc import Iterator

from referee.engine.dice import Aim, Dice, Need
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.games.zombies import marching, sequence, wounds
from referee.games.zombies.components import CardId
from referee.games.zombies.prey import is_prey, preferred
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import Bite, Shield
from referee.games.zombies.timing import phase_of, verb
from referee.games.zombies.turn_events import Due
from referee.games.zombies.zombie_events import Bitten, ShieldRaised, Unshielded


class RollBite(Action, frozen=True, tag="bite"):
    """Roll the next attack of a zombie: each is a roll of its own (zombie.attack.3)."""

    says = "bite"


class RaiseShield(Action, frozen=True, tag="shield"):
    """Give up a survivor, who takes the attack (survivor.6)."""

    says = "shield {card}"
    card: CardId


class TakeIt(Action, frozen=True, tag="no-shield"):
    """Give up nobody, and take the damage."""

    says = "noshield"


# Who is attacked, and who rolls


def rouse(state: State) -> Script[State]:
    """The zombies of the level act in the turn of every hero (turn.zombie.1, zombie.scope.3, ruling.zombie-rate).

    Who attacks is settled before anybody steps, since nobody does both (zombie.move.7, zombie.move.8,
    ruling.zombie-order).
    """
    march = marching.roused(state)
    tasks = (*token_bites(state), *((march,) if march else ()))
    return (yield Due(tasks)) if tasks else state


def token_bites(state: State) -> tuple[Bite, ...]:
    """The attacks of a zombie phase: of all free zombies on the level of the hero on turn that are next to a hero, for
    each attacked hero together (zombie.scope.2, ruling.zombie-order, ruling.zombie-targets).
    """
    prey = [hero for hero in state.heroes if is_prey(state, hero) and hero.at[0] == state.mover.at[0]]
    attacks: dict[str, list[str]] = {hero.hero: [] for hero in prey}
    near = state.board.set_of(hero.at for hero in prey)
    for square in state.board.names(state.ground.touching(near) & state.wild) if prey else ():
        beside = [hero for hero in prey if state.ground.near(square) & state.board.bit[hero.at]]
        attacks[preferred(state, beside).hero].append(square)
    return tuple(
        Bite(by=roller_of(state, hero), attacks=tuple((square, hero) for square in squares))
        for hero, squares in attacks.items()
        if squares
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
    aim = Aim(least=_defense(state, hero), of="sum", does=f"hits {hero}")
    return Need(f"the attack from {square} on {hero}", 2, 6, aims=(aim,), rule="zombie.attack.3")


def _defense(state: State, hero: str) -> int:
    """What an attack has to reach (zombie.attack.4)."""
    return state.components.heroes[hero].defense  # type: ignore[no-any-return]  # a number


def _bite_offers(state: State, player: Player) -> Iterator[Choice]:
    if player.seat in rollers(state):
        assert isinstance(state.task, Bite)
        yield Choice(RollBite, _need(state, state.task))


def _bite_reasons(state: State, player: Player, _action: RollBite) -> Iterator[Refusal]:
    assert isinstance(state.task, Bite)
    if state.task.token:
        yield Refusal("zombie.attack.5", f"{player.hero} is attacked; {state.task.by} rolls for the zombies")
    else:
        yield Refusal("zhero.attack.1", f"{state.task.by} rolls for his horde")


def _bite_late(state: State) -> Iterator[Refusal]:
    if state.phase == "zombies":
        yield Refusal("zombie.move.7", "a zombie that steps does not attack in the same phase")


def _bite(state: State, _player: Player, _action: RollBite, dice: Dice) -> Script[State]:
    """Each success takes 1 health, unless a survivor is the shield (zombie.attack.4, survivor.6); health never falls
    below the red heart (ruling.damage-floor).
    """
    task = state.task
    assert isinstance(task, Bite)
    square, hero = task.attacks[0]
    need = _need(state, task)
    one, other = dice.throw(need)
    needed = _defense(state, hero)
    state = yield Bitten(square, hero, (one, other), one + other, needed, one + other >= needed)
    if one + other >= needed:
        state = yield from _struck(state, state.players[hero])
    yield from sequence.go_on(state)


def _struck(state: State, hero: Player) -> Script[State]:
    if hero.health and shields(state, hero):
        return (yield Due((Shield(by=hero.hero),)))
    return (yield from wounds.hurt(state, hero, 1))


# Shields


def shields(state: State, hero: Player) -> tuple[str, ...]:
    """Survivors who can be a shield: infected ones only for who plays alone (survivor.10)."""
    infected = tuple(card for card in hero.burdens if state.card(card).kind == "infected") if state.is_solo else ()
    return tuple(dict.fromkeys((*hero.survivors, *infected)))


def _shield_offers(state: State, player: Player) -> Iterator[Choice]:
    yield Choice(RaiseShield, card=OneOf(shields(state, player)))


def _take_offers(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(TakeIt)


def _shield_reasons(_state: State, player: Player, action: RaiseShield) -> Iterator[Refusal]:
    if action.card in player.burdens:
        yield Refusal("survivor.10", f"{action.card} is infected, and no shield in this game")
    else:
        yield Refusal("survivor.6", f"{action.card} is no survivor of {player.hero}")


def _shield_late(state: State) -> Iterator[Refusal]:
    """A shield answers a successful attack of a zombie, and nothing else (ruling.shield-scope)."""
    if state.phase == "action" and state.acts.attacks and phase_of(state) != "bite":
        yield Refusal("survivor.9", "no survivor is a shield against a hero's attack, or a grenade")
    else:
        yield Refusal("survivor.8", "a shield is raised after a zombie has attacked successfully")


def _shield(state: State, player: Player, action: RaiseShield, _dice: Dice) -> Script[State]:
    """One survivor takes one attack (survivor.7)."""
    state = yield ShieldRaised(player.hero, action.card)
    yield from sequence.go_on(state)


def _take(state: State, player: Player, _action: TakeIt, _dice: Dice) -> Script[State]:
    state = yield Unshielded(player.hero)
    state = yield from wounds.hurt(state, state.players[player.hero], 1)
    yield from sequence.go_on(state)


VERBS = (
    verb(
        RollBite,
        ("bite",),
        _bite_offers,
        _bite,
        rule="zombie.attack.3",
        reasons=_bite_reasons,
        late=_bite_late,
        may=lambda state, seat: seat in state.by_seat,
    ),
    verb(
        RaiseShield, ("shield",), _shield_offers, _shield, rule="survivor.6", reasons=_shield_reasons, late=_shield_late
    ),
    verb(TakeIt, ("shield",), _take_offers, _take, rule="survivor.6", late=_shield_late),
)
