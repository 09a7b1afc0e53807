"""The map in characters: every box in its column, with what stands and happens there, for windows of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout
from referee.games.sheboygan.board import Board, Box
from referee.games.sheboygan.state import State

CELL = (4, 1)
"""Columns and rows of a box."""
ROWS = 0.4
"""Height of a row, as a part of the width of a column."""
LETTERS = 3
"""Letters of a box that tell its name, or who stands there; one more tells what is there."""

TERRAIN: Mapping[str, Colour | None] = {
    "street": None,
    "park": "green",
    "low": "yellow",
    "high": "orange",
    "bridge": "grey",
    "tunnel": "grey",
    "river": "sky",
    "rubble": "grey",
}
"""The colour of each kind of box."""
MARKS: Mapping[str, tuple[str, str]] = {
    "fire": ("*", "*"),
    "web": ("%", "%"),
    "ruin": ("x", "x"),
    "rubble": (":", ":"),
    "park": ('"', '"'),
    "low": ("□", "o"),
    "high": ("■", "#"),
    "bridge": ("=", "="),
    "tunnel": (")", ")"),
    "river": ("~", "~"),
    "street": ("", ""),
}
"""What stands behind a name, and in ASCII: the first that is so."""
KEY = '* fire, % web, x bridge gone, : rubble; □ low, ■ high building, " park, ~ river, = bridge, ) tunnel'
COUNTERS: Mapping[str, Colour] = {
    "p": "blue",
    "h": "blue",
    "i": "green",
    "t": "green",
    "g": "green",
    "f": "orange",
    "b": "orange",
    "c": "yellow",
    "m": "red",
}
"""The colours of the counters: police blue, National Guard green, and so on."""


def spots(board: Board) -> Mapping[str, tuple[int, int]]:
    """The column and row of every box, each its own; boxes one below another keep their order."""
    known: Mapping[str, tuple[int, int]] | None = board.memo.get("spots")
    if known is None:
        known = board.memo["spots"] = _spots(board)
    return known


def _spots(board: Board) -> Mapping[str, tuple[int, int]]:
    boxes = sorted(board.boxes.values(), key=lambda box: (box.centre[1], box.centre[0]))
    wide = median(max(x for x, _ in box.polygon) - min(x for x, _ in box.polygon) for box in boxes)
    columns, at = _columns(board), dict[tuple[int, int], str]()
    for box in boxes:
        row = int(box.centre[1] / (wide * ROWS))
        while (columns[box.id], row) in at:
            row += 1
        at[columns[box.id], row] = box.id
    rows = sorted({row for _, row in at})
    return {box: (column, rows.index(row)) for (column, row), box in at.items()}


def _columns(board: Board) -> Mapping[str, int]:
    """The column of every box: that of its letter, or for the river and its crossings the nearest one."""
    lettered: dict[str, list[int]] = {}
    for box in board.boxes.values():
        if not _is_at_the_river(box):
            lettered.setdefault(box.id[0], []).append(box.centre[0])
    middles = sorted(sum(centres) / len(centres) for centres in lettered.values())
    letters = sorted(lettered, key=lambda letter: sum(lettered[letter]) / len(lettered[letter]))
    return {
        box.id: _nearest(middles, box.centre[0]) if _is_at_the_river(box) else letters.index(box.id[0])
        for box in board.boxes.values()
    }


def _nearest(middles: list[float], x: float) -> int:
    return min(range(len(middles)), key=lambda column: abs(middles[column] - x))


def _is_at_the_river(box: Box) -> bool:
    return box.terrain == "river" or box.river is not None


def layout(state: State) -> Layout:
    """The whole map in characters."""
    glyphs = tuple(glyph for box, spot in spots(state.board).items() for glyph in _cell(state, box, *spot))
    width = max(glyph.column + len(glyph.text) for glyph in glyphs)
    return Layout(width, glyphs, (KEY,), CELL)


def _cell(state: State, box: str, column: int, row: int) -> Iterator[Glyph]:
    """A name, or who stands there; and behind it what is there."""
    who = [*(["m"] if state.monster == box else []), *state.stacks.get(box, ())]
    text = _short(who) if who else box
    colour = COUNTERS[who[0][0]] if who else None
    yield Glyph(column * CELL[0], row * CELL[1], text, colour, faint=not who, place=box)
    mark, plain = MARKS[kind_of(state, box)]
    if mark:
        yield Glyph(column * CELL[0] + LETTERS, row, mark, colour_of(state, box), ascii=plain, place=box)


def _short(who: list[str]) -> str:
    """As many of them as fit, and whether there are more."""
    text = "".join(who)
    return text if len(text) <= LETTERS else f"{who[0][: LETTERS - 1]}+"


def kind_of(state: State, box: str) -> str:
    """What matters most of a box: fire, a web, a bridge that is gone, or its terrain."""
    if box in state.flames:
        return "fire"
    if box in state.webs:
        return "web"
    return "ruin" if box in state.ruins else state.terrain(box)


def colour_of(state: State, box: str) -> Colour | None:
    """The colour of a box: of fire, or of its terrain."""
    return "red" if box in state.flames else TERRAIN[state.terrain(box)]
