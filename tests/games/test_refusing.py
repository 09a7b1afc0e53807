"""Every place that refuses is met by a case or by random games, or it is explained why it is not (`unmet.toml`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusing import Met, met_by_cases, met_by_chance, places_in, places_of
from support import FIXTURES, load_toml

from referee.engine.rulebook import Refusal

GAMES = sorted(path.parent.name for path in FIXTURES.glob("*/cases"))
UNMET = Path(__file__).with_name("unmet.toml")
EXPLAINED = load_toml(UNMET)


@pytest.mark.parametrize("game", GAMES)
def test_every_place_that_refuses_is_met_or_explained(game):
    """The list may only shrink: what a case has come to meet, or is gone, is taken off it."""
    places, explained = places_of(game), EXPLAINED[game]
    by_cases, by_chance = met_by_cases(game), met_by_chance(game)
    unmet = [
        f"{name!r} ({', '.join(map(str, at))})"
        for name, at in places.items()
        if name not in explained and any(place not in by_cases and place not in by_chance for place in at)
    ]
    needless = [name for name in explained if all(place in by_cases for place in places.get(name, ()))]
    assert not unmet, f"no case meets these places in {game}, and nothing in {UNMET.name} says why"
    assert not needless, f"{UNMET.name} explains places of {game} that are gone or that a case meets"


def test_only_games_are_explained():
    assert sorted(EXPLAINED) == GAMES


CODE = """
NEVER = Refusal("move.2", "nobody flies")

def why(seat, rule, words):
    yield Refusal("move.1", f"{seat} has to stop before {place}, where somebody else stands and waits")
    yield Refusal(rule, f"{seat}: {words}") if seat else Refusal(rule, words)
    yield Refusal(*words)
"""


def test_a_place_is_named_by_its_rule_and_its_first_words(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    assert [f"{place} {name}" for name, place in places_in(tmp_path / "code.py")] == [
        "code.py:2 move.2: nobody flies",
        "code.py:5 move.1: * has to stop before *, where somebody",
        "code.py:6 *: *: *",
        "code.py:6 *: * in why",
        "code.py:7 *: * in why",
    ]


def test_what_is_refused_in_the_same_words_each_time_is_met_when_it_is_said(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    (_, never), *_ = places_in(tmp_path / "code.py")
    met = Met()
    assert never not in met
    met.said.add(Refusal("move.2", "nobody flies"))
    assert never in met
