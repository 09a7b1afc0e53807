"""Checks: dice that can hit or miss a target, each check with the seat for which a hit is good luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from referee.engine.dice import Need
from referee.engine.target_number import Target


class Check(Struct, frozen=True):
    """A die with a target, or all dice of a roll that are read together."""

    lucky_seat: str
    """The seat for which a hit is good luck; "" for the seat that rolls."""
    chance: Fraction
    """The chance of a hit."""
    aims: tuple[Target, ...]
    """The targets of the dice. A roll that meets any of them is a hit."""
    die: int | None
    """The number of the die in the roll, from 0; None for all dice together."""

    def is_hit(self, faces: Sequence[int]) -> bool:
        """True if these faces are a hit."""
        shown = faces if self.die is None else (faces[self.die],)
        return any(aim.is_hit(*shown) for aim in self.aims)


def list_checks(need: Need) -> tuple[Check, ...]:
    """Returns the checks in a roll.

    There are none if its dice have no targets, or if every check is certain to hit or to miss.
    """
    together = [aim for aim in need.aims if aim.of != "each"]
    found = tuple(_list_checks_of_all_dice(need, together) if together else _list_checks_of_single_dice(need))
    return found if any(0 < one.chance < 1 for one in found) else ()


def _list_checks_of_all_dice(need: Need, aims: list[Target]) -> Iterator[Check]:
    """Yields one check of all dice together for each seat that a hit can favour. If a seat has several targets, the
    easiest counts.
    """
    for lucky_seat in dict.fromkeys(aim.good_for for aim in aims):
        easiest = max((aim for aim in aims if aim.good_for == lucky_seat), key=need.compute_chance)
        yield Check(lucky_seat, Fraction(*need.compute_chance(easiest)), (easiest,), None)


def _list_checks_of_single_dice(need: Need) -> Iterator[Check]:
    """Yields a check of each single die for each seat that a hit of this die can favour."""
    faces = range(1, need.sides + 1)
    for die in range(need.count):
        aims = tuple(need.list_targets(die))
        for lucky_seat in dict.fromkeys(aim.good_for for aim in aims):
            own = tuple(aim for aim in aims if aim.good_for == lucky_seat)
            hits = sum(any(aim.is_hit(face) for aim in own) for face in faces)
            yield Check(lucky_seat, Fraction(hits, need.sides), own, die)
