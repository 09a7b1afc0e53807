"""Descriptions of abilities, units and boxes, by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from referee.engine.position_form import describe_nondefault_fields
from referee.engine.text import count_of, listing
from referee.games.sheboygan.counters import KIND_LETTERS
from referee.games.sheboygan.notation import NUMBERED_BOX_PATTERN, PIECE_PATTERN, parse_kind
from referee.games.sheboygan.options import ABILITY_COSTS, Ability
from referee.games.sheboygan.state import State
from referee.games.sheboygan.tables import Terrain, TerrainEffect

UNPRINTED_FIELDS = ("type", "combat", "stacks", "limit", "reported")
"""The fields of a kind of unit that are not numbers on its counter. Descriptions leave them out."""
ABILITY_RULES: Mapping[Ability, str] = {
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


def describe_thing(view: State, word: str) -> tuple[str, ...]:
    """Returns sentences about the ability, unit, box, or kind of unit or box that has this name.

    The name is in small letters. The result is empty if nothing has it.
    """
    told = [
        f"An ability of the monster, for {ABILITY_COSTS[ability]} Initial Strength Points ({case})."
        for ability, case in ABILITY_RULES.items()
        if word in (ability, ability.replace("-", " "))
    ]
    kind = parse_kind(word) if len(word) > 1 else None
    if kind:
        numbers = describe_nondefault_fields(view.board.tables.units[KIND_LETTERS[kind]], UNPRINTED_FIELDS)
        told.append(f"A human unit, {kind}: {numbers} (2.0a).")
    return (*told, *_describe_terrain(view, word), *_describe_unit(view, word), *_describe_box(view, word))


def _describe_terrain(view: State, word: str) -> Iterator[str]:
    """Yields a sentence about a kind of box: its effects by the Terrain Effects Chart (5.4a)."""
    if word in (*get_args(Terrain), "rubble"):
        yield f"A kind of box, {word}: {_describe_effect(view.board.tables.terrain[word])}."


def _describe_effect(effect: TerrainEffect) -> str:
    """Returns a row of the Terrain Effects Chart in words."""
    entry = f"{count_of(effect.mp, 'Movement Point')} to enter, the defense of units times {effect.factor}"
    bears = f"destruction strength {effect.strength}, {count_of(effect.vp, 'Victory Point')}"
    return f"{entry}, {bears if effect.strength else 'cannot be destroyed'} (5.4a)"


def _describe_box(view: State, word: str) -> Iterator[str]:
    """Yields a sentence about a box: its terrain and markers."""
    found = NUMBERED_BOX_PATTERN.fullmatch(word)
    box = view.board.boxes.get(f"{found[1].upper()}{int(found[2]):02}" if found else word.upper())
    if box is None:
        return
    counters = {"flames": view.flames, "a web": view.webs, "rubble": view.rubble}
    lies = [what for what, where in counters.items() if box.id in where]
    effect = _describe_effect(view.board.tables.terrain[view.get_terrain(box.id)])
    yield f"Box {box.id}, {box.terrain}{f', with {listing(lies)}' if lies else ''}: {effect}."


def _describe_unit(view: State, word: str) -> Iterator[str]:
    """Yields a sentence about the unit with this name, on the map or not."""
    kind = view.board.tables.units.get(word[:1]) if PIECE_PATTERN.fullmatch(word) and word[1:].isdigit() else None
    if kind and (word in view.at or (not kind.limit and word[1] != "0") or 1 <= int(word[1:]) <= kind.limit):
        yield f"{word}, a counter of {kind.type}: {describe_nondefault_fields(kind, UNPRINTED_FIELDS)} (2.0a)."
