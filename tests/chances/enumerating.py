"""What an action may come to, worked out the plain way: every face of every die, told apart, and no multisets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from referee.chances.forced_rolls import follow_forced_rolls
from referee.chances.outcome_enumeration import TooManyError
from referee.engine.adjudication import LegalVerdict, PendingVerdict, adjudicate
from referee.engine.dice_source import TypedSource

MANY = 20_000
"""Ways that are still enumerated so."""


def by_faces(game: Any, state: Any, seat: str, action: Any, most: int = MANY) -> Counter | None:
    """The chance of each thing that can be told, from full products over faces; None where there are more ways."""
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    told: Counter = Counter()
    found = 0
    while waiting:
        faces, chance = waiting.pop()
        verdict = adjudicate(game, state, seat, action, TypedSource(faces))
        if isinstance(verdict, PendingVerdict):
            need = verdict.need
            ways = need.sides**need.count
            found += ways
            if found > most:
                return None
            more = product(range(1, need.sides + 1), repeat=need.count)
            waiting += [((*faces, *thrown), chance / ways) for thrown in more]
        elif isinstance(verdict, LegalVerdict):
            told[tuple(sorted(told_of(game, verdict)))] += chance
    return told


def told_of(game: Any, played: LegalVerdict) -> list[str]:
    """What is told, the letters of each line in order: dice that nothing tells apart may be told in any."""
    return ["".join(sorted(game.tell(event))) for event in played.events]


DEEP = 40
"""Rolls of a chain after which the plain enumeration stops. A part of a circle is then left."""
CHAINED = 6_000
"""Ways that are still enumerated so, over all rolls of a chain."""


def plainly(game: Any, view: Any, seat: str, turn: int, action: Any) -> list[tuple[Fraction, Any]]:
    """The chance of every last state, and that state, face by face, no circle solved; TooManyError.

    A state in which the next roll is forced is thrown from once a round, with the chance of all ways that led to it.
    """
    ends: list[tuple[Fraction, Any]] = []
    waiting = {"": (Fraction(1), view, action)}
    count = 0
    for _ in range(DEEP):
        after: dict[str, tuple[Fraction, Any, Any]] = {}
        for chance, state, roll in waiting.values():
            for share, came in _throw(game, state, seat, roll, CHAINED - count):
                count += 1
                key, next_roll = str(game.position_from(came)), _forced(game, came, seat, turn)
                if next_roll is None:
                    ends.append((chance * share, came))
                else:
                    after[key] = (after[key][0] if key in after else 0) + chance * share, came, next_roll
        waiting = after
    return ends


def _throw(game: Any, state: Any, seat: str, action: Any, most: int) -> Iterator[tuple[Fraction, Any]]:
    """Each way in which an action's dice can fall, with its chance and the state it leads to."""
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        verdict = adjudicate(game, state, seat, action, TypedSource(faces))
        if isinstance(verdict, PendingVerdict):
            need = verdict.need
            number = need.sides**need.count
            if number > most or need.names or need.lots:
                raise TooManyError
            most -= number
            throws = product(range(1, need.sides + 1), repeat=need.count)
            waiting += [((*faces, *more), chance / number) for more in throws]
        elif isinstance(verdict, LegalVerdict):
            yield chance, verdict.state


def _forced(game: Any, state: Any, seat: str, turn: int) -> Any:
    """The only thing that a seat can do now, if it is a roll of the same turn; else None."""
    if game.to_act(state) != seat or game.get_turn_number(state) != turn:
        return None
    throw = game.legal(state, seat).awaited_roll
    return next(iter(throw)) if throw is not None and throw.count == 1 else None


def left_by_chains(table: Any, action: Any) -> tuple[Fraction, bool] | None:
    """How much of all chances `follow_forced_rolls` gives to other states, and if it follows rolls; None: too many.

    Where rolls go round in a circle, the plain enumeration stops, and a part is left.
    """
    game, seat = table.game, table.to_act
    view, mine, theirs = table.view(seat), Counter(), Counter()
    try:
        found = follow_forced_rolls(game, view, seat, action)
        told = plainly(game, view, seat, table.turn, action)
    except (TooManyError, RecursionError):
        return None
    if found is None:
        return None
    for chance, state in found.endings:
        mine[str(game.position_from(state))] += chance
    for chance, state in told:
        theirs[str(game.position_from(state))] += chance
    assert sum(mine.values()) == 1
    return 1 - sum(min(chance, mine[key]) for key, chance in theirs.items()), found.rolls_again
