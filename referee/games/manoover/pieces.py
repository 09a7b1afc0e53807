"""Robots as people handle them on the table: where each one lies, and how to put it elsewhere."""

from __future__ import annotations

import re

from msgspec.structs import replace

from referee.engine.text import NotUnderstoodError, PhraseReader, Word, listing
from referee.games.manoover.board import HEADINGS, OFF_BOARD, parse_robot_cell_and_arrow
from referee.games.manoover.position import Position
from referee.games.manoover.state import State

CELL_PATTERN = re.compile("[a-z][0-9]{1,2}")
"""The form of a cell name, on the board or not. A rule says so if the board has no such cell."""


def list_pieces(view: State) -> dict[str, str]:
    """Returns where each robot is: its cell and arrow, the goal it is in, or "off"."""
    where = {robot: f"{cell} {view.arrows[robot]}" for robot, cell in view.cells.items()}
    where |= {robot: f"goal {seat}" for seat, robots in view.captured.items() for robot in robots}
    where |= dict.fromkeys(view.off, OFF_BOARD)
    return {robot: where[robot] for robot in sorted(where)}


def place_piece(position: Position, piece: str, where: str) -> Position:
    """Returns the position with a robot put elsewhere, such as "c4 S". On the board, a cell or arrow that is left out
    stays as it was.
    """
    stood = next((text for text in position.robots if text.split()[0] == piece), None)
    lifted = _remove_robot(position, piece)
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
            cell, heading = _parse_place(where, stood, tuple(position.captured))
            return replace(lifted, robots=tuple(sorted((*lifted.robots, f"{piece} {cell} {heading}"))))


def _remove_robot(position: Position, robot: str) -> Position:
    captured = {seat: tuple(one for one in robots if one != robot) for seat, robots in position.captured.items()}
    robots = tuple(text for text in position.robots if text.split()[0] != robot)
    return replace(position, robots=robots, captured=captured, off=tuple(one for one in position.off if one != robot))


def _parse_place(where: str, stood: str | None, seats: tuple[str, ...]) -> tuple[str, str]:
    """Returns the typed cell and arrow. If one of them was not typed, it stays as it was in the text `stood`.

    Raises NotUnderstoodError for any other word, for two cells or arrows, and if a cell or arrow remains unknown.
    """
    cells, headings = list[Word](), list[Word]()
    for word in PhraseReader(where).words:
        if word.text.upper() in HEADINGS:
            headings.append(word)
        elif CELL_PATTERN.fullmatch(word.text):
            cells.append(word)
        else:
            raise _make_no_place_error(where, word, seats)
    _, cell, heading = parse_robot_cell_and_arrow(stood) if stood else ("", "", "")
    cell, heading = (
        _take_only_word("cell", cells, where) or cell,
        _take_only_word("arrow", headings, where).upper() or heading,
    )
    if not (cell and heading):
        raise NotUnderstoodError(
            where, 0, len(where), "a cell and an arrow, such as c4 S, because the robot is not on the board"
        )
    return cell, heading


def _take_only_word(kind: str, words: list[Word], where: str) -> str:
    """Returns the only word typed, or "". Raises NotUnderstoodError if several were typed."""
    if len(words) > 1:
        message = f"one {kind} only, not {listing([word.text for word in words])}"
        raise NotUnderstoodError(where, words[1].at, len(words[1].text), message)
    return words[0].text if words else ""


def _make_no_place_error(where: str, word: Word, seats: tuple[str, ...]) -> NotUnderstoodError:
    """Returns the error about a word that names no place for a robot."""
    ways = [OFF_BOARD, *(f"goal {seat}" for seat in seats)]
    meant = next((way for way in ways if word.text in way.split()[1:]), None)
    expected = f"a cell, an arrow, or both, such as c4 S; or {listing(ways, 'or')}"
    return NotUnderstoodError(where, word.at, len(word.text), expected, meant)
