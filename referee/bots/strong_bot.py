"""`strong`: a bot that plays the game's book of openings, then searches with guesses at the secrets.

The search plays on from each of the best actions, as `steady` does, to the end of a turn. The bot leaves `steady`'s
choice only for an action that is better beyond luck.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from referee.bots.bot import Observation
from referee.bots.playout import find_last_playout_turn, play_out_once
from referee.bots.steady_bot import list_candidate_actions, pick_best_action, rate_actions
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.plugin_errors import GameError
from referee.engine.registry import find_game
from referee.record.archive.process_pool import count_cores

MAX_SEARCHED_ACTIONS = 6
"""The most actions that are searched."""
FEWEST_PLAYOUTS = 8
"""The fewest playouts for an action to be searched. Fewer rarely tell skill from luck."""
PLAYOUTS_PER_ROUND = 8
"""The number of playouts from each action after which clearly worse actions are dropped."""
WORSE, BETTER = 3.0, 1.5
"""Two distances in standard errors.

An action that is `WORSE` behind the best is dropped. An action that is `BETTER` than `steady`'s choice is taken.
"""

LEAST_DIVISOR = 1e-6
"""The least value that is used for the spread of playouts and for the seconds that one playout takes. Both are
divisors, so neither may be 0.
"""

SLICE_SECONDS = 0.5
"""The seconds after which the results of all processes are put together."""
MIN_SHARED_SECONDS = 0.2
"""The seconds below which no other process is asked, because asking takes as long."""


class SearchedAction:
    """An action and the results of its playouts."""

    def __init__(self, action: Action, first: float = 0.0) -> None:
        """Stores an action. `first` is its worth one action ahead, which counts until there are playouts."""
        self.action, self._first = action, first
        self.values: list[float] = []
        """The worth after each playout, from -1 for lost to 1 for won.

        Playouts with the same index, from different actions, have the same secrets and dice.
        """

    @property
    def playout_count(self) -> int:
        """The number of playouts."""
        return len(self.values)

    @property
    def worth(self) -> float:
        """The mean worth after playouts; before there are any, the worth one action ahead."""
        return fmean(self.values) if self.values else self._first

    @property
    def standard_error(self) -> float:
        """The standard error of the worth; 1 with fewer than two playouts.

        If all playouts had the same result, it is 2 divided by their number.
        """
        if self.playout_count < 2:
            return 1.0
        spread = stdev(self.values)
        return spread / sqrt(self.playout_count) if spread > LEAST_DIVISOR else 2 / self.playout_count

    def compare_to(self, other: SearchedAction) -> tuple[float, float]:
        """Returns how much less this action is worth than another, and the standard error of that difference.

        Playouts with the same luck are compared one by one. Both actions need at least two playouts.
        """
        less = [theirs - own for own, theirs in zip(self.values, other.values, strict=False)]
        return fmean(less), _estimate_error(less)

    def is_behind(self, other: SearchedAction, errors: float) -> bool:
        """True if the action is worth less than `other` by more than this many standard errors of the difference.

        False if either action has fewer than two playouts.
        """
        if min(self.playout_count, other.playout_count) < 2:
            return False
        less, error = self.compare_to(other)
        return less > errors * error


def _estimate_error(values: list[float]) -> float:
    return max(stdev(values), LEAST_DIVISOR) / sqrt(len(values))


class SearchResult(NamedTuple):
    """The result of a search."""

    chosen: Action
    """The best action: the choice of `steady`, unless another one is better beyond luck, or is in the book."""
    searched: list[SearchedAction]
    """The searched actions, the best first."""


class StrongBot:
    """A bot that plays by the book of openings, and otherwise searches the most promising actions in its time."""

    def choose(self, seen: Observation) -> Action:
        """Returns the best action that the search finds."""
        return search_actions(seen).chosen


def search_actions(seen: Observation) -> SearchResult:
    """Returns the best action, with all actions that were searched.

    If the book of openings has an action, returns that action without a search. If `seen.hurries`, Ctrl-C ends the
    search with the best action so far.
    """
    book = find_book_action(seen)
    if book is not None:
        return SearchResult(book, [SearchedAction(book)])
    found: list[SearchedAction] = []
    racing: list[SearchedAction] = []
    with suppress(*([KeyboardInterrupt] if seen.hurries else [])):
        found += _list_promising_actions(seen)
        racing += found
        _race_actions(seen, racing)
    found = found or [SearchedAction(list_candidate_actions(seen.legal, seen.random)[0])]
    own = found[0]
    found.sort(key=lambda one: (one in racing, one.playout_count > 0, one.worth), reverse=True)
    best = found[0] if own.is_behind(found[0], BETTER) else own
    return SearchResult(best.action, found)


def find_book_action(seen: Observation) -> Action | None:
    """Returns the action from the game's book of openings; None if there is none. Raises GameError if it is illegal."""
    action: Action | None = seen.game.recommend_opening(seen.view, seen.seat)
    if action is not None and (refusal := next(seen.game.check(seen.view, seen.seat, action), None)):
        words = seen.game.format(action)
        raise GameError(
            seen.game.name, "recommend_opening", f"{words!r} is not legal ({refusal.rule}: {refusal.because})"
        )
    return action


