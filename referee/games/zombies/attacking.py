"""Attacks of heroes, close and ranged in any mix (attack.1 to attack.12, attack.9, supply.close.1 to supply.ranged.6).

Also the effects of every successful attack, whoever makes it (attack.6, attack.10, supply.health.3).
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.target_number import Target
from referee.engine.text import count_of, listing
from referee.games.zombies import hordes, turns
from referee.games.zombies.board import Square, measure_kings_moves
from referee.games.zombies.burdens import refuse_before_card_rolls
from referee.games.zombies.components import CardId, CardIds, HeroId, HeroIdOrEmpty, ZombieLevel
from referee.games.zombies.notation import Reader
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import EventNumber, Loot, State, TwoFaces, remove_key

FISTS = "fists"
"""The word for attacks without a weapon. Heroes begin without weapons, and nothing forbids fists (ruling.unarmed)."""

# What happens


class AttackRolled(Event, frozen=True, tag="attacked"):
    """A hero has rolled an attack (attack.4)."""

    hero: HeroId
    at: Square
    target: Annotated[str, Meta(max_length=40)]
    weapon: str
    faces: TwoFaces
    total: EventNumber
    needed: EventNumber
    hit: bool

    def tell(self) -> str:
        """Tells the dice, their total, and the total that was needed."""
        one, other = self.faces
        rolled = f"{one} {other}, {self.total} in all, {self.needed} or more hits"
        end = "Hit!" if self.hit else "No effect."
        return f"{self.hero} attacks {self.target} on {self.at} with {self.weapon}: {rolled}. {end}"

    def apply(self, state: State) -> State:
        """Counts one of the hero's attacks."""
        return state.record_action(self.hero, attacks=state.acts.attacks + 1)


class ShotFired(Event, frozen=True, tag="shot-fired"):
    """A ranged weapon has less ammunition (supply.ranged.2)."""

    hero: HeroId
    card: CardId
    left: EventNumber

    def tell(self) -> str:
        """Tells how many shots are left. After the last one the card is discarded."""
        if not self.left:
            return f"{self.card}: the last shot. {self.hero} discards it."
        return f"{self.card}: {count_of(self.left, 'shot')} left."

    def apply(self, state: State) -> State:
        """Counts the shot. A weapon without ammunition is discarded (supply.ranged.3)."""
        shots = state.players[self.hero].shots
        if not self.left:
            return state.change_player(self.hero, shots=remove_key(shots, self.card)).use_card(self.hero, self.card)
        fired = state.get_card(self.card).ammunition - self.left
        return state.change_player(self.hero, shots={**shots, self.card: fired})


class ZombieKilled(Event, frozen=True, tag="zombie-killed"):
    """A zombie was killed and is off the board (attack.6)."""

    told = "Take the level {level} zombie off {at}."
    at: Square
    level: ZombieLevel

    def apply(self, state: State) -> State:
        """Takes the zombie off the board, and out of its horde if it is in one."""
        state = replace(state, zombies=remove_key(state.zombies, self.at))
        owner = next((player for player in state.players.values() if self.at in player.horde), None)
        if owner is None:
            return state
        return state.change_player(owner.hero, horde=tuple(square for square in owner.horde if square != self.at))


class PlayerHurt(Event, frozen=True, tag="hurt"):
    """A player has lost health (supply.health.3)."""

    hero: HeroId
    damage: EventNumber
    left: EventNumber

    def tell(self) -> str:
        """Tells how much health is lost and how much is left; 0 is the red heart."""
        heart = "" if self.left else ", the red heart"
        return f"{self.hero} loses {self.damage} health: {self.left} left{heart}."

    def apply(self, state: State) -> State:
        """Sets the player's health to what is left."""
        return state.change_player(self.hero, health=self.left)


