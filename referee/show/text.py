"""A scene as characters: for a terminal of 40 columns or more, with or without colour, in Unicode or ASCII."""

from __future__ import annotations

from collections.abc import Callable

from referee.engine.scene import Glyph, Scene

Paint = Callable[[str, str | None], str]
"""Gives text its colour: called with the text and a seat, "faint", or None for plain."""


def plain(text: str, style: str | None) -> str:  # noqa: ARG001 - a Paint that paints nothing
    """Paint nothing."""
    return text


def picture(scene: Scene, paint: Paint = plain, *, ascii_only: bool = False) -> list[str]:
    """The lines of the picture, painted; they must not be wrapped."""
    rows: dict[int, list[Glyph]] = {}
    for glyph in scene.glyphs:
        rows.setdefault(glyph.row, []).append(glyph)
    return [_row(rows.get(row, []), paint, ascii_only) for row in range(max(rows, default=-1) + 1)]


def captions(scene: Scene) -> tuple[str, ...]:
    """The lines below the picture: what lies beside the board, and what a reader must know."""
    return (*scene.beside, *scene.notes)


def _row(glyphs: list[Glyph], paint: Paint, ascii_only: bool) -> str:
    line, at = "", 0
    for glyph in sorted(glyphs, key=lambda glyph: glyph.column):
        text = glyph.ascii if ascii_only and glyph.ascii else glyph.text
        line += " " * (glyph.column - at) + paint(text, "faint" if glyph.faint else glyph.owner)
        at = glyph.column + len(text)
    return line
