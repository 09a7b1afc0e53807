"""Counters as people handle them on the table: the box in which each lies, and how to put it elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from referee.engine.text import NotUnderstoodError
from referee.games.sheboygan.counters import MONSTER, sort_units
from referee.games.sheboygan.notation import NUMBERED_BOX_PATTERN, SPECIAL_BOXES
from referee.games.sheboygan.position import Position
from referee.games.sheboygan.state import State

V = TypeVar("V")
HAND, LOST, OFF_MAP = "hand", "lost", "off"
"""The words for counters off the map: units to be placed, eliminated units, and a monster that has not entered."""


def find_piece_places(view: State) -> dict[str, str]:
    """Returns the box of the monster and of every unit, or the word for its place off the map."""
    where = {**view.at, **dict.fromkeys(view.hand, HAND), **dict.fromkeys(view.lost, LOST)}
    return {MONSTER: view.monster or OFF_MAP, **{unit: where[unit] for unit in sort_units(where)}}


def place_piece(position: Position, piece: str, where: str) -> Position:
    """Returns the position with a counter elsewhere: in a box, in the hand, or lost.

    Raises NotUnderstoodError if `where` is no such place.
    """
    word = where.strip().lower()
    if piece == MONSTER:
        return replace(position, monster=None if word == OFF_MAP else _parse_box(where))
    if word in (HAND, LOST) and piece in getattr(position, word):
        return position
    lifted = _remove_unit(position, piece)
    if word in (HAND, LOST):
        return replace(lifted, **{word: (*getattr(lifted, word), piece)})
    box = _parse_box(where)
    if piece in position.units.get(box, "").split():
        return position
    stack = sort_units((*lifted.units.get(box, "").split(), piece))
    return replace(lifted, units={**lifted.units, box: " ".join(stack)})


def _remove_unit(position: Position, unit: str) -> Position:
    """Returns the position without a unit, and without its marks for a web or the river."""
    stacks = {box: " ".join(one for one in units.split() if one != unit) for box, units in position.units.items()}
    units = {box: stack for box, stack in stacks.items() if stack}
    hand, lost = (tuple(one for one in lying if one != unit) for lying in (position.hand, position.lost))
    caught, fording = _remove_key(position.caught, unit), _remove_key(position.fording, unit)
    return replace(position, units=units, hand=hand, lost=lost, caught=caught, fording=fording)


def _remove_key(by_unit: Mapping[str, V], unit: str) -> dict[str, V]:
    return {one: value for one, value in by_unit.items() if one != unit}


def _parse_box(where: str) -> str:
    found = NUMBERED_BOX_PATTERN.fullmatch(where.strip().lower())
    if found:
        return f"{found[1].upper()}{int(found[2]):02}"
    if where.strip().lower() not in SPECIAL_BOXES:
        raise NotUnderstoodError(where, 0, len(where), "a box, such as H09, hand, or lost")
    return where.strip().upper()
