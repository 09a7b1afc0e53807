"""Are these dice fair? A test that may be looked at after every game.

The e-value of faces is how much likelier they are under "some faces fall more often than others" than under "all fall
alike", averaged over all ways of being unfair (a Dirichlet mixture: Lindon and Malek 2022). Over honest dice it reaches
20 in at most one group of twenty, however often somebody looks; a test by chi-square, looked at as often, would accuse
nearly half of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, lgamma, log

from msgspec import Struct

SPREAD = 15.0
"""How near to fair the ways of being unfair lie that are thought of: this many throws of each face weigh as much."""
UNFAIR = 20.0
"""From this e-value on dice are called unfair: honest ones reach it in one group of twenty at most."""


def e_value(counts: Sequence[int]) -> float:
    """How much the faces that fell speak against a fair die, each face's count given: 1 says nothing."""
    return exp(min(log_e_value(counts), 700.0))


def log_e_value(counts: Sequence[int]) -> float:
    """Its logarithm, which cannot overflow."""
    sides, thrown = len(counts), sum(counts)
    mixed = lgamma(SPREAD * sides) - lgamma(SPREAD * sides + thrown)
    mixed += sum(lgamma(SPREAD + count) - lgamma(SPREAD) for count in counts)
    return mixed + thrown * log(sides)


class Dice(Struct, frozen=True):
    """The faces of dice with so many sides, all together or as one player has typed them."""

    sides: int
    by: str
    """Who typed them; "" for everybody together."""
    counts: tuple[int, ...]
    """How often each face fell, from 1 on."""

    @property
    def thrown(self) -> int:
        """Dice in all."""
        return sum(self.counts)

    @property
    def e(self) -> float:
        """Their e-value."""
        return e_value(self.counts)

    @property
    def is_unfair(self) -> bool:
        """Whether they are called unfair."""
        return self.e >= UNFAIR


TypedFace = tuple[int, str, int]
"""Sides, who typed it, and the face."""


class Tally:
    """Faces as they come, log after log; it grows with the number of players, not of logs."""

    def __init__(self) -> None:
        self._faces: dict[tuple[int, str], Counter[int]] = {}

    def add(self, faces: Iterable[TypedFace]) -> None:
        """Count faces that were typed."""
        for sides, by, face in faces:
            for who in ("", by):
                self._faces.setdefault((sides, who), Counter())[face] += 1

    def dice(self) -> list[Dice]:
        """What fell, by sides: first everybody's, then each player's."""
        return [
            Dice(sides, by, tuple(counts[face] for face in range(1, sides + 1)))
            for (sides, by), counts in sorted(self._faces.items())
        ]
