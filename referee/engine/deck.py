"""Decks: cards drawn blindly, one by one. No shuffled order exists that could leak; each draw is a die with names."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from referee.engine.dice import Dice


class Drawn(NamedTuple):
    """What a draw has come to."""

    cards: tuple[str, ...]
    deck: Deck
    """The deck after it."""


class Deck(Struct, frozen=True):
    """A draw pile whose order nobody knows, and its discards. A value: drawing makes another.

    Cards of one name are told apart by nothing; a name stands once for each of them.
    """

    left: tuple[str, ...]
    """Cards that can be drawn."""
    discards: tuple[str, ...] = ()
    """Cards that are shuffled in again when none is left."""

    def draw(self, dice: Dice, count: int, purpose: str, *, unseen: bool = False) -> Drawn:
        """Draw so many cards blindly, or all there are; `unseen`: only who draws sees them.

        When the pile is empty the discards become the pile. A draw of the only card left is certain: no die is thrown.
        """
        cards: list[str] = []
        deck = self
        while len(cards) < count and (deck.left or deck.discards):
            deck = deck if deck.left else Deck(deck.discards)
            cards.append(dice.draw(deck.left, purpose, unseen=unseen))
            deck = deck.without(cards[-1])
        return Drawn(tuple(cards), deck)

    def without(self, card: str) -> Deck:
        """The deck after somebody drew this card from the pile; ValueError if it is not in there.

        What folds an event applies this: it is how a draw of the log changes the state.
        """
        left = list(self.left or self.discards)
        left.remove(card)
        return Deck(tuple(left), self.discards if self.left else ())

    def discard(self, *cards: str) -> Deck:
        """The deck with these cards on its discards."""
        return Deck(self.left, self.discards + cards)
