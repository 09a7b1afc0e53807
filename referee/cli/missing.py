"""Dice that are missing, in words: those of a throw that are held, and those that are still to be typed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice

from referee.engine.dice import Need
from referee.engine.text import count_of, listing

FEW = 6
"""So many dice are asked for by what they are thrown for; of more only the first."""


def held(need: Need, typed: Sequence[str]) -> str:
    """The dice of a throw that were typed already, each with whom it is for."""
    return listing([f"{need.told_apart[die]} {face}" if need.told_apart else face for die, face in enumerate(typed)])


def asked(need: Need, die: int) -> str:
    """What is still to be typed: by what each die is for, with the number needed."""
    if need.names:
        return f"Name, {need.drawn_from}"
    left = need.count - die
    if not need.told_apart:
        numbers = listing(list(dict.fromkeys(aim.number for aim in need.aims)), "or")
        return f"{count_of(left, 'face')}{f' ({numbers})' if numbers else ''}"
    dice = ((need.told_apart[at], [aim.number for aim in need.aims_of(at)]) for at in range(die, need.count))
    by_number = groupby(islice(dice, FEW), key=lambda one: one[1])
    parts = [f"{listing([name for name, _ in dice])}{needed(numbers)}" for numbers, dice in by_number]
    return ", ".join([*parts, *([f"and {left - FEW} more"] if left > FEW else [])])


def needed(numbers: list[str]) -> str:
    """The numbers that do it, in brackets; empty where there are none."""
    return f" ({listing(numbers, 'or')})" if numbers else ""
