"""Are these dice fair?"""

from math import log
from random import Random

import pytest

from referee.chances.dice_fairness import UNFAIR_E_VALUE, FaceTally, compute_e_value, compute_log_e_value

GROUPS = 300
EVENINGS = 60
THROWN = 40


def accused(random, fall):
    """After how many evenings dice are called unfair, looked at after each; None: never."""
    counts = [0] * 6
    for evening in range(EVENINGS):
        for _ in range(THROWN):
            counts[fall(random)] += 1
        if compute_log_e_value(counts) >= log(UNFAIR_E_VALUE):
            return evening + 1
    return None


def test_honest_groups_are_hardly_ever_accused():
    random = Random(4)
    found = [accused(random, lambda dice: dice.randrange(6)) for _ in range(GROUPS)]
    assert sum(evening is not None for evening in found) <= 0.05 * GROUPS + 8


def test_a_face_that_falls_too_often_is_found():
    random = Random(5)
    found = [accused(random, lambda dice: 0 if dice.random() < 0.25 else dice.randrange(1, 6)) for _ in range(60)]
    assert sorted(evening or EVENINGS for evening in found)[30] <= 10


def test_nothing_thrown_says_nothing():
    assert compute_e_value([0] * 6) == pytest.approx(1)


def test_the_mean_over_honest_dice_is_one():
    """Each further die is a fair bet."""
    counts = (3, 1, 4, 1, 5, 9)
    after = [compute_e_value([*counts[:face], counts[face] + 1, *counts[face + 1 :]]) for face in range(6)]
    assert sum(after) / 6 == pytest.approx(compute_e_value(counts))


def test_many_thrown_overflow_nothing():
    assert compute_e_value([10**6, 0, 0, 0, 0, 0]) > UNFAIR_E_VALUE


def test_faces_are_told_apart_by_sides_and_by_who_typed():
    tally = FaceTally()
    tally.add([(6, "Anna", 1), (6, "Bo", 1), (6, "Anna", 6), (20, "Bo", 20)])
    rows = {(dice.sides, dice.by): dice for dice in tally.list_counts()}
    assert rows[6, ""].counts == (2, 0, 0, 0, 0, 1)
    assert rows[6, "Anna"].counts == (1, 0, 0, 0, 0, 1)
    assert rows[20, "Bo"].count == 1
