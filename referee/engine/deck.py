"""Decks: cards drawn blindly, one by one. No shuffled order exists that could leak: each draw is a die with names."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from referee.engine.dice import Dice


class DrawResult(NamedTuple):
    """The result of a draw."""

    cards: tuple[str, ...]
    """The drawn cards, in order."""
    deck: Deck
    """The deck after the draw."""


class Deck(Struct, frozen=True):
    """A draw pile whose order nobody knows, and its discard pile. Every draw makes a new deck.

    Cards with the same name cannot be told apart; the name is listed once for each of them.

        >>> Deck(("ace", "king")).without("ace").discard("ace")
        Deck(left=('king',), discards=('ace',))
    """

    left: tuple[str, ...]
    """The cards that can be drawn."""
    discards: tuple[str, ...] = ()
    """The cards that are shuffled in again when the pile is empty."""

    def draw(self, dice: Dice, count: int, purpose: str, *, unseen: bool = False) -> DrawResult:
        """Draws this many cards blindly, or all there are. If `unseen`, only the seat that draws sees them.

        When the pile is empty, the discards become the pile. If only one card is left in the pile, it is drawn without
        a die.
        """
        cards: list[str] = []
        deck = self
        while len(cards) < count and (deck.left or deck.discards):
            deck = deck if deck.left else Deck(deck.discards)
            cards.append(dice.draw(deck.left, purpose, unseen=unseen))
            deck = deck.without(cards[-1])
        return DrawResult(tuple(cards), deck)

    def without(self, card: str) -> Deck:
        """Returns the deck after this card was drawn. Events use it to apply a draw from the log.

        If the pile is empty, the discards first become the pile. Raises ValueError if the card is not in the pile.
        """
        left = list(self.left or self.discards)
        left.remove(card)
        return Deck(tuple(left), self.discards if self.left else ())

    def discard(self, *cards: str) -> Deck:
        """Returns the deck with these cards added to its discards."""
        return Deck(self.left, self.discards + cards)
