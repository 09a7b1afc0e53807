"""Bounds that weigh what is chosen: what a group of units costs, or how strong it is."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Annotated

import pytest
from msgspec import Meta

from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.slots import Between, OneOf, Subset


class Attack(Action, frozen=True, tag="attack"):
    says = "attack {units} with {points}"
    units: tuple[str, ...]
    points: Annotated[int, Meta(ge=0)]


WEIGHTS = {"t1": -6, "i1": -3, "p1": -1, "points": 5}
BOUND = SumConstraint(("units", "points"), 0, 1_000, WEIGHTS, "points at least a fifth of their defense")
SLOTS = [Subset(("t1", "i1", "p1"), 1, 3), OneOf((("t1",), ("i1", "p1")))]


@pytest.mark.parametrize("units", SLOTS, ids=["any of them", "groups"])
def test_what_fits_is_listed_counted_and_picked(units):
    choice = Choice(Attack, bounds=(BOUND,), units=units, points=Between(1, 2))
    strength = {"t1": 6, "i1": 3, "p1": 1}
    fitting = [
        Attack(group, points)
        for group in units
        for points in (1, 2)
        if 5 * points >= sum(strength[unit] for unit in group)
    ]
    assert list(choice) == fitting
    assert len(choice) == len(fitting)
    assert Attack(("t1",), 1) not in choice
    random = Random(1)
    assert {choice.pick(random) for _ in range(200)} == set(fitting)


def test_where_little_fits_it_is_found_all_the_same():
    bound = SumConstraint(("units",), 40, 40, dict.fromkeys(map(str, range(12)), 10))
    choice = Choice(Attack, bounds=(bound,), units=Subset(tuple(map(str, range(12))), 4, 12), points=1)
    assert len(choice) == 495
    assert len(choice.pick(Random(2)).units) == 4


def test_of_a_hundred_units_what_fits_is_listed_and_picked_at_once():
    units = tuple(f"h{number}" for number in range(100))
    bound = SumConstraint(("units", "points"), 0, 0, {**dict.fromkeys(units, 1), "points": -1})
    choice = Choice(Attack, bounds=(bound,), units=Subset(units, 1, 100), points=Between(60, 60))
    assert len(next(iter(choice)).units) == 60
    assert all(len(action.units) == 60 for action in islice(choice, 500))
    assert len({choice.pick(Random(seed)) for seed in range(20)}) == 20


def test_a_bound_is_told_in_words():
    assert str(BOUND) == "points at least a fifth of their defense"
    assert str(SumConstraint(("units", "points"), 1, 3)) == "units and points together 1..3"
