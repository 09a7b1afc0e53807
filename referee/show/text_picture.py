"""A scene as characters: for a terminal of 40 columns or more, with or without colour, in Unicode or ASCII."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout, Scene
from referee.engine.text import printable

Paint = Callable[[str, Colour | Literal["faint"] | None], str]
"""A function that gives text its colour, as `INKS` defines it; None means plain."""

WIDTH = 80
"""The width of a page in columns, if no other width is given."""


def leave_unpainted(text: str, style: str | None) -> str:  # noqa: ARG001 - a Paint that paints nothing
    """Returns the text as it is, without colour."""
    return text


def draw_text_picture(
    scene: Scene,
    paint: Paint = leave_unpainted,
    *,
    ascii_only: bool = False,
    width: int = WIDTH,
    height: int | None = None,
) -> list[str]:
    """Returns the lines of every page under its name, in the widest layout that fits. The lines must not be wrapped.

    `height` is the number of rows that a page may have; None means any number.
    """
    lines: list[str] = []
    for page in scene.pages:
        lines += [""] * bool(lines) + [paint(_make_printable(page.name, ascii_only), None)] * bool(page.name)
        rows: dict[int, list[Glyph]] = {}
        for glyph in _fit_glyphs(page.choose_layout(width, height), width):
            rows.setdefault(glyph.row, []).append(glyph)
        lines += [_render_row(rows.get(row, []), paint, ascii_only) for row in range(max(rows, default=-1) + 1)]
    return lines


def list_text_captions(scene: Scene, width: int = WIDTH, height: int | None = None) -> tuple[str, ...]:
    """Returns the lines below the picture of `draw_text_picture`. A line that several pages share occurs once.

    The lines explain the picture's characters, describe the things beside the board, and give the scene's notes.
    """
    used = [page.choose_layout(width, height) for page in scene.pages]
    captions = dict.fromkeys(chain((layout.legend for layout in used), (layout.beside for layout in used)))
    return tuple(map(printable, chain(*captions, scene.beside, scene.notes)))


def _fit_glyphs(layout: Layout, width: int) -> Iterator[Glyph]:
    """Yields the characters of a layout. If it is too wide, it is cut into parts of whole cells, one below another."""
    cell, needed = layout.cell[0], max((glyph.column + len(glyph.text) for glyph in layout.glyphs), default=0)
    parts = 1 if needed <= width else -(-needed // (cell * max(1, width // cell)))
    across = cell * -(-needed // (cell * parts)) or 1
    down = 2 + max((glyph.row for glyph in layout.glyphs), default=0)
    for glyph in layout.glyphs:
        part, column = divmod(glyph.column, across)
        yield replace(glyph, column=column, row=glyph.row + part * down) if part else glyph


def _render_row(glyphs: list[Glyph], paint: Paint, ascii_only: bool) -> str:
    line, at = "", 0
    for glyph in sorted(glyphs, key=lambda glyph: glyph.column):
        text = _make_printable(glyph.ascii if ascii_only and glyph.ascii else glyph.text, ascii_only)
        line += " " * (glyph.column - at) + paint(text, "faint" if glyph.faint else glyph.colour)
        at = glyph.column + len(text)
    return line


def _make_printable(text: str, ascii_only: bool) -> str:
    safe = printable(text)
    return safe.encode("ascii", "replace").decode() if ascii_only else safe
