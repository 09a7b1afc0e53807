"""Playouts: how a game goes on from an action when every seat does what `steady` does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from referee.bots.bot import Seen
from referee.bots.steady_bot import steadily, worth
from referee.chances.table import answered
from referee.chances.ways import Falling
from referee.engine.adjudicate import Played, adjudicate
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action

AHEAD = 16
"""Actions that are looked ahead: to the last turn that ends by then."""
LONGEST = 100
"""Actions after which a playout is cut off even in the turn that is played now."""


def horizon(seen: Seen, action: Action) -> int:
    """The last turn that playouts are to end, by its number: the one played now, and as many as are over within `AHEAD`
    actions after this one. They are compared at the end of a turn: before it they would favour what puts it off.
    """
    *_, last = islice(_going_on(seen.game, seen.view, seen.seat, action, seen.random), AHEAD)
    return max(seen.game.turn_of(seen.view), seen.game.turn_of(last) - 1)


def playout(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random, until: int) -> float:
    """What one game that goes on from an action has come to at the end of the turn `until`: -1 lost, 1 won."""
    state = view
    for state in islice(_going_on(game, view, seat, action, random), LONGEST):
        if game.turn_of(state) > until:
            break
    return worth(game, state, seat)


def _going_on(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random) -> Iterator[Any]:
    """The truth as it may be, and the states that follow, first by this action."""
    dice, state = Falling(Random(random.getrandbits(64))), game.guess(view, seat, random)
    yield state
    verdict = adjudicate(game, state, seat, action, dice)
    while isinstance(verdict, Played):  # what was legal for all that is known is perhaps not in this guess
        state = answered(game, verdict.state)
        yield state
        mover = game.to_act(state)
        if mover is None or game.outcome(state):
            return
        seen = Seen(game, game.view(state, mover), mover, random)
        verdict = adjudicate(game, state, mover, steadily(seen), dice)
