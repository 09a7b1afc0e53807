"""`strong`: search over what the secrets could be. Plays on from each of the best actions, hastily as `steady` does,
and cuts off by the game's `worth`.
"""

from __future__ import annotations

import time
from concurrent.futures import Future
from contextlib import suppress
from math import log, sqrt
from random import Random
from typing import Any

from referee.bots.bot import Seen
from referee.bots.steady_bot import Rated, rated, worth
from referee.chances.table import answered
from referee.chances.ways import Falling
from referee.engine.adjudicate import Played, Verdict, adjudicate
from referee.engine.component import Report
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action
from referee.engine.registry import find_game
from referee.record.archive.workers import cores

BEST = 6
"""Actions that are searched: those worth most after one action."""
DEEP = 10
"""Actions after which a playout is cut off."""
DRAWN = 3
"""Actions that are drawn for each step of a playout, of which the one worth most is taken."""
CURIOUS = 0.5
"""How much is tried what was tried seldom."""
TRUST = 2
"""What one action ahead is worth counts like so many playouts."""

SLICE = 1.0
"""Seconds after which what others have found is put together."""
WORTH_SENDING = 0.2
"""Seconds below which nobody else is asked: to tell him takes as long."""

Sums = tuple[int, float, float]
"""Playouts, the sum of what they came to, and of its squares."""


class Searched:
    """An action and what playouts from it have come to."""

    def __init__(self, rated: Rated) -> None:
        self.action = rated.action
        self.first = rated.worth
        self.count, self.total, self.squares = 0, 0.0, 0.0

    @property
    def sums(self) -> Sums:
        """What its playouts add up to."""
        return self.count, self.total, self.squares

    def join(self, more: Sums) -> None:
        """Add what others have found."""
        self.count, self.total, self.squares = self.count + more[0], self.total + more[1], self.squares + more[2]

    def add(self, value: float) -> None:
        """Another playout: -1 lost, 1 won."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def worth(self) -> float:
        """What it is worth, by its playouts and by what is seen one action ahead."""
        return (self.total + TRUST * self.first) / (self.count + TRUST)

    @property
    def error(self) -> float:
        """The standard error of its playouts; 1 where there are hardly any."""
        if self.count < 2:
            return 1.0
        mean = self.total / self.count
        return sqrt(max(self.squares / self.count - mean * mean, 1e-9) / self.count)


class StrongBot:
    """Searches the actions that are worth most after one, for as long as it may."""

    def choose(self, seen: Seen) -> Action:
        """The action worth most by its playouts."""
        return search(seen, seen.tell)[0].action


def search(seen: Seen, tell: Report = lambda _: None) -> list[Searched]:
    """The actions worth looking at, the best first. Ctrl-C makes it answer at once with what was found so far.

    `tell` hears now and then which part of the time is over.
    """
    best = sorted(rated(seen), key=lambda one: one.worth, reverse=True)[:BEST]
    found = [Searched(one) for one in best]
    if len(found) > 1:
        with suppress(KeyboardInterrupt):
            _search(seen, found, tell)
    return sorted(found, key=lambda one: one.worth, reverse=True)


def _search(seen: Seen, found: list[Searched], tell: Report) -> None:
    """Playouts until the time is over, slice by slice: here, and wherever else somebody works for it."""
    if seen.playouts:
        _play_out(seen, found, count=seen.playouts)
        return
    end = time.monotonic() + seen.seconds
    while (left := end - time.monotonic()) > 0:
        tell(1 - left / seen.seconds)
        _slice(seen, found, min(left, SLICE))


def _slice(seen: Seen, found: list[Searched], seconds: float) -> None:
    helpers = _helpers(seen, found, seconds)
    _play_out(seen, found, seconds)
    for helper in helpers:
        if helper.exception():  # it has died, or the game cannot be sent there: what is found here stands
            continue
        for one, more in zip(found, helper.result(), strict=True):
            one.join(more)


def _helpers(seen: Seen, found: list[Searched], seconds: float) -> list[Future[list[Sums]]]:
    """The same search by others, one for each other core, with other dice."""
    if seen.executor is None or seconds < WORTH_SENDING:
        return []
    begun = [Rated(one.first, one.action) for one in found]
    what = (seen.game.name, seen.view, seen.seat, begun, seconds)
    return [seen.executor.submit(_elsewhere, *what, seen.random.getrandbits(64)) for _ in range(cores() - 1)]


def _elsewhere(name: str, view: Any, seat: Seat, begun: list[Rated], seconds: float, seed: int) -> list[Sums]:
    """What another process finds; a game goes there by its name."""
    found = [Searched(one) for one in begun]
    _play_out(Seen(find_game(name), view, seat, Random(seed)), found, seconds)
    return [one.sums for one in found]


def _play_out(seen: Seen, found: list[Searched], seconds: float = 0.0, count: int = 0) -> None:
    """Playouts for so long, or so many; most from the actions that promise most. The first ones from all of them meet
    the same secrets and dice, the second ones, and so on: what differs is owed to the actions, not to luck.
    """
    end, done, luck = time.monotonic() + seconds, 0, seen.random.getrandbits(64)
    while done < count or time.monotonic() < end:
        done += 1
        one = max(found, key=lambda one: _promise(one, done))
        one.add(playout(seen.game, seen.view, seen.seat, one.action, Random(f"{luck} {one.count}")))


def _promise(one: Searched, count: int) -> float:
    return one.worth + CURIOUS * sqrt(log(count + 1) / (one.count + 1))


def playout(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random) -> float:
    """What one game that goes on from an action comes to: -1 lost, 1 won."""
    dice, state = Falling(random), game.guess(view, seat, random)
    verdict = adjudicate(game, state, seat, action, dice)
    for _ in range(DEEP):
        if not isinstance(verdict, Played):  # what was legal for all that is known is not in this guess
            break
        state = answered(game, verdict.state)
        mover = game.to_act(state)
        if mover is None or game.outcome(state):
            break
        verdict = _hastily(game, state, mover, dice, random)
    return worth(game, state, seat)


def _hastily(game: AnyGame, state: Any, mover: Seat, dice: Falling, random: Random) -> Verdict:
    """One of a few actions that are drawn: what throws dice is played as it falls, of others what is worth most."""
    legal = game.legal(game.view(state, mover), mover)
    tried: list[Played] = []
    while len(tried) < DRAWN:
        verdict = adjudicate(game, state, mover, legal.pick(random), dice)
        if not isinstance(verdict, Played) or verdict.rolls:
            return verdict
        tried.append(verdict)
    return max(tried, key=lambda one: worth(game, one.state, mover))
