"""What abilities, units and boxes are and do, by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from referee.engine.fields import numbers_told
from referee.engine.text import count_of, listing
from referee.games.sheboygan.counters import LETTERS
from referee.games.sheboygan.notation import BOX, UNIT, kind_named
from referee.games.sheboygan.options import COSTS, Ability
from referee.games.sheboygan.state import State
from referee.games.sheboygan.tables import Terrain, TerrainEffect

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
    """What an ability, a unit, a kind of unit or of box, or a box of this name in small letters is and does."""
    told = [
        f"An ability of the monster, for {COSTS[ability]} Initial Strength Points ({case})."
        for ability, case in CASES.items()
        if word in (ability, ability.replace("-", " "))
    ]
    kind = kind_named(word) if len(word) > 1 else None
    if kind:
        numbers = numbers_told(view.board.tables.units[LETTERS[kind]], APART)
        told.append(f"A human unit, {kind}: {numbers} (2.0a).")
    return (*told, *_terrain(view, word), *_units(view, word), *_boxes(view, word))


def _terrain(view: State, word: str) -> Iterator[str]:
    """What a kind of box costs and bears (5.4a)."""
    if word in (*get_args(Terrain), "rubble"):
        yield f"A kind of box, {word}: {_effect(view.board.tables.terrain[word])}."


def _effect(effect: TerrainEffect) -> str:
    """A row of the Terrain Effects Chart in words."""
    entry = f"{count_of(effect.mp, 'Movement Point')} to enter, the defense of units times {effect.factor}"
    bears = f"destruction strength {effect.strength}, {count_of(effect.vp, 'Victory Point')}"
    return f"{entry}, {bears if effect.strength else 'cannot be destroyed'} (5.4a)"


def _boxes(view: State, word: str) -> Iterator[str]:
    """What a box is, and what lies there that everybody sees."""
    found = BOX.fullmatch(word)
    box = view.board.boxes.get(f"{found[1].upper()}{int(found[2]):02}" if found else word.upper())
    if box is None:
        return
    counters = {"flames": view.flames, "a web": view.webs, "rubble": view.rubble}
    lies = [what for what, where in counters.items() if box.id in where]
    effect = _effect(view.board.tables.terrain[view.terrain(box.id)])
    yield f"Box {box.id}, {box.terrain}{f', with {listing(lies)}' if lies else ''}: {effect}."


def _units(view: State, word: str) -> Iterator[str]:
    """A counter, by its name: on the map or not."""
    kind = view.board.tables.units.get(word[:1]) if UNIT.fullmatch(word) and word[1:].isdigit() else None
    if kind and (word in view.at or (not kind.limit and word[1] != "0") or 1 <= int(word[1:]) <= kind.limit):
        yield f"{word}, a counter of {kind.type}: {numbers_told(kind, APART)} (2.0a)."
