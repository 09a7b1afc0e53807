"""Combat gives exactly the chances that follow from the Hit Numbers, as fractions worked out beforehand."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from playing import BOARD, GAME

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import TypedSource
from referee.engine.option_resolution import fill_options
from referee.games.mutants import combat_rounds, engaging, resolving
from referee.games.mutants.board import expand_name_ranges
from referee.games.mutants.position import Position, state_from
from referee.games.mutants.state import Combat, State

ODDS = tomllib.loads((Path(__file__).parents[3] / "fixtures/mutants/odds.toml").read_text("utf-8"))
FACES = range(1, 7)
UNITS = {
    "guards": expand_name_ranges("buck mack joey otis jeb"),
    "guards-with-odds": expand_name_ranges("buck mack joey otis jeb"),
    "strong-janibots": expand_name_ranges("b9..b13"),
    "weak-janibots": expand_name_ranges("b1..b5"),
}


def arena(humans: list[str], mutants: list[str], *, odds: bool) -> State:
    """A room with these units, and nobody anywhere else."""
    options = fill_options(GAME, {"overwhelming-odds": "yes" if odds else "no"})
    units = {"A7": " ".join([*humans, *mutants])}
    return state_from(Position(units=units, phase="mutant-combat", turn=5), options, BOARD)


@cache
def of_pair(human: str, mutant: str, favoured: str) -> tuple[Fraction, Fraction, Fraction]:
    """Chances that only the Mutant, only the Human-side unit, or both are eliminated."""
    state = arena([human], [mutant], odds=True)
    display = Combat("A7", "resolve", 1, "human", None if favoured == "nobody" else favoured)
    one = resolving.find_highest_hitting_face(state, display, "human", human, mutant)
    other = resolving.find_highest_hitting_face(state, display, "mutant", mutant, human)
    found = Counter((first <= one, second <= other) for first, second in product(FACES, FACES))
    hit = 36 - found[False, False]
    return Fraction(found[True, False], hit), Fraction(found[False, True], hit), Fraction(found[True, True], hit)


@pytest.mark.parametrize("row", ODDS["pairs"], ids=lambda row: "-".join(row[:3]))
def test_a_pair(row):
    human, mutant, favoured, *chances = row
    assert of_pair(human, mutant, favoured) == tuple(map(Fraction, chances))


def of_combat(humans: list[str], mutants: list[str], *, odds: bool) -> tuple[Fraction, Fraction, Fraction]:
    """Chances that the Human side, the Mutants or nobody is left, with as many pairs as the rules ask for."""
    left: Counter[tuple[int, int]] = Counter({(len(humans), len(mutants)): Fraction(1)})  # type: ignore[dict-item]
    while fighting := [counts for counts in left if all(counts)]:
        for counts in fighting:
            chance = left.pop(counts)
            for after, share in _round(humans[: counts[0]], mutants[: counts[1]], odds=odds).items():
                left[after] += chance * share
    human = sum((chance for (k, _), chance in left.items() if k), Fraction(0))
    mutant = sum((chance for (_, m), chance in left.items() if m), Fraction(0))
    return human, mutant, left[0, 0] or Fraction(0)


@cache
def _shares(human: str, mutant: str, favoured: str, pairs: int) -> dict[tuple[int, int], Fraction]:
    """How many of each side fall in so many pairs."""
    only_mutant, only_human, both = of_pair(human, mutant, favoured)
    lost = {(0, 0): Fraction(1)}
    for _ in range(pairs):
        after: Counter[tuple[int, int]] = Counter()
        for (k, m), chance in lost.items():
            after[k, m + 1] += chance * only_mutant
            after[k + 1, m] += chance * only_human
            after[k + 1, m + 1] += chance * both
        lost = dict(after)
    return lost


def _round(humans: list[str], mutants: list[str], *, odds: bool) -> dict[tuple[int, int], Fraction]:
    state = arena(humans, mutants, odds=odds)
    favoured = combat_rounds.find_overwhelming_side(len(humans), len(mutants)) if odds else None
    pairs = engaging.count_pairs(state, Combat("A7", "lay", 1, "human"))
    lost = _shares(humans[0], mutants[0], favoured or "nobody", pairs)
    return {(len(humans) - k, len(mutants) - m): chance for (k, m), chance in lost.items()}


@pytest.mark.parametrize("kind", UNITS)
def test_a_combat(kind):
    for humans, mutants, *chances in ODDS[kind]:
        found = of_combat(UNITS[kind][:humans], expand_name_ranges("n1..n5")[:mutants], odds=kind.endswith("odds"))
        assert found == tuple(map(Fraction, chances)), (humans, mutants)


@pytest.mark.parametrize("pair", [("buck", "n1"), ("b1", "l1"), ("prof", "r1")])
def test_the_referee_rolls_by_the_same_chances(pair):
    """Every throw of a real pair: what falls is what the fractions say."""
    human, mutant = pair
    state = arena([human], [mutant], odds=False)
    state = replace(state, combat=Combat("A7", "resolve", 1, "human", laid=(human,), paired=(mutant,)))
    found: Counter[tuple[str, ...]] = Counter()
    for faces in product(FACES, FACES):
        verdict = adjudicate(GAME, state, "mutant", resolving.ResolvePair(), TypedSource(faces))
        assert isinstance(verdict, LegalVerdict)
        assert (verdict.rolls[0].faces, verdict.rolls[0].each) == (faces, pair)
        found[verdict.events[0].eliminated] += 1
        if not verdict.events[0].eliminated:
            assert verdict.state == state, "the same pair is due again"
    del found[()]
    fallen = [(mutant,), (human,), (human, mutant)]
    assert tuple(Fraction(found[units], found.total()) for units in fallen) == of_pair(human, mutant, "nobody")
