"""Attacks of heroes: close and ranged, in any mix (attack.1 to attack.12, attack.9, supply.close.1 to
supply.ranged.6).
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from referee.engine.dice import Aim, Dice, Need
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies import sequence, wounds
from referee.games.zombies.board import Square, kings_moves
from referee.games.zombies.components import CardId
from referee.games.zombies.events import Attacked, ShotFired
from referee.games.zombies.moving import duty
from referee.games.zombies.state import Player, State
from referee.games.zombies.timing import verb

FISTS = "fists"
"""No weapon: heroes begin without, and nothing forbids it (ruling.unarmed)."""


class Hit(Action, frozen=True, tag="hit"):
    """A close attack with one weapon, or with fists (attack.3, attack.12, ruling.one-weapon)."""

    says = "hit {square} {weapon}"
    square: Square
    weapon: CardId


class Shoot(Action, frozen=True, tag="shoot"):
    """A ranged attack (supply.ranged.4, supply.ranged.5)."""

    says = "shoot {square} {weapon}"
    square: Square
    weapon: CardId


class Target(Struct, frozen=True):
    """Who stands on a square that is attacked."""

    name: str
    needed: int
    """The defense that the roll must reach (attack.5)."""


def target_at(state: State, player: Player, square: str) -> Target | None:
    """Who may be attacked on a square: a zombie, a zombie hero, and in versus another hero (ruling.hero-attacks-hero).

    Mutations of the level make zombies and zombie heroes tougher (mutation.2, mutation.4).
    """
    tougher = state.tougher(square[0])
    if square in state.zombies:
        level = state.zombies[square]
        return Target(f"level {level} zombie", state.components.defenses[level] + tougher)
    other = state.standing.get(square)
    if other is None or other is player:
        return None
    hero = state.components.heroes[other.hero]
    if other.is_zombie:
        return Target(other.hero, hero.zombie_defense + tougher)
    is_rival = state.options["mode"] == "versus" and state.options["hero-attacks-hero"] == "versus-only"
    return Target(other.hero, hero.defense) if is_rival else None


def _targets(state: State, player: Player, within: int) -> tuple[str, ...]:
    standing = state.dead | state.turned | state.living
    return tuple(square for square in state.board.names(within & standing) if target_at(state, player, square))


def weapons(state: State, player: Player, kind: str) -> tuple[str, ...]:
    """Weapons of a kind in hand; a card drawn in this turn is at hand at once (ruling.use-drawn)."""
    return tuple(card for card in player.supplies if state.card(card).kind == kind)


def ammunition(state: State, player: Player, card: str) -> int:
    """Shots left (supply.ranged.1, supply.ranged.2)."""
    return state.card(card).ammunition - player.shots.get(card, 0)


def check_attack(state: State, player: Player) -> Iterator[Refusal]:
    """Whether an attack is left in this turn (turn.action.1 to turn.action.4, ruling.attack-attack-unengaged)."""
    yield from duty(state, player)
    if not state.acts.may_attack:
        rule = "turn.action.4" if state.acts.moved == "break" else "turn.action.1"
        rule = "move.5" if state.acts.extra else rule
        yield Refusal(rule, f"{player.hero} has no attack left in this turn")


# Close


def _hit_offers(state: State, player: Player) -> Iterator[Choice]:
    if not any(check_attack(state, player)):
        squares = _targets(state, player, state.ground.near(player.at))
        if squares:
            yield Choice(Hit, square=OneOf(squares), weapon=OneOf((FISTS, *weapons(state, player, "close"))))


def _hit_reasons(state: State, player: Player, action: Hit) -> Iterator[Refusal]:
    yield from check_attack(state, player)
    if action.weapon != FISTS and action.weapon not in weapons(state, player, "close"):
        yield Refusal("attack.3", f"{player.hero} has no close combat weapon {action.weapon}")
    elif action.square not in state.board.index or not state.ground.near(player.at) & state.board.bit[action.square]:
        rule = "attack.12" if action.weapon == FISTS else "supply.close.2"
        yield from (
            Refusal(rule, f"{action.square} is not next to {player.hero}")
            for rule in dict.fromkeys((rule, "attack.12"))
        )
    else:
        yield from _no_target(state, player, action.square)


def _no_target(state: State, player: Player, square: str) -> Iterator[Refusal]:
    if not target_at(state, player, square):
        other = state.standing.get(square)
        if other and other is not player and not other.is_zombie:
            yield Refusal("survivor.9", f"{player.hero} may not attack {other.hero} in this game")
        else:
            yield Refusal("attack.7", f"nobody stands on {square} who can be attacked")


def close_bonus(state: State, player: Player, weapon: str) -> int:
    """What weapon and special ability add; they add up (attack.8, supply.close.1, supply.close.3)."""
    ability = state.ability_of(player).close
    if weapon == FISTS:
        return ability
    card = state.card(weapon)
    return ability + (card.named_bonus if card.named == player.hero else card.bonus)


def _hit(state: State, player: Player, action: Hit, dice: Dice) -> Script[State]:
    """The weapon stays in hand (ruling.close-weapon-use)."""
    bonus = close_bonus(state, player, action.weapon)
    yield from _attack(state, player, action, bonus, dice)


# Ranged


def _shoot_offers(state: State, player: Player) -> Iterator[Choice]:
    guns = weapons(state, player, "ranged")
    if guns and not any(check_attack(state, player)):
        for gun in guns:
            squares = _in_range(state, player, gun)
            if squares:
                yield Choice(Shoot, square=OneOf(squares), weapon=gun)


def _in_range(state: State, player: Player, gun: str) -> tuple[str, ...]:
    """Targets in range and in sight, adjacent ones too (ruling.ranged-adjacent)."""
    reach = state.card(gun).range
    squares = _targets(state, player, state.level_of(player.at))
    return tuple(
        square for square in squares if kings_moves(player.at, square) <= reach and state.sees(player.at, square)
    )


def _shoot_reasons(state: State, player: Player, action: Shoot) -> Iterator[Refusal]:
    yield from check_attack(state, player)
    square, gun = action.square, action.weapon
    if gun not in weapons(state, player, "ranged"):
        yield Refusal("attack.3", f"{player.hero} has no ranged weapon {gun}")
    elif square not in state.board.index or square[0] != player.at[0]:
        yield Refusal("supply.ranged.4", f"{square} is not on the level")
    elif kings_moves(player.at, square) > state.card(gun).range:
        far, reach = kings_moves(player.at, square), state.card(gun).range
        yield Refusal("supply.ranged.5", f"{square} is {far} squares away, and {gun} reaches {reach}")
    elif not state.sees(player.at, square):
        yield Refusal("supply.ranged.4", f"{player.hero} does not see {square}")
    else:
        yield from _no_target(state, player, square)


def _shoot(state: State, player: Player, action: Shoot, dice: Dice) -> Script[State]:
    """Hit or miss, a shot is gone (supply.ranged.2, supply.ranged.3, supply.ranged.6)."""
    left = ammunition(state, player, action.weapon) - 1
    bonus = state.ability_of(player).ranged
    state = yield ShotFired(player.hero, action.weapon, left)
    yield from _attack(state, player, action, bonus, dice)


# The roll


def _attack(state: State, player: Player, action: Hit | Shoot, bonus: int, dice: Dice) -> Script[State]:
    """Two dice and bonuses against the defense (attack.4, attack.5); a failure has no effect (attack.11)."""
    target = target_at(state, player, action.square)
    assert target is not None
    one, other = dice.throw(attack_need(player, target, action.square, bonus))
    total = one + other + bonus
    hit = total >= target.needed
    state = yield Attacked(
        player.hero, action.square, target.name, action.weapon, (one, other), total, target.needed, hit
    )
    if hit:
        state = yield from wounds.strike(state, player.hero, action.square, 1)
    yield from sequence.go_on(state)


def attack_need(player: Player, target: Target, square: str, bonus: int) -> Need:
    """The attack roll (attack.4)."""
    aim = Aim(least=target.needed - bonus, of="sum", does="hits")
    purpose = f"{player.hero.lower()} attacks {target.name.lower()} on {square}"
    return Need(purpose, 2, 6, aims=(aim,), rule="attack.4")


def _late(state: State) -> Iterator[Refusal]:
    """Attacks belong to a hero's second phase (turn.1)."""
    if state.phase == "horde" and state.task is None:
        yield Refusal("zhero.6", "a zombie hero says: attack")


VERBS: tuple[Verb[State, Any], ...] = (
    verb(Hit, ("start", "action"), _hit_offers, _hit, rule="attack.12", reasons=_hit_reasons, late=_late),
    verb(Shoot, ("start", "action"), _shoot_offers, _shoot, rule="supply.ranged.4", reasons=_shoot_reasons, late=_late),
)
