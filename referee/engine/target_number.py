"""Targets: the numbers that dice need, their effect, and their probability.

Targets only inform people. The rules decide what happens.
"""

from math import gcd
from typing import Literal, NamedTuple

from msgspec import Struct

from referee.engine.text import format_number

MAX_SIDES = 2**20
"""The largest number of sides that a log accepts, far above any deck or table of the games."""


class Target(Struct, frozen=True, omit_defaults=True):
    """A result that dice may show, and its effect: "3 or less smashes the door".

    >>> aim = Target(most=3, does="smashes the door")
    >>> aim.number_text, aim.is_hit(2), aim.is_hit(4)
    ('3 or less', True, False)
    """

    least: int = 1
    """The lowest number that succeeds."""
    most: int = MAX_SIDES
    """The highest number that succeeds; 0 means that none can."""
    does: str = ""
    """The effect, beginning with a verb: "hits n1". It is "" if the purpose of the roll already tells it."""
    whose: str = ""
    """The purpose of the dice that can hit this target, as in `Need.each`; "" means any die of the roll."""
    of: Literal["each", "sum", "alike"] = "each"
    """The value that counts: "each" die by itself, the "sum" of all dice, or that all dice show the same ("alike")."""
    good_for: str = ""
    """The side that is lucky if the dice succeed; "" means the seat that rolls.

    It is a seat, or a side without a player, such as a neutral army.
    """

    def __str__(self) -> str:
        return f"{self.whose} {self.number_text}".strip()

    @property
    def number_text(self) -> str:
        """The numbers that succeed, in words."""
        if self.of == "alike":
            return "all the same"
        added = " added up" if self.of == "sum" else ""
        if self.least > self.most:
            return "no number"
        if self.least == self.most:
            return f"{self.least}{added}"
        if self.most >= MAX_SIDES:
            return f"{self.least} or more{added}"
        return f"{self.most} or less{added}" if self.least <= 1 else f"{self.least} to {self.most}{added}"

    def is_hit(self, *faces: int) -> bool:
        """True if a die with this face, or all dice of a roll with these faces, succeed."""
        if self.of == "alike":
            return len(set(faces)) == 1
        return self.least <= sum(faces) <= self.most


class Chance(NamedTuple):
    """The number of equally likely rolls that succeed, and the number of all rolls.

    >>> print(Chance(2, 6))
    2 in 6 (33.3 %)
    """

    ways: int
    of: int

    def __str__(self) -> str:
        return f"{self.ways} in {self.of} ({format_number(100 * self.ways / self.of)} %)"

    @property
    def probability(self) -> float:
        """The probability, from 0 to 1."""
        return self.ways / self.of

    @property
    def fraction_text(self) -> str:
        """The probability as a short fraction: "1/3"."""
        common = gcd(self.ways, self.of)
        return f"{self.ways // common}/{self.of // common}" if 0 < self.ways < self.of else f"{self.ways // self.of}"


ONLY_READ: tuple[Target, ...] = ()
"""The targets of dice that have none, such as those for the distance of a walk. Such dice never count as luck."""
