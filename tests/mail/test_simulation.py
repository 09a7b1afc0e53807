"""Honest players over bad mail, on computers that die, always come to one head; none of them is ever accused."""

from __future__ import annotations

import pytest
import simulation
from simulation import CHAIN, simulated

from referee.mail.mail_player import MIN_ROLLS_LEFT


@pytest.mark.parametrize("seed", range(16))
def test_two_players(seed, tmp_path):
    assert simulated(seed, tmp_path)["entries"] > 4


@pytest.mark.parametrize(("kind", "seed"), [*(("three", seed) for seed in range(4)), ("dice", 0), ("secrets", 0)])
def test_three_players_and_other_games(kind, seed, tmp_path):
    assert simulated(seed, tmp_path / kind, kind, most=60)["entries"] > 4


def test_who_hands_over_only_in_mid_throw_has_a_chain_that_lasts(tmp_path):
    """In this game somebody declares more often in a row than his chain is long."""
    assert simulated(2, tmp_path, "dice")["entries"] > CHAIN


def test_chains_that_end_all_the_time(tmp_path, monkeypatch):
    monkeypatch.setattr(simulation, "CHAIN", MIN_ROLLS_LEFT + 3)
    assert simulated(1, tmp_path, "three")["entries"] > 4
