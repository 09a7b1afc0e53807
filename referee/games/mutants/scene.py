"""Draws the Science Building as a scene: rooms, doors, Walls, units and the Combat Display."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.event import Seat
from referee.engine.scene import LegendItem, Piece, Polygon, Scene, ScenePage, Shape
from referee.engine.text import begin_sentence, count_of, listing
from referee.games.mutants.board import SEAT_COLOURS, compact_names, is_square
from referee.games.mutants.state import ENGAGED_BOX_COUNT, State
from referee.games.mutants.status import describe_status
from referee.games.mutants.text_layouts import (
    BLUE,
    CAPTIVE_MARK,
    CLOSED_MARK,
    GREEN,
    KIND_LETTERS,
    KINDS_BY_SIDE,
    OPEN_MARK,
    SMASHED_MARK,
    UNKNOWN_MARK,
    WALL_MARK,
    describe_combat,
    describe_unit_conditions,
    find_door_mark,
    list_boxed_units,
    make_narrow_layout,
    make_wide_layout,
)

ROOM_DISTANCE = 3.6
"""The distance from the middle of one room to the middle of the next, in units of the drawing."""
WALL_THICKNESS = 0.4
"""The thickness of a wall. The rest of the pitch is inside the room: three counters wide, three deep."""
ROOM_SIZE = ROOM_DISTANCE - WALL_THICKNESS
DOOR_WIDTH = 1.6
COUNTER_SHAPES: dict[Seat, Shape] = {"human": "round", "mutant": "square"}
ROW_OFFSETS: dict[Seat, float] = {"human": -1.05, "mutant": 0.08}
"""The distance of each side's counters below the middle of a room.

A captive lies below both, beside the room's name.
"""
ROW_OFFSET_ALONE = -0.35
"""The same, if only one side has units in a place."""
NAME_SIZE = 0.45
"""The size of a place's name."""
COUNTER_DISTANCE = 1.06
"""The distance from one counter of the normal size to the next."""
COUNTER_SIZES, COUNTER_SIZES_ALONE = (1.1, 1.1, 1.0), (1.9, 1.45, 1.0)
"""The sizes of one, two and three counters beside each other: as big as the room allows."""
SIDE_NAMES: dict[Seat, str] = {"human": "units of the Human side", "mutant": "Mutants"}
SECRET_CROWD = "number and types secret"
BOX_SIZE, BOXED_COUNTER_SIZE = (2.6, 1.3), (2.2, 0.8)
"""The width and height of an Engaged box, and of a counter in it."""


def draw_scene(view: State) -> Scene:
    """Draws a view as a scene."""
    reconstruction = view.board.reconstruction
    page = ScenePage(
        "",
        tuple(_draw_building(view)),
        tuple(_draw_pieces(view)),
        (make_narrow_layout(view), make_wide_layout(view)),
        ROOM_DISTANCE,
    )
    return Scene(
        title=begin_sentence(describe_status(view)),
        pages=(page,),
        beside=tuple(describe_unit_conditions(view)),
        words=tuple(_describe_board(view)),
        notes=(f"Board: {reconstruction}.",) if reconstruction else (),
        board=view.board.file.title,
        legend=tuple(_list_legend_samples()),
        seats=SEAT_COLOURS,
    )


def _list_legend_samples() -> Iterator[LegendItem]:
    crowd = "one by name, several as a number of"
    yield LegendItem(f"Human side: {crowd} Techs, Guards or Janibots", SEAT_COLOURS["human"], label="2G", shape="round")
    yield LegendItem(
        f"Mutants: {crowd} Leaders, Radioactive or Normal", SEAT_COLOURS["mutant"], label="3N", shape="square"
    )
    yield LegendItem("Tech Room", BLUE)
    yield LegendItem("Set Up square", GREEN)
    yield LegendItem("closed door", None, label=CLOSED_MARK, solid=True)
    yield LegendItem("Wall", BLUE, label=WALL_MARK, solid=True)
    yield LegendItem("smashed door", GREEN, label=SMASHED_MARK, solid=True)
    yield LegendItem("held open this Turn", GREEN, label=OPEN_MARK, solid=True)


