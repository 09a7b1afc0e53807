"""What happens with tokens, cards and the zombies that cards bring."""

from typing import Literal

from msgspec.structs import replace

from referee.engine.event import Event
from referee.games.zombies.board import Level, Square
from referee.games.zombies.components import CardId, DeckName, HeroId, ZombieLevel
from referee.games.zombies.events import Number, Two, discarded
from referee.games.zombies.state import StarCards, State, with_card, without_card
from referee.games.zombies.tasks import Cards, Place


class TileLaid(Event, frozen=True, tag="tile-laid"):
    """An action tile was drawn and laid on a token, which is used now (token.2, token.4)."""

    hero: HeroId
    token: Square
    tile: Literal["blank", "red-x", ""]
    """Empty: none was left."""
    gains: Literal["", "hand", "loose"]
    """What becomes of the blocking tile that a red X gives (token.5, tile.4, zhero.token.4)."""

    def apply(self, state: State) -> State:
        """Cover the token."""
        state = state.done()
        if self.tile:
            left = state.tile_deck.without(self.tile)
            state = replace(state, tile_deck=left, used={**state.used, self.token: self.tile})
        if self.gains == "loose":
            return replace(state, loose={**state.loose, self.token: state.loose.get(self.token, 0) + 1})
        tiles = state.players[self.hero].tiles + (self.gains == "hand")
        return state.with_player(self.hero, tiles=tiles)


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """A card was drawn, and went to where it belongs (token.6)."""

    hero: HeroId
    deck: DeckName
    card: CardId
    to: Literal["supplies", "survivors", "burdens", "discards", "level"]
    """Into the hand, to the cards that must be rolled for, away, or in force on the level (mutation.2)."""

    def apply(self, state: State) -> State:
        """Take it off the deck."""
        state = replace(state, decks={**state.decks, self.deck: state.decks[self.deck].without(self.card)})
        if self.to == "discards":
            return discarded(state, self.card)
        player = state.players[self.hero]
        if self.to == "level":
            level: Level = player.at[0]  # type: ignore[assignment]  # he stands on a square
            return replace(state, mutations={**state.mutations, self.card: level})
        return state.with_player(self.hero, **{self.to: with_card(getattr(player, self.to), self.card)})


class StarOpened(Event, frozen=True, tag="star-opened"):
    """The cards of a bonus star lie face up (bonus.1)."""

    hero: HeroId
    star: Square
    cards: Cards

    def apply(self, state: State) -> State:
        """Take them off the supply deck."""
        deck = state.decks["supply"]
        for card in self.cards:
            deck = deck.without(card)
        stars = {**state.stars, self.star: StarCards(with_card(self.cards))}
        return replace(state.done(), decks={**state.decks, "supply": deck}, stars=stars)


class StarTaken(Event, frozen=True, tag="star-taken"):
    """A hero has taken a card of a bonus star (bonus.2, bonus.3)."""

    hero: HeroId
    star: Square
    card: CardId

    def apply(self, state: State) -> State:
        """It is his."""
        star = state.stars[self.star]
        left = StarCards(without_card(star.cards, self.card), (*star.takers, self.hero))
        supplies = with_card(state.players[self.hero].supplies, self.card)
        return replace(state.done(), stars={**state.stars, self.star: left}).with_player(self.hero, supplies=supplies)


# Cards that must be rolled for


class Tested(Event, frozen=True, tag="tested"):
    """Two dice were rolled for an infected survivor or a horde card (survivor.2, horde.1)."""

    hero: HeroId
    card: CardId
    faces: Two

    def apply(self, state: State) -> State:
        """If it was just drawn it has been rolled for now."""
        task = state.task
        is_due = task is not None and task.__struct_config__.tag == "test"
        return state.done() if is_due else state


class BurdenPassed(Event, frozen=True, tag="burden-passed"):
    """The card goes to the next hero on the left (horde.6, survivor.4)."""

    hero: HeroId
    card: CardId
    to: HeroId

    def apply(self, state: State) -> State:
        """It is before him now."""
        giver, taker = state.players[self.hero], state.players[self.to]
        state = state.with_player(self.hero, burdens=without_card(giver.burdens, self.card))
        return state.with_player(self.to, burdens=with_card(taker.burdens, self.card))


class BurdenKept(Event, frozen=True, tag="burden-kept"):
    """There is nobody to pass it to: it is rolled for again next turn (ruling.pass-solo)."""

    hero: HeroId
    card: CardId

    def apply(self, state: State) -> State:
        """It stays where it is, and was rolled for in this turn."""
        return replace(state, tested=with_card(state.tested, self.card))


class BurdenDone(Event, frozen=True, tag="burden-done"):
    """After doubles the card is discarded (horde.8, survivor.3)."""

    hero: HeroId
    card: CardId

    def apply(self, state: State) -> State:
        """Discard it."""
        burdens = without_card(state.players[self.hero].burdens, self.card)
        return discarded(state.with_player(self.hero, burdens=burdens), self.card)


class SurvivorsTurned(Event, frozen=True, tag="survivors-turned"):
    """All survivors of a hero are zombies now (survivor.3)."""

    hero: HeroId
    cards: Cards

    def apply(self, state: State) -> State:
        """Discard them; the zombies are placed next."""
        return discarded(state.with_player(self.hero, survivors=(), spent=()), *self.cards)


class HordeCounted(Event, frozen=True, tag="horde-counted"):
    """It is known how many zombies a horde has (horde.3, card.zombie.7)."""

    hero: HeroId
    level: ZombieLevel
    faces: Two
    place: Place

    def apply(self, state: State) -> State:
        """Now they are placed."""
        return replace(state, agenda=(self.place, *state.agenda[1:]))


# Zombies that are placed


class ZombiePlaced(Event, frozen=True, tag="zombie-placed"):
    """A zombie of a card stands on the board (card.zombie.2)."""

    hero: HeroId
    """Who placed it."""
    level: ZombieLevel
    at: Square
    left: Number
    """How many are still to be placed."""

    def apply(self, state: State) -> State:
        """Put it there."""
        state = replace(state, zombies={**state.zombies, self.at: self.level})
        return state.with_task(count=self.left) if self.left else state.done()


class RestLost(Event, frozen=True, tag="rest-lost"):
    """For the rest there is no figure or no square (ruling.shortage, ruling.zombie-deck-square)."""

    hero: HeroId
    level: ZombieLevel
    count: Number

    def apply(self, state: State) -> State:
        """They are not placed."""
        return state.done()
