"""Leagues by mail: people leave, come, correct moves, switch options and give orders, in two and three homes."""

from __future__ import annotations

import pytest
from mail_league import KINDS, play_mail_league_game


@pytest.mark.parametrize(("kind", "seed"), [(kind, 200 + place) for place, kind in enumerate(KINDS)])
def test_all_come_to_one_head_and_nobody_is_accused(kind, seed, tmp_path):
    assert play_mail_league_game(seed, tmp_path, kind, most=60)["entries"] > 4


@pytest.mark.parametrize(
    ("kind", "seed", "deeds"),
    [
        ("two", 307, ("corrected", "orders carried out")),
        ("two", 301, ("came in 2 homes",)),
        ("zombies", 306, ("came in 3 homes",)),
        ("three", 309, ("orders carried out", "came in 3 homes")),
    ],
)
def test_what_people_do_really_happens(kind, seed, deeds, tmp_path):
    told = play_mail_league_game(seed, tmp_path, kind, most=80)
    assert all(told[deed] for deed in deeds), told


def test_a_signature_that_was_interrupted_gives_the_pen_to_whom_it_meant(tmp_path):
    """In this game a computer dies as it signs. Then a friend asks for a seat, so another player would get the pen."""
    assert play_mail_league_game(5283, tmp_path, "three")["entries"] > 4
