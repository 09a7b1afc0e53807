"""Robots as hands know them: each with where it lies, and how to put it elsewhere."""

from __future__ import annotations

import re

from msgspec.structs import replace

from referee.engine.text import NotUnderstoodError, PhraseReader, Word, listing
from referee.games.manoover.board import HEADINGS, OFF, split_robot
from referee.games.manoover.position import Position
from referee.games.manoover.state import State

CELL = re.compile("[a-z][0-9]{1,2}")
"""How a cell is named, on the board or not: there a rule tells that it is none."""


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
        case ["goal", seat] if seat in position.captured:
            return replace(lifted, captured={**lifted.captured, seat: (*lifted.captured[seat], piece)})
        case _:
            cell, heading = _on_board(where, stood, tuple(position.captured))
            return replace(lifted, robots=tuple(sorted((*lifted.robots, f"{piece} {cell} {heading}"))))


def _without(position: Position, robot: str) -> Position:
    captured = {seat: tuple(one for one in robots if one != robot) for seat, robots in position.captured.items()}
    robots = tuple(text for text in position.robots if text.split()[0] != robot)
    return replace(position, robots=robots, captured=captured, off=tuple(one for one in position.off if one != robot))


def _on_board(where: str, stood: str | None, seats: tuple[str, ...]) -> tuple[str, str]:
    """The cell and the arrow that are said, or else are as they were; NotUnderstoodError names the word that is neither
    and what can be said.
    """
    cells, headings = list[Word](), list[Word]()
    for word in PhraseReader(where).words:
        if word.text.upper() in HEADINGS:
            headings.append(word)
        elif CELL.fullmatch(word.text):
            cells.append(word)
        else:
            raise _no_place(where, word, seats)
    _, cell, heading = split_robot(stood) if stood else ("", "", "")
    cell, heading = _one("cell", cells, where) or cell, _one("arrow", headings, where).upper() or heading
    if not (cell and heading):
        raise NotUnderstoodError(where, 0, len(where), "a cell and an arrow, such as c4 S, since it stood nowhere")
    return cell, heading


def _one(kind: str, said: list[Word], where: str) -> str:
    """The only one that is said, or nothing; NotUnderstoodError where several contradict each other."""
    if len(said) > 1:
        told = f"one {kind} only, not {listing([word.text for word in said])}"
        raise NotUnderstoodError(where, said[1].at, len(said[1].text), told)
    return said[0].text if said else ""


def _no_place(where: str, word: Word, seats: tuple[str, ...]) -> NotUnderstoodError:
    """The error about a word that is no way for a robot to lie."""
    ways = [OFF, *(f"goal {seat}" for seat in seats)]
    meant = next((way for way in ways if word.text in way.split()[1:]), None)
    expected = f"a cell, an arrow, or both, such as c4 S; or {listing(ways, 'or')}"
    return NotUnderstoodError(where, word.at, len(word.text), expected, meant)
