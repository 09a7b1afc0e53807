"""The course of the game: forced steps are carried out, and turns end and begin (turn.1, ruling.turn-order)."""

from typing import Literal

from msgspec.structs import replace

from referee.engine import turn_order
from referee.engine.event import Event, Script, Seat
from referee.engine.text import count_of, listing
from referee.games.zombies import hordes
from referee.games.zombies.board import LEVEL_NAMES, LevelLetter
from referee.games.zombies.burdens import BurdenDiscarded, BurdenPassed
from referee.games.zombies.components import CardId, CardIds, HeroId
from referee.games.zombies.player import Player
from referee.games.zombies.state import ActionsDone, EventNumber, State, remove_key
from referee.games.zombies.victory import end_game_if_no_hero_is_left

# What happens


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A player's turn begins (turn.1, zhero.5)."""

    told = "{hero}'s turn ({seat})."
    hero: HeroId
    seat: Seat
    phase: Literal["start", "horde"]

    def apply(self, state: State) -> State:
        """Sets the player and the phase of the turn, in which nothing is done yet."""
        return replace(state, turn=state.turn + 1, mover=self.seat, phase=self.phase, acts=ActionsDone(), tested=())


class StealthTurnCounted(Event, frozen=True, tag="stealth-wore"):
    """One more turn of stealth is over (stealth.4)."""

    hero: HeroId
    left: EventNumber
    """The hero's own turns for which stealth still lasts, the one that begins included."""

    def tell(self) -> str:
        """Tells whether stealth goes on."""
        return f"{self.hero} stays undetected." if self.left else f"{self.hero}'s stealth is over."

    def apply(self, state: State) -> State:
        """Sets the number of turns that are left."""
        return state.change_player(self.hero, stealth=self.left)


class HeroBecameZombie(Event, frozen=True, tag="turned-zombie"):
    """A hero on the red heart has become a zombie hero (supply.health.5, ruling.zhero-turn)."""

    hero: HeroId
    health: EventNumber
    survivors: CardIds
    """The survivors of the hero, which are discarded."""
    tiles: EventNumber
    """Blocking tiles left loose on the square."""

    def tell(self) -> str:
        """Tells what to do with the figure and the card, and with things that a zombie hero cannot have."""
        lost = f" Discard {listing(self.survivors)}." if self.survivors else ""
        lies = f" Leave {count_of(self.tiles, 'blocking tile')} on the square." if self.tiles else ""
        turn = "turn the card over, exchange the figure"
        return f"{self.hero} becomes a zombie hero, health {self.health}: {turn}.{lost}{lies}"

    def apply(self, state: State) -> State:
        """Makes the hero a zombie hero: the card is turned over, and the other figure is used (comp.hero-figures).

        Survivors are discarded and blocking tiles left on the square; supply cards stay (zhero.2).
        """
        at = state.players[self.hero].at
        loose = {**state.loose, at: state.loose.get(at, 0) + self.tiles} if self.tiles else state.loose
        state = replace(state, loose=loose).add_discards(*self.survivors)
        gone = {"survivors": (), "spent": (), "tiles": 0, "stealth": 0}
        return state.change_player(self.hero, is_zombie=True, health=self.health, **gone)


class MutationEnded(Event, frozen=True, tag="mutation-ended"):
    """A mutation is no longer in effect (mutation.3)."""

    card: CardId
    level: LevelLetter

    def tell(self) -> str:
        """Tells where it was in force."""
        return f"{self.card} ends in the {LEVEL_NAMES[self.level]}: discard it."

    def apply(self, state: State) -> State:
        """Discards the card."""
        return replace(state, mutations=remove_key(state.mutations, self.card)).add_discards(self.card)


# Forced steps


def carry_on_play(state: State) -> Script[State]:
    """Yields everything that follows without a choice, until somebody has to act."""
    return turn_order.settle_tasks(state, _find_next_forced_step)


def _find_next_forced_step(state: State) -> Script[State] | Event | None:
    """Returns the next step that needs no choice; None if somebody has to act, or the game is over."""
    if state.outcome:
        return None
    loose_end = hordes.find_next_horde_change(state)
    if loose_end:
        return loose_end
    if state.task:
        return state.task.make_forced_events(state)
    return _begin_next_turn(state) if _is_turn_over(state) else None


def _is_turn_over(state: State) -> bool:
    """True if the turn is over: a hero's after the zombies have acted, a zombie hero's after their one action
    (ruling.zhero-sequence).
    """
    return state.phase == "zombies" or (state.phase == "horde" and not state.acts.is_empty)


def _begin_next_turn(state: State) -> Script[State]:
    at = state.order.index(state.mover)
    ring = (*state.order[at + 1 :], *state.order[: at + 1])
    seat = next(seat for seat in ring if not state.players_by_seat[seat].is_out_of_game)
    return begin_turn(state, state.players_by_seat[seat])


def begin_turn(state: State, player: Player) -> Script[State]:
    """Begins the turn of a player, and counts down their stealth.

    A hero on the red heart turns into a zombie hero first (supply.health.5, mode.versus.4).
    """
    if player.is_hero_on_board and not player.health:
        state = yield from _turn_into_zombie(state, player)
        if state.outcome:
            return state
        player = state.players[player.hero]
    state = yield TurnBegun(player.hero, player.seat, "horde" if player.is_zombie else "start")
    if player.stealth:
        state = yield StealthTurnCounted(player.hero, player.stealth - 1)
    return state


def _turn_into_zombie(state: State, player: Player) -> Script[State]:
    """Turns a hero into a zombie hero on the same square (ruling.zhero-turn). Their supply cards stay (zhero.2).

    Cards that must be rolled for go to the next hero on the left, or are discarded if no hero is left. Mutations,
    hordes and the end of the game are settled too.
    """
    card = state.components.heroes[player.hero]
    state = yield HeroBecameZombie(player.hero, card.zombie_health, player.survivors, player.tiles)
    for burden in player.burdens:
        heir = state.find_hero_on_left(player.hero)
        state = yield BurdenPassed(player.hero, burden, heir.hero) if heir else BurdenDiscarded(player.hero, burden)
    state = yield from end_mutations_left_behind(state, player.at[0])
    state = yield from hordes.settle_hordes(state)
    return (yield from end_game_if_no_hero_is_left(state))


def end_mutations_left_behind(state: State, level: str) -> Script[State]:
    """Ends the mutations of a level on which no player is left (mutation.3, ruling.mutation-end).

    By the option `mutation-end`, zombie heroes on the level may not count, or mutations may never end.
    """
    rule = state.options["mutation-end"]
    stay = state.heroes if rule == "last-hero-leaves" else (*state.heroes, *state.zombie_heroes)
    if rule == "stays" or any(player.at[0] == level for player in stay):
        return state
    for card in sorted(card for card, where in state.mutations.items() if where == level):
        state = yield MutationEnded(card, state.mutations[card])
    return state
