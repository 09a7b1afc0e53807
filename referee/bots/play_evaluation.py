"""A look back on a game: each player's chance to win, the cost of a play, the worth of a roll.

All values are estimates from playouts and the game's `worth`, so they have an error. Only the player's own view is
used.
"""

from __future__ import annotations

import time
from math import sqrt
from random import Random
from typing import Any

from msgspec import Struct

from referee.bots.bot import Observation
from referee.bots.playout import find_last_playout_turn
from referee.bots.steady_bot import list_candidate_actions, rate_action, rate_actions, rate_position
from referee.bots.strong_bot import SearchedAction, run_playouts
from referee.chances.outcome_enumeration import sample_outcomes
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.game import AnyGame

COMPARED_ACTIONS = 4
"""The number of other actions that a play is compared with: those with the most worth one action ahead."""
SEARCH_PLAYOUTS, COMPARISON_PLAYOUTS = 4, 12
"""The fewest playouts of each action: in the search for the best action, and in the comparison with it."""
COMPARED_ROLLS = 24
"""The number of random rolls that a roll is compared with."""
MIN_STANDARD_ERRORS = 2.0
"""The number of standard errors within which a difference is not shown."""


class EvaluatedPlay(Struct, frozen=True):
    """A play, compared with the best one."""

    chance: float
    """The seat's chance to win with the best play that was found, 0 to 1."""
    error: float
    """The standard error of that chance."""
    cost: float
    """The chance to win that was lost by the play, 0 to 1."""
    cost_error: float
    """The standard error of the cost."""
    best: Action
    """The best play that was found; the play itself if nothing better was found."""
    playouts: int

    @property
    def is_significant(self) -> bool:
        """True if the cost is more than `MIN_STANDARD_ERRORS` standard errors."""
        return self.cost > MIN_STANDARD_ERRORS * self.cost_error


def evaluate_play(seen: Observation, action: Action) -> EvaluatedPlay:
    """Compares an action with the best other one that is found in the time.

    Half of the time goes into the search for the best one. The other half compares the two anew, because an action that
    was picked for looking best looks better than it is.
    """
    others = [one for one in rate_actions(seen) if one.action != action]
    best = sorted(others, key=lambda one: one.worth, reverse=True)[:COMPARED_ACTIONS]
    found = [SearchedAction(action), *(SearchedAction(one.action) for one in best)]
    last_turn = find_last_playout_turn(seen, action)
    _run_comparison(seen, found, last_turn, SEARCH_PLAYOUTS)
    rival = max(found[1:], key=lambda one: one.worth, default=found[0])
    pair = [SearchedAction(action), SearchedAction(rival.action)]
    _run_comparison(seen, pair, last_turn, COMPARISON_PLAYOUTS)
    return _make_evaluation(pair[0], pair[1], sum(one.playout_count for one in found + pair))


def _run_comparison(seen: Observation, searched: list[SearchedAction], last_turn: int, least: int) -> None:
    """Makes playouts from each action for half of `seen.seconds`, but at least `least` from each."""
    end = time.monotonic() + seen.seconds / 2
    run_playouts(seen, searched, last_turn, rounds=least)
    while (left := end - time.monotonic()) > 0:
        run_playouts(seen, searched, last_turn, seconds=left)


def _make_evaluation(mine: SearchedAction, rival: SearchedAction, playouts: int) -> EvaluatedPlay:
    less, error = mine.compare_to(rival)
    better = rival if less > 0 else mine
    return EvaluatedPlay(
        (1 + better.worth) / 2, better.standard_error / 2, max(0.0, less) / 2, error / 2, better.action, playouts
    )


class RollWorth(Struct, frozen=True):
    """The worth of one or more rolls, compared with other rolls that could have come up."""

    roll_count: int
    """The number of rolls."""
    luck: float
    """The worth above that of other rolls, added up; from -2 to 2 for each roll."""
    error: float
    """The standard error of the luck."""

    def __add__(self, other: RollWorth) -> RollWorth:
        return RollWorth(
            self.roll_count + other.roll_count, self.luck + other.luck, sqrt(self.error**2 + other.error**2)
        )

    @property
    def is_significant(self) -> bool:
        """True if the luck, good or bad, is more than `MIN_STANDARD_ERRORS` standard errors."""
        return abs(self.luck) > MIN_STANDARD_ERRORS * self.error

    @property
    def significant_luck(self) -> float | None:
        """The luck; None if it is not significant."""
        return self.luck if self.is_significant else None


def evaluate_roll(game: AnyGame, view: Any, seat: Seat, action: Action, after: Any, random: Random) -> RollWorth | None:
    """Returns the worth of a roll to its seat, compared with other rolls for the same action.

    The worth of a roll is that of the state after it, as `rate_position_by_best_action` computes it. `after` is the
    state after the real roll. Returns None if the action is illegal in this view.
    """
    others = [
        rate_position_by_best_action(game, one.state, seat, random)
        for one in sample_outcomes(game, view, seat, action, random, COMPARED_ROLLS)
    ]
    if len(others) < 2:
        return None
    mean = sum(others) / len(others)
    spread = sum((one - mean) ** 2 for one in others) / (len(others) - 1)
    return RollWorth(1, rate_position_by_best_action(game, after, seat, random) - mean, sqrt(spread / len(others)))


def rate_position_by_best_action(game: AnyGame, state: Any, seat: Seat, random: Random) -> float:
    """Returns the worth of a state to a seat. If the seat is to move, that is the worth of its best action."""
    if game.to_act(state) != seat or game.outcome(state):
        return rate_position(game, state, seat)
    view = game.view(state, seat)
    actions = list_candidate_actions(game.legal(view, seat), random)
    return max(rate_action(game, view, seat, action, random) for action in actions)
