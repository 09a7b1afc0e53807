"""A scene as characters: for a terminal of 40 columns or more, with or without colour, in Unicode or ASCII."""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.scene import Glyph, Layout, Scene

Paint = Callable[[str, str | None], str]
"""Gives text its colour: called with the text and a seat, "faint", or None for plain."""


WIDTH = 80
"""Columns of a page, where nobody says how many there are."""


def plain(text: str, style: str | None) -> str:  # noqa: ARG001 - a Paint that paints nothing
    """Paint nothing."""
    return text


def picture(scene: Scene, paint: Paint = plain, *, ascii_only: bool = False, width: int = WIDTH) -> list[str]:
    """The lines of the widest picture that fits, painted; they must not be wrapped."""
    rows: dict[int, list[Glyph]] = {}
    for glyph in _fitting(scene, width).glyphs:
        rows.setdefault(glyph.row, []).append(glyph)
    return [_row(rows.get(row, []), paint, ascii_only) for row in range(max(rows, default=-1) + 1)]


def captions(scene: Scene, width: int = WIDTH) -> tuple[str, ...]:
    """The lines below that picture: what lies beside the board, and what a reader must know."""
    return (*_fitting(scene, width).beside, *scene.notes)


def _fitting(scene: Scene, width: int) -> Scene | Layout:
    return scene.wide if scene.wide and scene.wide.width <= width else scene


def _row(glyphs: list[Glyph], paint: Paint, ascii_only: bool) -> str:
    line, at = "", 0
    for glyph in sorted(glyphs, key=lambda glyph: glyph.column):
        text = glyph.ascii if ascii_only and glyph.ascii else glyph.text
        line += " " * (glyph.column - at) + paint(text, "faint" if glyph.faint else glyph.owner)
        at = glyph.column + len(text)
    return line