class ZombieHeroKilled(Event, frozen=True, tag="zombie-hero-killed"):
    """A zombie hero was killed: the figure is off the board, and the player is out (ruling.zhero-killed)."""

    hero: HeroId
    at: Square
    cards: CardIds
    """The zombie hero's supply cards, which stay on the square."""
    killer: HeroIdOrEmpty

    def tell(self) -> str:
        """Tells to take the figure off, and which cards stay for the killer."""
        whose = f" for {self.killer}" if self.killer else ""
        lie = f" {listing(self.cards)} lie there{whose}." if self.cards else ""
        return f"{self.hero} is killed: take the zombie hero off {self.at}.{lie}"

    def apply(self, state: State) -> State:
        """Takes the figure off, frees the horde, and leaves the cards on the square for the killer (zhero.4)."""
        loot = (*state.loot, Loot(self.at, self.cards, self.killer)) if self.cards else state.loot
        gone = {"at": "", "horde": (), "supplies": (), "shots": {}}
        return replace(state, loot=loot).change_player(self.hero, **gone)


# The words


class HitInCloseCombat(Action, frozen=True, tag="hit"):
    """A close attack with one weapon, or with fists (attack.3, attack.12, ruling.one-weapon)."""

    says = "hit {square} {weapon}"
    square: Square
    weapon: CardId


class Shoot(Action, frozen=True, tag="shoot"):
    """A ranged attack (supply.ranged.4, supply.ranged.5)."""

    says = "shoot {square} {weapon}"
    square: Square
    weapon: CardId


class AttackTarget(Struct, frozen=True):
    """The target on an attacked square."""

    name: str
    needed: int
    """The defense that the roll must reach (attack.5)."""


def find_attack_target(state: State, player: Player, square: str) -> AttackTarget | None:
    """Returns the target on a square: a zombie, another player's zombie hero or hero; None if there is none.

    A hero may be attacked only in versus mode, if the option hero-attacks-hero allows it (ruling.hero-attacks-hero).
    Mutations of the level make zombies and zombie heroes tougher (mutation.2, mutation.4).
    """
    tougher = state.sum_added_defense(square[0])
    if square in state.zombies:
        level = state.zombies[square]
        return AttackTarget(f"level {level} zombie", state.components.defenses_by_level[level] + tougher)
    other = state.figures.get(square)
    if other is None or other is player:
        return None
    hero = state.components.heroes[other.hero]
    if other.is_zombie:
        return AttackTarget(other.hero, hero.zombie_defense + tougher)
    is_rival = state.options["mode"] == "versus" and state.options["hero-attacks-hero"] == "versus-only"
    return AttackTarget(other.hero, hero.defense) if is_rival else None


def list_target_squares(state: State, player: Player, within: int) -> tuple[str, ...]:
    """Returns the squares of the set `within` on which somebody stands whom the player may attack."""
    figures = state.zombie_squares | state.zombie_hero_squares | state.hero_squares
    return tuple(
        [square for square in state.board.list_squares(within & figures) if find_attack_target(state, player, square)]
    )


def list_weapons(state: State, player: Player, kind: str) -> tuple[str, ...]:
    """Returns the weapons of a kind in hand, "close" or "ranged".

    A card drawn in this turn can be used at once (ruling.use-drawn).
    """
    return tuple(card for card in player.supplies if state.get_card(card).kind == kind)


def count_shots_left(state: State, player: Player, card: str) -> int:
    """Returns the shots that a ranged weapon has left (supply.ranged.1, supply.ranged.2)."""
    return state.get_card(card).ammunition - player.shots.get(card, 0)


def check_attack(state: State, player: Player) -> Iterator[Refusal]:
    """Yields why a hero may not attack now: a held card has to be rolled for first, or no attack is left.

    The attacks of a turn follow from turn.action.1 to turn.action.4 and ruling.attack-attack-unengaged.
    """
    yield from refuse_before_card_rolls(state, player)
    if not state.acts.has_attack_left:
        rule = "turn.action.4" if state.acts.moved == "break" else "turn.action.1"
        rule = "move.5" if state.acts.extra else rule
        yield Refusal(rule, f"{player.hero} has no attack left in this turn")


# Close


def _offer_hit(state: State, player: Player) -> Iterator[Choice]:
    if not any(check_attack(state, player)):
        squares = list_target_squares(state, player, state.ground.find_squares_adjacent_to(player.at))
        if squares:
            yield Choice(
                HitInCloseCombat, square=OneOf(squares), weapon=OneOf((FISTS, *list_weapons(state, player, "close")))
            )


