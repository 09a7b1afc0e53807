"""The missing dice of a roll in words: faces typed so far, and faces still to type."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice

from referee.engine.dice import Need
from referee.engine.text import count_of, listing

MAX_NAMED_DICE = 6
"""The purpose is named for at most this many dice, from the first on."""


def describe_held_faces(need: Need, typed: Sequence[str]) -> str:
    """Returns the faces typed so far, each with the piece or player it is for."""
    return listing([f"{need.die_labels[die]} {face}" if need.die_labels else face for die, face in enumerate(typed)])


def describe_missing_faces(need: Need, die: int) -> str:
    """Returns the faces still to type, from die `die` on, counted from 0: their purposes and the numbers needed."""
    if need.names:
        return f"Name, {need.drawable_text}"
    left = need.count - die
    if not need.die_labels:
        numbers = listing(list(dict.fromkeys(aim.number_text for aim in need.aims)), "or")
        return f"{count_of(left, 'face')}{f' ({numbers})' if numbers else ''}"
    dice = ((need.die_labels[at], [aim.number_text for aim in need.list_targets(at)]) for at in range(die, need.count))
    by_number = groupby(islice(dice, MAX_NAMED_DICE), key=lambda one: one[1])
    parts = [
        f"{listing([name for name, _ in dice])}{describe_successful_faces(numbers)}" for numbers, dice in by_number
    ]
    return ", ".join([*parts, *([f"and {left - MAX_NAMED_DICE} more"] if left > MAX_NAMED_DICE else [])])


def describe_successful_faces(numbers: list[str]) -> str:
    """Returns the faces that succeed, e.g. " (3 or less)"; "" if the roll needs no number."""
    return f" ({listing(numbers, 'or')})" if numbers else ""
