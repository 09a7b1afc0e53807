"""Robots as hands know them: each with where it lies, and how to put it elsewhere."""

from __future__ import annotations

from msgspec.structs import replace

from referee.engine.text import NotUnderstoodError
from referee.games.manoover.board import HEADINGS, OFF, split_robot
from referee.games.manoover.position import Position
from referee.games.manoover.state import State


def pieces(view: State) -> dict[str, str]:
    """Every robot: its cell and arrow, the goal that it fell into, or that it is off the board."""
    where = {robot: f"{cell} {view.arrows[robot]}" for robot, cell in view.cells.items()}
    where |= {robot: f"goal {seat}" for seat, robots in view.captured.items() for robot in robots}
    where |= dict.fromkeys(view.off, OFF)
    return {robot: where[robot] for robot in sorted(where)}


def put(position: Position, piece: str, where: str) -> Position:
    """The position with a robot elsewhere: "c4 S"; on the board it keeps the cell or the arrow that is not said."""
    stood = next((text for text in position.robots if text.split()[0] == piece), None)
    lifted = _without(position, piece)
    match where.lower().split():
        case ["off"] if piece in position.off:
            return position
        case ["goal", seat] if piece in position.captured.get(seat, ()):
            return position
        case ["off"]:
            return replace(lifted, off=(*lifted.off, piece))
        case ["goal", seat]:
            return replace(lifted, captured={**lifted.captured, seat: (*lifted.captured.get(seat, ()), piece)})
        case words:
            cell, heading = _on_board(words, stood, where)
            return replace(lifted, robots=tuple(sorted((*lifted.robots, f"{piece} {cell} {heading}"))))


def _without(position: Position, robot: str) -> Position:
    captured = {seat: tuple(one for one in robots if one != robot) for seat, robots in position.captured.items()}
    robots = tuple(text for text in position.robots if text.split()[0] != robot)
    return replace(position, robots=robots, captured=captured, off=tuple(one for one in position.off if one != robot))


def _on_board(words: list[str], stood: str | None, where: str) -> tuple[str, str]:
    """The cell and the arrow that are said, or else are as they were."""
    headings = [word.upper() for word in words if word.upper() in HEADINGS]
    cells = [word for word in words if word.upper() not in HEADINGS]
    if len(cells) > 1 or len(headings) > 1:
        raise NotUnderstoodError(where, 0, len(where), "a cell and an arrow such as c4 S, off, or goal and a seat")
    if stood:
        _, cell, heading = split_robot(stood)
        cells, headings = cells or [cell], headings or [heading]
    if not (cells and headings):
        raise NotUnderstoodError(where, 0, len(where), "a cell and an arrow, such as c4 S, since it stood nowhere")
    return cells[0], headings[0]
