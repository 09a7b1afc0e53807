"""Every place that refuses is met by a case or by random games, or it is explained why it is not (`unmet.toml`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusing import met_by_cases, met_by_chance, places_in, places_of
from support import FIXTURES, load_toml

GAMES = sorted(path.parent.name for path in FIXTURES.glob("*/cases"))
UNMET = Path(__file__).with_name("unmet.toml")
EXPLAINED = load_toml(UNMET)


@pytest.mark.parametrize("game", GAMES)
def test_every_place_that_refuses_is_met_or_explained(game):
    """The list may only shrink: what a case has come to meet, or is gone, is taken off it."""
    places, explained = places_of(game), EXPLAINED[game]
    by_cases = met_by_cases(game)
    met = by_cases | met_by_chance(game)
    unmet = [
        f"{name!r} ({', '.join(map(str, at))})"
        for name, at in places.items()
        if set(at) - met and name not in explained
    ]
    needless = [name for name in explained if name not in places or set(places[name]) <= by_cases]
    assert not unmet, f"no case meets these places in {game}, and nothing in {UNMET.name} says why"
    assert not needless, f"{UNMET.name} explains places of {game} that are gone or that a case meets"


def test_only_games_are_explained():
    assert sorted(EXPLAINED) == GAMES


CODE = """
def why(seat, rule, words):
    yield Refusal("move.1", f"{seat} has to stop before {place}, where somebody else stands and waits")
    yield Refusal(rule, f"{seat}: {words}") if seat else Refusal(rule, words)
    yield Refusal(*words)
"""


def test_a_place_is_named_by_its_rule_and_its_first_words(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    assert [f"{place} {name}" for name, place in places_in(tmp_path / "code.py")] == [
        "code.py:3 move.1: * has to stop before *, where somebody",
        "code.py:4 *: *: *",
        "code.py:4 *: * in why",
        "code.py:5 *: * in why",
    ]
