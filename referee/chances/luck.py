"""Luck: how many dice did what they were aimed at, against how many had to be expected. Exact, from the aims of each
throw; dice that are only read are no luck, and not counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import TypeVar

from msgspec import Struct

from referee.chances.throws import Throw
from referee.engine.dice import Need
from referee.engine.event import Seat


def luck_of(need: Need, faces: tuple[int, ...]) -> Fraction:
    """Hits less those that had to be expected. Over all that can fall, each as likely as it is, it adds up to 0."""
    return Fraction(need.hits(faces)) - sum((Fraction(*chance) for chance in need.hit_chances), Fraction(0))


class Luck(Struct, frozen=True, dict=True):
    """The luck of some throws together."""

    dice: int
    """Dice that could hit or miss; throws that are looked at together count as one."""
    hits: int
    expected: Fraction
    """Hits that had to be expected."""
    variance: Fraction

    @property
    def luck(self) -> Fraction:
        """Hits above what had to be expected; below it, less than 0."""
        return self.hits - self.expected

    @property
    def z(self) -> float:
        """How many standard deviations that is; 0 where nothing could turn out otherwise."""
        return float(self.luck) / sqrt(self.variance) if self.variance else 0.0

    def __add__(self, other: Luck) -> Luck:
        return Luck(
            self.dice + other.dice,
            self.hits + other.hits,
            self.expected + other.expected,
            self.variance + other.variance,
        )


K = TypeVar("K")
NONE = Luck(0, 0, Fraction(0), Fraction(0))


def luck_in(throw: Throw) -> Luck:
    """The luck of one throw."""
    chances = [Fraction(*chance) for chance in throw.need.hit_chances]
    variance = sum((chance * (1 - chance) for chance in chances), Fraction(0))
    return Luck(len(chances), throw.need.hits(throw.roll.faces), sum(chances, Fraction(0)), variance)


def rarity(throw: Throw) -> Fraction:
    """How likely it was to throw so well, or so badly: the smaller of the two."""
    ways = [Fraction(1)]
    for chance in throw.need.hit_chances:
        hit = Fraction(*chance)
        more = [Fraction(0), *(way * hit for way in ways)]
        ways = [way * (1 - hit) + other for way, other in zip([*ways, Fraction(0)], more, strict=True)]
    hits = throw.need.hits(throw.roll.faces)
    return min(sum(ways[hits:], Fraction(0)), sum(ways[: hits + 1], Fraction(0)))


class Point(Struct, frozen=True):
    """The luck of a seat so far."""

    n: int
    turn: int
    seat: Seat
    luck: float


class Account(Struct, frozen=True, dict=True):
    """The luck of a whole game."""

    throws: tuple[Throw, ...]
    """Throws that stand, those included that are only read."""
    taken_back: int
    """Throws that were taken back or corrected, and are not counted."""

    @cached_property
    def aimed(self) -> tuple[Throw, ...]:
        """Throws that could hit or miss."""
        return tuple(throw for throw in self.throws if throw.need.hit_chances)

    @property
    def only_read(self) -> int:
        """Throws whose dice are only read."""
        return len(self.throws) - len(self.aimed)

    @cached_property
    def by_seat(self) -> dict[Seat, Luck]:
        """The luck of each seat."""
        return _together((throw.seat, luck_in(throw)) for throw in self.aimed)

    @cached_property
    def by_kind(self) -> dict[tuple[Seat, str], Luck]:
        """The same by what was thrown for."""
        return _together(((throw.seat, throw.kind), luck_in(throw)) for throw in self.aimed)

    @property
    def rarest(self) -> tuple[Throw, Fraction] | None:
        """The throw that was least likely to fall so well, or so badly; None: nothing was aimed at."""
        throws = [(throw, rarity(throw)) for throw in self.aimed]
        return min(throws, key=lambda one: one[1], default=None)

    def line(self) -> Iterator[Point]:
        """The luck of each seat as it came, throw by throw."""
        so_far: dict[Seat, Fraction] = defaultdict(Fraction)
        for throw in self.aimed:
            so_far[throw.seat] += luck_of(throw.need, throw.roll.faces)
            yield Point(throw.n, throw.turn, throw.seat, float(so_far[throw.seat]))


def account_of(throws: Iterable[Throw]) -> Account:
    """The account of the throws of a game."""
    everything = list(throws)
    standing = tuple(throw for throw in everything if throw.stands and not throw.need.names and not throw.need.lots)
    return Account(standing, sum(not throw.stands for throw in everything))


def _together(parts: Iterable[tuple[K, Luck]]) -> dict[K, Luck]:
    found: dict[K, Luck] = {}
    for key, luck in parts:
        found[key] = found.get(key, NONE) + luck
    return found
