"""The course of the game: what goes without saying is done, turns end and begin (turn.1, ruling.turn-order)."""

from typing import Literal

from msgspec.structs import replace

from referee.engine import order
from referee.engine.event import Event, Script, Seat
from referee.engine.text import count_of, listing
from referee.games.zombies import hordes
from referee.games.zombies.board import LEVELS, Level
from referee.games.zombies.burdens import BurdenDone, BurdenPassed
from referee.games.zombies.components import CardId, Cards, HeroId
from referee.games.zombies.player import Player
from referee.games.zombies.state import Acts, Number, State, without_key
from referee.games.zombies.victory import end_if_nobody_is_left

# What happens


class TurnBegun(Event, frozen=True, tag="turn-begun"):
    """A player's turn begins (turn.1, zhero.5)."""

    told = "{hero}'s turn ({seat})."
    hero: HeroId
    seat: Seat
    phase: Literal["start", "horde"]

    def apply(self, state: State) -> State:
        """Nothing was done yet in it."""
        return replace(state, turn=state.turn + 1, mover=self.seat, phase=self.phase, acts=Acts(), tested=())


class StealthWore(Event, frozen=True, tag="stealth-wore"):
    """One more turn of stealth is over (stealth.4)."""

    hero: HeroId
    left: Number
    """Own turns that it still lasts, the one that begins included."""

    def tell(self) -> str:
        """Whether it goes on."""
        return f"{self.hero} stays undetected." if self.left else f"{self.hero}'s stealth is over."

    def apply(self, state: State) -> State:
        """Count it."""
        return state.with_player(self.hero, stealth=self.left)


class TurnedZombie(Event, frozen=True, tag="turned-zombie"):
    """A hero on the red heart has become a zombie hero (supply.health.5, ruling.zhero-turn)."""

    hero: HeroId
    health: Number
    survivors: Cards
    """They are discarded."""
    tiles: Number
    """Blocking tiles left loose on the square."""

    def tell(self) -> str:
        """What is to be done with figure, card and all that he may no longer have."""
        lost = f" Discard {listing(self.survivors)}." if self.survivors else ""
        lies = f" Leave {count_of(self.tiles, 'blocking tile')} on the square." if self.tiles else ""
        turn = "turn the card over, exchange the figure"
        return f"{self.hero} becomes a zombie hero, health {self.health}: {turn}.{lost}{lies}"

    def apply(self, state: State) -> State:
        """Turn the card over and exchange the figure (comp.hero-figures); supply cards stay (zhero.2)."""
        at = state.players[self.hero].at
        loose = {**state.loose, at: state.loose.get(at, 0) + self.tiles} if self.tiles else state.loose
        state = replace(state, loose=loose).discarded(*self.survivors)
        gone = {"survivors": (), "spent": (), "tiles": 0, "stealth": 0}
        return state.with_player(self.hero, is_zombie=True, health=self.health, **gone)


class MutationEnded(Event, frozen=True, tag="mutation-ended"):
    """A mutation is no longer in effect (mutation.3)."""

    card: CardId
    level: Level

    def tell(self) -> str:
        """Where it was in force."""
        return f"{self.card} ends in the {LEVELS[self.level]}: discard it."

    def apply(self, state: State) -> State:
        """Discard it."""
        return replace(state, mutations=without_key(state.mutations, self.card)).discarded(self.card)


# What follows from what


def go_on(state: State) -> Script[State]:
    """Do what needs no word from anybody, until somebody has to say something."""
    return order.settle(state, _following)


def _following(state: State) -> Script[State] | Event | None:
    """What comes next though nobody says anything; None: somebody has to."""
    if state.outcome:
        return None
    loose_end = hordes.loose_end(state)
    if loose_end:
        return loose_end
    if state.task:
        return state.task.forced(state)
    return _next_turn(state) if _turn_is_over(state) else None


def _turn_is_over(state: State) -> bool:
    """A hero's turn ends when the zombies have acted; a zombie hero's after his one action (ruling.zhero-sequence)."""
    return state.phase == "zombies" or (state.phase == "horde" and not state.acts.none)


def _next_turn(state: State) -> Script[State]:
    at = state.order.index(state.mover)
    ring = (*state.order[at + 1 :], *state.order[: at + 1])
    seat = next(seat for seat in ring if not state.by_seat[seat].is_out)
    return begin_turn(state, state.by_seat[seat])


def begin_turn(state: State, player: Player) -> Script[State]:
    """A hero on the red heart turns into a zombie hero first (supply.health.5, mode.versus.4)."""
    if player.is_hero and not player.health:
        state = yield from _turn_into_zombie(state, player)
        if state.outcome:
            return state
        player = state.players[player.hero]
    state = yield TurnBegun(player.hero, player.seat, "horde" if player.is_zombie else "start")
    if player.stealth:
        state = yield StealthWore(player.hero, player.stealth - 1)
    return state


def _turn_into_zombie(state: State, player: Player) -> Script[State]:
    """He stays where he is, with his supply cards; what he may no longer have goes (ruling.zhero-turn, zhero.2)."""
    card = state.components.heroes[player.hero]
    state = yield TurnedZombie(player.hero, card.zombie_health, player.survivors, player.tiles)
    for burden in player.burdens:
        heir = state.heir_of(player.hero)
        state = yield BurdenPassed(player.hero, burden, heir.hero) if heir else BurdenDone(player.hero, burden)
    state = yield from fade(state, player.at[0])
    state = yield from hordes.settle(state)
    return (yield from end_if_nobody_is_left(state))


def fade(state: State, level: str) -> Script[State]:
    """Mutations of a level end when the players have left it (mutation.3, ruling.mutation-end)."""
    rule = state.options["mutation-end"]
    stay = state.heroes if rule == "last-hero-leaves" else (*state.heroes, *state.zombie_heroes)
    if rule == "stays" or any(player.at[0] == level for player in stay):
        return state
    for card in sorted(card for card, where in state.mutations.items() if where == level):
        state = yield MutationEnded(card, state.mutations[card])
    return state
