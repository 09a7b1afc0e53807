"""The map as a scene: boxes by their terrain, rubble, flames and webs, who stands where; in characters too, and what is
marked on it when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Hatching, Layout, NoPlaceError, Overlay, Page, Piece, Polygon, Scene, Shape
from referee.games.sheboygan.board import Board, Box
from referee.games.sheboygan.counters import MONSTER, NAMES, listed
from referee.games.sheboygan.moving import destinations
from referee.games.sheboygan.prowling import prowls
from referee.games.sheboygan.state import BURNT_OUT, State
from referee.games.sheboygan.status import status

UNIT = 22
"""Hundredths of an inch for one unit of the drawing, in which a counter is nearly one wide."""
STEP = 64 / UNIT
"""From one box to the next, about."""
NEXT = 1.05
"""From one counter to the next, where there is room."""
TUNNEL = 0.5
"""How big a tunnel is drawn, so that the river above it is seen."""
HATCHINGS: dict[str, Hatching] = {"fire": "crossed", "web": "rising", "rubble": "dotted", "ruin": "falling"}
SHAPES: dict[str, Shape] = {
    "p": "round",
    "h": "diamond",
    "i": "round",
    "t": "square",
    "g": "triangle",
    "f": "hexagon",
    "b": "hexagon",
    "c": "round",
    MONSTER: "diamond",
}
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


def draw(view: State) -> Scene:
    """A view as a scene."""
    reconstruction = view.board.reconstruction
    page = Page("", tuple(_shapes(view)), tuple(_pieces(view)), (layout(view),), STEP)
    lists = tuple(_lists(view))
    return Scene(
        title=f"{view.board.file.title}, Game-Turn {max(1, view.turn)}: {status(view)}",
        pages=(page,),
        beside=lists,
        words=(f"{status(view)}.", *(f"{line}." for line in lists)),
        notes=(f"Tables: {reconstruction}.",) if reconstruction else (),
    )


def _shapes(state: State) -> Iterator[Polygon]:
    """The boxes, bridges and tunnels over the river that they cross."""
    for box in sorted(state.board.boxes.values(), key=lambda box: box.river is not None):
        points = tuple(_at(x, y) for x, y in _outline(box))
        kind, fill = kind_of(state, box.id), colour_of(state, box.id)
        age = state.flames.get(box.id)
        label = f"{box.id} {'R' if age == BURNT_OUT else age}" if age else box.id
        yield Polygon(points, fill, label, hatching=HATCHINGS.get(kind), place=box.id)


def _outline(box: Box) -> Iterator[tuple[float, float]]:
    if box.terrain != "tunnel":
        yield from box.polygon
        return
    (left, top), (right, bottom) = (map(limit, zip(*box.polygon, strict=True)) for limit in (min, max))
    for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
        yield box.centre[0] + TUNNEL * (x - (left + right) / 2), box.centre[1] + TUNNEL * (y - (top + bottom) / 2)


def _at(x: float, y: float) -> tuple[float, float]:
    return round(x / UNIT, 3), round(y / UNIT, 3)


def _pieces(state: State) -> Iterator[Piece]:
    """The counters of a box side by side, the monster first; closer together where there is little room."""
    for box, units in _occupied(state):
        place = state.board.boxes[box]
        xs, ys = zip(*(_at(*corner) for corner in place.polygon), strict=True)
        wide, high = max(xs) - min(xs), max(ys) - min(ys)
        room, (x, y) = max(wide, high) - 1, _at(*place.centre)
        gap = min(NEXT, room / (len(units) - 1)) if len(units) > 1 else 0
        for number, unit in enumerate(units):
            off = gap * (number - (len(units) - 1) / 2)
            right, down = (off, 0.0) if wide >= high else (0.0, off)
            name = f"{_named(state, unit)} in {box}"
            at = round(x + right, 3), round(y + down, 3)
            yield Piece(*at, COUNTERS[unit[0]], unit, name=name, shape=SHAPES[unit[0]])


def _occupied(state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    if state.monster:
        yield state.monster, (MONSTER, *state.stacks.get(state.monster, ()))
    for box, units in state.stacks.items():
        if box != state.monster:
            yield box, units


def _named(state: State, unit: str) -> str:
    if unit == MONSTER:
        return "the monster, in flight," if state.aloft else "the monster"
    under = ", under the monster's control," if unit == state.control else ""
    return f"{NAMES[unit[0]]} {unit}{under}"


def _lists(state: State) -> Iterator[str]:
    """Who stands where, what burns and lies there, as lines."""
    monster = state.monster or "not on the map"
    yield f"Monster: {monster}{', in flight' if state.aloft else ''}"
    if state.control:
        yield f"Under its control: {state.control}"
    stacks = sorted(state.stacks.items(), key=lambda stack: state.board.order[stack[0]])
    if stacks:
        yield f"Units: {', '.join(f'{box} {listed(units)}' for box, units in stacks)}"
    if state.hand:
        yield f"To be placed: {listed(state.hand)}"
    if state.flames:
        ages = [f"{box} ({'R' if age == BURNT_OUT else age})" for box, age in sorted(state.flames.items())]
        yield f"Flames: {', '.join(ages)}"
    for name, boxes in (("Rubble", state.rubble), ("Bridges gone", state.ruins), ("Webs", state.webs)):
        if boxes:
            yield f"{name}: {', '.join(sorted(boxes))}"
    if state.lost:
        yield f"Lost: {listed(state.lost)}"


# The map in characters: every box in its column, with what stands and happens there, for windows of a terminal


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


# What is marked: boxes in sight of one, boxes in reach of a piece


def overlay(view: State, name: Overlay, of: str) -> tuple[str, ...]:
    """The boxes that are in sight of a box, or of the box of a piece (6.12a); or those that a piece can come to."""
    if name == "sight":
        here = _box_of(view, of)
        return tuple(box for box in view.board.boxes if box != here and view.board.sees(here, box, view.rubble))
    return _in_reach(view, of)


def _box_of(view: State, of: str) -> str:
    """The box that is named, or that a named piece stands in; NoPlaceError."""
    if of.upper() in view.board.boxes:
        return of.upper()
    box = view.monster if of.lower() == MONSTER else view.at.get(of.lower())
    if box is None:
        raise NoPlaceError(f"the map has no box, and no piece stands there, that is called {of}")
    return box


def _in_reach(view: State, piece: str) -> tuple[str, ...]:
    """Where a piece can come to with the Movement Points that it has left."""
    unit = piece.lower()
    if unit in view.at:
        found = destinations(view, unit)
    elif unit != MONSTER or view.monster is None:
        raise NoPlaceError(f"no piece on the map is called {piece}")
    elif view.sheet is None or not view.sheet.known:
        raise NoPlaceError("only the monster's player knows how far it can go")
    else:
        found = prowls(view)
    return tuple(sorted(found, key=view.board.order.__getitem__))
