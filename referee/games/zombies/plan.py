"""The levels in characters: one, two or three of them a square, as there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout
from referee.games.zombies.board import LevelFile, TokenKind, rows_of
from referee.games.zombies.state import State
from referee.games.zombies.victory import helipad

MARGIN = 3
"""Columns for the numbers of the rows."""
PHONE, PAGE = 40, 80
LEVEL_COLOURS: Mapping[int, Colour] = {1: "green", 2: "blue", 3: "red"}
"""Zombies have the colours of their start areas (setup.8)."""
SEAT_COLOURS: Mapping[Seat, Colour] = {"red": "red", "blue": "blue", "green": "green", "orange": "orange"}
TOKEN_COLOURS: Mapping[TokenKind, Colour] = {"action": "red", "supply": "blue", "survivor": "green", "star": "yellow"}
LETTERS: Mapping[TokenKind, str] = {"action": "A", "supply": "S", "survivor": "V", "star": "*"}
KEY = (
    "1 2 3 zombies, of a horde behind h; A S V action, supply, survivor tokens; * bonus star; # solid; "
    "X blocking tile; $ to be taken; > stair; r rope; k key of the locked room w, x or y; H helipad; "
    "T top of the tanker; @ a hero, & a zombie hero"
)


def mark_of(state: State, square: str) -> tuple[str, Colour | None]:
    """The letter of what lies on a square, figures aside, and its colour; empty: nothing does."""
    kind = state.board.tokens.get(square)
    if square in state.tiles:
        return "X", "grey"
    if square in state.loose or any(heap.at == square for heap in state.loot):
        return "$", None
    if kind == "star":
        return LETTERS[kind], TOKEN_COLOURS[kind]
    if kind and square not in state.used:
        return LETTERS[kind], TOKEN_COLOURS[kind]
    if square in state.board.stairs:
        return ">", None
    if square in state.board.ropes:
        return "r", "orange" if square in state.ropes else None
    if square in state.board.keys.values():
        return "k", None
    return "", None


def layouts(state: State, level: LevelFile) -> tuple[Layout, ...]:
    """As wide as a phone allows, and as a page does."""
    columns = len(rows_of(level.terrain)[0])
    pitches = [
        max(pitch for pitch in (1, 2, 3) if pitch == 1 or MARGIN + pitch * columns <= most) for most in (PHONE, PAGE)
    ]
    return tuple(_layout(state, level, pitch) for pitch in dict.fromkeys(pitches))


def _layout(state: State, level: LevelFile, pitch: int) -> Layout:
    rows = rows_of(level.terrain)
    width = MARGIN + pitch * len(rows[0])
    glyphs = (*_head(len(rows[0]), len(rows), pitch), *_squares(state, level, pitch))
    return Layout(width, glyphs, cell=(pitch, 1))


def _head(columns: int, rows: int, pitch: int) -> Iterator[Glyph]:
    for x in range(columns):
        yield Glyph(MARGIN + pitch * x, 0, chr(ord("a") + x), faint=True)
    for y in range(rows):
        yield Glyph(0, y + 1, str(y + 1), faint=True)


def _squares(state: State, level: LevelFile, pitch: int) -> Iterator[Glyph]:
    for y, row in enumerate(rows_of(level.terrain)):
        for x in range(len(row)):
            square = f"{level.id}{chr(ord('a') + x)}{y + 1}"
            text, colour, faint = _glyph(state, square, pitch)
            yield Glyph(MARGIN + pitch * x, y + 1, text, colour, faint, place=square)


def _glyph(state: State, square: str, pitch: int) -> tuple[str, Colour | None, bool]:
    """What stands there, else what lies there, else the ground."""
    player = state.standing.get(square)
    if player:
        kind = "&" if player.is_zombie else "@"
        return (
            (kind, player.hero[0] + player.hero[-1].lower(), player.hero)[pitch - 1],
            SEAT_COLOURS[player.seat],
            False,
        )
    if square in state.zombies:
        return _zombie(state, square, pitch)
    letter, colour = mark_of(state, square)
    if letter:
        return f"({letter})" if pitch == 3 and square in state.board.tokens else letter, colour, colour is None
    return _ground(state, square, pitch), None, True


def _zombie(state: State, square: str, pitch: int) -> tuple[str, Colour | None, bool]:
    level = state.zombies[square]
    in_horde = not state.wild & state.board.bit[square]
    return f"{'h' if in_horde and pitch > 1 else ''}{level}", LEVEL_COLOURS[level], False


def _ground(state: State, square: str, pitch: int) -> str:
    bit = state.board.bit[square]
    if not bit & state.ground.floor:
        room = next((mark for mark, squares in state.board.rooms.items() if squares & bit), "")
        return room or "#" * pitch
    if bit & helipad(state):
        return "H"
    return "T" if bit & state.board.tanker else "."
