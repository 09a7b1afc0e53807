"""The map as a scene: boxes by their terrain, rubble, flames and webs, and who stands where."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.scene import Hatching, Page, Piece, Polygon, Scene, Shape
from referee.engine.text import in_runs
from referee.games.sheboygan.board import Box
from referee.games.sheboygan.counters import MONSTER, NAMES
from referee.games.sheboygan.plan import COUNTERS, colour_of, kind_of, layout
from referee.games.sheboygan.state import BURNT_OUT, State
from referee.games.sheboygan.tell import status

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


def draw(state: State) -> Scene:
    """A view as a scene."""
    reconstruction = state.board.reconstruction
    page = Page("", tuple(_shapes(state)), tuple(_pieces(state)), (layout(state),), STEP)
    lists = tuple(_lists(state))
    return Scene(
        title=f"{state.board.file.title}, Game-Turn {max(1, state.turn)}: {status(state)}",
        pages=(page,),
        beside=lists,
        words=(f"{status(state)}.", *(f"{line}." for line in lists)),
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
        yield f"Units: {', '.join(f'{box} {_row(units)}' for box, units in stacks)}"
    if state.hand:
        yield f"To be placed: {_row(state.hand)}"
    if state.flames:
        ages = [f"{box} ({'R' if age == BURNT_OUT else age})" for box, age in sorted(state.flames.items())]
        yield f"Flames: {', '.join(ages)}"
    for name, boxes in (("Rubble", state.rubble), ("Bridges gone", state.ruins), ("Webs", state.webs)):
        if boxes:
            yield f"{name}: {', '.join(sorted(boxes))}"
    if state.lost:
        yield f"Lost: {_row(state.lost)}"


def _row(units: tuple[str, ...]) -> str:
    return " ".join(in_runs(units))
