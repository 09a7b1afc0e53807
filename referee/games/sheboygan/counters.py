"""The names of the counters: units by letter and number, and the monster (2.0a). Their numbers are in `tables`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from referee.engine.text import format_runs

UnitId = Annotated[
    str,
    Meta(pattern="^[phitgcfb][1-9][0-9]?$", description="a unit by its letter and number, such as t1", examples=["t1"]),
]
"""A unit: the letter of its kind and its number."""
UnitIds = Annotated[tuple[UnitId, ...], Meta(max_length=100)]
MONSTER = "m"
"""The name of the monster where units are named."""
PieceId = Annotated[str, Meta(pattern="^(m|[phitgcfb][1-9][0-9]?)$")]
"""A unit, or the monster."""
PieceIds = Annotated[tuple[PieceId, ...], Meta(max_length=100)]
KIND_NAMES = {
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
KIND_LETTERS = {name: letter for letter, name in KIND_NAMES.items()}
STACKING_LIMIT = 2
"""The most units in a box that count for stacking (5.21b)."""
TOWING_ALLOWANCE = 3
"""The Movement Points of a tank that tows a gun (5.0j)."""

_ORDER = {letter: number for number, letter in enumerate(KIND_NAMES)}


def sort_units(units: Iterable[str]) -> tuple[str, ...]:
    """Returns units in the order of their kinds and numbers."""
    return tuple(sorted(units, key=lambda unit: (_ORDER[unit[0]], int(unit[1:]))))


def make_unit_names(letter: str, first: int, count: int) -> tuple[str, ...]:
    """Returns the names of `count` units of a kind, numbered from `first` on."""
    return tuple(f"{letter}{number}" for number in range(first, first + count))


def format_units(units: Iterable[str]) -> str:
    """Returns units as a text, with each run of numbers as a range: "t1..t4 i1"."""
    return " ".join(format_runs(units))
