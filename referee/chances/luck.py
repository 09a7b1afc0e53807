"""Luck: the number of dice that hit their targets, compared with the expected number of hits, which is exact.

Dice without a target do not count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import NamedTuple, TypeVar

from msgspec import Struct

from referee.chances.checks import Check, list_checks
from referee.chances.recorded_rolls import RecordedRoll
from referee.engine.dice import Need
from referee.engine.event import Seat

K = TypeVar("K")


def compute_luck(need: Need, faces: tuple[int, ...]) -> Fraction:
    """Returns the hits of a roll minus the expected hits. The sum over all equally likely rolls is 0."""
    return sum((one.is_hit(faces) - one.chance for one in list_checks(need)), Fraction(0))


class RollLuck(Struct, frozen=True, dict=True):
    """The luck of several rolls together."""

    dice: int
    """The number of dice that could hit or miss. A roll that is read as a whole counts as one."""
    hits: int
    expected: Fraction
    """The expected number of hits."""
    variance: Fraction
    """The variance of the number of hits. Rolls and dice are independent."""

    @property
    def hits_above_expected(self) -> Fraction:
        """The hits above the expected number; negative if there were fewer."""
        return self.hits - self.expected

    @property
    def z_score(self) -> float:
        """The luck in standard deviations; 0 if no check could turn out otherwise."""
        return float(self.hits_above_expected) / sqrt(self.variance) if self.variance else 0.0

    def __add__(self, other: RollLuck) -> RollLuck:
        return RollLuck(
            self.dice + other.dice,
            self.hits + other.hits,
            self.expected + other.expected,
            self.variance + other.variance,
        )


NO_LUCK = RollLuck(0, 0, Fraction(0), Fraction(0))
"""The luck of no rolls at all."""


def list_seat_lucks(throw: RecordedRoll) -> Iterator[tuple[Seat, RollLuck]]:
    """Yields each seat for which a hit in this roll is good, with its luck. Usually this is the seat that rolled."""
    for seat, tries in _group_checks_by_seat(throw).items():
        chances = [one.chance for one in tries]
        variance = sum((chance * (1 - chance) for chance in chances), Fraction(0))
        yield seat, RollLuck(len(chances), _count_hits(throw, tries), sum(chances, Fraction(0)), variance)


def list_player_lucks(throw: RecordedRoll) -> Iterator[tuple[LuckOwner, RollLuck]]:
    """Yields the same as `list_seat_lucks`, with the player who sat at each seat then."""
    return ((LuckOwner(seat, throw.names.get(seat, seat)), luck) for seat, luck in list_seat_lucks(throw))


def compute_rarity(throw: RecordedRoll) -> Fraction:
    """Returns the chance of a roll at least as good as this one, or at least as bad, whichever is smaller.

    If several seats have luck in the roll, the smallest chance counts. Raises ValueError if
    no seat has luck in it.
    """
    return min(_compute_rarity_of_checks(throw, tries) for tries in _group_checks_by_seat(throw).values())


def _compute_rarity_of_checks(throw: RecordedRoll, tries: list[Check]) -> Fraction:
    ways = [Fraction(1)]
    for one in tries:
        more = [Fraction(0), *(way * one.chance for way in ways)]
        ways = [way * (1 - one.chance) + other for way, other in zip([*ways, Fraction(0)], more, strict=True)]
    hits = _count_hits(throw, tries)
    return min(sum(ways[hits:], Fraction(0)), sum(ways[: hits + 1], Fraction(0)))


def _group_checks_by_seat(throw: RecordedRoll) -> dict[Seat, list[Check]]:
    found: dict[Seat, list[Check]] = defaultdict(list)
    for one in list_checks(throw.need):
        found[Seat(one.lucky_seat) or throw.seat].append(one)
    return found


def _count_hits(throw: RecordedRoll, tries: list[Check]) -> int:
    return sum(one.is_hit(throw.roll.faces) for one in tries)


class LuckOwner(NamedTuple):
    """A seat with the player who sat there when the dice were rolled, or a side that nobody plays."""

    seat: Seat
    player: str
    """The name of the player or bot; the seat itself if it has no name."""

    def __str__(self) -> str:
        return self.seat if self.player == self.seat else f"{self.seat} ({self.player})"


class LuckPoint(Struct, frozen=True):
    """The luck of one player from the start of the game up to an entry."""

    n: int
    """The number of the entry with the latest roll."""
    turn: int
    seat: Seat
    luck: float
    """The hits above the expected number up to here."""
    player: str
    """The name of the player at the seat."""


class LuckAccount(Struct, frozen=True, dict=True):
    """The luck in a whole game."""

    throws: tuple[RecordedRoll, ...]
    """The rolls in force, including those without a target."""
    taken_back: int
    """The number of rolls that were taken back or corrected. They are not counted."""

    @cached_property
    def targeted_rolls(self) -> tuple[RecordedRoll, ...]:
        """The rolls that could hit or miss."""
        return tuple(throw for throw in self.throws if list_checks(throw.need))

    @property
    def untargeted_count(self) -> int:
        """The number of rolls without a target."""
        return len(self.throws) - len(self.targeted_rolls)

    @cached_property
    def luck_by_seat(self) -> dict[Seat, RollLuck]:
        """The luck of each seat, and of sides that nobody plays."""
        return _sum_lucks(one for throw in self.targeted_rolls for one in list_seat_lucks(throw))

    @cached_property
    def luck_by_player(self) -> dict[LuckOwner, RollLuck]:
        """The luck of each player at a seat, and of sides that nobody plays."""
        return _sum_lucks(one for throw in self.targeted_rolls for one in list_player_lucks(throw))

    @cached_property
    def luck_by_action_kind(self) -> dict[tuple[LuckOwner, str], RollLuck]:
        """The luck of each player by kind of action."""
        return _sum_lucks(
            ((owner, throw.kind), luck) for throw in self.targeted_rolls for owner, luck in list_player_lucks(throw)
        )

    @property
    def rarest(self) -> tuple[RecordedRoll, Fraction] | None:
        """The roll that was least likely to be so good or so bad, with that chance; None if no roll had a target."""
        throws = [(throw, compute_rarity(throw)) for throw in self.targeted_rolls]
        return min(throws, key=lambda one: one[1], default=None)

    def list_luck_points(self) -> Iterator[LuckPoint]:
        """Yields the luck of a player so far after each roll that changed it."""
        so_far: dict[LuckOwner, Fraction] = defaultdict(Fraction)
        for throw in self.targeted_rolls:
            for owner, luck in list_player_lucks(throw):
                so_far[owner] += luck.hits_above_expected
                yield LuckPoint(throw.n, throw.turn, owner.seat, float(so_far[owner]), owner.player)


def make_luck_account(throws: Iterable[RecordedRoll]) -> LuckAccount:
    """Returns the account of a game's rolls. Blind draws and lots are left out.

    Rolls that were taken back are only counted.
    """
    everything = list(throws)
    standing = tuple(
        throw for throw in everything if throw.is_in_force and not throw.need.names and not throw.need.lots
    )
    return LuckAccount(standing, sum(not throw.is_in_force for throw in everything))


def _sum_lucks(parts: Iterable[tuple[K, RollLuck]]) -> dict[K, RollLuck]:
    found: dict[K, RollLuck] = {}
    for key, luck in parts:
        found[key] = found.get(key, NO_LUCK) + luck
    return found
