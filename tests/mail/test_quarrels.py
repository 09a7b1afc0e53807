"""With a liar and keys on two computers, all others come to one head or have a proof; nobody innocent is accused."""

from __future__ import annotations

from collections import Counter

import pytest
from quarrels import HONEST, LIAR, TWO_COMPUTERS, Quarrel, cast_roles, quarrelled


@pytest.mark.parametrize(
    ("kind", "seed"),
    [*(("two", seed) for seed in range(6)), *(("three", seed) for seed in range(3)), ("secrets", 2), ("secrets", 12)],
)
def test_one_head_or_a_proof(kind, seed, tmp_path):
    told = quarrelled(seed, tmp_path / kind, kind, most=60)
    assert told["one head"] + told["proof"] == 1, told


@pytest.mark.parametrize("seats", [["red", "blue"], ["red", "blue", "green"]])
def test_each_seat_has_each_role(seats):
    found = Counter(pair for seed in range(3) for pair in cast_roles(seats, seed).items())
    assert found == Counter({(seat, role): 1 for seat in seats for role in (HONEST, TWO_COMPUTERS, LIAR)})


def test_a_forged_die_is_sent_and_no_honest_player_takes_it(tmp_path):
    """The first one to lie here is found out by the dice, by the hash, or by the second signature."""
    quarrel = Quarrel(2, tmp_path / "two")
    quarrel.runs(120)
    assert quarrel.told["forged"] > 0
    assert quarrel.told["faulty"] + quarrel.told["forked"] + quarrel.told["changed"] > 0
