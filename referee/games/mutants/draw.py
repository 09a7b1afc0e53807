"""The Science Building as a scene: rooms, doors, Walls, who stands where, and the Combat Display.

In 40 columns a room is four characters wide: above, its name; below, who stands in it: `h2`, `m5`, or `2:5` where both
sides do. The fourth character tells what is in the door, to the east above, to the south below.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.scene import Glyph, Piece, Polygon, Scene
from referee.games.mutants.board import compact, grid, is_square
from referee.games.mutants.state import Combat, State
from referee.games.mutants.tell import crowd, standing, where

ACROSS = 4
"""Characters from one room to the next: nine columns of places fit a phone of 40."""
DOWN = 2
"""Lines from one room to the next."""
WIDTH = 40
KINDS = {"tech": "T", "guard": "G", "janibot": "J", "leader": "L", "radioactive": "R", "normal": "N"}
ROOM = 3.0
"""Side of a room in a drawing: two rows of three counters."""
DOOR = 1.8
DOOR_WIDTH = 0.4
WALL, SMASHED = "#", "*"
BLUE, GREEN = "blue", "green"
"""Colours of the Human side and of the Mutants."""


def draw(state: State) -> Scene:
    """A view as a scene."""
    reconstruction = state.board.reconstruction
    return Scene(
        title=f"{state.board.file.title}, Turn {state.turn}: {standing(state)}",
        polygons=(*(_square(state, place) for place in state.board.places), *_doors(state)),
        pieces=tuple(_pieces(state)),
        glyphs=tuple(_glyphs(state)),
        beside=tuple(_beside(state)),
        words=tuple(_words(state)),
        notes=(f"Board: {reconstruction}.",) if reconstruction else (),
    )


def middle(state: State, place: str) -> tuple[int, int]:
    """Column and row of a place on the picture, the squares around the building included."""
    if not is_square(place):
        x, y = grid(place)
        return x + 1, y + 1
    room = next(other for other in state.board.beside[place] if not is_square(other))
    x, y = middle(state, room)
    dx, dy = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}[place[1]]
    return x + dx, y + dy


def _box(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _square(state: State, place: str) -> Polygon:
    owner = GREEN if is_square(place) else BLUE if place == state.board.tech else None
    x, y = middle(state, place)
    return Polygon(_box(ROOM * x, ROOM * y, ROOM, ROOM), owner, place)


def _doors(state: State) -> Iterator[Polygon]:
    """Walls and smashed doors as bars on the wall between two places."""
    for door in sorted(state.walls | state.smashed):
        (x1, y1), (x2, y2) = (middle(state, place) for place in state.board.ends[door])
        wide, high = (DOOR_WIDTH, DOOR) if y1 == y2 else (DOOR, DOOR_WIDTH)
        owner, label = (BLUE, WALL) if door in state.walls else (GREEN, SMASHED)
        yield Polygon(_box(ROOM * (x1 + x2) / 2, ROOM * (y1 + y2) / 2, wide, high), owner, label)


def _pieces(state: State) -> Iterator[Piece]:
    """One counter for each type in a place, with how many there are."""
    for place, units in state.standing.items():
        x, y = middle(state, place)
        kinds = [kind for kind in KINDS if any(state.board.units[unit].kind == kind for unit in units)]
        for number, kind in enumerate(kinds):
            named = tuple(unit for unit in units if state.board.units[unit].kind == kind)
            owner = BLUE if kind in ("tech", "guard", "janibot") else GREEN
            dx, dy = number % 3 - 1, number // 3 - 0.75
            yield Piece(
                ROOM * x + dx, ROOM * y + dy, owner, f"{len(named)}{KINDS[kind]}", name=f"{compact(named)} in {place}"
            )


def _glyphs(state: State) -> Iterator[Glyph]:
    for place in state.board.places:
        x, y = middle(state, place)
        column, row = x * ACROSS, y * DOWN
        yield Glyph(column, row, place, faint=True)
        held = _held(state, place)
        if held:
            yield Glyph(column, row + 1, *held)
    for door in sorted(state.walls | state.smashed):
        yield from _door_glyph(state, door)


def _held(state: State, place: str) -> tuple[str, str | None] | None:
    """How many stand in a place, and in whose colour: "h2", "m5", or "2:5" where both do."""
    human, mutant = (len(state.fighters(side, place)) for side in ("human", "mutant"))
    if human and mutant:
        both = f"{human}:{mutant}"
        return (both if len(both) < ACROSS else f"{human % 10}:+"), None
    if not human and not mutant:
        return None
    return (f"h{human}", BLUE) if human else (f"m{mutant}", GREEN)


def _door_glyph(state: State, door: str) -> Iterator[Glyph]:
    """`#` is a Wall, `*` a smashed door: to the east in the line of a place's name, to the south in the line below."""
    (x1, y1), (x2, y2) = (middle(state, place) for place in state.board.ends[door])
    mark, owner = (WALL, BLUE) if door in state.walls else (SMASHED, GREEN)
    south = int(x1 == x2)
    yield Glyph(min(x1, x2) * ACROSS + ACROSS - 1, min(y1, y2) * DOWN + south, mark, owner)


def _beside(state: State) -> Iterator[str]:
    yield "h Human side, m Mutants, 2:5 both"
    yield "# Wall, * smashed: to the east of a name,"
    yield "in the line below it to the south"
    if state.combat:
        yield from wrap(list(_combat_display(state, state.combat)), WIDTH, " / ")
    places = [place for place in state.board.places if place in state.standing]
    yield from wrap([f"{place} {compact(state.standing[place])}" for place in places], WIDTH, " / ")
    yield from _conditions(state)


def _conditions(state: State) -> Iterator[str]:
    """What the counters alone do not show."""
    if state.failed:
        yield f"Upside down: {compact(state.board.sorted(state.failed & state.at.keys()))}"
    if state.captive:
        yield f"Penny is a captive in {state.at['penny']}"
    if state.pool:
        yield f"Not arrived: {len(state.pool)} Mutants"


def _combat_display(state: State, combat: Combat) -> Iterator[str]:
    """The Engaged boxes and the Reserves of both sides (INTRO.IV.B-c)."""
    yield f"Combat in {combat.room}, Round {combat.round}"
    boxes = combat.pairs() or tuple((unit, "nobody yet") for unit in combat.laid)
    yield from (f"box {number}: {one} - {other}" for number, (one, other) in enumerate(boxes, 1))
    engaged = (*combat.laid, *combat.paired)
    for side in ("human", "mutant"):
        reserve = tuple(unit for unit in state.fighters(side, combat.room) if unit not in engaged)
        if reserve:
            yield f"{side} {'Reserve' if combat.laid else 'side'}: {compact(reserve)}"


def wrap(items: list[str], width: int, between: str) -> Iterator[str]:
    """Items in lines of at most so many characters, as far as they are not longer themselves."""
    line = ""
    for item in items:
        if line and len(line) + len(between) + len(item) > width:
            yield line
            line = ""
        line += between + item if line else item
    if line:
        yield line


def _words(state: State) -> Iterator[str]:
    yield f"{standing(state)}."
    for place in state.board.places:
        if place in state.standing:
            yield f"In {where(place)}: {crowd(state, place)} ({compact(state.standing[place])})."
    if state.walls:
        yield f"Walls block {', '.join(sorted(state.walls))}."
    if state.smashed:
        yield f"Smashed doors: {', '.join(sorted(state.smashed))}."
    if state.combat:
        yield f"{', '.join(_combat_display(state, state.combat))}."
    yield from (f"{line}." for line in _conditions(state))
