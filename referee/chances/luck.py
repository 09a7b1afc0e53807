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
from referee.chances.tries import Try, tries_of
from referee.engine.dice import Need
from referee.engine.event import Seat

K = TypeVar("K")


def luck_of(need: Need, faces: tuple[int, ...]) -> Fraction:
    """Hits less those that had to be expected. Over all that can fall, each as likely as it is, it adds up to 0."""
    return sum((one.is_hit(faces) - one.chance for one in tries_of(need)), Fraction(0))


class Luck(Struct, frozen=True, dict=True):
    """The luck of some throws together."""

    dice: int
    """Dice that could hit or miss; throws that are looked at together count as one."""
    hits: int
    expected: Fraction
    """Hits that had to be expected."""
    variance: Fraction
    """Of the number of hits: throws and dice hang on nothing of each other."""

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


NONE = Luck(0, 0, Fraction(0), Fraction(0))


def lucks_in(throw: Throw) -> Iterator[tuple[Seat, Luck]]:
    """The luck of one throw, by whose it is: of who throws, or of somebody else for whom a hit is good."""
    for seat, tries in _by_seat(throw).items():
        chances = [one.chance for one in tries]
        variance = sum((chance * (1 - chance) for chance in chances), Fraction(0))
        yield seat, Luck(len(chances), _hits(throw, tries), sum(chances, Fraction(0)), variance)


def rarity(throw: Throw) -> Fraction:
    """How likely it was to throw so well, or so badly: the smaller of the two, and of all whose luck it is."""
    return min(_rarity(throw, tries) for tries in _by_seat(throw).values())


def _rarity(throw: Throw, tries: list[Try]) -> Fraction:
    ways = [Fraction(1)]
    for one in tries:
        more = [Fraction(0), *(way * one.chance for way in ways)]
        ways = [way * (1 - one.chance) + other for way, other in zip([*ways, Fraction(0)], more, strict=True)]
    hits = _hits(throw, tries)
    return min(sum(ways[hits:], Fraction(0)), sum(ways[: hits + 1], Fraction(0)))


def _by_seat(throw: Throw) -> dict[Seat, list[Try]]:
    found: dict[Seat, list[Try]] = defaultdict(list)
    for one in tries_of(throw.need):
        found[Seat(one.lucky) or throw.seat].append(one)
    return found


def _hits(throw: Throw, tries: list[Try]) -> int:
    return sum(one.is_hit(throw.roll.faces) for one in tries)


class Point(Struct, frozen=True):
    """The luck of a seat so far."""

    n: int
    """Number of the entry with its throw."""
    turn: int
    seat: Seat
    luck: float
    """Hits above what had to be expected, up to here."""


class Account(Struct, frozen=True, dict=True):
    """The luck of a whole game."""

    throws: tuple[Throw, ...]
    """Throws that stand, those included that are only read."""
    taken_back: int
    """Throws that were taken back or corrected, and are not counted."""

    @cached_property
    def aimed(self) -> tuple[Throw, ...]:
        """Throws that could hit or miss."""
        return tuple(throw for throw in self.throws if tries_of(throw.need))

    @property
    def only_read(self) -> int:
        """Throws whose dice are only read."""
        return len(self.throws) - len(self.aimed)

    @cached_property
    def by_seat(self) -> dict[Seat, Luck]:
        """The luck of each seat, and of whom nobody plays."""
        return _together(one for throw in self.aimed for one in lucks_in(throw))

    @cached_property
    def by_kind(self) -> dict[tuple[Seat, str], Luck]:
        """The same by what was thrown for."""
        return _together(((seat, throw.kind), luck) for throw in self.aimed for seat, luck in lucks_in(throw))

    @property
    def rarest(self) -> tuple[Throw, Fraction] | None:
        """The throw that was least likely to fall so well, or so badly; None: nothing was aimed at."""
        throws = [(throw, rarity(throw)) for throw in self.aimed]
        return min(throws, key=lambda one: one[1], default=None)

    def line(self) -> Iterator[Point]:
        """The luck of each seat as it came, throw by throw."""
        so_far: dict[Seat, Fraction] = defaultdict(Fraction)
        for throw in self.aimed:
            for seat, luck in lucks_in(throw):
                so_far[seat] += luck.luck
                yield Point(throw.n, throw.turn, seat, float(so_far[seat]))


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
