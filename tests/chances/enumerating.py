"""What an action may come to, worked out the plain way: every face of every die, told apart, and no multisets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

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
