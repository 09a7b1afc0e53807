"""A test of fair dice that you may look at after every game.

The e-value of faces says how much likelier they are with dice that favour some faces than with fair dice. It averages
over all ways of being unfair (a Dirichlet mixture: Lindon and Malek 2022). With honest dice, at most one group of
players in twenty ever reaches 20, however often somebody looks. A chi-square test, looked at as often, would accuse
nearly half of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, lgamma, log

from msgspec import Struct

MIXTURE_SPREAD = 15.0
"""The parameter of the Dirichlet mixture for each face. The larger it is, the closer the mixture's unfair dice are to
fair ones.
"""
UNFAIR_E_VALUE = 20.0
"""The e-value from which dice are called unfair. Honest dice reach it in at most one group of players in twenty."""


def compute_e_value(counts: Sequence[int]) -> float:
    """Returns the e-value of the counts of each face: the evidence against a fair die. 1 is no evidence."""
    return exp(min(compute_log_e_value(counts), 700.0))


def compute_log_e_value(counts: Sequence[int]) -> float:
    """Returns the logarithm of the e-value, which cannot overflow."""
    sides, thrown = len(counts), sum(counts)
    mixed = lgamma(MIXTURE_SPREAD * sides) - lgamma(MIXTURE_SPREAD * sides + thrown)
    mixed += sum(lgamma(MIXTURE_SPREAD + count) - lgamma(MIXTURE_SPREAD) for count in counts)
    return mixed + thrown * log(sides)


class FaceCounts(Struct, frozen=True):
    """The counts of typed faces of dice with one number of sides, from everybody or from one player."""

    sides: int
    by: str
    """The player who typed them; "" for everybody together."""
    counts: tuple[int, ...]
    """The count of each face, from face 1 on."""

    @property
    def count(self) -> int:
        """The number of dice."""
        return sum(self.counts)

    @property
    def e_value(self) -> float:
        """The e-value of the faces."""
        return compute_e_value(self.counts)

    @property
    def is_unfair(self) -> bool:
        """True if the e-value is so high that the dice are called unfair: at least `UNFAIR_E_VALUE`."""
        return self.e_value >= UNFAIR_E_VALUE


TypedFace = tuple[int, str, int]
"""A typed face: the sides of its die, the player who typed the face, and the face."""


class FaceTally:
    """A count of typed faces, log after log. Its size depends on the number of players, not of logs."""

    def __init__(self) -> None:
        self._faces: dict[tuple[int, str], Counter[int]] = {}

    def add(self, faces: Iterable[TypedFace]) -> None:
        """Counts typed faces."""
        for sides, by, face in faces:
            for who in ("", by):
                self._faces.setdefault((sides, who), Counter())[face] += 1

    def list_counts(self) -> list[FaceCounts]:
        """Returns the counts by sides: first everybody's, then each player's."""
        return [
            FaceCounts(sides, by, tuple(counts[face] for face in range(1, sides + 1)))
            for (sides, by), counts in sorted(self._faces.items())
        ]
