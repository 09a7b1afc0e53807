"""Playouts: a game goes on from an action, and every seat plays as `steady` does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from referee.bots.bot import Observation
from referee.bots.steady_bot import choose_steady_action, rate_position
from referee.chances.in_memory_game import give_all_answers
from referee.chances.outcome_enumeration import RandomDice
from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.game import AnyGame

ACTIONS_AHEAD = 16
"""The number of actions to look ahead. A playout stops with the last turn that is complete within that number."""
MAX_ACTIONS = 100
"""The number of actions after which a playout is cut off, even within the turn being played."""


def find_last_playout_turn(seen: Observation, action: Action) -> int:
    """Returns the number of the turn with which playouts end.

    That turn is the present one, or the last later turn that ends within `ACTIONS_AHEAD` actions. Playouts are compared
    at the end of a turn. In the middle of a turn, the comparison would favour actions that delay its end.
    """
    *_, last = islice(_play_on(seen.game, seen.view, seen.seat, action, seen.random), ACTIONS_AHEAD)
    return max(seen.game.get_turn_number(seen.view), seen.game.get_turn_number(last) - 1)


def play_out_once(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random, last_turn: int) -> float:
    """Plays a game on from an action to the end of `last_turn`. Returns its worth, from -1 for lost to 1 for won."""
    state = view
    for state in islice(_play_on(game, view, seat, action, random), MAX_ACTIONS):
        if game.get_turn_number(state) > last_turn:
            break
    return rate_position(game, state, seat)


def _play_on(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random) -> Iterator[Any]:
    """Yields a guess at the truth, then the state after this action, then the state after each action of `steady`."""
    dice, state = RandomDice(Random(random.getrandbits(64))), game.guess(view, seat, random)
    yield state
    verdict = adjudicate(game, state, seat, action, dice)
    while isinstance(
        verdict, LegalVerdict
    ):  # an action that is legal by all that its seat knows may be illegal in a guess
        state = give_all_answers(game, verdict.state)
        yield state
        mover = game.to_act(state)
        if mover is None or game.outcome(state):
            return
        seen = Observation(game, game.view(state, mover), mover, random)
        verdict = adjudicate(game, state, mover, choose_steady_action(seen), dice)