def _list_promising_actions(seen: Observation) -> list[SearchedAction]:
    """Returns at most `MAX_SEARCHED_ACTIONS` actions: `steady`'s choice, the best of each kind, then the others.

    The best actions have the most worth one action ahead.
    """
    found = rate_actions(seen)
    worth = {one.action: one.worth for one in found}
    others = sorted(worth, key=worth.__getitem__, reverse=True)
    kinds = {type(action): action for action in reversed(others)}
    order = dict.fromkeys([pick_best_action(found, seen.random), *reversed(kinds.values()), *others])
    return [SearchedAction(action, worth[action]) for action in order][:MAX_SEARCHED_ACTIONS]


def _race_actions(seen: Observation, racing: list[SearchedAction]) -> None:
    """Makes playouts until the time is over or one action is left. Actions that are clearly worse drop out."""
    if len(racing) == 1:
        return
    last_turn = find_last_playout_turn(seen, racing[0].action)
    racing[:] = racing[: max(2, _count_playouts(seen, racing[0].action, last_turn) // FEWEST_PLAYOUTS)]
    for _ in _play_by_number(seen, racing, last_turn) if seen.playouts else _play_by_time(seen, racing, last_turn):
        lead = max(racing, key=lambda one: one.worth)
        racing[:] = [one for one in racing if not one.is_behind(lead, WORSE)]
        if len(racing) == 1:
            return


def _count_playouts(seen: Observation, action: Action, last_turn: int) -> int:
    """Returns how many playouts all actions together may have: the given number, or as many as fit into the time."""
    if seen.playouts:
        return seen.playouts
    began = time.monotonic()
    play_out_once(seen.game, seen.view, seen.seat, action, Random(seen.random.getrandbits(64)), last_turn)
    hands, took = count_cores() if seen.executor else 1, max(LEAST_DIVISOR, time.monotonic() - began)
    return int(hands * seen.seconds / took)


def _play_by_number(seen: Observation, racing: list[SearchedAction], last_turn: int) -> Iterator[None]:
    """Makes at most `seen.playouts` playouts, a few from each action at a time. Yields after each round."""
    left = seen.playouts
    while left >= len(racing):
        rounds = min(PLAYOUTS_PER_ROUND, left // len(racing))
        left -= rounds * len(racing)
        run_playouts(seen, racing, last_turn, rounds=rounds)
        yield


def _play_by_time(seen: Observation, racing: list[SearchedAction], last_turn: int) -> Iterator[None]:
    """Makes playouts until the time is over, here and in other processes. Yields after each slice of time."""
    end = time.monotonic() + seen.seconds
    while (left := end - time.monotonic()) > 0:
        seen.tell(1 - left / seen.seconds)
        helpers = _start_helpers(seen, racing, last_turn, left)
        run_playouts(seen, racing, last_turn, seconds=left)
        for helper in helpers:
            if helper.exception():  # the process has died, or the game cannot be sent there: only our results count
                continue
            for one, values in zip(racing, helper.result(), strict=True):
                one.values += values
        yield


def _start_helpers(
    seen: Observation, racing: list[SearchedAction], last_turn: int, seconds: float
) -> list[Future[list[list[float]]]]:
    """Starts the same search with other dice in other processes, one for each other core."""
    if seen.executor is None or seconds < MIN_SHARED_SECONDS:
        return []
    actions = [one.action for one in racing]
    what = (seen.game.name, seen.view, seen.seat, actions, last_turn, seconds)
    return [
        seen.executor.submit(_search_elsewhere, *what, seen.random.getrandbits(64)) for _ in range(count_cores() - 1)
    ]


def _search_elsewhere(
    name: str, view: Any, seat: Seat, actions: list[Action], last_turn: int, seconds: float, seed: int
) -> list[list[float]]:
    """Makes playouts in another process, and returns their values for each action. The game is sent by its name."""
    racing = [SearchedAction(action) for action in actions]
    run_playouts(Observation(find_game(name), view, seat, Random(seed)), racing, last_turn, seconds=seconds)
    return [one.values for one in racing]


def run_playouts(
    seen: Observation, racing: list[SearchedAction], last_turn: int, rounds: int | None = None, seconds: float = inf
) -> None:
    """Makes playouts from each action in turn: `rounds` of them, or as many as fit into `seconds`.

    Without `rounds`, it also stops after `SLICE_SECONDS`. Playouts of one round have the same secrets and dice. So a
    difference comes from the actions, not from luck.
    """
    began, luck = time.monotonic(), seen.random.getrandbits(64)
    for number in count() if rounds is None else range(rounds):
        values: list[float] = []
        for one in racing:
            random = Random(f"{luck} {number}")
            values.append(play_out_once(seen.game, seen.view, seen.seat, one.action, random, last_turn))
            if time.monotonic() - began > seconds:
                return
        for one, value in zip(racing, values, strict=True):
            one.values.append(value)
        if rounds is None and time.monotonic() - began > SLICE_SECONDS:
            return
