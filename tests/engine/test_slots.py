"""Slots of a choice: what they hold, how many, and one at random."""

from __future__ import annotations

from random import Random
from sys import maxsize

import pytest

from referee.engine.choice import Action, Choice
from referee.engine.legal import LegalActions
from referee.engine.slots import Between, OneOf, Ordered, Subset

SLOTS = [
    OneOf(("a", "b")),
    Subset(("a", "b", "c"), 1, 2),
    Subset(("a", "b", "c", "d", "e", "f"), 1, 4, {"b": ("a", "e"), "c": ("a", "e"), "f": ("d",)}),
    Subset(("a", "b", "c", "d"), 1, 4, covered=("b", "c"), cover=("a", "b")),
    Subset(("a", "b", "c", "d"), 1, 3, covered=("b", "c"), cover=("a",)),
    Subset(("b", "c"), 1, 2, covered=("b", "c"), cover=("b", "c")),
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
    legal = LegalActions([Choice(Engage, units=Subset(units, 1, 50), door="A1-B1")])
    assert len(legal) == 2**50 - 1
    assert legal.pick(Random(1)) in legal


def test_who_is_covered_is_taken_only_with_the_whole_cover():
    some = Subset(("a", "b", "c"), 1, 3, covered=("c",), cover=("a", "b"))
    assert list(some) == [("a",), ("b",), ("a", "b"), ("a", "b", "c")]
    assert ("a", "c") not in some
    assert str(some) == "1..3 of a/b/c (c only with a b)"


def test_of_a_hundred_who_only_go_together_the_group_is_found():
    units = tuple(f"n{number}" for number in range(100))
    crowd = Subset(units, 1, 100, covered=units, cover=units)
    assert list(crowd) == [units] == [crowd.pick(Random(1))]
    assert crowd.count == len(crowd) == 1


def test_more_than_len_can_say_is_counted():
    units = tuple(f"n{number}" for number in range(100))
    legal = LegalActions([Choice(Engage, units=Subset(units, 0, 100), door=OneOf(("A1-B1", "A1-A2")))])
    assert legal.count == 2**101
    assert len(legal) == maxsize
    assert legal


def test_what_a_word_stands_for_is_the_games_affair():
    legal = LegalActions([Choice(Engage, units=Subset(("n1", "n2"), 1, 2), door="A1-B1")])
    assert len(legal.filter([{"b1"}])) == 0
    assert len(legal.filter([{"b1", "a1-b1"}])) == 3
    assert len(legal.filter([{"b1", "a1-b1"}, {"c1"}])) == 0
