"""Grenades, attempts to break blocking tiles, rescue rolls, and the end of a player's actions."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.target_number import ONLY_READ, Target
from referee.engine.text import count_of
from referee.games.zombies import biting
from referee.games.zombies.attacking import check_attack, resolve_hit
from referee.games.zombies.board import Square, measure_kings_moves
from referee.games.zombies.burdens import refuse_before_card_rolls
from referee.games.zombies.components import CardId, HeroId
from referee.games.zombies.free_actions import refuse_card_not_in_hand
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import EventNumber, Face, Phase, State, TwoFaces
from referee.games.zombies.tasks import LobTask
from referee.games.zombies.victory import find_helipad_squares, win_by_rescue

TILE_BREAKING_TOTAL = 8
"""The least total of two dice that breaks a blocking tile; nothing is added to it (tile.6, ruling.smash-bonus)."""
RESCUE_TOTAL = 12
"""The total that a rescue roll needs, less one for each survivor (rescue.3, rescue.4)."""


# What happens


class GrenadeThrown(Event, frozen=True, tag="grenade-thrown"):
    """The die for a grenade was rolled (grenade.2)."""

    hero: HeroId
    card: CardId
    reach: Face

    def tell(self) -> str:
        """Tells how far the grenade can fly."""
        return f"{self.hero} throws {self.card}: up to {count_of(self.reach, 'square')}."

    def apply(self, state: State) -> State:
        """Uses up the card, counts an attack, and adds the task of choosing the square (grenade.6)."""
        state = state.use_card(self.hero, self.card).record_action(self.hero, attacks=state.acts.attacks + 1)
        return replace(state, agenda=(LobTask(by=self.hero, card=self.card, reach=self.reach), *state.agenda))


class GrenadeExploded(Event, frozen=True, tag="exploded"):
    """A grenade has gone off (grenade.3)."""

    told = "The grenade falls on {at}."
    at: Square

    def apply(self, state: State) -> State:
        """Ends the task of choosing the square. The hits are events of their own."""
        return state.remove_first_task()


class SmashRolled(Event, frozen=True, tag="smashed"):
    """A player has tried to break a blocking tile (tile.6)."""

    hero: HeroId
    at: Square
    faces: TwoFaces
    broken: bool

    def tell(self) -> str:
        """Tells the dice, and whether the tile breaks."""
        end = f"take the blocking tile off {self.at}" if self.broken else f"the tile on {self.at} holds"
        return f"{self.hero} smashes, {self.faces[0]} {self.faces[1]}, {TILE_BREAKING_TOTAL} or more breaks: {end}."

    def apply(self, state: State) -> State:
        """Counts the attempt. A broken tile goes back to the supply (ruling.tile-returned)."""
        tiles = tuple(square for square in state.tiles if not (self.broken and square == self.at))
        return replace(state, tiles=tiles).record_action(self.hero, works=state.acts.works + 1)


class RescueRolled(Event, frozen=True, tag="rescue-rolled"):
    """A hero has rolled for rescue (rescue.3)."""

    hero: HeroId
    faces: TwoFaces
    total: EventNumber
    needed: EventNumber
    survivors: EventNumber

    def tell(self) -> str:
        """Tells the dice, their total, and the total that is needed."""
        with_ = f" with {count_of(self.survivors, 'survivor')}" if self.survivors else ""
        rolled = f"{self.faces[0]} {self.faces[1]}, {self.total} in all"
        return f"{self.hero} calls for rescue{with_}: {rolled}, {self.needed} or more is needed."

    def apply(self, state: State) -> State:
        """Counts the roll as one of the hero's actions."""
        return state.record_action(self.hero, works=state.acts.works + 1)


class PhaseBegun(Event, frozen=True, tag="phase-begun"):
    """The turn goes on to another phase (turn.1)."""

    told = "{hero}'s actions are over."
    hero: HeroId
    phase: Phase

    def apply(self, state: State) -> State:
        """Changes the phase."""
        return replace(state, phase=self.phase)


# Grenades


class Grenade(Action, frozen=True, tag="grenade"):
    """Throw a grenade: roll the die for its range. This is an attack (grenade.1, grenade.2)."""

    says = "grenade {card}"
    card: CardId


class LobTo(Action, frozen=True, tag="lob"):
    """Say where the grenade falls (grenade.2)."""

    says = "lob {square}"
    square: Square


def _make_grenade_need(player: Player) -> Need:
    return Need(f"how far {player.hero.lower()} throws the grenade", 1, 6, aims=ONLY_READ, rule="grenade.2")


def _offer_grenade(state: State, player: Player) -> Iterator[Choice]:
    cards = state.list_usable_cards(player, "grenade")
    if cards and not any(check_attack(state, player)):
        yield Choice(Grenade, _make_grenade_need(player), card=OneOf(cards))


