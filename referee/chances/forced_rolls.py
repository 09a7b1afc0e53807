"""The chances of all states to which an action leads, up to the next decision. Forced rolls are followed.

Equal states count as one. A pair of units may roll again and again until somebody is hit. Such a loop is solved
exactly, not unrolled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from referee.chances.outcome_enumeration import enumerate_outcomes
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.secret import UnknownError

MAX_OUTCOMES = 20_000
"""The most outcomes that are followed, counted over all rolls."""

StateKey = bytes
"""A state as bytes. Equal states have equal keys."""
StateChances = dict[StateKey, Fraction]
"""The states that follow a state, each with its chance."""


class ForcedRollOutcomes(Struct, frozen=True):
    """All states that can follow an action and its forced rolls.

    In each of these states, somebody has to decide something, or the game is over.
    """

    endings: tuple[tuple[Fraction, Any], ...]
    """The states in which something is to be decided, with their chances, which add up to 1."""
    rolls_again: bool
    """True if other rolls were followed after the first action."""


class ResultChance(Struct, frozen=True):
    """One result that an action may have, with its chance. An action may have several results at the same time."""

    told: str
    """The result in words."""
    chance: Fraction


def follow_forced_rolls(
    game: AnyGame, view: Any, seat: Seat, action: Action, most: int = MAX_OUTCOMES
) -> ForcedRollOutcomes | None:
    """Returns the states to which an action leads after all rolls that this seat must then make in the same turn.

    Returns None if the action is illegal, or if the outcome depends on secrets of others. Raises TooManyError if there
    are more than `most` outcomes.
    """
    walk = _Walk(game, seat, game.get_turn_number(view), most)
    try:
        rows = walk.map_successors(view, action)
    except UnknownError:
        return None
    if not rows[START_KEY]:
        return None
    rolls_again, ends = len(rows) > 1, _solve_chances(rows)
    return ForcedRollOutcomes(tuple((chance, walk.states[key]) for key, chance in ends.items()), rolls_again)


START_KEY: StateKey = b""
"""The key of the state before the action."""


class _Walk:
    """The states that forced rolls lead to."""

    def __init__(self, game: AnyGame, seat: Seat, turn: int, most: int) -> None:
        self._game, self._seat, self._turn, self._left = game, seat, turn, most
        self.states: dict[StateKey, Any] = {}
        """Every state that was met, by its key."""

    def map_successors(self, view: Any, action: Action) -> dict[StateKey, StateChances]:
        """Returns the successors of every state in which a roll is forced. Those of the action itself come first."""
        rows, waiting = {START_KEY: self._row(view, action)}, list[StateKey]()
        waiting += rows[START_KEY]
        while waiting:
            key = waiting.pop()
            roll = None if key in rows else find_forced_roll(self._game, self.states[key], self._seat, self._turn)
            if roll is not None:
                rows[key] = self._row(self.states[key], roll)
                waiting += rows[key]
        return rows

    def _row(self, state: Any, action: Action) -> StateChances:
        row: StateChances = defaultdict(Fraction)
        for way in enumerate_outcomes(self._game, state, self._seat, action, self._left):
            self._left -= 1
            key = msgspec.msgpack.encode(self._game.position_from(way.played.state))
            self.states.setdefault(key, way.played.state)
            row[key] += way.chance
        return row


def find_forced_roll(game: AnyGame, state: Any, seat: Seat, turn: int) -> Action | None:
    """Returns the roll that a seat must make now; None if no roll is forced.

    No roll is forced if the seat may choose, or is not to act. The same is true if `turn` is over, or if an answer must
    come first.
    """
    if game.to_act(state) != seat or game.get_turn_number(state) != turn or game.awaits_answer(state):
        return None
    throw = game.legal(state, seat).awaited_roll
    return next(iter(throw)) if throw is not None and throw.count == 1 else None


def _solve_chances(rows: dict[StateKey, StateChances]) -> StateChances:
    """Returns the chances of the final states, from the successors of all others, by exact elimination."""
    for key in [key for key in reversed(rows) if key != START_KEY]:
        row = rows.pop(key)
        again = row.pop(key, Fraction(0))
        onward = {then: chance / (1 - again) for then, chance in row.items()}
        for other in rows.values():
            share = other.pop(key, None)
            if share is not None:
                for then, chance in onward.items():
                    other[then] = other.get(then, Fraction(0)) + share * chance
    return rows[START_KEY]


def list_uncertain_results(game: AnyGame, view: Any, seat: Seat, prospect: ForcedRollOutcomes) -> list[ResultChance]:
    """Returns the single results that an action may have, with their chances, the likeliest first.

    A result is a change of a piece, the end of the game, or a piece with which the seat can act then. Each result
    counts alone, so rolls that have nothing to do with each other are not multiplied out. Certain results are left out.
    """
    before = game.pieces(view)
    chances: dict[str, Fraction] = defaultdict(Fraction)
    for chance, state in prospect.endings:
        for thing in describe_results(game, before, seat, state):
            chances[thing] += chance
    found = [ResultChance(told, chance) for told, chance in chances.items() if chance < 1]
    return sorted(found, key=lambda thing: (-thing.chance, thing.told))


def describe_results(game: AnyGame, before: Mapping[str, str], seat: Seat, state: Any) -> set[str]:
    """Returns the results that a state shows, in words. `before` tells where each piece was before the action."""
    return {*_list_changes(before, game.pieces(state)), *_list_state_results(game, seat, state)}


def _list_changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for piece in {**before, **after}:
        now = after.get(piece, "gone")
        if before.get(piece) != now:
            yield f"{piece}: {now}"


def _list_state_results(game: AnyGame, seat: Seat, state: Any) -> Iterator[str]:
    """Yields the results that a state shows: the end of the game, or else each piece with which the seat can act."""
    if game.outcome(state) is not None:
        yield "the game ends"
    yield from (f"{piece} can act" for piece in find_pieces_that_can_act(game, seat, state))


def find_pieces_that_can_act(game: AnyGame, seat: Seat, state: Any) -> set[str]:
    """Returns the pieces with which a seat can act now; none if it is not to act, or if its actions name no piece."""
    if game.outcome(state) is not None or game.to_act(state) != seat:
        return set()
    found = set()
    for choice in game.legal(state, seat).choices:
        field = choice.kind.says.partition("}")[0].removeprefix("{")
        found |= {str(value) for value in choice.slots.get(field, ())}
    return found
