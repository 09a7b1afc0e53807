"""Laws about rolls: targets fit the dice, luck favours nobody, and each roll has a purpose of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from referee.chances.luck import compute_luck
from referee.chances.recorded_rolls import NeedCollectingDice
from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice import Need
from referee.testing.trial import Spot, Trial

MAX_COUNTED_RESULTS = 2_000
"""The most results of a roll that are all counted. If a roll has more, each of its dice is counted alone."""


def check_luck(spot: Spot) -> Iterator[str]:
    """Checks that targets belong to dice that are rolled, and that luck favours nobody.

    For each need, the luck of all possible results must add up to exactly 0.
    """
    for need in _list_needs(spot):
        strange = [aim.whose for aim in need.aims if aim.whose and aim.whose not in need.each]
        if strange:
            yield f"{need} is aimed at by the dice of {strange[0]}, for which none is rolled"
        if sum_luck_of_results(need):
            yield f"the luck of all that can fall in {need} is {sum_luck_of_results(need)}, not 0"


def check_repeated_rolls(trial: Trial) -> Iterator[str]:
    """Checks that no play rolls twice for the same purpose: players who see two equal rolls cannot tell which counts.

    Cards and counters may be drawn one after the other, for each is named.
    """
    for spot in (spot for play in trial.random_games for spot in play.spots):
        rolled = Counter((roll.purpose, roll.each, roll.to) for roll in spot.played.rolls if not roll.names)
        for (purpose, *_), times in rolled.items():
            if times > 1:
                trial.where = str(spot)
                yield f"{spot.seat} rolls {times} times for the same purpose, {purpose!r}"


def _list_needs(spot: Spot) -> list[Need]:
    """Returns the needs of all rolls of the action at this spot."""
    source = NeedCollectingDice(spot.played.rolls)
    verdict = adjudicate(spot.game, spot.state, spot.seat, spot.action, source)
    assert isinstance(verdict, LegalVerdict), "it was played with these dice"
    return [need for need, _ in source.needs]


def sum_luck_of_results(need: Need) -> Fraction:
    """Returns the luck of all possible results of a roll, added up; 0 if luck favours nobody."""
    if need.sides**need.count > MAX_COUNTED_RESULTS and not any(aim.of != "each" for aim in need.aims):
        return sum((sum_luck_of_results(_single_out_die(need, die)) for die in range(need.count)), Fraction(0))
    falls = list(product(range(1, need.sides + 1), repeat=need.count)) if need.aims else []
    return sum((compute_luck(need, faces) for faces in falls), Fraction(0))


def _single_out_die(need: Need, die: int) -> Need:
    return replace(need, count=1, each=need.each[die : die + 1])