def _check_hit(state: State, player: Player, action: HitInCloseCombat) -> Iterator[Refusal]:
    yield from check_attack(state, player)
    if action.weapon != FISTS and action.weapon not in list_weapons(state, player, "close"):
        yield Refusal("attack.3", f"{player.hero} has no close combat weapon {action.weapon}")
    elif (
        action.square not in state.board.square_numbers
        or not state.ground.find_squares_adjacent_to(player.at) & state.board.square_bits[action.square]
    ):
        rule = "attack.12" if action.weapon == FISTS else "supply.close.2"
        yield from (
            Refusal(rule, f"{action.square} is not next to {player.hero}")
            for rule in dict.fromkeys((rule, "attack.12"))
        )
    else:
        yield from _refuse_missing_target(state, player, action.square)


def _refuse_missing_target(state: State, player: Player, square: str) -> Iterator[Refusal]:
    if not find_attack_target(state, player, square):
        other = state.figures.get(square)
        if other and other is not player and not other.is_zombie:
            yield Refusal("ruling.hero-attacks-hero", f"{player.hero} may not attack {other.hero} in this game")
        else:
            yield Refusal("attack.7", f"nobody stands on {square} who can be attacked")


def find_close_attack_bonus(state: State, player: Player, weapon: str) -> int:
    """Returns the bonus of a close attack roll.

    Weapon and special ability add up (attack.8, supply.close.1, supply.close.3).
    """
    ability = state.find_ability(player).close
    if weapon == FISTS:
        return ability
    card = state.get_card(weapon)
    return ability + (card.named_bonus if card.named == player.hero else card.bonus)


def _attack_close(state: State, player: Player, action: HitInCloseCombat, dice: Dice) -> Script[State]:
    """Makes a close attack. The weapon stays in hand (ruling.close-weapon-use)."""
    bonus = find_close_attack_bonus(state, player, action.weapon)
    yield from _roll_attack(state, player, action, bonus, dice)


# Ranged


def _offer_shoot(state: State, player: Player) -> Iterator[Choice]:
    guns = list_weapons(state, player, "ranged")
    if guns and not any(check_attack(state, player)):
        for gun in guns:
            squares = _list_targets_in_range(state, player, gun)
            if squares:
                yield Choice(Shoot, square=OneOf(squares), weapon=gun)


def _list_targets_in_range(state: State, player: Player, gun: str) -> tuple[str, ...]:
    """Returns the squares of targets in range and in sight, adjacent ones too (ruling.ranged-adjacent)."""
    reach = state.get_card(gun).range
    squares = list_target_squares(state, player, state.find_level_squares(player.at))
    return tuple(
        square
        for square in squares
        if measure_kings_moves(player.at, square) <= reach and state.has_line_of_sight(player.at, square)
    )


def _check_shoot(state: State, player: Player, action: Shoot) -> Iterator[Refusal]:
    yield from check_attack(state, player)
    square, gun = action.square, action.weapon
    if gun not in list_weapons(state, player, "ranged"):
        yield Refusal("attack.3", f"{player.hero} has no ranged weapon {gun}")
    elif square not in state.board.square_numbers or square[0] != player.at[0]:
        yield Refusal("supply.ranged.4", f"{square} is not on the level")
    elif measure_kings_moves(player.at, square) > state.get_card(gun).range:
        far, reach = measure_kings_moves(player.at, square), state.get_card(gun).range
        yield Refusal("supply.ranged.5", f"{square} is {far} squares away, and {gun} reaches {reach}")
    elif not state.has_line_of_sight(player.at, square):
        yield Refusal("supply.ranged.4", f"{player.hero} does not see {square}")
    else:
        yield from _refuse_missing_target(state, player, square)


def _fire_shot(state: State, player: Player, action: Shoot, dice: Dice) -> Script[State]:
    """Makes a ranged attack. Hit or miss, a shot is used up (supply.ranged.2, supply.ranged.3, supply.ranged.6)."""
    left = count_shots_left(state, player, action.weapon) - 1
    bonus = state.find_ability(player).ranged
    state = yield ShotFired(player.hero, action.weapon, left)
    yield from _roll_attack(state, player, action, bonus, dice)


# The roll