def _check_grenade(state: State, player: Player, action: Grenade) -> Iterator[Refusal]:
    yield from check_attack(state, player)
    yield from refuse_card_not_in_hand(state, player, action.card, "grenade", "grenade.6")


def _throw_grenade(_state: State, player: Player, action: Grenade, dice: Dice) -> Script[State]:
    (reach,) = dice.throw(_make_grenade_need(player))
    return (yield GrenadeThrown(player.hero, action.card, reach))


def _offer_lob(state: State, player: Player) -> Iterator[Choice]:
    """Offers the open squares of the level within reach, in sight or not (ruling.grenade-reach)."""
    reach = state.ground.find_squares_within(player.at, state.get_first_task(LobTask).reach)
    yield Choice(LobTo, square=OneOf(state.board.list_squares(reach)))


def _check_lob(state: State, player: Player, action: LobTo) -> Iterator[Refusal]:
    task, square = state.get_first_task(LobTask), action.square
    if square not in state.board.square_numbers or square[0] != player.at[0]:
        yield Refusal("grenade.2", f"{square} is not on the level")
    elif (far := measure_kings_moves(player.at, square)) > task.reach:
        yield Refusal("grenade.2", f"{square} is {far} squares away, and the die shows {task.reach}")
    else:
        yield Refusal("grenade.2", f"{square} is solid")


def _explode_grenade(state: State, player: Player, action: LobTo, _dice: Dice) -> Script[State]:
    """Hits everybody on the chosen square and on the squares that touch it (grenade.3, grenade.4, grenade.5).

    Walls stop the blast (ruling.grenade-walls); tiles and tokens stay (ruling.grenade-reaction). Survivors are no
    shield against it (ruling.shield-scope).
    """
    damage = state.get_card(state.get_first_task(LobTask).card).damage
    state = yield GrenadeExploded(action.square)
    blast = state.ground.find_squares_adjacent_to(action.square) | state.board.square_bits[action.square]
    for square in state.board.list_squares(
        blast & (state.zombie_squares | state.hero_squares | state.zombie_hero_squares)
    ):
        state = yield from resolve_hit(state, player.hero, square, damage)
    return state


# Blocking tiles


class SmashTile(Action, frozen=True, tag="smash"):
    """Try to break an adjacent blocking tile; for a zombie hero it is their one action (tile.5, zhero.break.1)."""

    says = "smash {square}"
    square: Square


def _check_work(state: State, player: Player) -> Iterator[Refusal]:
    """Yields why a hero has no action left to break a tile or to roll for rescue.

    Yields nothing for a zombie hero, whose turn is a single action (zhero.5).
    """
    if player.is_zombie:
        return
    yield from refuse_before_card_rolls(state, player)
    if not state.acts.has_rescue_or_smash_left:
        yield Refusal("turn.action.1", f"{player.hero} has no action left for that")


def _offer_smash(state: State, player: Player) -> Iterator[Choice]:
    squares = (
        state.board.list_squares(state.ground.find_squares_adjacent_to(player.at) & state.tile_squares)
        if state.tiles
        else ()
    )
    if squares and not any(_check_work(state, player)):
        yield Choice(SmashTile, square=OneOf(squares))


def _check_smash(state: State, player: Player, action: SmashTile) -> Iterator[Refusal]:
    yield from _check_work(state, player)
    if action.square not in state.tiles:
        rule = "zhero.break.1" if player.is_zombie else "tile.5"
        yield Refusal(rule, f"no blocking tile lies on {action.square}")
    elif not state.ground.find_squares_adjacent_to(player.at) & state.board.square_bits[action.square]:
        rule = "zhero.break.2" if player.is_zombie else "tile.5"
        yield Refusal(rule, f"{player.hero} is not next to {action.square}")


def _smash_tile(_state: State, player: Player, action: SmashTile, dice: Dice) -> Script[State]:
    """Rolls two dice; 8 or more breaks the tile, for heroes and zombie heroes alike (tile.6, tile.8,
    ruling.zhero-smash).
    """
    aim = Target(least=TILE_BREAKING_TOTAL, of="sum", does="breaks it")
    need = Need(f"{player.hero.lower()} smashes the tile on {action.square}", 2, 6, aims=(aim,), rule="tile.6")
    one, other = dice.throw(need)
    return (yield SmashRolled(player.hero, action.square, (one, other), one + other >= TILE_BREAKING_TOTAL))


# Rescue


class RollForRescue(Action, frozen=True, tag="rescue"):
    """Roll for rescue on the helipad (rescue.1)."""

    says = "rescue"


