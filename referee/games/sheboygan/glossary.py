"""What abilities and units are and do, by their names."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.fields import numbers_told
from referee.games.sheboygan.counters import LETTERS
from referee.games.sheboygan.notation import kind_named
from referee.games.sheboygan.options import COSTS, Ability
from referee.games.sheboygan.state import State

APART = ("type", "combat", "stacks", "limit", "reported")
"""What is known of a kind of unit beside the numbers on its counter."""
CASES: Mapping[Ability, str] = {
    "flame-immunity": "13.11",
    "fire-breathing": "13.12",
    "lightning-throwing": "13.13",
    "great-height": "13.21",
    "web-spinning": "13.22",
    "fear-immobilization": "13.23",
    "blinding-light": "13.24",
    "jumping": "13.25",
    "radiation": "13.26",
    "mind-control": "13.27",
    "flying": "13.28",
}
"""The case of the rulebook that tells what each ability does."""


def describes(view: State, word: str) -> tuple[str, ...]:
    """What an ability or a kind of unit of this name in small letters is and does."""
    told = [
        f"An ability of the monster, for {COSTS[ability]} Initial Strength Points ({case})."
        for ability, case in CASES.items()
        if word in (ability, ability.replace("-", " "))
    ]
    kind = kind_named(word) if len(word) > 1 else None
    if kind:
        numbers = numbers_told(view.board.tables.units[LETTERS[kind]], APART)
        told.append(f"A human unit, {kind}: {numbers} (2.0a).")
    return tuple(told)
