"""Counters as hands know them: each unit with where it lies, each marked door with what lies in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.engine.pieces import NOTHING
from referee.engine.text import NotUnderstoodError
from referee.games.mutants.board import compact, expand
from referee.games.mutants.notation import place_named
from referee.games.mutants.position import Position
from referee.games.mutants.state import State

HAND, GONE, POOL = "hand", "gone", "pool"
PILES = (HAND, GONE, POOL)
SIDES = (DOWN, UP) = ("upside-down", "upright")
MARKS = ("wall", "smashed")


def pieces(view: State) -> Mapping[str, str]:
    """Every unit that this view knows of, then every door with what lies in it."""
    where = {unit: f"{place} {DOWN}" if unit in view.failed else place for unit, place in view.at.items()}
    where |= dict.fromkeys(view.gone, GONE) | dict.fromkeys(view.pool, POOL)
    where |= {unit: HAND for side in ("human", "mutant") for unit in view.unplaced(side)}
    doors = {door: " ".join(_marks(view, door)) or NOTHING for door in view.board.ends}
    return {unit: where[unit] for unit in view.board.sorted(where)} | doors


def _marks(state: State, door: str) -> list[str]:
    return [mark for mark, doors in zip(MARKS, (state.walls, state.smashed), strict=True) if door in doors]


def put(position: Position, piece: str, where: str) -> Position:
    """The position with a unit in another place or turned over, or a door marked otherwise."""
    return _mark(position, piece, where) if "-" in piece else _move(position, piece, where)


def _mark(position: Position, door: str, where: str) -> Position:
    words = where.lower().split()
    if words != [NOTHING] and set(words) - set(MARKS):
        raise NotUnderstoodError(where, 0, len(where), "wall, smashed or none")
    walls, smashed = (
        tuple(sorted({*doors, door} if mark in words else {*doors} - {door}))
        for mark, doors in zip(MARKS, (position.walls, position.smashed), strict=True)
    )
    return replace(position, walls=walls, smashed=smashed)


def _move(position: Position, unit: str, where: str) -> Position:
    """What is not said, where it lies or which side is up, stays as it is."""
    words = where.lower().split()
    sides, places = [word for word in words if word in SIDES], [word for word in words if word not in SIDES]
    place = places[0] if places and places[0] in PILES else place_named(places[0]) if places else None
    if len(places) > 1 or len(sides) > 1 or (place is None and (places or not sides)):
        raise NotUnderstoodError(where, 0, len(where), "a room such as C4 or a square such as xN4, gone, pool or hand")
    if sides or place not in (None, *PILES):  # what lies on no place of the board has no side that is up
        failed = {*expand(position.failed)} - {unit} | ({unit} if sides == [DOWN] else set())
        position = replace(position, failed=_typed(failed))
    return _placed(position, unit, place) if place else position


def _placed(position: Position, unit: str, place: str) -> Position:
    units = {room: [one for one in expand(names) if one != unit] for room, names in position.units.items()}
    if place not in PILES:
        units[place] = [*units.get(place, ()), unit]
    gone, pool = (
        _typed({*expand(names)} - {unit} | ({unit} if place == pile else set()))
        for pile, names in ((GONE, position.gone), (POOL, position.pool))
    )
    return replace(
        position, units={room: _typed(names) for room, names in units.items() if names}, gone=gone, pool=pool
    )


def _typed(units: Iterable[str]) -> str:
    return compact(tuple(sorted(units)))
