"""Slots of a choice: what they hold, how many, and one at random."""

from __future__ import annotations

from random import Random

import pytest

from referee.engine.legal import Action, Between, Choice, Legal, OneOf, Ordered, Subset

SLOTS = [
    OneOf(("a", "b")),
    Subset(("a", "b", "c"), 1, 2),
    Subset(("a", "b", "c", "d", "e", "f"), 1, 4, {"b": ("a", "e"), "c": ("a", "e"), "f": ("d",)}),
    Ordered(("a", "b", "c"), 2, 3),
    Between(2, 5),
]


class Engage(Action, frozen=True, tag="engage"):
    """An action with a group in order."""

    says = "engage {door} {units}"
    units: tuple[str, ...]
    door: str


@pytest.mark.parametrize("slot", SLOTS, ids=lambda slot: type(slot).__name__)
def test_a_slot_holds_exactly_what_it_lists(slot):
    listed = list(slot)
    assert len(listed) == len(slot) == len(set(listed))
    assert all(value in slot for value in listed)
    assert {slot.pick(Random(seed)) for seed in range(300)} == set(listed)


def test_order_matters_only_where_it_should():
    assert ("b", "a") in Ordered(("a", "b"), 2, 2)
    assert ("b", "a") not in Subset(("a", "b"), 2, 2)
    assert ("a", "a") not in Ordered(("a", "b"), 2, 2)


def test_a_group_of_fifty_is_counted_and_picked_without_listing_it():
    units = tuple(f"n{number}" for number in range(50))
    legal = Legal([Choice(Engage, units=Subset(units, 1, 50), door="A1-B1")])
    assert len(legal) == 2**50 - 1
    assert legal.pick(Random(1)) in legal


def test_what_a_word_stands_for_is_the_games_affair():
    legal = Legal([Choice(Engage, units=Subset(("n1", "n2"), 1, 2), door="A1-B1")])
    assert len(legal.filtered([{"b1"}])) == 0
    assert len(legal.filtered([{"b1", "a1-b1"}])) == 3
    assert len(legal.filtered([{"b1", "a1-b1"}, {"c1"}])) == 0
