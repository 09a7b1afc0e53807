"""The Science Building in characters: in 40 columns as a table of places, in 80 as a floor plan with walls and doors.

In 40 columns a room is four characters wide: above, its name; below, who stands in it: `h2`, `m5`, or `2:5` where both
sides do. The fourth character tells what is in the door, to the east above, to the south below.

In 80 columns a room is a box: its name, then the Human side by type, then the Mutants. What is in a door stands in the
wall between its two rooms. The Set Up squares around the building lie open to one another, so no wall is between them.
Where several lead to the same room, they lie one behind another, and each has its door on its inner side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap as wrap_text

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout
from referee.games.mutants.board import Spot, compact
from referee.games.mutants.state import ENGAGED, Combat, State

PHONE, SCREEN = 40, 80
"""Columns of the two layouts."""
ACROSS, DOWN = 4, 2
"""Characters and lines from one place to the next in the narrow layout: ten places fit a phone."""
WIDEST, LEAST = 8, 6
"""Characters inside a room of the floor plan: that hold whatever can stand there, `4L24R26N`, or its sum, `m53+P`."""
HIGH = 3
"""Lines inside a room of the floor plan."""
BOX = 10
"""Characters inside a box of the Combat Display; names of counters have eight at most."""
BOXES_AT = 8
"""Column where the boxes begin."""

KINDS = {"tech": "T", "guard": "G", "janibot": "J", "leader": "L", "radioactive": "R", "normal": "N"}
SIDE_KINDS: dict[Seat, tuple[str, ...]] = {
    "human": ("tech", "guard", "janibot"),
    "mutant": ("leader", "radioactive", "normal"),
}
BLUE: Colour = "blue"
GREEN: Colour = "green"
WALL, SMASHED, OPENED, CLOSED = "#", "*", "o", "="
CAPTIVE = "+P"
UNKNOWN = "?"
OUT = "hit"
"""In place of a unit that was eliminated or taken captive."""
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


def mark(state: State, door: str) -> tuple[str, Colour] | None:
    """What is in a door, and in whose colour; None for a door that is just closed."""
    if door in state.walls:
        return WALL, BLUE
    if door in state.smashed:
        return SMASHED, GREEN
    return (OPENED, GREEN) if any(door == opened for opened, _ in state.opened) else None


# In 40 columns


def narrow(state: State) -> Layout:
    """Places as a table, four characters each."""
    lines = wrap(combat_lines(state), PHONE)
    legend = (*NARROW_LEGEND, *(["? there, but number and types secret"] if state.is_partial else ()))
    width = max(PHONE, ACROSS * (1 + max(x for x, _ in state.board.spots.values())))
    return Layout(width, tuple(_table(state)), (*lines, *everybody(state, PHONE)), legend, (ACROSS, DOWN))


def _table(state: State) -> Iterator[Glyph]:
    for place, (x, y) in state.board.spots.items():
        yield Glyph(x * ACROSS, y * DOWN, place, faint=True, place=place)
        held = _held_in_short(state, place)
        if held:
            yield Glyph(x * ACROSS, y * DOWN + 1, *held, place=place)
    for door, ((x, y), (_, below)) in state.board.gaps.items():
        found = mark(state, door)
        if found:
            yield Glyph(x * ACROSS + ACROSS - 1, y * DOWN + int(below > y), *found)


def _held_in_short(state: State, place: str) -> tuple[str, Colour | None] | None:
    """Who is in a place, and in whose colour: "h2", "m5", or "2:5" where both sides are, "+" for ten and more; "m?"
    where it is only told that somebody is there.
    """
    human, mutant = (_number(state, side, place) for side in SIDE_KINDS)
    if human and mutant:
        return ":".join(number if len(number) == 1 else "+" for number in (human, mutant)), None
    if not human and not mutant:
        return None
    return (f"h{human}", BLUE) if human else (f"m{mutant}", GREEN)


def _number(state: State, side: Seat, place: str) -> str:
    """How many of a side are in a place, "" for none, "?" for a number that is secret."""
    return UNKNOWN if state.is_only_told(side, place) else str(len(state.fighters(side, place)) or "")


# In 80 columns


def wide(state: State) -> Layout:
    """The floor plan, and the Combat Display below it."""
    plan = _Plan(state)
    glyphs = [*plan.glyphs()]
    if state.combat:
        glyphs += _display(state, state.combat, plan.height + 1)
    reserve = wrap(reserves(state, state.combat), SCREEN) if state.combat else ()
    legend = (*WIDE_LEGEND, *(["h? m? there, but number and types secret"] if state.is_partial else ()))
    return Layout(max(SCREEN, plan.width), tuple(glyphs), (*reserve, *everybody(state, SCREEN)), legend, plan.cell)


class _Plan:
    """A floor plan of rooms with walls, as wide as 80 columns allow."""

    def __init__(self, state: State) -> None:
        self.state, board = state, state.board
        self.west, self.north = board.spots["A1"]
        self.east, self.south = self.west + board.file.columns, self.north + board.file.rows
        """Column after the last room, and row below it."""
        columns, rows = (1 + max(spot[axis] for spot in board.spots.values()) for axis in (0, 1))
        self.inside = max(LEAST, min(WIDEST, (SCREEN + 1) // columns - 1))
        """Characters inside a room."""
        self.cell = self.inside + 1, HIGH + 1
        self.width, self.height = columns * self.cell[0] - 1, rows * self.cell[1] - 1
        self.doors = {gap: door for door, gap in board.gaps.items()}

    def glyphs(self) -> Iterator[Glyph]:
        """Everything in the plan."""
        for place in self.state.board.places:
            yield from self._room(place)
        for y in range(self.north, self.south + 1):
            for x in range(self.west, self.east):
                yield from self._wall_above(x, y)
            yield self._joint(self.east, y)
        for x in range(self.west, self.east + 1):
            for y in range(self.north, self.south):
                yield from self._wall_before(x, y)
        for one, other in self.doors:
            if not (self._is_inside(one) or self._is_inside(other)):
                yield self._door_above(*other) if one[0] == other[0] else self._door_before(*other)

    def _is_inside(self, spot: Spot) -> bool:
        return self.west <= spot[0] < self.east and self.north <= spot[1] < self.south

    def _left(self, x: int) -> int:
        return x * self.cell[0]

    def _top(self, y: int) -> int:
        return y * self.cell[1]

    def _room(self, place: str) -> Iterator[Glyph]:
        x, y = self.state.board.spots[place]
        name = self._fitting(f"{place} Tech", f"{place} T") if place == self.state.board.tech else place
        human, mutant = self._held(place)
        lines: tuple[tuple[str, Colour | None], ...] = ((name, None), (human, BLUE), (mutant, GREEN))
        for row, (text, colour) in enumerate(lines):
            if text:
                at = self._left(x) + (self.inside - len(text)) // 2
                yield Glyph(at, self._top(y) + row, text, colour, place=place)

    def _held(self, place: str) -> tuple[str, str]:
        """Who is in a place, the Human side and the Mutants: by type, or all together where types do not fit."""
        captive = CAPTIVE if self.state.captive and self.state.at.get("penny") == place else ""
        human, mutant = (counts(self.state, side, place) for side in ("human", "mutant"))
        number = {side: _number(self.state, side, place) for side in SIDE_KINDS}
        return (
            self._fitting("".join(human), f"h{number['human']}"),
            self._fitting("".join(mutant) + captive, f"m{number['mutant']}{captive}"),
        )

    def _fitting(self, text: str, shorter: str) -> str:
        return text if len(text) <= self.inside else shorter

    def _joint(self, x: int, y: int) -> Glyph:
        """Where walls meet at the upper left corner of a place."""
        char = JOINTS[_rank(y, self.north, self.south)][_rank(x, self.west, self.east)]
        return Glyph(self._left(x) - 1, self._top(y) - 1, char, None, True, "+")

    def _wall_above(self, x: int, y: int) -> Iterator[Glyph]:
        at, row = self._left(x), self._top(y) - 1
        before = self.inside // 2 - 1
        after = self.inside - before - 2
        yield self._joint(x, y)
        yield Glyph(at, row, "─" * before, None, True, "-" * before)
        yield self._door_above(x, y)
        yield Glyph(at + before + 2, row, "─" * after, None, True, "-" * after)

    def _door_above(self, x: int, y: int) -> Glyph:
        text, colour, ascii_text = self._in_wall(((x, y - 1), (x, y)), ("─", "-"), ("═", CLOSED))
        at = self._left(x) + self.inside // 2 - 1
        return Glyph(at, self._top(y) - 1, text * 2, colour, colour is None, ascii_text * 2)

    def _wall_before(self, x: int, y: int) -> Iterator[Glyph]:
        at, row = self._left(x) - 1, self._top(y)
        yield Glyph(at, row, "│", None, True, "|")
        yield self._door_before(x, y)
        yield Glyph(at, row + 2, "│", None, True, "|")

    def _door_before(self, x: int, y: int) -> Glyph:
        text, colour, ascii_text = self._in_wall(((x - 1, y), (x, y)), ("│", "|"), ("║", CLOSED))
        return Glyph(self._left(x) - 1, self._top(y) + 1, text, colour, colour is None, ascii_text)

    def _in_wall(
        self, gap: tuple[Spot, Spot], wall: tuple[str, str], door: tuple[str, str]
    ) -> tuple[str, Colour | None, str]:
        """What to show in the middle of a wall, in whose colour, and in ASCII."""
        name = self.doors.get(gap)
        found = mark(self.state, name) if name else None
        if found:
            return *found, found[0]
        text, ascii_text = door if name else wall
        return text, None, ascii_text


def _rank(number: int, first: int, last: int) -> int:
    """0 for the first, 2 for the last, 1 in between."""
    return 0 if number == first else 1 + (number == last)


def counts(state: State, side: Seat, place: str) -> list[str]:
    """How many of each type a side has in a place: "2G", "1J"; a captive is not counted. "m?": that is secret."""
    if state.is_only_told(side, place):
        return [f"{side[0]}{UNKNOWN}"]
    numbers = {KINDS[kind]: state.count(place, kind) for kind in SIDE_KINDS[side]}
    return [f"{number}{letter}" for letter, number in numbers.items() if number]


def _display(state: State, combat: Combat, row: int) -> Iterator[Glyph]:
    """The Combat Display from a row on: units of both sides opposite each other (INTRO.IV.B-c)."""
    human, mutant = boxes(state, combat)
    yield Glyph(0, row, f"Combat in {combat.room}, Round {combat.round}", place=combat.room)
    for number in range(ENGAGED):
        yield Glyph(_box_at(number) + BOX // 2, row + 1, str(number + 1), place=combat.room)
    for at, joints in zip((2, 4, 6), JOINTS, strict=True):
        text = joints[0] + joints[1].join(["─" * BOX] * ENGAGED) + joints[2]
        line = "+" + "+".join(["-" * BOX] * ENGAGED) + "+"
        yield Glyph(BOXES_AT, row + at, text, None, True, line, combat.room)
    yield from _boxes(combat.room, "Human", human, BLUE, row + 3)
    yield from _boxes(combat.room, "Mutants", mutant, GREEN, row + 5)


def _boxes(room: str, title: str, units: tuple[str, ...], colour: Colour, row: int) -> Iterator[Glyph]:
    yield Glyph(0, row, title, place=room)
    for number, unit in enumerate(units):
        yield Glyph(_box_at(number) - 1, row, "│", None, True, "|", room)
        if unit:
            yield Glyph(_box_at(number) + 1, row, unit, colour, place=room)
    yield Glyph(_box_at(ENGAGED) - 1, row, "│", None, True, "|", room)


def _box_at(number: int) -> int:
    return BOXES_AT + 1 + number * (BOX + 1)


# Beside the picture: the Combat Display in words, everybody by name, and what counters do not show


def combat_lines(state: State) -> Iterator[str]:
    """The Combat Display in words: the Engaged boxes and the Reserves of both sides (INTRO.IV.B-c)."""
    combat = state.combat
    if combat is None:
        return
    yield f"Combat in {combat.room}, Round {combat.round}"
    if combat.paired:
        engaged = zip(*boxes(state, combat), combat.paired, strict=False)
        pairs = [(one or OUT, other or OUT) for one, other, _ in engaged]
    else:
        pairs = [(unit, "nobody yet") for unit in combat.laid]
    yield from (f"box {number}: {one} - {other}" for number, (one, other) in enumerate(pairs, 1))
    yield from reserves(state, combat)


def boxes(state: State, combat: Combat) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who lies in the five Engaged boxes, of the Human side and of the Mutants; "" for nobody, and for who was hit in a
    pair before the one that is due (V.C-b).
    """
    human, mutant = (_boxed(state, combat.due, units) for units in combat.boxes())
    return human, mutant


