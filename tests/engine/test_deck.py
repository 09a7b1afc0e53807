"""Decks: cards are drawn blindly, and none is ever lost."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.deck import Deck
from referee.engine.dice import Dice, DiceError
from referee.engine.dice_source import SeededSource, TypedSource

CARDS = st.lists(st.sampled_from(["ace", "king", "queen", "joker"]), max_size=8).map(tuple)


def seeded(n=0):
    return Dice(SeededSource({None: f"{n:064x}"}))


def test_a_card_is_drawn_by_its_name():
    dice = Dice(TypedSource(["king"]))
    drawn = Deck(("ace", "king")).draw(dice, 1, "a card")
    assert drawn == (("king",), Deck(("ace",)))
    assert (dice.rolls[0].sides, dice.rolls[0].names) == (2, ("king",))


def test_a_card_that_is_not_in_the_pile_cannot_be_drawn():
    with pytest.raises(DiceError, match="'queen'"):
        Deck(("ace", "king"), ("queen",)).draw(Dice(TypedSource(["queen"])), 1, "a card")


def test_the_last_card_is_certain():
    dice = Dice(TypedSource([]))
    assert Deck(("ace",)).draw(dice, 1, "a card").cards == ("ace",)
    assert dice.rolls == []


def test_the_discards_become_the_pile_when_it_is_empty():
    dice = Dice(TypedSource([2]))
    drawn = Deck(("ace",), ("king", "queen")).draw(dice, 2, "two cards")
    assert drawn == (("ace", "queen"), Deck(("king",)))
    assert dice.rolls[0].sides == 2, "the card in hand is not shuffled in again"


def test_no_more_is_drawn_than_there_is():
    assert Deck(("ace",), ("king",)).draw(seeded(), 9, "cards").cards == ("ace", "king")
    assert Deck(()).draw(seeded(), 1, "a card") == ((), Deck(()))


def test_a_card_is_drawn_unseen():
    dice = Dice(TypedSource([1]), "red")
    Deck(("ace", "king")).draw(dice, 1, "a card", unseen=True)
    assert dice.rolls[0].to == "red"


@given(CARDS, CARDS, st.integers(0, 20), st.integers(0, 99))
def test_no_card_is_lost_or_made(left, discards, count, seed):
    cards, deck = Deck(left, discards).draw(seeded(seed), count, "cards")
    assert Counter((*cards, *deck.left, *deck.discards)) == Counter((*left, *discards))
    assert len(cards) == min(count, len(left) + len(discards))
    again = deck.discard(*cards)
    assert Counter((*again.left, *again.discards)) == Counter((*left, *discards))


@given(CARDS, CARDS, st.integers(0, 20), st.integers(0, 99))
def test_what_is_folded_is_what_was_drawn(left, discards, count, seed):
    """An event names the cards; applying it leads to the deck that the draw has led to."""
    cards, deck = Deck(left, discards).draw(seeded(seed), count, "cards")
    folded = Deck(left, discards)
    for card in cards:
        folded = folded.without(card)
    assert (sorted(folded.left), sorted(folded.discards)) == (sorted(deck.left), sorted(deck.discards))


def test_a_card_that_is_not_there_cannot_be_taken():
    with pytest.raises(ValueError, match="not in"):
        Deck(("ace",), ("king",)).without("king")