def _draw_building(state: State) -> Iterator[Polygon]:
    """Yields the building as one block of wall, the rooms and doors in it, and the Combat Display below."""
    file, (west, north) = state.board.file, state.board.spots_by_place["A1"]
    middle = ROOM_DISTANCE * (west + (file.columns - 1) / 2), ROOM_DISTANCE * (north + (file.rows - 1) / 2)
    walls = _find_box_corners(
        *middle, file.columns * ROOM_DISTANCE + WALL_THICKNESS, file.rows * ROOM_DISTANCE + WALL_THICKNESS
    )
    yield Polygon(walls, "grey", solid=True, key="walls")
    for place in state.board.places:
        yield from _draw_place(state, place)
    yield from (_draw_door(state, door) for door in state.board.door_ends)
    last = max(y for _, y in state.board.spots_by_place.values())
    yield from _draw_combat_display(state, middle[0], ROOM_DISTANCE * (last + 1) + 0.5)


def _find_box_corners(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    left, right = round(x - width / 2, 3), round(x + width / 2, 3)
    top, bottom = round(y - height / 2, 3), round(y + height / 2, 3)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _draw_place(state: State, place: str) -> Iterator[Polygon]:
    """Yields the shapes of a room, with a tint if it is the Tech Room; or the shape of a square.

    A square touches the next square on the same side of the building.
    """
    x, y = state.board.spots_by_place[place]
    if is_square(place):
        width, height = (ROOM_DISTANCE, ROOM_SIZE) if place[1] in "NS" else (ROOM_SIZE, ROOM_DISTANCE)
        yield Polygon(
            _find_box_corners(ROOM_DISTANCE * x, ROOM_DISTANCE * y, width, height),
            GREEN,
            place,
            place=place,
            label_size=NAME_SIZE,
        )
        return
    room, is_tech = (
        _find_box_corners(ROOM_DISTANCE * x, ROOM_DISTANCE * y, ROOM_SIZE, ROOM_SIZE),
        place == state.board.tech_room,
    )
    yield Polygon(room, label="" if is_tech else place, place=place, label_size=NAME_SIZE)
    if is_tech:
        yield Polygon(room, BLUE, f"{place} Tech", key=f"{place} tint", label_size=NAME_SIZE)


def _draw_door(state: State, door: str) -> Polygon:
    """Returns a bar in the wall between two places, plain if the door is just closed."""
    (x1, y1), (x2, y2) = state.board.door_spots[door]
    across, down = (WALL_THICKNESS, DOOR_WIDTH) if y1 == y2 else (DOOR_WIDTH, WALL_THICKNESS)
    label, colour = find_door_mark(state, door) or (CLOSED_MARK, None)
    return Polygon(
        _find_box_corners(ROOM_DISTANCE * (x1 + x2) / 2, ROOM_DISTANCE * (y1 + y2) / 2, across, down),
        colour,
        label,
        solid=True,
        key=f"door {door}",
    )


def _draw_pieces(state: State) -> Iterator[Piece]:
    """Yields one counter for each type of unit in a place.

    The label is the name of the unit, or the number of units if there are several.
    """
    for place, (x, y) in state.board.spots_by_place.items():
        for dx, dy, size, side, kind, units in _arrange_counters(state, place):
            at = round(ROOM_DISTANCE * x + dx, 3), round(ROOM_DISTANCE * y + dy, 3)
            name = f"{compact_names(units) or SECRET_CROWD} in {place}"
            label = f"{len(units)}{kind}" if len(units) > 1 else units[0] if units and kind != CAPTIVE_MARK else kind
            key, shape = f"{place} {side} {kind}", COUNTER_SHAPES[side]
            yield Piece(
                *at, SEAT_COLOURS[side], label, name=name, shape=shape, key=key, place=place, units=units, size=size
            )


def _arrange_counters(state: State, place: str) -> Iterator[tuple[float, float, float, Seat, str, tuple[str, ...]]]:
    """Yields the counters in a place: their offset from its middle, size, side, letter of their type, and units."""
    rows = {side: tuple(_list_row(state, side, place)) for side in SEAT_COLOURS}
    is_shared = all(rows.values())
    for side, row in rows.items():
        if row:
            size = (COUNTER_SIZES if is_shared else COUNTER_SIZES_ALONE)[len(row) - 1]
            for number, (letter, units) in enumerate(row):
                dx = size * COUNTER_DISTANCE * (number - (len(row) - 1) / 2)
                yield dx, ROW_OFFSETS[side] if is_shared else ROW_OFFSET_ALONE, size, side, letter, units
    if state.captive and state.at.get("penny") == place:
        yield COUNTER_DISTANCE, 1.05, 1.0, "human", CAPTIVE_MARK, ("penny",)


def _list_row(state: State, side: Seat, place: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the counters of a side in a place: the letter of their type, and their units."""
    if state.knows_only_presence(side, place):
        yield UNKNOWN_MARK, ()
    yield from ((KIND_LETTERS[kind], units) for kind, units in _list_stacks(state, side, place))


def _list_stacks(state: State, side: Seat, place: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the letter of each type of unit that a side has in a place, with these units."""
    fighters = state.list_fighters(side, place)
    for kind in KINDS_BY_SIDE[side]:
        units = tuple(unit for unit in fighters if state.board.units[unit].kind == kind)
        if units:
            yield kind, units


def _draw_combat_display(state: State, x: float, y: float) -> Iterator[Polygon]:
    """Yields the Combat Display with its middle at this point, and the Engaged boxes if a Combat is being fought.

    The Human side lies above the Mutants.
    """
    combat = state.combat
    title = f"Combat in {combat.room}, Round {combat.round}" if combat else "Combat Display: no combat"
    yield Polygon(
        _find_box_corners(x, y + 0.2, BOX_SIZE[0] * ENGAGED_BOX_COUNT + 0.4, BOX_SIZE[1] * 2 + 0.8),
        label=title,
        key="display",
    )
    if combat is None:
        return
    for row, colour, units in zip((-0.5, 0.5), (BLUE, GREEN), list_boxed_units(state, combat), strict=True):
        for number, unit in enumerate(units):
            at, key = (
                (x + BOX_SIZE[0] * (number - (ENGAGED_BOX_COUNT - 1) / 2), y + BOX_SIZE[1] * row),
                f"box {colour} {number + 1}",
            )
            yield Polygon(_find_box_corners(*at, *BOX_SIZE), label=str(number + 1), key=key)
            if unit:
                yield Polygon(
                    _find_box_corners(at[0], at[1] - 0.1, *BOXED_COUNTER_SIZE),
                    colour,
                    unit,
                    solid=True,
                    key=f"{key} unit",
                )


def _describe_board(state: State) -> Iterator[str]:
    yield f"{begin_sentence(describe_status(state))}."
    for place in state.board.places:
        if place in state.units_by_place:
            names = compact_names(state.units_by_place[place])
            yield f"In {_describe_place(place)}: {_describe_crowd(state, place)} ({names})."
        for side, name in SIDE_NAMES.items():
            if state.knows_only_presence(side, place):
                yield f"In {_describe_place(place)}: {name}, {SECRET_CROWD}."
    if state.walls:
        yield f"Walls block {', '.join(sorted(state.walls))}."
    if state.smashed:
        yield f"Smashed doors: {', '.join(sorted(state.smashed))}."
    if state.combat:
        yield f"{', '.join(describe_combat(state))}."
    yield from (f"{line}." for line in describe_unit_conditions(state))


def _describe_crowd(state: State, place: str) -> str:
    """Returns the units in a place as counts by type: "2 Guards, 1 Janibot"."""
    kinds = ("tech", "guard", "janibot", "leader", "radioactive", "normal")
    names = ("Tech", "Guard", "Janibot", "Leader", "Radioactive Mutant", "Normal Mutant")
    counts = {name: state.count_units(place, kind) for kind, name in zip(kinds, names, strict=True)}
    told = [count_of(number, name) for name, number in counts.items() if number]
    if state.captive and state.at.get("penny") == place:
        told.append("Penny, captive")
    return listing(told)


def _describe_place(place: str) -> str:
    """Returns a place with its kind: "room C4" or "square xN4"."""
    return f"square {place}" if is_square(place) else f"room {place}"
