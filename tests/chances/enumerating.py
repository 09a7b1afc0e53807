"""What an action may come to, worked out the plain way: every face of every die, told apart, and no multisets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from referee.chances.forced_rolls import follow_rolls
from referee.chances.outcome_enumeration import TooManyError
from referee.engine.adjudicate import Awaiting, Played, adjudicate
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
        if isinstance(verdict, Awaiting):
            need = verdict.need
            ways = need.sides**need.count
            found += ways
            if found > most:
                return None
            more = product(range(1, need.sides + 1), repeat=need.count)
            waiting += [((*faces, *thrown), chance / ways) for thrown in more]
        elif isinstance(verdict, Played):
            told[tuple(sorted(told_of(game, verdict)))] += chance
    return told


def told_of(game: Any, played: Played) -> list[str]:
    """What is told, the letters of each line in order: dice that nothing tells apart may be told in any."""
    return ["".join(sorted(game.tell(event))) for event in played.events]


DEEP = 6
"""Rolls of a chain after which the plain enumeration stops. What is then left of a circle is less than an eighth."""
CHAINED = 4_000
"""Ways that are still enumerated so, over all rolls of a chain."""


def plainly(game, state, seat, turn, action, chance=Fraction(1), depth=0, count=None):
    """Every last state with its chance, face by face, nothing merged and no circle solved; None: too many ways."""
    count = [0] if count is None else count
    waiting = [((), chance)]
    while waiting:
        faces, share = waiting.pop()
        verdict = adjudicate(game, state, seat, action, TypedSource(faces))
        if isinstance(verdict, Awaiting):
            need = verdict.need
            count[0] += need.sides**need.count
            if count[0] > CHAINED or need.names or need.lots:
                raise TooManyError
            ways = [(*faces, *more) for more in product(range(1, need.sides + 1), repeat=need.count)]
            waiting += [(thrown, share / len(ways)) for thrown in ways]
        elif isinstance(verdict, Played):
            after = verdict.state
            legal = game.legal(after, seat) if game.to_act(after) == seat and game.turn_of(after) == turn else None
            if legal is not None and legal.throw is not None and legal.throw.count == 1 and depth < DEEP:
                yield from plainly(game, after, seat, turn, next(iter(legal.throw)), share, depth + 1, count)
            else:
                yield share, after


def left_by_chains(table: Any, action: Any) -> tuple[Fraction, bool] | None:
    """How much of all chances `follow_rolls` gives to other states, and whether it follows rolls; None: too many ways.

    Where rolls go round in a circle, the plain enumeration stops, and a part is left.
    """
    game, seat = table.game, table.to_act
    view, told, mine = table.view(seat), Counter(), Counter()
    try:
        found = follow_rolls(game, view, seat, action)
        for chance, state in plainly(game, view, seat, table.turn, action):
            told[str(game.position_from(state))] += chance
    except (TooManyError, RecursionError):
        return None
    if found is None:
        return None
    for chance, state in found.endings:
        mine[str(game.position_from(state))] += chance
    assert sum(mine.values()) == 1
    return 1 - sum(min(chance, mine[key]) for key, chance in told.items()), found.rolls_again
