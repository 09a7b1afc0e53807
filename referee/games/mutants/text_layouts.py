"""Draws the Science Building in characters: a table of places in 40 columns, a floor plan with walls and doors in 80.

In 40 columns a room is four characters wide. Its name is above, its units below: `h2`, `m5`, or `2:5` if both sides are
there. The fourth character shows the door to the east (upper line) or to the south (lower line).

In 80 columns a room is a box with its name, the Human side by type, and the Mutants. Doors are drawn in the wall
between two rooms. No wall is drawn between Set Up squares, which lie open to one another.

Squares that lead to the same room lie one behind another, and each has its door on its inner side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap as wrap_text

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout
from referee.games.mutants.board import Spot, compact_names
from referee.games.mutants.state import ENGAGED_BOX_COUNT, Combat, State

NARROW_WIDTH, WIDE_WIDTH = 40, 80
"""The columns of the two layouts."""
CELL_WIDTH, CELL_HEIGHT = 4, 2
"""Characters and lines from one place to the next in the narrow layout. Ten places fit a phone."""
MAX_ROOM_WIDTH, MIN_ROOM_WIDTH = 8, 6
"""The most and the fewest characters inside a room of the floor plan. The most hold any crowd by type, such as
`4L24R26N`; the fewest hold its sum, such as `m53+P`.
"""
ROOM_HEIGHT = 3
"""Lines inside a room of the floor plan."""
BOX_WIDTH = 10
"""Characters inside a box of the Combat Display. Names of counters have at most eight."""
BOXES_COLUMN = 8
"""The column where the boxes begin."""

KIND_LETTERS = {"tech": "T", "guard": "G", "janibot": "J", "leader": "L", "radioactive": "R", "normal": "N"}
KINDS_BY_SIDE: dict[Seat, tuple[str, ...]] = {
    "human": ("tech", "guard", "janibot"),
    "mutant": ("leader", "radioactive", "normal"),
}
BLUE: Colour = "blue"
GREEN: Colour = "green"
WALL_MARK, SMASHED_MARK, OPEN_MARK, CLOSED_MARK = "#", "*", "o", "="
CAPTIVE_MARK = "+P"
UNKNOWN_MARK = "?"
HIT_WORD = "hit"
"""The word in place of a unit that was eliminated or taken captive."""
JOINTS = ("┌┬┐", "├┼┤", "└┴┘")

NARROW_LEGEND = (
    "h Human side, m Mutants, 2:5 both,",
    "+ over 9; # Wall, * smashed, o open: to",
    "the east beside a name, south below it",
)
WIDE_LEGEND = (
    "T Tech, G Guard, J Janibot; L Leader, R Radioactive, N Normal; +P captive Penny",
    "Doors: = closed, # Wall, * smashed, o held open this Turn",
)


def find_door_mark(state: State, door: str) -> tuple[str, Colour] | None:
    """Returns the mark in a door and its colour; None for a door that is just closed."""
    if door in state.walls:
        return WALL_MARK, BLUE
    if door in state.smashed:
        return SMASHED_MARK, GREEN
    return (OPEN_MARK, GREEN) if any(door == opened for opened, _ in state.opened) else None


# In 40 columns


def make_narrow_layout(state: State) -> Layout:
    """Returns the layout in 40 columns: a table of places, four characters each."""
    lines = wrap_items(describe_combat(state), NARROW_WIDTH)
    legend = (*NARROW_LEGEND, *(["? there, but number and types secret"] if state.is_partial_view else ()))
    width = max(NARROW_WIDTH, CELL_WIDTH * (1 + max(x for x, _ in state.board.spots_by_place.values())))
    return Layout(
        width,
        tuple(_list_table_glyphs(state)),
        (*lines, *format_unit_lines(state, NARROW_WIDTH)),
        legend,
        (CELL_WIDTH, CELL_HEIGHT),
    )


def _list_table_glyphs(state: State) -> Iterator[Glyph]:
    for place, (x, y) in state.board.spots_by_place.items():
        yield Glyph(x * CELL_WIDTH, y * CELL_HEIGHT, place, faint=True, place=place)
        held = _shorten_crowd(state, place)
        if held:
            yield Glyph(x * CELL_WIDTH, y * CELL_HEIGHT + 1, *held, place=place)
    for door, ((x, y), (_, below)) in state.board.door_spots.items():
        found = find_door_mark(state, door)
        if found:
            yield Glyph(x * CELL_WIDTH + CELL_WIDTH - 1, y * CELL_HEIGHT + int(below > y), *found)


def _shorten_crowd(state: State, place: str) -> tuple[str, Colour | None] | None:
    """Returns the units in a place in short, and their colour; None if it is empty.

    "h2" means two Human-side units, and "m5" five Mutants; "m?" is a secret number. "2:5" means both at once, with "+"
    for ten or more.
    """
    human, mutant = (_describe_number(state, side, place) for side in KINDS_BY_SIDE)
    if human and mutant:
        return ":".join(number if len(number) == 1 else "+" for number in (human, mutant)), None
    if not human and not mutant:
        return None
    return (f"h{human}", BLUE) if human else (f"m{mutant}", GREEN)


def _describe_number(state: State, side: Seat, place: str) -> str:
    """Returns the number of a side's units in a place: "" for none, "?" for a secret number."""
    return UNKNOWN_MARK if state.knows_only_presence(side, place) else str(len(state.list_fighters(side, place)) or "")


