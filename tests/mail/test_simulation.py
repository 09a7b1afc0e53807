"""Honest players over bad mail, on computers that die, always come to one head; none of them is ever accused."""

from __future__ import annotations

import pytest
from simulation import simulated


@pytest.mark.parametrize("block", range(8))
def test_two_players(block, tmp_path):
    for seed in range(block * 5, block * 5 + 5):
        assert simulated(seed, tmp_path / str(seed))["entries"] > 4


@pytest.mark.parametrize(("kind", "seed"), [*(("three", seed) for seed in range(6)), ("dice", 0), ("secrets", 0)])
def test_three_players_and_other_games(kind, seed, tmp_path):
    assert simulated(seed, tmp_path / kind, kind, most=60)["entries"] > 4
