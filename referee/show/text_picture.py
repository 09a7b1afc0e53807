"""A scene as characters: for a terminal of 40 columns or more, with or without colour, in Unicode or ASCII."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from referee.engine.palette import Colour
from referee.engine.scene import Glyph, Layout, Scene
from referee.engine.text import Printable, join_printable, make_printable

Paint = Callable[[Printable, Colour | Literal["faint"] | None], Printable]
"""A function that gives text its colour, as `INKS` defines it; None means plain."""

DEFAULT_WIDTH = 80
"""The width of a page in columns, if no other width is given."""


def leave_unpainted(text: Printable, style: str | None) -> Printable:  # noqa: ARG001 - a Paint that paints nothing
    """Returns the text as it is, without colour."""
    return text


def draw_text_picture(
    scene: Scene,
    paint: Paint = leave_unpainted,
    *,
    ascii_only: bool = False,
    width: int = DEFAULT_WIDTH,
    height: int | None = None,
) -> list[Printable]:
    """Returns the lines of every page under its name, in the widest layout that fits. The lines must not be wrapped.

    `height` is the number of rows that a page may have; None means any number.
    """
    lines: list[Printable] = []
    for page in scene.pages:
        lines += [make_printable("")] * bool(lines) + [paint(_make_picture_text(page.name, ascii_only), None)] * bool(
            page.name
        )
        rows: dict[int, list[Glyph]] = {}
        for glyph in _fit_glyphs(page.choose_layout(width, height), width):
            rows.setdefault(glyph.row, []).append(glyph)
        lines += [_render_row(rows.get(row, []), paint, ascii_only) for row in range(max(rows, default=-1) + 1)]
    return lines


def list_text_captions(scene: Scene, width: int = DEFAULT_WIDTH, height: int | None = None) -> tuple[str, ...]:
    """Returns the lines below the picture of `draw_text_picture`. A line that several pages share occurs once.

    The lines explain the picture's characters, describe the things beside the board, and give the scene's notes.
    """
    used = [page.choose_layout(width, height) for page in scene.pages]
    captions = dict.fromkeys(chain((layout.legend for layout in used), (layout.beside for layout in used)))
    return tuple(map(make_printable, chain(*captions, scene.beside, scene.notes)))


def _fit_glyphs(layout: Layout, width: int) -> Iterator[Glyph]:
    """Yields the characters of a layout. If it is too wide, it is cut into parts of whole cells, one below another."""
    cell, needed = layout.cell[0], max((glyph.column + len(glyph.text) for glyph in layout.glyphs), default=0)
    parts = 1 if needed <= width else -(-needed // (cell * max(1, width // cell)))
    across = cell * -(-needed // (cell * parts)) or 1
    down = 2 + max((glyph.row for glyph in layout.glyphs), default=0)
    for glyph in layout.glyphs:
        part, column = divmod(glyph.column, across)
        yield replace(glyph, column=column, row=glyph.row + part * down) if part else glyph


def _render_row(glyphs: list[Glyph], paint: Paint, ascii_only: bool) -> Printable:
    parts, at = list[Printable](), 0
    for glyph in sorted(glyphs, key=lambda glyph: glyph.column):
        text = _make_picture_text(glyph.ascii if ascii_only and glyph.ascii else glyph.text, ascii_only)
        parts += [make_printable(" " * (glyph.column - at)), paint(text, "faint" if glyph.faint else glyph.colour)]
        at = glyph.column + len(text)
    return join_printable(parts)


def _make_picture_text(text: str, ascii_only: bool) -> Printable:
    safe = make_printable(text)
    return make_printable(safe.encode("ascii", "replace").decode()) if ascii_only else safe
