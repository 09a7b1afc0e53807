"""The Science Building in characters: in 40 columns as a table of places, in 80 as a floor plan with walls and doors.

In 40 columns a room is four characters wide: above, its name; below, who stands in it: `h2`, `m5`, or `2:5` where both
sides do. The fourth character tells what is in the door, to the east above, to the south below.

In 80 columns a room is a box: its name, then the Human side by type, then the Mutants. What is in a door stands in the
wall between its two rooms. The Set Up squares around the building lie open to one another, so no wall is between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.scene import Glyph, Layout
from referee.games.mutants.beside import combat_lines, lists, reserves, wrap
from referee.games.mutants.board import Side, grid, is_square
from referee.games.mutants.state import ENGAGED, Combat, State

PHONE, SCREEN = 40, 80
"""Columns of the two layouts."""
ACROSS, DOWN = 4, 2
"""Characters and lines from one place to the next in the narrow layout: nine places fit a phone."""
WIDEST = 8
"""Characters inside a room of the floor plan that hold whatever can stand there: `4L24R26N`."""
HIGH = 3
"""Lines inside a room of the floor plan."""
BOX = 10
"""Characters inside a box of the Combat Display; names of counters have eight at most."""
BOXES_AT = 8
"""Column where the boxes begin."""

KINDS = {"tech": "T", "guard": "G", "janibot": "J", "leader": "L", "radioactive": "R", "normal": "N"}
SIDE_KINDS: dict[Side, tuple[str, ...]] = {
    "human": ("tech", "guard", "janibot"),
    "mutant": ("leader", "radioactive", "normal"),
}
BLUE, GREEN = "blue", "green"
COLOURS: dict[Side, str] = {"human": BLUE, "mutant": GREEN}
WALL, SMASHED, OPENED, CLOSED = "#", "*", "o", "="
CAPTIVE = "+P"
UNKNOWN = "?"
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


def middle(state: State, place: str) -> tuple[int, int]:
    """Column and row of a place on any picture, the squares around the building included; rooms begin at 1."""
    if not is_square(place):
        x, y = grid(place)
        return x + 1, y + 1
    room = next(other for other in state.board.beside[place] if not is_square(other))
    x, y = middle(state, room)
    dx, dy = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}[place[1]]
    return x + dx, y + dy


def mark(state: State, door: str) -> tuple[str, str] | None:
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
    return Layout(PHONE, tuple(_table(state)), (*legend, *lines, *lists(state, PHONE)))


def _table(state: State) -> Iterator[Glyph]:
    for place in state.board.places:
        x, y = middle(state, place)
        yield Glyph(x * ACROSS, y * DOWN, place, faint=True)
        held = _held_in_short(state, place)
        if held:
            yield Glyph(x * ACROSS, y * DOWN + 1, *held)
    for door, ends in state.board.ends.items():
        found = mark(state, door)
        if found:
            (x1, y1), (x2, y2) = (middle(state, place) for place in ends)
            yield Glyph(min(x1, x2) * ACROSS + ACROSS - 1, min(y1, y2) * DOWN + int(x1 == x2), *found)


def _held_in_short(state: State, place: str) -> tuple[str, str | None] | None:
    """Who is in a place, and in whose colour: "h2", "m5", or "2:5" where both sides are, "+" for ten and more; "m?"
    where it is only told that somebody is there.
    """
    human, mutant = (_number(state, side, place) for side in SIDE_KINDS)
    if human and mutant:
        return ":".join(number if len(number) == 1 else "+" for number in (human, mutant)), None
    if not human and not mutant:
        return None
    return (f"h{human}", BLUE) if human else (f"m{mutant}", GREEN)


def _number(state: State, side: Side, place: str) -> str:
    """How many of a side are in a place, "" for none, "?" for a number that is secret."""
    return UNKNOWN if state.is_only_told(side, place) else str(len(state.fighters(side, place)) or "")


# In 80 columns


def wide(state: State) -> Layout:
    """The floor plan, and the Combat Display below it."""
    plan = _Plan(state)
    glyphs = [*plan.glyphs()]
    if state.combat:
        glyphs += _display(state.combat, plan.height + 1)
    reserve = wrap(reserves(state, state.combat), SCREEN) if state.combat else ()
    legend = (*WIDE_LEGEND, *(["h? m? there, but number and types secret"] if state.is_partial else ()))
    return Layout(SCREEN, tuple(glyphs), (*reserve, *legend, *lists(state, SCREEN)))


class _Plan:
    """A floor plan of rooms with walls, as wide as 80 columns allow."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.columns, self.rows = state.board.file.columns, state.board.file.rows
        self.inside = min(WIDEST, (SCREEN + 1) // (self.columns + 2) - 1)
        """Characters inside a room."""
        self.height = (self.rows + 2) * (HIGH + 1) - 1
        self.places = {middle(state, place): place for place in state.board.places}

    def glyphs(self) -> Iterator[Glyph]:
        """Everything in the plan."""
        for (x, y), place in self.places.items():
            yield from self._room(x, y, place)
        for y in range(1, self.rows + 2):
            for x in range(1, self.columns + 1):
                yield from self._wall_above(x, y)
            yield Glyph(self._left(self.columns + 1) - 1, self._top(y) - 1, *self._joint(self.columns + 1, y))
        for x in range(1, self.columns + 2):
            for y in range(1, self.rows + 1):
                yield from self._wall_before(x, y)

    def _left(self, x: int) -> int:
        return x * (self.inside + 1)

    def _top(self, y: int) -> int:
        return y * (HIGH + 1)

    def _room(self, x: int, y: int, place: str) -> Iterator[Glyph]:
        name = self._fitting(f"{place} Tech", f"{place} T") if place == self.state.board.tech else place
        human, mutant = self._held(place)
        for row, (text, owner) in enumerate(((name, None), (human, BLUE), (mutant, GREEN))):
            if text:
                yield Glyph(self._left(x) + (self.inside - len(text)) // 2, self._top(y) + row, text, owner)

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

    def _joint(self, x: int, y: int) -> tuple[str, None, bool, str]:
        """Where walls meet at the upper left corner of a place, as the rest of a Glyph."""
        char = JOINTS[_rank(y, self.rows + 1)][_rank(x, self.columns + 1)]
        return char, None, True, "+"

    def _wall_above(self, x: int, y: int) -> Iterator[Glyph]:
        at, row = self._left(x), self._top(y) - 1
        before = self.inside // 2 - 1
        after = self.inside - before - 2
        text, owner, ascii_text = self._in_wall((x, y - 1), (x, y), ("─", "-"), ("═", CLOSED))
        yield Glyph(at - 1, row, *self._joint(x, y))
        yield Glyph(at, row, "─" * before, None, True, "-" * before)
        yield Glyph(at + before, row, text * 2, owner, owner is None, ascii_text * 2)
        yield Glyph(at + before + 2, row, "─" * after, None, True, "-" * after)

    def _wall_before(self, x: int, y: int) -> Iterator[Glyph]:
        at, row = self._left(x) - 1, self._top(y)
        text, owner, ascii_text = self._in_wall((x - 1, y), (x, y), ("│", "|"), ("║", CLOSED))
        yield Glyph(at, row, "│", None, True, "|")
        yield Glyph(at, row + 1, text, owner, owner is None, ascii_text)
        yield Glyph(at, row + 2, "│", None, True, "|")

    def _in_wall(
        self, one: tuple[int, int], other: tuple[int, int], wall: tuple[str, str], door: tuple[str, str]
    ) -> tuple[str, str | None, str]:
        """What to show in the middle of a wall, in whose colour, and in ASCII."""
        name = self.state.door(self.places.get(one, ""), self.places.get(other, ""))
        found = mark(self.state, name) if name else None
        if found:
            return *found, found[0]
        text, ascii_text = door if name else wall
        return text, None, ascii_text


def _rank(number: int, last: int) -> int:
    """0 for the first, 2 for the last, 1 in between; the first is 1."""
    return 0 if number == 1 else 1 + (number == last)


def counts(state: State, side: Side, place: str) -> list[str]:
    """How many of each type a side has in a place: "2G", "1J"; a captive is not counted. "m?": that is secret."""
    if state.is_only_told(side, place):
        return [f"{side[0]}{UNKNOWN}"]
    numbers = {KINDS[kind]: state.count(place, kind) for kind in SIDE_KINDS[side]}
    return [f"{number}{letter}" for letter, number in numbers.items() if number]


def _display(combat: Combat, row: int) -> Iterator[Glyph]:
    """The Combat Display from a row on: units of both sides opposite each other (INTRO.IV.B-c)."""
    human, mutant = combat.boxes()
    yield Glyph(0, row, f"Combat in {combat.room}, Round {combat.round}")
    for number in range(ENGAGED):
        yield Glyph(_box_at(number) + BOX // 2, row + 1, str(number + 1))
    for at, joints in zip((2, 4, 6), JOINTS, strict=True):
        text = joints[0] + joints[1].join(["─" * BOX] * ENGAGED) + joints[2]
        line = "+" + "+".join(["-" * BOX] * ENGAGED) + "+"
        yield Glyph(BOXES_AT, row + at, text, None, True, line)
    yield from _boxes("Human", human, BLUE, row + 3)
    yield from _boxes("Mutants", mutant, GREEN, row + 5)


def _boxes(title: str, units: tuple[str, ...], owner: str, row: int) -> Iterator[Glyph]:
    yield Glyph(0, row, title)
    for number, unit in enumerate((units + ("",) * ENGAGED)[:ENGAGED]):
        yield Glyph(_box_at(number) - 1, row, "│", None, True, "|")
        if unit:
            yield Glyph(_box_at(number) + 1, row, unit, owner)
    yield Glyph(_box_at(ENGAGED) - 1, row, "│", None, True, "|")


def _box_at(number: int) -> int:
    return BOXES_AT + 1 + number * (BOX + 1)
