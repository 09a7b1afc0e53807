"""The board as a scene: hexagons with flat tops, robots with number and arrow, counters beside the board."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from referee.engine.scene import Glyph, Piece, Polygon, Scene
from referee.games.manoover.board import HEADINGS, Axial
from referee.games.manoover.state import State
from referee.games.manoover.tell import standing

ARROWS = dict(zip(HEADINGS, "↑↗↘↓↙↖", strict=True))
NAMES = dict(zip(HEADINGS, ("north", "northeast", "southeast", "south", "southwest", "northwest"), strict=True))
COLUMN_WIDTH = 4
"""Characters between two columns: nine columns still fit a phone of 40."""


def draw(state: State) -> Scene:
    """A view as a scene."""
    reconstruction = state.board.reconstruction
    return Scene(
        title=f"{state.board.file.title}: {standing(state)}",
        polygons=tuple(_hexagon(state, cell) for cell in sorted(state.board.cells)),
        pieces=tuple(_piece(state, robot) for robot in sorted(state.cells)),
        glyphs=_glyphs(state),
        beside=_beside(state),
        words=_words(state),
        notes=(f"Board: {reconstruction}.",) if reconstruction else (),
    )


def _middle(place: Axial) -> tuple[float, float]:
    q, r = place
    return 1.5 * q, sqrt(3) * (r + q / 2)


def _hexagon(state: State, cell: str) -> Polygon:
    x, y = _middle(state.board.axial[cell])
    corners = tuple((round(x + cos(i * pi / 3), 3), round(y + sin(i * pi / 3), 3)) for i in range(6))
    owner = state.goals.get(cell)
    return Polygon(corners, owner, cell)


def _piece(state: State, robot: str) -> Piece:
    x, y = _middle(state.board.axial[state.cells[robot]])
    heading = state.arrows[robot]
    owner = state.board.owner_of(robot)
    name = f"{owner} {robot[1:]} on {state.cells[robot]} pointing {NAMES[heading]}"
    return Piece(round(x, 3), round(y, 3), owner, robot, HEADINGS.index(heading) * 60.0, name)


def _glyphs(state: State) -> tuple[Glyph, ...]:
    """Each cell at half rows, as flat-topped columns lie: neighbours to the north stand two rows above."""
    occupants = state.occupants()
    shown = state.board.cells | set(occupants)
    places = {cell: state.board.axial[cell] for cell in shown}
    west = min(q for q, _ in places.values())
    north = min(2 * r + q for q, r in places.values())
    return tuple(
        _glyph(state, cell, occupants.get(cell), (q - west) * COLUMN_WIDTH, 2 * r + q - north)
        for cell, (q, r) in sorted(places.items())
    )


def _glyph(state: State, cell: str, robot: str | None, column: int, row: int) -> Glyph:
    if robot:
        owner, heading = state.board.owner_of(robot), state.arrows[robot]
        return Glyph(column, row, f"{robot}{ARROWS[heading]}", owner, ascii=f"{robot}{heading}")
    if cell in state.goals:
        owner = state.goals[cell]
        return Glyph(column, row, f"({owner[0].upper()})", owner)
    return Glyph(column, row, f" {cell}", faint=True)


def _beside(state: State) -> tuple[str, ...]:
    lines = [f"In {seat}'s goal: {' '.join(robots) or 'none'}" for seat, robots in state.captured.items()]
    return (*lines, f"Off the board: {' '.join(state.off) or 'none'}")


def _words(state: State) -> tuple[str, ...]:
    robots = [f"{_piece(state, robot).name.capitalize()}." for robot in sorted(state.cells)]
    goals = [f"{owner.capitalize()}'s goal is {cell}." for cell, owner in state.goals.items()]
    return (f"{standing(state).capitalize()}.", *goals, *robots, *(f"{line}." for line in _beside(state)))
