"""The course of the game: what goes without saying is done, turns end and begin (turn.1, ruling.turn-order)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.event import Script
from referee.games.zombies import hordes, marching, placing
from referee.games.zombies.card_events import BurdenDone, BurdenPassed
from referee.games.zombies.events import MutationEnded
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import March, Place
from referee.games.zombies.turn_events import StealthWore, TurnBegun, TurnedZombie
from referee.games.zombies.victory import end_if_nobody_is_left


def go_on(state: State) -> Script[State]:
    """Do what needs no word from anybody, until somebody has to say something."""
    state = yield from hordes.settle(state)
    while not state.outcome:
        before = state
        if isinstance(state.task, Place):
            state = yield from placing.go_on(state, state.task)
        elif isinstance(state.task, March):
            state = yield from marching.go_on(state, state.task)
        elif state.task is None and _turn_is_over(state):
            state = yield from _next_turn(state)
        if state is before:
            break
    return state


def _turn_is_over(state: State) -> bool:
    """A hero's turn ends when the zombies have acted; a zombie hero's after his one action (ruling.zhero-sequence)."""
    return state.phase == "zombies" or (state.phase == "horde" and not state.acts.none)


def _next_turn(state: State) -> Script[State]:
    at = state.order.index(state.pen)
    ring = (*state.order[at + 1 :], *state.order[: at + 1])
    seat = next(seat for seat in ring if not state.by_seat[seat].is_out)
    return (yield from begin_turn(state, state.by_seat[seat]))


def begin_turn(state: State, player: Player) -> Script[State]:
    """A hero on the red heart turns into a zombie hero first (supply.health.5, mode.versus.4)."""
    if player.is_hero and not player.health:
        state = yield from turn_into_zombie(state, player)
        if state.outcome:
            return state
        player = state.players[player.hero]
    state = yield TurnBegun(player.hero, player.seat, "horde" if player.is_zombie else "start")
    if player.stealth:
        state = yield StealthWore(player.hero, player.stealth - 1)
    return state


def turn_into_zombie(state: State, player: Player) -> Script[State]:
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
    for card in tuple(_in_force(state, level)):
        state = yield MutationEnded(card, state.mutations[card])
    return state


def _in_force(state: State, level: str) -> Iterator[str]:
    return (card for card, where in sorted(state.mutations.items()) if where == level)
