"""Builds a playable building from a decoded board file, and says in a sentence why a file cannot be used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from referee.engine.component import BoardError
from referee.engine.options import Options
from referee.games.mutants.board import (
    RESERVED_WORDS,
    SMASHER_KINDS,
    Board,
    BoardFile,
    Unit,
    expand_name_ranges,
    find_column_and_row,
    find_door_ends,
    is_square,
)


def build_board(parts: Mapping[str, Any], options: Options) -> Board:  # noqa: ARG001 - all options are played on one board
    """Builds the board from the decoded file `board`. Raises BoardError if the file is wrong."""
    try:
        file = msgspec.convert(parts["board"], BoardFile)
    except msgspec.ValidationError as error:
        raise BoardError(str(error)) from error
    doors = {}
    for door in (*file.inner_doors, *file.outer_doors):
        one, other = find_door_ends(door)
        doors[one, other] = doors[other, one] = door
    rooms = tuple(f"{chr(ord('A') + x)}{y + 1}" for y in range(file.rows) for x in range(file.columns))
    squares = tuple(dict.fromkeys(find_door_ends(door)[0] for door in file.outer_doors))
    board = Board(file, rooms, squares, doors, dict(_list_units(file)))
    problem = next(_list_problems(board), None)
    if problem:
        raise BoardError(problem)
    return board


def _list_units(file: BoardFile) -> Iterator[tuple[str, Unit]]:
    for counters in file.counter:
        human = counters.kind in ("tech", "guard", "janibot")
        hit, hit_j = (counters.hit, 0) if human else (counters.hit_h, counters.hit_j)
        if hit is None or hit_j is None:
            raise BoardError(f"the counters {counters.units} lack a Hit Number")
        for name in expand_name_ranges(counters.units):
            yield name, Unit(name, counters.kind, "human" if human else "mutant", hit, hit_j)


def _list_problems(board: Board) -> Iterator[str]:
    file = board.file
    if board.tech_room not in board.rooms:
        yield f"the Tech Room {board.tech_room} is not a room"
    for door in file.inner_doors:
        if not set(board.door_ends[door]) <= set(board.rooms):
            yield f"{door} does not join two rooms"
        elif sum(abs(a - b) for a, b in zip(*map(find_column_and_row, board.door_ends[door]), strict=True)) != 1:
            yield f"{door} does not join two rooms side by side"
    yield from _list_square_problems(board)
    if len(board.doors_by_ends) < 2 * len((*file.inner_doors, *file.outer_doors)):
        yield "two doors join the same places"
    yield from _list_unit_problems(board)


def _list_square_problems(board: Board) -> Iterator[str]:
    file = board.file
    for door in file.outer_doors:
        square, room = board.door_ends[door]
        if not is_square(square) or room not in board.rooms:
            yield f"{door} does not join a Set Up square to a room"
        elif not _is_on_side(board, square[1], room):
            yield f"{door} does not join a Set Up square to a room on its side of the building"
    if len(file.outer_doors) > len(board.squares):
        yield "a Set Up square has two doors"
    for link in (*file.links, *file.corner_links):
        if not set(find_door_ends(link)) <= set(board.squares):
            yield f"{link} does not join two Set Up squares"


def _is_on_side(board: Board, side: str, room: str) -> bool:
    x, y = find_column_and_row(room)
    return {"N": y == 0, "E": x == board.file.columns - 1, "S": y == board.file.rows - 1, "W": x == 0}[side]


def _list_unit_problems(board: Board) -> Iterator[str]:
    named = [name for counters in board.file.counter for name in expand_name_ranges(counters.units)]
    if len(named) != len(board.units):
        yield "two counters have the same name"
    for unit in board.units:
        if not re.fullmatch("[a-z]{3,8}|[bnrl][1-9][0-9]?", unit):
            yield f"{unit!r} cannot be the name of a counter: use a word of small letters, or b, n, r or l and a number"
        elif unit in RESERVED_WORDS:
            yield f"no counter may be called {unit!r}: phrases need that word"
    for kind in ("tech", "guard", "janibot", "leader", "radioactive", "normal"):
        if not any(unit.kind == kind for unit in board.units.values()):
            yield f"no counter is a {kind}"
    free = len(board.rooms) - 1
    for kind in ("guard", "janibot"):
        if sum(unit.kind == kind for unit in board.units.values()) > free:
            yield f"there are more {kind}s than rooms to set them up in"
    sides = {square[1] for square in board.squares}
    if sum(unit.kind == "leader" for unit in board.units.values()) != len(sides):
        yield "there must be one Leader for each side that has Set Up squares"
    if sum(unit.kind in SMASHER_KINDS for unit in board.units.values()) < len(board.squares):
        yield "there are fewer Mutants than Set Up squares"
