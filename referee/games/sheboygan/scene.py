"""Draws the map as a scene and in characters: terrain, rubble, flames, webs and pieces.

It also finds the boxes to mark as in sight of a box, or in reach of a piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from referee.engine.palette import Colour
from referee.engine.scene import (
    Glyph,
    Hatching,
    Layout,
    LegendItem,
    NoPlaceError,
    Overlay,
    Piece,
    Polygon,
    Scene,
    ScenePage,
    Shape,
)
from referee.engine.text import begin_sentence
from referee.games.sheboygan.board import Board, Box
from referee.games.sheboygan.box_labels import DRAWING_UNIT, convert_to_spot, find_labels, find_outlines
from referee.games.sheboygan.counters import KIND_NAMES, MONSTER, format_units
from referee.games.sheboygan.monster_movement import find_monster_destinations
from referee.games.sheboygan.options import HUMAN_SEAT, MONSTER_SEAT
from referee.games.sheboygan.state import BURNT_OUT_AGE, State
from referee.games.sheboygan.status import describe_status
from referee.games.sheboygan.unit_movement import find_destinations

BOX_DISTANCE = 64 / DRAWING_UNIT
"""The usual distance from one box to the next, in units of the drawing."""
COUNTER_SPACING = 1.15
"""The distance from one counter to the next, compared with the size of a counter."""
SMALLEST_SIZE, SMALLEST_LONE_SIZE, LARGEST_SIZE, MONSTER_SIZE = 0.7, 1.1, 2.0, 3.4
"""The sizes of counters: the least, the least of one that is alone in its box, the greatest, and the monster's.

