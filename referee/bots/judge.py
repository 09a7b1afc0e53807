"""A game looked back on: how likely each was to win as he played, what a play has cost, what a throw was worth.

All of it by playouts and a game's rule of thumb, so with an error; all of it from the view of who plays.
"""

from __future__ import annotations

import time
from math import sqrt
from random import Random
from typing import Any

from msgspec import Struct

from referee.bots.bot import Seen
from referee.bots.playout import horizon
from referee.bots.steady_bot import candidates, rated, worth, worth_of
from referee.bots.strong_bot import Searched, play_out
from referee.chances.ways import sampled
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action

BEST = 4
"""Other actions that a play is compared with: those worth most after one action."""
LOOKING, COMPARING = 4, 12
"""Playouts of each, however short the time: to find the best, and to compare it; of fewer no error can be told."""
FALLS = 24
"""Throws that a throw is compared with."""
SURE = 2.0
"""What lies within so many errors is not told."""


class Judged(Struct, frozen=True):
    """A play, looked back on."""

    chance: float
    """How likely its seat was to win with the best play that was found, 0 to 1."""
    error: float
    """The standard error of that."""
    cost: float
    """By how much the play made winning less likely than that."""
    cost_error: float
    """The standard error of that."""
    best: Action
    """The best play that was found; the play itself, where nothing better was."""
    playouts: int

    @property
    def is_sure(self) -> bool:
        """Whether the cost is more than chance."""
        return self.cost > SURE * self.cost_error


def judged(seen: Seen, action: Action) -> Judged:
    """What an action of a seat was worth beside the best that is found within the time.

    Half of the time finds it, the other half compares the two anew: what was picked for looking best looks better than
    it is.
    """
    others = [one for one in rated(seen) if one.action != action]
    best = sorted(others, key=lambda one: one.worth, reverse=True)[:BEST]
    found = [Searched(action), *(Searched(one.action) for one in best)]
    until = horizon(seen, action)
    _compare(seen, found, until, LOOKING)
    rival = max(found[1:], key=lambda one: one.worth, default=found[0])
    pair = [Searched(action), Searched(rival.action)]
    _compare(seen, pair, until, COMPARING)
    return _judged(pair[0], pair[1], sum(one.count for one in found + pair))


def _compare(seen: Seen, found: list[Searched], until: int, least: int) -> None:
    """Playouts from each for half of the time, so many at least."""
    end = time.monotonic() + seen.seconds / 2
    play_out(seen, found, until, rounds=least)
    while (left := end - time.monotonic()) > 0:
        play_out(seen, found, until, seconds=left)


def _judged(mine: Searched, rival: Searched, playouts: int) -> Judged:
    less, error = mine.behind(rival)
    better = rival if less > 0 else mine
    return Judged((1 + better.worth) / 2, better.error / 2, max(0.0, less) / 2, error / 2, better.action, playouts)


class ThrowWorth(Struct, frozen=True):
    """What throws were worth: above what others would have been, from -2 to 2 each; with its standard error."""

    throws: int
    luck: float
    error: float

    def __add__(self, other: ThrowWorth) -> ThrowWorth:
        return ThrowWorth(self.throws + other.throws, self.luck + other.luck, sqrt(self.error**2 + other.error**2))

    @property
    def is_sure(self) -> bool:
        """Whether it is more than the error of what it was compared with."""
        return abs(self.luck) > SURE * self.error

    @property
    def told(self) -> float | None:
        """What is told: nothing within two errors."""
        return self.luck if self.is_sure else None


def throw_worth(game: AnyGame, view: Any, seat: Seat, action: Action, after: Any, random: Random) -> ThrowWorth | None:
    """What a throw was worth to who threw: the best that can be done after it, one action ahead, against the same after
    other throws. None where the action is not legal on this view.
    """
    others = [one_ply(game, one.state, seat, random) for one in sampled(game, view, seat, action, random, FALLS)]
    if len(others) < 2:
        return None
    mean = sum(others) / len(others)
    spread = sum((one - mean) ** 2 for one in others) / (len(others) - 1)
    return ThrowWorth(1, one_ply(game, after, seat, random) - mean, sqrt(spread / len(others)))


def one_ply(game: AnyGame, state: Any, seat: Seat, random: Random) -> float:
    """What a state is worth to a seat: after its best action, where it is to act."""
    if game.to_act(state) != seat or game.outcome(state):
        return worth(game, state, seat)
    view = game.view(state, seat)
    actions = candidates(game.legal(view, seat), random)
    return max(worth_of(game, view, seat, action, random) for action in actions)
