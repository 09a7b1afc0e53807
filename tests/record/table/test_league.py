"""Games of a league in which people come and go, correct, switch and take back: every log audits and is read alike."""

from __future__ import annotations

import pytest
from league import play_league_game


@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_the_league(seed, tmp_path):
    assert play_league_game(seed, tmp_path)["entries"] > 10