def _boxed(state: State, due: int, units: tuple[str, ...]) -> tuple[str, ...]:
    through = [unit if unit in state.at and not state.is_captive(unit) else "" for unit in units[:due]]
    return (*through, *units[due:], *[""] * (ENGAGED - len(units)))


def reserves(state: State, combat: Combat) -> Iterator[str]:
    """Who is not in a box: by name, a line for each side."""
    engaged = (*combat.laid, *combat.paired)
    for side in SIDE_KINDS:
        reserve = tuple(unit for unit in state.fighters(side, combat.room) if unit not in engaged)
        if reserve:
            yield f"{side.capitalize()} {'Reserve' if combat.laid else 'side'}: {compact(reserve)}"


def conditions(state: State) -> Iterator[str]:
    """What the counters alone do not show."""
    if state.failed:
        yield f"Upside down: {compact(state.board.sorted(state.failed & state.at.keys()))}"
    if state.captive and "penny" in state.at:
        yield f"Penny is a captive in {state.at['penny']}"
    if state.pool:
        yield f"Not arrived: {len(state.pool)} Mutants"


def everybody(state: State, width: int) -> Iterator[str]:
    """Everybody by name, place by place."""
    places = [place for place in state.board.places if place in state.crowds]
    yield from wrap([f"{place} {compact(state.crowds[place])}" for place in places], width)


def wrap(items: Iterable[str], width: int) -> Iterator[str]:
    """Items in lines of at most so many characters; one that is longer itself goes on in further lines."""
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
