"""Cards that are drawn, and carried out at once (token.6, card.action.2, card.zombie.1, mutation.5, zhero.token.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.games.zombies.card_events import CardDrawn
from referee.games.zombies.components import Card, DeckName
from referee.games.zombies.events import ExtraAttack
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import Count, Place, Test
from referee.games.zombies.turn_events import Due

Where = Literal["supplies", "survivors", "burdens", "discards", "level"]
PURPOSES: Mapping[DeckName, str] = {
    "action": "an action card",
    "supply": "a supply card",
    "survivor": "a survivor card",
    "zombie": "a zombie card",
}


def deck_of(state: State, token: str) -> DeckName:
    """The deck that a token's colour names (token.3); alone, supply tokens are action tokens but for those in locked
    rooms and on the tanker (mode.solo.2, mode.solo.3).
    """
    kind = state.board.tokens[token]
    if kind == "supply" and state.is_solo and not state.board.bit[token] & state.board.stays_supply:
        return "action"
    return "survivor" if kind == "survivor" else "action" if kind == "action" else "supply"


def draw(state: State, hero: str, deck: DeckName, token: str, dice: Dice) -> Script[State]:
    """Draw a card and carry it out; when a deck runs out its discards are shuffled (ruling.deck-empty)."""
    drawn = state.decks[deck].draw(dice, 1, PURPOSES[deck])
    if not drawn.cards:
        return state
    card = state.card(drawn.cards[0])
    state = yield CardDrawn(hero, deck, card.id, _goes_to(state.players[hero], card))
    return (yield from _carry_out(state, hero, card, token, dice))


def _goes_to(player: Player, card: Card) -> Where:
    """Where a card goes; zombie heroes keep neither supplies nor survivors (zhero.token.3, zhero.token.7)."""
    if card.kind == "mutation":
        return "level"
    if card.deck == "action":
        return "burdens" if card.kind == "horde" else "discards"
    if card.deck == "zombie" or player.is_zombie:
        return "discards"
    return "burdens" if card.kind == "infected" else "supplies" if card.deck == "supply" else "survivors"


def _carry_out(state: State, hero: str, card: Card, token: str, dice: Dice) -> Script[State]:
    is_zombie = state.players[hero].is_zombie
    if card.deck == "action":
        return (yield from _act_on(state, hero, card, token, dice))
    if card.deck == "zombie":
        return (yield from _bring_zombies(state, hero, card, token))
    if card.deck == "survivor" and is_zombie:
        return (yield Due((_around(hero, 1, 1, token),)))
    if card.kind == "infected":
        return (yield Due((Test(by=hero, card=card.id),)))
    return state


def _act_on(state: State, hero: str, card: Card, token: str, dice: Dice) -> Script[State]:
    """An action card sends to another deck (ruling.action-subdraw), is rolled for, or brings a mutation and one more
    action card, without another tile (mutation.5, ruling.redraw-tile, ruling.zhero-mutation-draw).
    """
    if card.kind == "horde":
        return (yield Due((Test(by=hero, card=card.id),)))
    if card.kind == "mutation":
        return (yield from draw(state, hero, "action", token, dice))
    decks: Mapping[str, DeckName] = {"zombie": "zombie", "supply": "supply", "survivor": "survivor"}
    return (yield from draw(state, hero, decks[card.kind], token, dice))


def _bring_zombies(state: State, hero: str, card: Card, token: str) -> Script[State]:
    """A zombie card gives a hero one more attack, its hordes too (card.zombie.1, ruling.horde-extra-attack); zombie
    heroes have one action and no more (ruling.zhero-extra-attack).
    """
    if not state.players[hero].is_zombie:
        state = yield ExtraAttack(hero)
    level = card.level or 1
    if card.kind == "spawn":
        return (yield Due((_around(hero, level, card.count, token),)))
    sight = state.options["zombie-horde-sight"] == "yes"
    return (yield Due((Count(by=hero, level=level, distance=card.distance, in_sight=sight),)))


def _around(hero: str, level: int, count: int, token: str) -> Place:
    return Place(by=hero, level=level, count=count, how="spawn", at=token)
