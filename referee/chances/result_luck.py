"""Luck in results: the results of a roll and of its forced rolls, compared with all results that were possible.

The luck is exact, because outcomes are enumerated as for the odds. Dice without a target count, too.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from referee.chances.forced_rolls import (
    ForcedRollOutcomes,
    ResultChance,
    describe_results,
    find_pieces_that_can_act,
    follow_forced_rolls,
    list_uncertain_results,
)
from referee.chances.luck import RollLuck
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.game import AnyGame

MAX_FOLLOWED_OUTCOMES = 400
"""The most outcomes of one action and its forced rolls that are enumerated. Three dice of six sides, a part of them
rolled a second time, have at most 307.
"""


class ResultLuck(Struct, frozen=True):
    """The luck in an action and the rolls that had to follow it."""

    came: tuple[ResultChance, ...]
    """The results that came and were not certain, the least likely first."""
    able: RollLuck | None
    """The luck in the number of pieces with which the seat can act afterwards; None if that number was certain."""


def find_result_luck(game: AnyGame, view: Any, seat: Seat, action: Action, after: Any) -> ResultLuck | None:
    """Returns the luck in the results of an action; None if it is illegal, or if its chances depend on others' secrets.

    `view` is what the seat knew before, and `after` what it knows after the last forced roll. Raises TooManyError if
    there are more than `MAX_FOLLOWED_OUTCOMES` outcomes.
    """
    prospect = follow_forced_rolls(game, view, seat, action, MAX_FOLLOWED_OUTCOMES)
    if prospect is None:
        return None
    shown = describe_results(game, game.pieces(view), seat, after)
    came = [one for one in list_uncertain_results(game, view, seat, prospect) if one.told in shown]
    return ResultLuck(tuple(reversed(came)), _compute_luck_of_able(game, seat, prospect, after))


def _compute_luck_of_able(game: AnyGame, seat: Seat, prospect: ForcedRollOutcomes, after: Any) -> RollLuck | None:
    """Returns the luck in the number of pieces that can act; None if that number is the same in all endings."""
    numbers = [(chance, len(find_pieces_that_can_act(game, seat, state))) for chance, state in prospect.endings]
    mean = sum((chance * number for chance, number in numbers), Fraction(0))
    variance = sum((chance * (number - mean) ** 2 for chance, number in numbers), Fraction(0))
    if not variance:
        return None
    return RollLuck(
        max(number for _, number in numbers), len(find_pieces_that_can_act(game, seat, after)), mean, variance
    )
