"""`strong`: what the game's book of openings says, then search over what the secrets could be. Plays on from each of
the best actions, as `steady` does, to the end of a turn, and leaves what `steady` would do only for what is better
beyond luck.
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

from referee.bots.bot import Seen
from referee.bots.playout import horizon, playout
from referee.bots.steady_bot import best_of, candidates, rated
from referee.engine.blame import GameError
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.registry import find_game
from referee.record.archive.workers import cores

BEST = 6
"""Actions that are searched."""
ENOUGH = 8
"""Playouts without which an action is not searched: fewer tell luck from what is better too seldom."""
ROUND = 8
"""Playouts from each action before what is clearly worse is dropped."""
WORSE, BETTER = 3.0, 1.5
"""Standard errors by which an action must lie behind the best to be dropped, and before `steady`'s own to be taken."""

LEAST = 1e-6
"""What playouts that all came out alike are thought to differ by; seconds that one takes at the least."""

SLICE = 0.5
"""Seconds after which what others have found is put together."""
WORTH_SENDING = 0.2
"""Seconds below which nobody else is asked: to tell him takes as long."""


class Searched:
    """An action and what playouts from it have come to."""

    def __init__(self, action: Action, first: float = 0.0) -> None:
        """`first`: what it is worth as seen one action ahead."""
        self.action, self._first = action, first
        self.values: list[float] = []
        """What each playout came to: -1 lost, 1 won. The first of all actions met the same luck, and so on."""

    @property
    def count(self) -> int:
        """How many playouts there were."""
        return len(self.values)

    @property
    def worth(self) -> float:
        """What it is worth by its playouts; before there are any, one action ahead."""
        return fmean(self.values) if self.values else self._first

    @property
    def error(self) -> float:
        """The standard error of that; 1 where there are hardly any playouts. Where all came out alike, 2 over their
        number: so few say no more.
        """
        if self.count < 2:
            return 1.0
        spread = stdev(self.values)
        return spread / sqrt(self.count) if spread > LEAST else 2 / self.count

    def behind(self, other: Searched) -> tuple[float, float]:
        """How much less it is worth than another, playout against playout of the same luck, and the standard error of
        that; at least two playouts of each.
        """
        less = [theirs - own for own, theirs in zip(self.values, other.values, strict=False)]
        return fmean(less), _error(less)

    def is_behind(self, other: Searched, errors: float) -> bool:
        """Whether it is worth less, by more than so many standard errors."""
        if min(self.count, other.count) < 2:
            return False
        less, error = self.behind(other)
        return less > errors * error


def _error(values: list[float]) -> float:
    return max(stdev(values), LEAST) / sqrt(len(values))


class Search(NamedTuple):
    """What a search has come to."""

    chosen: Action
    """What `steady` does, unless something is better beyond luck."""
    found: list[Searched]
    """The actions that were searched, what is worth most first."""


class StrongBot:
    """Plays by the book; else searches the actions that promise most, for as long as it may."""

    def choose(self, seen: Seen) -> Action:
        """What its search has come to."""
        return search(seen).chosen


def search(seen: Seen) -> Search:
    """Look for the best action. Ctrl-C makes it answer at once with what was found so far, if `hurries` says so."""
    book = by_the_book(seen)
    if book is not None:
        return Search(book, [Searched(book)])
    found: list[Searched] = []
    racing: list[Searched] = []
    with suppress(*([KeyboardInterrupt] if seen.hurries else [])):
        found += _promising(seen)
        racing += found
        _race(seen, racing)
    found = found or [Searched(candidates(seen.legal, seen.random)[0])]
    own = found[0]
    found.sort(key=lambda one: (one in racing, one.count > 0, one.worth), reverse=True)
    best = found[0] if own.is_behind(found[0], BETTER) else own
    return Search(best.action, found)


def by_the_book(seen: Seen) -> Action | None:
    """What the game's book of openings says, if anything; GameError where that is not legal."""
    action: Action | None = seen.game.opening(seen.view, seen.seat)
    if action is not None and (refusal := next(seen.game.check(seen.view, seen.seat, action), None)):
        words = seen.game.format(action)
        raise GameError(seen.game.name, "opening", f"{words!r} is not legal ({refusal.rule}: {refusal.because})")
    return action