def _check_rescue(state: State, player: Player, _action: RollForRescue) -> Iterator[Refusal]:
    """Yields why a hero may not roll for rescue.

    All living heroes of a team have to be on the helipad (mode.teams.2, rescue.6). Members who have turned into zombie
    heroes do not count (rescue.7).
    """
    yield from _check_work(state, player)
    pad = find_helipad_squares(state)
    if not state.board.square_bits[player.at] & pad:
        yield Refusal("rescue.1", f"{player.hero} is not on the helipad")
    team = [mate for mate in state.list_team(player) if mate.is_hero_on_board]
    for mate in team:
        if mate is not player and not state.board.square_bits[mate.at] & pad:
            yield Refusal("rescue.6", f"{mate.hero} is alive and not on the helipad")
        yield from _check_alone(state, mate)


def _check_alone(state: State, mate: Player) -> Iterator[Refusal]:
    """Yields a refusal if a zombie is next to this hero of the team (rescue.5, ruling.rescue-team-adjacent).

    Stealth helps only if the option `stealth-rescue` says so (ruling.stealth-rescue).
    """
    undetected = state.options["stealth-rescue"] == "yes" and state.is_stealthed(mate)
    if state.find_threats_near(mate.at) and not undetected:
        yield Refusal("rescue.5", f"a zombie is next to {mate.hero}")


def _offer_rescue(state: State, player: Player) -> Iterator[Choice]:
    if state.board.square_bits[player.at] & find_helipad_squares(state) and can_roll_for_rescue(state, player):
        yield Choice(RollForRescue)


def can_roll_for_rescue(state: State, player: Player) -> bool:
    """True if the hero may roll for rescue now."""
    return not any(_check_rescue(state, player, RollForRescue()))


def count_survivors_for_rescue(state: State, player: Player) -> int:
    """Returns the number of survivors that count for a hero's rescue roll.

    They are the hero's own and those of team mates next to them (rescue.4, rescue.8, mode.teams.3,
    ruling.rescue-combine). Noisy survivors and survivors with an item count; infected ones do not
    (ruling.infected-count, ruling.noisy-count, survivor.13).
    """
    near = state.ground.find_squares_adjacent_to(player.at)
    mates = [mate for mate in state.list_team(player) if mate.is_hero_on_board]
    counted = [mate for mate in mates if mate.hero == player.hero or state.board.square_bits[mate.at] & near]
    return sum(len(mate.survivors) for mate in counted)


def _roll_for_rescue(state: State, player: Player, _action: RollForRescue, dice: Dice) -> Script[State]:
    """Rolls two dice and adds the special ability.

    The total must reach 12 minus the number of survivors (rescue.2, rescue.3).
    """
    survivors = count_survivors_for_rescue(state, player)
    needed = RESCUE_TOTAL - survivors
    bonus = state.find_ability(player).rescue
    aim = Target(least=needed - bonus, of="sum", does="brings rescue")
    one, other = dice.throw(Need(f"rescue of {player.hero.lower()}", 2, 6, aims=(aim,), rule="rescue.3"))
    total = one + other + bonus
    state = yield RescueRolled(player.hero, (one, other), total, needed, survivors)
    return (yield from win_by_rescue(state, player)) if total >= needed else state


def _refuse_late_rescue(state: State) -> Iterator[Refusal]:
    if state.phase == "horde" and not state.task:
        yield Refusal("zhero.6", "a zombie hero moves, attacks or mutates")


# The end of the actions


class EndActions(Action, frozen=True, tag="done"):
    """End your actions. After those of a hero, the zombies on the level act (turn.zombie.1)."""

    says = "done"


def _offer_done(state: State, player: Player) -> Iterator[Choice]:
    """Offers to end the actions, even if some are left (ruling.optional-actions).

    Offers nothing while a held card has to be rolled for.
    """
    if not refuse_before_card_rolls(state, player):
        yield Choice(EndActions, minor=player.is_zombie)


def _end_actions(_state: State, player: Player, _action: EndActions, _dice: Dice) -> Script[State]:
    """Ends a hero's actions and starts the zombie phase. A zombie hero's turn just ends (ruling.zhero-sequence)."""
    state = yield PhaseBegun(player.hero, "zombies")
    if not player.is_zombie:
        state = yield from biting.start_zombie_phase(state)
    return state


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(Grenade, ("start", "action"), _offer_grenade, _throw_grenade, rule="grenade.1", check=_check_grenade),
    make_verb(LobTo, ("lob",), _offer_lob, _explode_grenade, rule="grenade.2", check=_check_lob),
    make_verb(SmashTile, ("start", "action", "horde"), _offer_smash, _smash_tile, rule="tile.5", check=_check_smash),
    make_verb(
        RollForRescue,
        ("start", "action"),
        _offer_rescue,
        _roll_for_rescue,
        check=_check_rescue,
        late=_refuse_late_rescue,
    ),
    make_verb(
        EndActions,
        ("start", "action", "horde"),
        _offer_done,
        _end_actions,
        check=lambda state, player, _: iter(refuse_before_card_rolls(state, player)),
        words=("done", "zombies", "end", "pass"),
        closes=lambda state: (state.mover, state.phase in ("start", "action", "horde")),
    ),
)