def _roll_attack(
    state: State, player: Player, action: HitInCloseCombat | Shoot, bonus: int, dice: Dice
) -> Script[State]:
    """Rolls two dice and adds the bonus (attack.4, attack.5). A total below the defense has no effect (attack.11)."""
    target = find_attack_target(state, player, action.square)
    assert target is not None
    one, other = dice.throw(make_attack_need(player, target, action.square, bonus))
    total = one + other + bonus
    hit = total >= target.needed
    state = yield AttackRolled(
        player.hero, action.square, target.name, action.weapon, (one, other), total, target.needed, hit
    )
    if hit:
        state = yield from resolve_hit(state, player.hero, action.square, 1)
    return state


def make_attack_need(player: Player, target: AttackTarget, square: str, bonus: int) -> Need:
    """Returns the dice that an attack needs, with the target number for a hit (attack.4)."""
    aim = Target(least=target.needed - bonus, of="sum", does="hits")
    purpose = f"{player.hero.lower()} attacks {target.name.lower()} on {square}"
    return Need(purpose, 2, 6, aims=(aim,), rule="attack.4")


def _refuse_late(state: State) -> Iterator[Refusal]:
    """Yields a refusal for a zombie hero, who neither hits nor shoots but attacks with `attack` (zhero.6)."""
    if state.phase == "horde" and not state.task:
        yield Refusal("zhero.6", "a zombie hero attacks with: attack")


# What it does


def resolve_hit(state: State, by: str, square: str, damage: int) -> Script[State]:
    """Yields the events of a successful attack on a square: a zombie there is killed, a player loses health.

    `by` is the hero who attacks, `damage` the health that a player loses.
    """
    if square in state.zombies:
        state = yield ZombieKilled(square, state.zombies[square])
        return (yield from hordes.settle_hordes(state))
    struck = state.figures.get(square)
    return (yield from deal_damage(state, struck, damage, by)) if struck else state


def deal_damage(state: State, player: Player, damage: int, by: str = "") -> Script[State]:
    """Takes health from a player, but never below 0, the red heart (ruling.damage-floor).

    Further hits change nothing (ruling.red-heart-between). A hero on the red heart may finish their own turn
    (ruling.red-heart-actions). A zombie hero without health is killed. `by` is the hero who attacks; empty if it was no
    hero.
    """
    left = max(0, player.health - damage)
    if left == player.health:
        return state
    state = yield PlayerHurt(player.hero, player.health - left, left)
    if player.is_zombie and not left:
        state = yield from _kill_zombie_hero(state, player, by)
    return state


def _kill_zombie_hero(state: State, player: Player, by: str) -> Script[State]:
    """Removes a killed zombie hero (ruling.zhero-killed).

    Their player is out, their horde obeys the tokens, and their cards stay for the killer.
    """
    level = player.at[0]
    state = yield ZombieHeroKilled(player.hero, player.at, player.supplies, by)
    state = yield from hordes.settle_hordes(state)
    return (yield from turns.end_mutations_left_behind(state, level))


def _read_hit(reader: Reader) -> HitInCloseCombat:
    return HitInCloseCombat(reader.read_square(), _read_weapon(reader, "close"))


def _read_shoot(reader: Reader) -> Shoot:
    return Shoot(reader.read_square(), _read_weapon(reader, "ranged"))


def _read_weapon(reader: Reader, kind: Literal["close", "ranged"]) -> str:
    """Returns the weapon that the phrase names, else the only one in hand.

    For a hero without a close combat weapon, that is fists.
    """
    player = reader.speaker
    held = list_weapons(reader.state, player, kind) if player else ()
    only = held or ((FISTS,) if kind == "close" else ())
    is_named = reader.words and reader.words[0].text not in reader.verbs
    if is_named or len(only) != 1:
        return reader.read_card()
    reader.remarks.append(f"With {only[0]}, the only weapon." if held else f"With {FISTS}: no weapon is in hand.")
    return only[0]


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(
        HitInCloseCombat,
        ("start", "action"),
        _offer_hit,
        _attack_close,
        rule="attack.12",
        check=_check_hit,
        late=_refuse_late,
        read=_read_hit,
        carries=True,
    ),
    make_verb(
        Shoot,
        ("start", "action"),
        _offer_shoot,
        _fire_shot,
        rule="supply.ranged.4",
        check=_check_shoot,
        late=_refuse_late,
        read=_read_shoot,
        carries=True,
    ),
)
