"""Aims: what dice have to show, what that does, how likely it is. They are for people; what happens, rules decide."""

from math import gcd
from typing import Literal, NamedTuple

from msgspec import Struct

from referee.engine.text import figure

MAX_SIDES = 2**20
"""Largest die the recorder takes; far above any deck or table of the games."""


class Aim(Struct, frozen=True, omit_defaults=True):
    """What dice can show, and what that does: "3 or less smashes the door"."""

    least: int = 1
    """The lowest number that does it."""
    most: int = MAX_SIDES
    """The highest; 0: no die can."""
    does: str = ""
    """What it does, beginning with a verb: "hits n1"; "" where the purpose of the throw says it already."""
    whose: str = ""
    """Only the dice that `Need.each` says are thrown for this one; "": any die of the throw."""
    of: Literal["each", "sum", "alike"] = "each"
    """What is looked at: each die by itself, all dice added up, or whether all show the same."""
    good_for: str = ""
    """Whose luck it is, where that is not who throws: a seat, or somebody whom nobody plays, such as a neutral army."""

    def __str__(self) -> str:
        return f"{self.whose} {self.number}".strip()

    @property
    def number(self) -> str:
        """The number needed, as a person says it."""
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
        """Whether a die that shows this does it, or all dice of the throw together."""
        if self.of == "alike":
            return len(set(faces)) == 1
        return self.least <= sum(faces) <= self.most


class Chance(NamedTuple):
    """How many of all equally likely throws do something."""

    ways: int
    of: int

    def __str__(self) -> str:
        return f"{self.ways} in {self.of} ({figure(100 * self.ways / self.of)} %)"

    @property
    def part(self) -> float:
        """The same as a number from 0 to 1."""
        return self.ways / self.of

    @property
    def short(self) -> str:
        """The same where there is little room: "1/3"."""
        common = gcd(self.ways, self.of)
        return f"{self.ways // common}/{self.of // common}" if 0 < self.ways < self.of else f"{self.ways // self.of}"


ONLY_READ: tuple[Aim, ...] = ()
"""The aims of dice that are only read: how far somebody walks, which card is drawn. Nothing of them counts as luck."""
