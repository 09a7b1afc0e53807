"""Builds a playable board from a decoded board file, and says in a sentence why a file cannot be used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from referee.engine.component import BoardError
from referee.engine.options import Options
from referee.engine.text import listing
from referee.games.manoover.board import (
    AXIAL_STEPS,
    HEADINGS,
    OFF_BOARD,
    AxialPosition,
    Board,
    BoardFile,
    parse_robot_cell_and_arrow,
)
from referee.games.manoover.options import SEATS_BY_FORM


def build_board(parts: Mapping[str, Any], options: Options) -> Board:
    """Builds the board from its decoded file.

    Raises BoardError if the file is wrong, or if its seats do not match the form.
    """
    try:
        board = _parse_board(msgspec.convert(parts["board"], BoardFile))
    except msgspec.ValidationError as error:
        raise BoardError(str(error)) from error
    seats = SEATS_BY_FORM[options["form"]]
    if set(board.seats) != set(seats):
        raise BoardError(f"this board has seats for {listing(board.seats)}, but the players are {listing(seats)}")
    return board


def _parse_board(file: BoardFile) -> Board:
    if (file.radius is None) == (file.cells is None):
        raise BoardError("give either radius or cells")
    axial = _list_hexagon_cells(file.radius) if file.radius is not None else list(file.cells or ())
    board = _make_board(file, axial)
    problem = next(_list_problems(board, axial), None)
    if problem:
        raise BoardError(problem)
    return board


def _list_hexagon_cells(radius: int) -> list[AxialPosition]:
    """Returns the cells of a hexagon with `radius` rings: 37 cells for 3, 61 for 4."""
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if abs(q + r) <= radius]


def _make_board(file: BoardFile, cells: list[AxialPosition]) -> Board:
    west = min((q for q, _ in cells), default=0)
    south = {q: max(r for column, r in cells if column == q) for q, _ in cells}
    names = {place: _name_place(place, west, south) for place in cells}
    garages = [(q, r + step) for q, r in cells for step in (1, -1)]
    names_with_garages = {place: _name_place(place, west, south) for place in (*cells, *garages)}
    steps = {
        (name, heading): names.get((q + dq, r + dr), OFF_BOARD)
        for (q, r), name in names_with_garages.items()
        for heading, (dq, dr) in AXIAL_STEPS.items()
    }
    axial = {name: place for place, name in names_with_garages.items()}
    return Board(file, frozenset(names.values()), axial, steps)


def _name_place(place: AxialPosition, west: int, south: Mapping[int, int]) -> str:
    q, r = place
    return f"{chr(ord('a') + q - west)}{south[q] - r + 1}"


def _list_problems(board: Board, cells: list[AxialPosition]) -> Iterator[str]:
    if not cells:
        yield "a board needs cells"
    if len(set(cells)) != len(cells):
        yield "a cell is listed twice"
    if len(board.seat_by_letter) != len(board.seats):
        yield "two seats begin with the same letter"
    if cells and max(q for q, _ in cells) - min(q for q, _ in cells) > 25:
        yield "a board has at most 26 columns"
    yield from _list_goal_problems(board, board.file.goals)
    yield from _list_goal_problems(board, board.file.goals_third or board.file.goals)
    yield from _list_start_problems(board, board.file.start, board.cells)
    if board.file.start_garage is not None:
        yield from _list_start_problems(board, board.file.start_garage, board.axial.keys() - board.cells)
    lonely = board.cells - _find_reachable_cells(board)
    if lonely:
        yield f"cell {min(lonely)} cannot be reached from the rest of the board"


def _list_goal_problems(board: Board, goals: Mapping[str, str]) -> Iterator[str]:
    for seat, cell in goals.items():
        if seat not in board.seats:
            yield f"goal {cell} belongs to {seat!r}, who has no seat"
        if cell not in board.cells:
            yield f"{seat}'s goal {cell} is not on the board"
    if set(board.seats) - set(goals):
        yield f"{min(set(board.seats) - set(goals))} has no goal"
    if len(set(goals.values())) != len(goals):
        yield "two goals lie on one cell"


def _list_start_problems(board: Board, start: tuple[str, ...], places: Collection[str]) -> Iterator[str]:
    robots = [parse_robot_cell_and_arrow(text) for text in start]
    taken: dict[str, str] = {}
    for robot, cell, heading in robots:
        if robot not in board.robots:
            yield f"there is no robot {robot}"
        if heading not in HEADINGS:
            yield f"{robot} points {heading}; an arrow points N, NE, SE, S, SW or NW"
        if cell not in places:
            yield f"{robot} starts off the board, on {cell}"
        if cell in board.file.goals.values() or cell in (board.file.goals_third or {}).values():
            yield f"{robot} starts on a goal, {cell}"
        if cell in taken:
            yield f"{taken[cell]} and {robot} both start on {cell}"
        taken[cell] = robot
    if sorted(robot for robot, _, _ in robots) != sorted(board.robots):
        yield f"each of the {len(board.robots)} robots must start exactly once"


def _find_reachable_cells(board: Board) -> set[str]:
    """Returns the cells that can be reached from the first goal; from the first cell if no goal is on the board."""
    start = next((cell for cell in board.file.goals.values() if cell in board.cells), min(board.cells))
    seen, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        for heading in HEADINGS:
            next_cell = board.next_cells[cell, heading]
            if next_cell != OFF_BOARD and next_cell not in seen:
                seen.add(next_cell)
                waiting.append(next_cell)
    return seen