A counter that is too big for a street hides its neighbours' names.
"""
HATCHINGS: dict[str, Hatching] = {"fire": "crossed", "web": "rising", "rubble": "dotted", "ruin": "falling"}
COUNTER_SHAPES: dict[str, Shape] = {
    "p": "round",
    "h": "diamond",
    "i": "round",
    "t": "square",
    "g": "triangle",
    "f": "hexagon",
    "b": "diamond",
    "c": "round",
    MONSTER: "diamond",
}
CELL_SIZE = (4, 1)
"""The columns and rows of a box in characters."""
ROW_HEIGHT = 0.4
"""The height of a row of characters, compared with the median width of a box."""
NAME_LENGTH = 3
"""The characters for the name of a box or the pieces in it. One more character is the mark of the box."""

TERRAIN_COLOURS: Mapping[str, Colour | None] = {
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
FACT_MARKS: Mapping[str, tuple[str, str]] = {
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
"""The mark behind the name of a box, and its ASCII form, by the result of `find_main_fact`."""
MARK_LEGEND = '* fire, % web, x bridge gone, : rubble; □ low, ■ high building, " park, ~ river, = bridge, ) tunnel'
FLIGHT_MARK, FLIGHT_LEGEND = "^", "m^ the monster in flight"
"""The mark of a monster in flight: in characters, as the badge of its counter, and in the legend."""
COUNTER_COLOURS: Mapping[str, Colour] = {
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
TERRAIN_LEGEND: Mapping[str, str] = {
    "park": "park",
    "low": "low building",
    "high": "high building",
    "bridge": "bridge",
    "river": "river",
    "tunnel": "tunnel",
}
MARKER_LEGEND: Mapping[str, str] = {
    "fire": "fire, by its age (R: burnt out)",
    "web": "web",
    "ruin": "bridge gone",
    "rubble": "rubble",
}
POPULACE_LEGEND, POPULACE_SYMBOL_SIZE = "populace begins here", 0.2
"""The legend and the size of the small diamond in boxes that have a populace symbol (3.2e)."""


def draw_scene(view: State) -> Scene:
    """Draws a view as a scene."""
    reconstruction = view.board.reconstruction
    shapes, pieces, rose = tuple(_draw_boxes(view)), tuple(_draw_pieces(view)), ("N", "E", "S", "W")
    page = ScenePage("", shapes, pieces, (draw_character_map(view),), BOX_DISTANCE, compass=rose)
    lists = tuple(_describe_map(view))
    return Scene(
        title=begin_sentence(describe_status(view)),
        pages=(page,),
        beside=lists,
        words=(f"{begin_sentence(describe_status(view))}.", *(f"{line}." for line in lists)),
        notes=(f"Tables: {reconstruction}.",) if reconstruction else (),
        board=view.board.file.title,
        legend=tuple(_list_legend_samples()),
        seats={HUMAN_SEAT: "blue", MONSTER_SEAT: "red"},
    )


def _list_legend_samples() -> Iterator[LegendItem]:
    yield from (LegendItem(words, TERRAIN_COLOURS[terrain]) for terrain, words in TERRAIN_LEGEND.items())
    yield LegendItem(MARKER_LEGEND["fire"], "red", HATCHINGS["fire"])
    yield from (
        LegendItem(MARKER_LEGEND[kind], TERRAIN_COLOURS.get(kind), HATCHINGS[kind])
        for kind in ("web", "ruin", "rubble")
    )
    yield LegendItem(POPULACE_LEGEND, COUNTER_COLOURS["c"], solid=True)
    for letter, name in KIND_NAMES.items():
        yield LegendItem(name, COUNTER_COLOURS[letter], label=letter, shape=COUNTER_SHAPES[letter])
    yield LegendItem("monster", COUNTER_COLOURS[MONSTER], label=MONSTER, shape=COUNTER_SHAPES[MONSTER])
    yield LegendItem(
        "in flight", COUNTER_COLOURS[MONSTER], label=MONSTER, shape=COUNTER_SHAPES[MONSTER], badge=FLIGHT_MARK
    )
    yield LegendItem(
        "under the monster's control", label="t1", shape=COUNTER_SHAPES["t"], ring=COUNTER_COLOURS[MONSTER]
    )


def _draw_boxes(state: State) -> Iterator[Polygon]:
    """Yields the boxes. Bridges and tunnels come last, so that they lie on the river that they cross."""
    outlines, names = find_outlines(state.board), find_labels(state.board)
    for box in sorted(state.board.boxes.values(), key=lambda box: box.river_box is not None):
        kind, fill = find_main_fact(state, box.id), find_box_colour(state, box.id)
        age, (label_at, size) = state.flames.get(box.id), names[box.id]
        label = f"{box.id} {'R' if age == BURNT_OUT_AGE else age}" if age else box.id
        yield Polygon(
            outlines[box.id],
            fill,
            label,
            hatching=HATCHINGS.get(kind),
            place=box.id,
            label_at=label_at,
            label_size=size,
        )
        if box.populace:
            yield _draw_home(box)


def _draw_home(box: Box) -> Polygon:
    """Returns the drawn symbol of a box where populace starts. It lies above the middle of the box."""
    x, y = convert_to_spot(*box.centre)
    y -= 0.95
    corners = (
        (x, y - POPULACE_SYMBOL_SIZE),
        (x + POPULACE_SYMBOL_SIZE, y),
        (x, y + POPULACE_SYMBOL_SIZE),
        (x - POPULACE_SYMBOL_SIZE, y),
    )
    return Polygon(corners, COUNTER_COLOURS["c"], solid=True, key=f"{box.id} home")


def _draw_pieces(state: State) -> Iterator[Piece]:
    """Yields the counters. Those of a box lie side by side, the monster first, as big as the box allows."""
    outlines = find_outlines(state.board)
    for box, units in _list_occupied_boxes(state):
        xs, ys = zip(*outlines[box], strict=True)
        size, spots = _arrange_counters(len(units), max(xs) - min(xs), max(ys) - min(ys))
        x, y = convert_to_spot(*state.board.boxes[box].centre)
        for unit, (right, down) in zip(units, spots, strict=True):
            big = MONSTER_SIZE if unit == MONSTER else size
            yield _draw_counter(state, unit, box, (round(x + right, 3), round(y + down, 3)), big)


def _arrange_counters(count: int, wide: float, high: float) -> tuple[float, tuple[tuple[float, float], ...]]:
    """Returns the size of a box's counters, and the distance of each from the middle.

    The number of rows is chosen so that the counters are as big as possible and none hides another.
    """
    fitting = (
        (min(LARGEST_SIZE, wide / COUNTER_SPACING / n, high / COUNTER_SPACING / -(-count // n)), n)
        for n in range(1, count + 1)
    )
    size, across = max((max(SMALLEST_SIZE if count > 1 else SMALLEST_LONE_SIZE, size), n) for size, n in fitting)
    down, pitch = -(-count // across), COUNTER_SPACING * size
    spots = ((n % across - (across - 1) / 2, n // across - (down - 1) / 2) for n in range(count))
    return round(size, 2), tuple((pitch * x, pitch * y) for x, y in spots)


def _draw_counter(state: State, unit: str, box: str, at: tuple[float, float], size: float) -> Piece:
    return Piece(
        *at,
        COUNTER_COLOURS[unit[0]],
        unit,
        name=f"{_name_unit(state, unit)} in {box}",
        shape=COUNTER_SHAPES[unit[0]],
        key=unit,
        place=box,
        size=size,
        ring=COUNTER_COLOURS[MONSTER] if unit == state.control else None,
        badge=FLIGHT_MARK if unit == MONSTER and state.aloft else "",
    )


def _list_occupied_boxes(state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    if state.monster:
        yield state.monster, (MONSTER, *state.units_by_box.get(state.monster, ()))
    for box, units in state.units_by_box.items():
        if box != state.monster:
            yield box, units


def _name_unit(state: State, unit: str) -> str:
    if unit == MONSTER:
        return "the monster, in flight," if state.aloft else "the monster"
    under = ", under the monster's control," if unit == state.control else ""
    return f"{KIND_NAMES[unit[0]]} {unit}{under}"


def _describe_map(state: State) -> Iterator[str]:
    """Yields lines of text: the places of all pieces, then flames, rubble, ruined bridges, webs and lost units."""
    monster = state.monster or "not on the map"
    yield f"Monster: {monster}{', in flight' if state.aloft else ''}"
    if state.control:
        yield f"Under its control: {state.control}"
    stacks = sorted(state.units_by_box.items(), key=lambda stack: state.board.box_sort_order[stack[0]])
    if stacks:
        yield f"Units: {', '.join(f'{box} {format_units(units)}' for box, units in stacks)}"
    if state.hand:
        yield f"To be placed: {format_units(state.hand)}"
    if state.flames:
        ages = [f"{box} ({'R' if age == BURNT_OUT_AGE else age})" for box, age in sorted(state.flames.items())]
        yield f"Flames: {', '.join(ages)}"
    for name, boxes in (("Rubble", state.rubble), ("Bridges gone", state.ruins), ("Webs", state.webs)):
        if boxes:
            yield f"{name}: {', '.join(sorted(boxes))}"
    if state.lost:
        yield f"Lost: {format_units(state.lost)}"


# The map in characters, for terminals: every box in its column, with its pieces and its mark


def find_box_cells(board: Board) -> Mapping[str, tuple[int, int]]:
    """Returns the column and row of every box on the map in characters. No two boxes share a column and a row.

    Boxes in one column keep their order from north to south.
    """
    known: Mapping[str, tuple[int, int]] | None = board.rule_cache.get("spots")
    if known is None:
        known = board.rule_cache["spots"] = _find_spots(board)
    return known


def _find_spots(board: Board) -> Mapping[str, tuple[int, int]]:
    boxes = sorted(board.boxes.values(), key=lambda box: (box.centre[1], box.centre[0]))
    wide = median(max(x for x, _ in box.polygon) - min(x for x, _ in box.polygon) for box in boxes)
    columns, at = _find_columns(board), dict[tuple[int, int], str]()
    for box in boxes:
        row = int(box.centre[1] / (wide * ROW_HEIGHT))
        while (columns[box.id], row) in at:
            row += 1
        at[columns[box.id], row] = box.id
    rows = sorted({row for _, row in at})
    return {box: (column, rows.index(row)) for (column, row), box in at.items()}


def _find_columns(board: Board) -> Mapping[str, int]:
    """Returns the column of every box.

    The letter of a box decides its column. River boxes, bridges and tunnels have the nearest column.
    """
    lettered: dict[str, list[int]] = {}
    for box in board.boxes.values():
        if not _is_at_the_river(box):
            lettered.setdefault(box.id[0], []).append(box.centre[0])
    middles = sorted(sum(centres) / len(centres) for centres in lettered.values())
    letters = sorted(lettered, key=lambda letter: sum(lettered[letter]) / len(lettered[letter]))
    return {
        box.id: _find_nearest(middles, box.centre[0]) if _is_at_the_river(box) else letters.index(box.id[0])
        for box in board.boxes.values()
    }


def _find_nearest(middles: list[float], x: float) -> int:
    return min(range(len(middles)), key=lambda column: abs(middles[column] - x))


def _is_at_the_river(box: Box) -> bool:
    return box.terrain == "river" or box.river_box is not None


def draw_character_map(state: State) -> Layout:
    """Returns the whole map in characters."""
    glyphs = tuple(
        glyph for box, spot in find_box_cells(state.board).items() for glyph in _draw_cell(state, box, *spot)
    )
    width = max(glyph.column + len(glyph.text) for glyph in glyphs)
    flying = [FLIGHT_LEGEND] if state.aloft else []
    return Layout(width, glyphs, legend=(MARK_LEGEND, *flying), cell=CELL_SIZE)


def _draw_cell(state: State, box: str, column: int, row: int) -> Iterator[Glyph]:
    """Yields the characters of a box: its name or the pieces in it, then its mark."""
    monster = MONSTER + FLIGHT_MARK if state.aloft else MONSTER
    who = [*([monster] if state.monster == box else []), *state.units_by_box.get(box, ())]
    text = _shorten_names(who) if who else box
    colour = COUNTER_COLOURS[MONSTER if state.control in who else who[0][0]] if who else None
    yield Glyph(column * CELL_SIZE[0], row * CELL_SIZE[1], text, colour, faint=not who, place=box)
    mark, plain = FACT_MARKS[find_main_fact(state, box)]
    if mark:
        yield Glyph(column * CELL_SIZE[0] + NAME_LENGTH, row, mark, find_box_colour(state, box), ascii=plain, place=box)


def _shorten_names(who: list[str]) -> str:
    """Returns the names of pieces if they fit into a box; else the beginning of the first, and "+"."""
    text = "".join(who)
    return text if len(text) <= NAME_LENGTH else f"{who[0][: NAME_LENGTH - 1]}+"


def find_main_fact(state: State, box: str) -> str:
    """Returns the most important fact about a box: "fire", "web", "ruin" for a bridge that is gone, or its terrain."""
    if box in state.flames:
        return "fire"
    if box in state.webs:
        return "web"
    return "ruin" if box in state.ruins else state.get_terrain(box)


def find_box_colour(state: State, box: str) -> Colour | None:
    """Returns the colour of a box: red if it burns, else that of its terrain; None for a street."""
    return "red" if box in state.flames else TERRAIN_COLOURS[state.get_terrain(box)]


# The boxes to mark: those in sight of a box, or in reach of a piece


def list_overlay_boxes(view: State, name: Overlay, of: str) -> tuple[str, ...]:
    """Returns the boxes in sight of a box or of a piece's box (6.12a), or those that a piece can reach.

    Raises NoPlaceError if the map has no such box or piece, or if this view does not know its reach.
    """
    if name == "sight":
        here = _find_box(view, of)
        return tuple(box for box in view.board.boxes if box != here and view.board.is_in_sight(here, box, view.rubble))
    return _list_boxes_in_reach(view, of)


def _find_box(view: State, of: str) -> str:
    """Returns the box with this name, or the box of the piece with this name. Raises NoPlaceError if there is none."""
    if of.upper() in view.board.boxes:
        return of.upper()
    box = view.monster if of.lower() == MONSTER else view.at.get(of.lower())
    if box is None:
        raise NoPlaceError(f"the map has no box, and no piece stands there, that is called {of}")
    return box


def _list_boxes_in_reach(view: State, piece: str) -> tuple[str, ...]:
    """Returns the boxes that a piece can reach with the Movement Points that it has left.

    Raises NoPlaceError if it is not on the map, or if only the monster's player knows its points.
    """
    unit = piece.lower()
    if unit in view.at:
        found = find_destinations(view, unit)
    elif unit != MONSTER or view.monster is None:
        raise NoPlaceError(f"no piece on the map is called {piece}")
    elif view.sheet is None or not view.sheet.known:
        raise NoPlaceError("only the monster's player knows how far it can go")
    else:
        found = find_monster_destinations(view)
    return tuple(sorted(found, key=view.board.box_sort_order.__getitem__))
