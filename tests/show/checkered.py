"""A map of our own, of square cells, and the shipped ones."""

from __future__ import annotations

from referee.engine.component import read_toml
from referee.engine.option_resolution import fill_options
from referee.engine.scene import Glyph, Layout, Polygon, ScenePage

CELL = 2.0
"""Side of a cell of the checkered map."""


def checkered(columns, rows, name=""):
    """A page of square cells, in characters four columns and two rows apart: A1 in the corner."""
    polygons, glyphs = [], []
    for x in range(columns):
        for y in range(rows):
            place, left, top = f"{chr(ord('A') + x)}{y + 1}", CELL * x, CELL * y
            corners = ((left, top), (left + CELL, top), (left + CELL, top + CELL), (left, top + CELL))
            polygons.append(Polygon(corners, label=place, place=place))
            glyphs.append(Glyph(4 * x, 2 * y, place, place=place))
    return ScenePage(name, tuple(polygons), (), (Layout(4 * columns, tuple(glyphs), ("legend",)),), CELL)


def setup_of(game, options=None):
    """A game before its first action, on the board that comes along."""
    settled = fill_options(game, options or {})
    parts = {component.name: read_toml(component.shipped(settled)) for component in game.components}
    return game.setup(settled, game.build_board(parts, settled))
