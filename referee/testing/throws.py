"""Laws of what is thrown: aims that fit the dice, and luck that favours nobody."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from referee.chances.luck import luck_of
from referee.chances.throws import Noting
from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import Need
from referee.testing.trial import Spot

BROAD = 2_000
"""Ways a throw may fall in that are all looked at; of a broader one each die is looked at alone."""


def even(spot: Spot) -> Iterator[str]:
    """Whose dice an aim looks at is thrown for; and the luck of all that can fall adds up to exactly 0."""
    for need in _needs(spot):
        strange = [aim.whose for aim in need.aims if aim.whose and aim.whose not in need.each]
        if strange:
            yield f"{need} is aimed at by the dice of {strange[0]}, for which none is thrown"
        if mean_luck(need):
            yield f"the luck of all that can fall in {need} is {mean_luck(need)}, not 0"


def _needs(spot: Spot) -> list[Need]:
    """What the action that was said here throws."""
    source = Noting(spot.played.rolls)
    verdict = adjudicate(spot.game, spot.state, spot.seat, spot.action, source)
    assert isinstance(verdict, Played), "it was played with these dice"
    return [need for need, _ in source.needs]


def mean_luck(need: Need) -> Fraction:
    """The luck of all that can fall, weighed by how likely it is."""
    if need.sides**need.count > BROAD and not any(aim.of != "each" for aim in need.aims):
        return sum((mean_luck(_alone(need, die)) for die in range(need.count)), Fraction(0))
    falls = list(product(range(1, need.sides + 1), repeat=need.count)) if need.aims else []
    return sum((luck_of(need, faces) for faces in falls), Fraction(0))


def _alone(need: Need, die: int) -> Need:
    return replace(need, count=1, each=need.each[die : die + 1])
