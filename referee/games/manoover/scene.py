"""Draws the board as a scene: flat-topped hexagons, robots with number and arrow, and counters beside the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin, sqrt

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout, LegendItem, Piece, Polygon, Scene, ScenePage
from referee.engine.text import begin_sentence
from referee.games.manoover.board import HEADINGS, AxialPosition
from referee.games.manoover.notation import DIRECTION_NAMES
from referee.games.manoover.state import State
from referee.games.manoover.status import describe_status

ARROWS = dict(zip(HEADINGS, "↑↗↘↓↙↖", strict=True))
SEAT_COLOURS: Mapping[Seat, Colour] = {"red": "red", "blue": "blue", "green": "green"}
"""The colour of each seat's robots; seats are named after it (setup.2, three.2)."""
COLUMN_WIDTH = 4
"""Characters between two columns. Nine columns still fit a phone with 40 characters a line."""


def draw_scene(state: State) -> Scene:
    """Draws a view as a scene."""
    reconstruction = state.board.reconstruction
    return Scene(
        title=begin_sentence(describe_status(state)),
        pages=(_draw_page(state),),
        beside=_describe_robots_off_board(state),
        words=_describe_board(state),
        notes=(f"Board: {reconstruction}.",) if reconstruction else (),
        board=state.board.file.title,
        legend=tuple(_list_legend_samples(state)),
        seats=SEAT_COLOURS,
    )


def _list_legend_samples(state: State) -> Iterator[LegendItem]:
    for seat in state.captured:
        colour = SEAT_COLOURS[seat]
        yield LegendItem(f"{seat}'s robots, each with its arrow", colour, label=seat[0].upper(), shape="round")
        yield LegendItem(f"{seat}'s goal", colour)


def _draw_page(state: State) -> ScenePage:
    glyphs = _make_glyphs(state)
    width = max(glyph.column + len(glyph.text) for glyph in glyphs)
    return ScenePage(
        name="",
        polygons=tuple(_draw_hexagon(state, cell) for cell in sorted(state.board.cells)),
        pieces=tuple(_draw_piece(state, robot) for robot in sorted(state.cells)),
        layouts=(Layout(width, glyphs, cell=(COLUMN_WIDTH, 2)),),
        step=1.6,  # columns lie 1.5 apart, cells of a column the square root of 3
    )


def _find_middle(place: AxialPosition) -> tuple[float, float]:
    q, r = place
    return 1.5 * q, sqrt(3) * (r + q / 2)


def _draw_hexagon(state: State, cell: str) -> Polygon:
    x, y = _find_middle(state.board.axial[cell])
    corners = tuple((round(x + cos(number * pi / 3), 3), round(y + sin(number * pi / 3), 3)) for number in range(6))
    fill = SEAT_COLOURS[state.goals[cell]] if cell in state.goals else None
    return Polygon(corners, fill, cell, place=cell)


def _draw_piece(state: State, robot: str) -> Piece:
    x, y = _find_middle(state.board.axial[state.cells[robot]])
    heading = state.arrows[robot]
    owner = state.board.find_owner(robot)
    name = f"{owner} {robot[1:]} on {state.cells[robot]} pointing {DIRECTION_NAMES[heading]}"
    at, turned = state.cells[robot], HEADINGS.index(heading) * 60.0
    return Piece(round(x, 3), round(y, 3), SEAT_COLOURS[owner], robot, turned, name, key=robot, place=at)


def _make_glyphs(state: State) -> tuple[Glyph, ...]:
    """Returns a glyph for every cell.

    A row is half a cell high, so a cell's northern neighbour stands two rows above it.
    """
    occupants = state.map_occupants()
    shown = state.board.cells | set(occupants)
    places = {cell: state.board.axial[cell] for cell in shown}
    west = min(q for q, _ in places.values())
    north = min(2 * r + q for q, r in places.values())
    return tuple(
        _make_glyph(state, cell, occupants.get(cell), (q - west) * COLUMN_WIDTH, 2 * r + q - north)
        for cell, (q, r) in sorted(places.items())
    )


def _make_glyph(state: State, cell: str, robot: str | None, column: int, row: int) -> Glyph:
    if robot:
        colour, heading = SEAT_COLOURS[state.board.find_owner(robot)], state.arrows[robot]
        return Glyph(column, row, f"{robot}{ARROWS[heading]}", colour, ascii=f"{robot}{heading}", place=cell)
    if cell in state.goals:
        owner = state.goals[cell]
        return Glyph(column, row, f"({owner[0].upper()})", SEAT_COLOURS[owner], place=cell)
    return Glyph(column, row, f" {cell}", faint=True, place=cell)


def _describe_robots_off_board(state: State) -> tuple[str, ...]:
    lines = [f"In {seat}'s goal: {' '.join(robots) or 'none'}" for seat, robots in state.captured.items()]
    return (*lines, f"Off the board: {' '.join(state.off) or 'none'}")


def _describe_board(state: State) -> tuple[str, ...]:
    robots = [f"{_draw_piece(state, robot).name.capitalize()}." for robot in sorted(state.cells)]
    goals = [f"{owner.capitalize()}'s goal is {cell}." for cell, owner in state.goals.items()]
    return (
        f"{begin_sentence(describe_status(state))}.",
        *goals,
        *robots,
        *(f"{line}." for line in _describe_robots_off_board(state)),
    )