# In 80 columns


def make_wide_layout(state: State) -> Layout:
    """Returns the layout in 80 columns: the floor plan, with the Combat Display below it."""
    plan = _Plan(state)
    glyphs = [*plan.list_glyphs()]
    if state.combat:
        glyphs += _draw_combat_display(state, state.combat, plan.height + 1)
    reserve = wrap_items(describe_reserves(state, state.combat), WIDE_WIDTH) if state.combat else ()
    legend = (*WIDE_LEGEND, *(["h? m? there, but number and types secret"] if state.is_partial_view else ()))
    return Layout(
        max(WIDE_WIDTH, plan.width), tuple(glyphs), (*reserve, *format_unit_lines(state, WIDE_WIDTH)), legend, plan.cell
    )


class _Plan:
    """A floor plan of rooms with walls, as wide as 80 columns allow."""

    def __init__(self, state: State) -> None:
        self.state, board = state, state.board
        self.west, self.north = board.spots_by_place["A1"]
        self.east, self.south = self.west + board.file.columns, self.north + board.file.rows
        """The column after the last room, and the row below it."""
        columns, rows = (1 + max(spot[axis] for spot in board.spots_by_place.values()) for axis in (0, 1))
        self.inside = max(MIN_ROOM_WIDTH, min(MAX_ROOM_WIDTH, (WIDE_WIDTH + 1) // columns - 1))
        """Characters inside a room."""
        self.cell = self.inside + 1, ROOM_HEIGHT + 1
        self.width, self.height = columns * self.cell[0] - 1, rows * self.cell[1] - 1
        self.doors = {gap: door for door, gap in board.door_spots.items()}

    def list_glyphs(self) -> Iterator[Glyph]:
        """Yields every character of the plan."""
        for place in self.state.board.places:
            yield from self._draw_room(place)
        for y in range(self.north, self.south + 1):
            for x in range(self.west, self.east):
                yield from self._draw_wall_above(x, y)
            yield self._draw_joint(self.east, y)
        for x in range(self.west, self.east + 1):
            for y in range(self.north, self.south):
                yield from self._draw_wall_before(x, y)
        for one, other in self.doors:
            if not (self._is_inside(one) or self._is_inside(other)):
                yield self._draw_door_above(*other) if one[0] == other[0] else self._draw_door_before(*other)

    def _is_inside(self, spot: Spot) -> bool:
        return self.west <= spot[0] < self.east and self.north <= spot[1] < self.south

    def _find_left(self, x: int) -> int:
        return x * self.cell[0]

    def _find_top(self, y: int) -> int:
        return y * self.cell[1]

    def _draw_room(self, place: str) -> Iterator[Glyph]:
        x, y = self.state.board.spots_by_place[place]
        name = self._fit(f"{place} Tech", f"{place} T") if place == self.state.board.tech_room else place
        human, mutant = self._describe_units(place)
        lines: tuple[tuple[str, Colour | None], ...] = ((name, None), (human, BLUE), (mutant, GREEN))
        for row, (text, colour) in enumerate(lines):
            if text:
                at = self._find_left(x) + (self.inside - len(text)) // 2
                yield Glyph(at, self._find_top(y) + row, text, colour, place=place)

    def _describe_units(self, place: str) -> tuple[str, str]:
        """Returns the units of each side in a place: by type, or as a sum if the types do not fit."""
        captive = CAPTIVE_MARK if self.state.captive and self.state.at.get("penny") == place else ""
        human, mutant = (list_type_counts(self.state, side, place) for side in ("human", "mutant"))
        number = {side: _describe_number(self.state, side, place) for side in KINDS_BY_SIDE}
        return (
            self._fit("".join(human), f"h{number['human']}"),
            self._fit("".join(mutant) + captive, f"m{number['mutant']}{captive}"),
        )

    def _fit(self, text: str, shorter: str) -> str:
        return text if len(text) <= self.inside else shorter

    def _draw_joint(self, x: int, y: int) -> Glyph:
        """Returns the character where walls meet at the upper left corner of a place."""
        char = JOINTS[_find_position_in_range(y, self.north, self.south)][
            _find_position_in_range(x, self.west, self.east)
        ]
        return Glyph(self._find_left(x) - 1, self._find_top(y) - 1, char, None, True, "+")

    def _draw_wall_above(self, x: int, y: int) -> Iterator[Glyph]:
        at, row = self._find_left(x), self._find_top(y) - 1
        before = self.inside // 2 - 1
        after = self.inside - before - 2
        yield self._draw_joint(x, y)
        yield Glyph(at, row, "─" * before, None, True, "-" * before)
        yield self._draw_door_above(x, y)
        yield Glyph(at + before + 2, row, "─" * after, None, True, "-" * after)

    def _draw_door_above(self, x: int, y: int) -> Glyph:
        text, colour, ascii_text = self._find_wall_character(((x, y - 1), (x, y)), ("─", "-"), ("═", CLOSED_MARK))
        at = self._find_left(x) + self.inside // 2 - 1
        return Glyph(at, self._find_top(y) - 1, text * 2, colour, colour is None, ascii_text * 2)

    def _draw_wall_before(self, x: int, y: int) -> Iterator[Glyph]:
        at, row = self._find_left(x) - 1, self._find_top(y)
        yield Glyph(at, row, "│", None, True, "|")
        yield self._draw_door_before(x, y)
        yield Glyph(at, row + 2, "│", None, True, "|")

    def _draw_door_before(self, x: int, y: int) -> Glyph:
        text, colour, ascii_text = self._find_wall_character(((x - 1, y), (x, y)), ("│", "|"), ("║", CLOSED_MARK))
        return Glyph(self._find_left(x) - 1, self._find_top(y) + 1, text, colour, colour is None, ascii_text)

    def _find_wall_character(
        self, gap: tuple[Spot, Spot], wall: tuple[str, str], door: tuple[str, str]
    ) -> tuple[str, Colour | None, str]:
        """Returns the character in the middle of a wall, its colour, and its ASCII form."""
        name = self.doors.get(gap)
        found = find_door_mark(self.state, name) if name else None
        if found:
            return *found, found[0]
        text, ascii_text = door if name else wall
        return text, None, ascii_text


def _find_position_in_range(number: int, first: int, last: int) -> int:
    """Returns 0 if the number is the first of the range, 2 if it is the last, and 1 if it lies between them."""
    return 0 if number == first else 1 + (number == last)


def list_type_counts(state: State, side: Seat, place: str) -> list[str]:
    """Returns the number of each type that a side has in a place: "2G", "1J".

    Captives do not count; "m?" is a secret number.
    """
    if state.knows_only_presence(side, place):
        return [f"{side[0]}{UNKNOWN_MARK}"]
    numbers = {KIND_LETTERS[kind]: state.count_units(place, kind) for kind in KINDS_BY_SIDE[side]}
    return [f"{number}{letter}" for letter, number in numbers.items() if number]


def _draw_combat_display(state: State, combat: Combat, row: int) -> Iterator[Glyph]:
    """Yields the Combat Display from a row on, with units of both sides opposite each other (INTRO.IV.B-c)."""
    human, mutant = list_boxed_units(state, combat)
    yield Glyph(0, row, f"Combat in {combat.room}, Round {combat.round}", place=combat.room)
    for number in range(ENGAGED_BOX_COUNT):
        yield Glyph(_find_box_column(number) + BOX_WIDTH // 2, row + 1, str(number + 1), place=combat.room)
    for at, joints in zip((2, 4, 6), JOINTS, strict=True):
        text = joints[0] + joints[1].join(["─" * BOX_WIDTH] * ENGAGED_BOX_COUNT) + joints[2]
        line = "+" + "+".join(["-" * BOX_WIDTH] * ENGAGED_BOX_COUNT) + "+"
        yield Glyph(BOXES_COLUMN, row + at, text, None, True, line, combat.room)
    yield from _draw_boxes(combat.room, "Human", human, BLUE, row + 3)
    yield from _draw_boxes(combat.room, "Mutants", mutant, GREEN, row + 5)


def _draw_boxes(room: str, title: str, units: tuple[str, ...], colour: Colour, row: int) -> Iterator[Glyph]:
    yield Glyph(0, row, title, place=room)
    for number, unit in enumerate(units):
        yield Glyph(_find_box_column(number) - 1, row, "│", None, True, "|", room)
        if unit:
            yield Glyph(_find_box_column(number) + 1, row, unit, colour, place=room)
    yield Glyph(_find_box_column(ENGAGED_BOX_COUNT) - 1, row, "│", None, True, "|", room)


def _find_box_column(number: int) -> int:
    return BOXES_COLUMN + 1 + number * (BOX_WIDTH + 1)


# Text beside the picture


def describe_combat(state: State) -> Iterator[str]:
    """Yields the Combat Display in words: the Engaged boxes and the Reserves of both sides (INTRO.IV.B-c).

    Yields nothing if there is no Combat.
    """
    combat = state.combat
    if combat is None:
        return
    yield f"Combat in {combat.room}, Round {combat.round}"
    if combat.paired:
        engaged = zip(*list_boxed_units(state, combat), combat.paired, strict=False)
        pairs = [(one or HIT_WORD, other or HIT_WORD) for one, other, _ in engaged]
    else:
        pairs = [(unit, "nobody yet") for unit in combat.laid]
    yield from (f"box {number}: {one} - {other}" for number, (one, other) in enumerate(pairs, 1))
    yield from describe_reserves(state, combat)


def list_boxed_units(state: State, combat: Combat) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the units in the five Engaged boxes, of the Human side and of the Mutants; "" for an empty box.

    A box is also empty if its pair has fought and its unit was hit (V.C-b).
    """
    human, mutant = (_fill_row_of_boxes(state, combat.due, units) for units in combat.list_units_in_boxes())
    return human, mutant


def _fill_row_of_boxes(state: State, due: int, units: tuple[str, ...]) -> tuple[str, ...]:
    through = [unit if unit in state.at and not state.is_captive(unit) else "" for unit in units[:due]]
    return (*through, *units[due:], *[""] * (ENGAGED_BOX_COUNT - len(units)))


def describe_reserves(state: State, combat: Combat) -> Iterator[str]:
    """Yields one line for each side that has units outside the boxes. The line names these units."""
    engaged = (*combat.laid, *combat.paired)
    for side in KINDS_BY_SIDE:
        reserve = tuple(unit for unit in state.list_fighters(side, combat.room) if unit not in engaged)
        if reserve:
            yield f"{side.capitalize()} {'Reserve' if combat.laid else 'side'}: {compact_names(reserve)}"


def describe_unit_conditions(state: State) -> Iterator[str]:
    """Yields facts that the counters alone do not show: units upside down, a captive Penny, Mutants not arrived."""
    if state.failed:
        yield f"Upside down: {compact_names(state.board.sort_units(state.failed & state.at.keys()))}"
    if state.captive and "penny" in state.at:
        yield f"Penny is a captive in {state.at['penny']}"
    if state.pool:
        yield f"Not arrived: {len(state.pool)} Mutants"


def format_unit_lines(state: State, width: int) -> Iterator[str]:
    """Yields lines of at most `width` characters with the names of all units, place by place."""
    places = [place for place in state.board.places if place in state.units_by_place]
    yield from wrap_items([f"{place} {compact_names(state.units_by_place[place])}" for place in places], width)


def wrap_items(items: Iterable[str], width: int) -> Iterator[str]:
    """Yields items in lines of at most `width` characters. An item longer than a line goes on in further lines."""
    line = ""
    for item in items:
        if line and len(line) + len(" / ") + len(item) <= width:
            line += f" / {item}"
            continue
        if line:
            yield line
        *full, line = wrap_text(item, width, subsequent_indent="  ", break_on_hyphens=False)
        yield from full
    if line:
        yield line
