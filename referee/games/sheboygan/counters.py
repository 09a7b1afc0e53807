"""The counters: human units by their letters (2.0a). What each can do is printed on them, and stands in the tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from referee.engine.text import in_runs

UnitId = Annotated[
    str,
    Meta(pattern="^[phitgcfb][1-9][0-9]?$", description="a unit by its letter and number, such as t1", examples=["t1"]),
]
"""A unit: the letter of its kind and its number."""
UnitIds = Annotated[tuple[UnitId, ...], Meta(max_length=100)]
MONSTER = "m"
"""The monster among units."""
Piece = Annotated[str, Meta(pattern="^(m|[phitgcfb][1-9][0-9]?)$")]
"""A unit, or the monster."""
Pieces = Annotated[tuple[Piece, ...], Meta(max_length=100)]
NAMES = {
    "p": "police",
    "h": "helicopter",
    "i": "infantry",
    "t": "tank",
    "g": "artillery",
    "c": "populace",
    "f": "firemen",
    "b": "fireboat",
}
"""The kinds by their letters, in the order in which they are listed."""
LETTERS = {name: letter for letter, name in NAMES.items()}
STACKED = 2
"""Counting units that a box takes (5.21b)."""
TOWED = 3
"""Movement Points of a tank that tows a gun (5.0j)."""

_ORDER = {letter: number for number, letter in enumerate(NAMES)}


def in_order(units: Iterable[str]) -> tuple[str, ...]:
    """Units by kind and number."""
    return tuple(sorted(units, key=lambda unit: (_ORDER[unit[0]], int(unit[1:]))))


def numbered(letter: str, first: int, count: int) -> tuple[str, ...]:
    """So many units of a kind, from this number on."""
    return tuple(f"{letter}{number}" for number in range(first, first + count))


def listed(units: Iterable[str]) -> str:
    """Units as they are told: "t1..t4 i1"."""
    return " ".join(in_runs(units))
