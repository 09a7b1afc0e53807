"""Counters as people handle them on the table: where each unit lies, and which marker lies in each door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.engine.position_diff import NOTHING
from referee.engine.text import NotUnderstoodError
from referee.games.mutants.board import compact_names, expand_name_ranges
from referee.games.mutants.notation import parse_place
from referee.games.mutants.position import Position
from referee.games.mutants.state import State

HAND, GONE, POOL = "hand", "gone", "pool"
PILES = (HAND, GONE, POOL)
FACINGS = (DOWN, UP) = ("upside-down", "upright")
DOOR_MARKERS = ("wall", "smashed")


def list_pieces(view: State) -> Mapping[str, str]:
    """Returns the place of every unit that this view knows, and the markers in every door."""
    where = {unit: f"{place} {DOWN}" if unit in view.failed else place for unit, place in view.at.items()}
    where |= dict.fromkeys(view.gone, GONE) | dict.fromkeys(view.pool, POOL)
    where |= {unit: HAND for side in ("human", "mutant") for unit in view.list_units_in_hand(side)}
    doors = {door: " ".join(_list_marks(view, door)) or NOTHING for door in view.board.door_ends}
    return {unit: where[unit] for unit in view.board.sort_units(where)} | doors


def _list_marks(state: State, door: str) -> list[str]:
    return [mark for mark, doors in zip(DOOR_MARKERS, (state.walls, state.smashed), strict=True) if door in doors]


def place_piece(position: Position, piece: str, where: str) -> Position:
    """Returns the position with a unit put elsewhere or turned over, or a door marked differently.

    Raises NotUnderstoodError if `where` is not a place or side of a unit, or not a marker of a door.
    """
    return _mark_door(position, piece, where) if "-" in piece else _move_unit(position, piece, where)


def _mark_door(position: Position, door: str, where: str) -> Position:
    words = where.lower().split()
    if words != [NOTHING] and set(words) - set(DOOR_MARKERS):
        raise NotUnderstoodError(where, 0, len(where), "wall, smashed or none")
    walls, smashed = (
        tuple(sorted({*doors, door} if mark in words else {*doors} - {door}))
        for mark, doors in zip(DOOR_MARKERS, (position.walls, position.smashed), strict=True)
    )
    return replace(position, walls=walls, smashed=smashed)


def _move_unit(position: Position, unit: str, where: str) -> Position:
    """Returns the position with a unit moved or turned.

    If `where` names no place, the unit stays where it is. If it does not say which side is up, the same side stays up.
    """
    words = where.lower().split()
    sides, places = [word for word in words if word in FACINGS], [word for word in words if word not in FACINGS]
    place = places[0] if places and places[0] in PILES else parse_place(places[0]) if places else None
    if len(places) > 1 or len(sides) > 1 or (place is None and (places or not sides)):
        raise NotUnderstoodError(where, 0, len(where), "a room such as C4 or a square such as xN4, gone, pool or hand")
    if sides or place not in (None, *PILES):  # only units on the board can lie upside down
        failed = {*expand_name_ranges(position.failed)} - {unit} | ({unit} if sides == [DOWN] else set())
        position = replace(position, failed=_uppercase_typed_units(failed))
    return _place_unit(position, unit, place) if place else position


def _place_unit(position: Position, unit: str, place: str) -> Position:
    units = {room: [one for one in expand_name_ranges(names) if one != unit] for room, names in position.units.items()}
    if place not in PILES:
        units[place] = [*units.get(place, ()), unit]
    gone, pool = (
        _uppercase_typed_units({*expand_name_ranges(names)} - {unit} | ({unit} if place == pile else set()))
        for pile, names in ((GONE, position.gone), (POOL, position.pool))
    )
    return replace(
        position,
        units={room: _uppercase_typed_units(names) for room, names in units.items() if names},
        gone=gone,
        pool=pool,
    )


def _uppercase_typed_units(units: Iterable[str]) -> str:
    return compact_names(tuple(sorted(units)))