def _promising(seen: Seen) -> list[Searched]:
    """What `steady` does; then what else is worth most after one action, of each kind the best before all others."""
    found = rated(seen)
    worth = {one.action: one.worth for one in found}
    others = sorted(worth, key=worth.__getitem__, reverse=True)
    kinds = {type(action): action for action in reversed(others)}
    order = dict.fromkeys([best_of(found, seen.random), *reversed(kinds.values()), *others])
    return [Searched(action, worth[action]) for action in order][:BEST]


def _race(seen: Seen, racing: list[Searched]) -> None:
    """Playouts until the time is over or one action is left; what is clearly worse than the best drops out."""
    if len(racing) == 1:
        return
    until = horizon(seen, racing[0].action)
    racing[:] = racing[: max(2, _playouts_left(seen, racing[0].action, until) // ENOUGH)]
    for _ in _by_number(seen, racing, until) if seen.playouts else _by_time(seen, racing, until):
        lead = max(racing, key=lambda one: one.worth)
        racing[:] = [one for one in racing if not one.is_behind(lead, WORSE)]
        if len(racing) == 1:
            return


def _playouts_left(seen: Seen, action: Action, until: int) -> int:
    """How many playouts there will be: as many as are asked for, or, as long as one takes, as fit into the time."""
    if seen.playouts:
        return seen.playouts
    began = time.monotonic()
    playout(seen.game, seen.view, seen.seat, action, Random(seen.random.getrandbits(64)), until)
    hands, took = cores() if seen.executor else 1, max(LEAST, time.monotonic() - began)
    return int(hands * seen.seconds / took)


def _by_number(seen: Seen, racing: list[Searched], until: int) -> Iterator[None]:
    """So many playouts at most, a few from each action at a time."""
    left = seen.playouts
    while left >= len(racing):
        rounds = min(ROUND, left // len(racing))
        left -= rounds * len(racing)
        play_out(seen, racing, until, rounds=rounds)
        yield


def _by_time(seen: Seen, racing: list[Searched], until: int) -> Iterator[None]:
    """Playouts until the time is over, slice by slice: here, and wherever else somebody works for it."""
    end = time.monotonic() + seen.seconds
    while (left := end - time.monotonic()) > 0:
        seen.tell(1 - left / seen.seconds)
        helpers = _helpers(seen, racing, until, left)
        play_out(seen, racing, until, seconds=left)
        for helper in helpers:
            if helper.exception():  # it has died, or the game cannot be sent there: what is found here stands
                continue
            for one, values in zip(racing, helper.result(), strict=True):
                one.values += values
        yield


def _helpers(seen: Seen, racing: list[Searched], until: int, seconds: float) -> list[Future[list[list[float]]]]:
    """The same search by others, one for each other core, with other dice."""
    if seen.executor is None or seconds < WORTH_SENDING:
        return []
    actions = [one.action for one in racing]
    what = (seen.game.name, seen.view, seen.seat, actions, until, seconds)
    return [seen.executor.submit(_elsewhere, *what, seen.random.getrandbits(64)) for _ in range(cores() - 1)]


def _elsewhere(
    name: str, view: Any, seat: Seat, actions: list[Action], until: int, seconds: float, seed: int
) -> list[list[float]]:
    """What another process finds; a game goes there by its name."""
    racing = [Searched(action) for action in actions]
    play_out(Seen(find_game(name), view, seat, Random(seed)), racing, until, seconds=seconds)
    return [one.values for one in racing]


def play_out(seen: Seen, racing: list[Searched], until: int, rounds: int | None = None, seconds: float = inf) -> None:
    """Playouts from each in turn: so many times, or as often as they are over in so many seconds, for a slice at most.
    Those of one round meet the same secrets and dice: what differs is owed to the actions, not to luck.
    """
    began, luck = time.monotonic(), seen.random.getrandbits(64)
    for number in count() if rounds is None else range(rounds):
        values: list[float] = []
        for one in racing:
            random = Random(f"{luck} {number}")
            values.append(playout(seen.game, seen.view, seen.seat, one.action, random, until))
            if time.monotonic() - began > seconds:
                return
        for one, value in zip(racing, values, strict=True):
            one.values.append(value)
        if rounds is None and time.monotonic() - began > SLICE:
            return
