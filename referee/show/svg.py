"""A scene as SVG: one file that any browser shows, with the picture in words for people who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap

from referee.engine.palette import INKS
from referee.engine.scene import Scene, ScenePage
from referee.show.drawing import (
    DARK_COLOUR,
    define_patterns,
    draw_page_parts,
    group_by_layer,
    make_text_element,
    measure_page,
)
from referee.show.element import Element, format_length, make_element
from referee.show.legend import draw_legend

PIXELS_PER_CELL = 36
"""The pixels for the side of one cell."""
LINE_HEIGHT = 0.6
"""The height of a line of text beside the board, in cell sides."""
LETTER_WIDTH = 0.22
"""The width reserved for a letter of text beside the board, in cell sides."""
MIN_WIDTH = 18
"""The least width of the whole picture in cell sides, so that text has room beside a small board."""
WIDE_BOARD = 26.0
"""The width of a board, in cell sides, above which the text beside it grows with it."""
WIDTH_FACTOR = 1.15
"""The factor by which a picture may exceed its widest page, so that small pages lie side by side."""


def render_svg(scene: Scene) -> str:
    """Returns the scene as an SVG document: the turn, the pages, the legend, and the lines beside the board."""
    rows = tuple(_arrange_rows(scene.pages))
    across = max([MIN_WIDTH, *(sum(map(measure_width, row)) for row in rows)])
    body = _Column(across)
    body.add_heading(scene)
    for row in rows:
        body.add_pages(row)
    body.add_legend(scene)
    body.add_lines(list_svg_captions(scene))
    texts = make_element("title", scene.title), make_element("desc", " ".join(scene.words))
    hatchings = {polygon.hatching for page in scene.pages for polygon in page.polygons if polygon.hatching}
    defined = [define_patterns(hatchings)] if hatchings else []
    frame = make_svg_element(
        0, 0, across, body.height, (*texts, *defined, *body.drawn), scale=PIXELS_PER_CELL, role="img"
    )
    return frame.render_xml() + "\n"


def list_svg_captions(scene: Scene) -> tuple[str, ...]:
    """Returns the lines of text below the drawing, about things that neither shapes nor the legend show."""
    beside = dict.fromkeys(page.layouts[-1].beside for page in scene.pages if page.layouts)
    return tuple(chain(*beside, scene.beside, scene.list_remarks()))


def draw_page(page: ScenePage, x: float = 0, y: float = 0) -> Element:
    """Returns a page as an SVG element of its own, at a point of another SVG."""
    left, top, right, bottom = measure_page(page)
    return make_svg_element(left, top, right - left, bottom - top, group_by_layer(draw_page_parts(page)), x=x, y=y)


def make_svg_element(
    left: float,
    top: float,
    width: float,
    height: float,
    inside: Iterable[Element],
    *,
    scale: float = 1,
    **more: str | float | None,
) -> Element:
    """Returns an `svg` element with elements inside. The first four numbers are its visible area in cell sides.

    `scale` is the number of pixels for a cell side; `more` are further attributes.
    """
    box = " ".join(map(format_length, (left, top, width, height)))
    more = {"xmlns": "http://www.w3.org/2000/svg", "font_family": "sans-serif", **more}
    return make_element("svg", inside, width=width * scale, height=height * scale, viewBox=box, **more)


def measure_width(page: ScenePage) -> float:
    """Returns the width of a page in cell sides."""
    left, _, right, _ = measure_page(page)
    return right - left


def _arrange_rows(pages: tuple[ScenePage, ...]) -> Iterator[tuple[ScenePage, ...]]:
    """Yields pages in rows that are not much wider than the widest page."""
    widest, row = WIDTH_FACTOR * max(map(measure_width, pages), default=0.0), list[ScenePage]()
    for page in pages:
        if row and sum(map(measure_width, [*row, page])) > widest:
            yield tuple(row)
            row = []
        row.append(page)
    if row:
        yield tuple(row)


class _Column:
    """The elements of a picture drawn so far, from top to bottom."""

    def __init__(self, across: float) -> None:
        self.across, self.height = across, 0.0
        self.drawn: list[Element] = []
        self.size = max(1.0, across / WIDE_BOARD)
        """The factor by which text is bigger than normal."""

    def add_heading(self, scene: Scene) -> None:
        """Adds the heading, with a square in the colour of the seat to move, and the scene's title below it."""
        colour = scene.seats.get(scene.to_move or "")
        if scene.heading:
            if colour:
                paint, side = INKS[colour].paint, 0.5 * self.size
                y = self.height + 0.1 * self.size
                self.drawn.append(
                    make_element(
                        "rect", x=0.2, y=y, width=side, height=side, fill=paint, stroke=DARK_COLOUR, stroke_width=0.04
                    )
                )
            self._add_text(scene.heading, 0.45, 0.2 + (0.75 * self.size if colour else 0), font_weight="bold")
        self.add_lines([scene.title] if scene.title else [])

    def add_pages(self, row: tuple[ScenePage, ...]) -> None:
        """Adds pages side by side, under their names."""
        named = any(page.name for page in row)
        x, top = 0.0, self.height + (self.size * LINE_HEIGHT + 0.2 if named else 0)
        for page in row:
            if page.name:
                self.drawn.append(
                    make_text_element(x + 0.2, top - 0.1, 0.45 * self.size, DARK_COLOUR, page.name, font_weight="bold")
                )
            shown = draw_page(page, x=x, y=top)
            self.drawn.append(shown)
            x += measure_width(page)
            _, upper, _, lower = measure_page(page)
            self.height = max(self.height, top + lower - upper)

    def add_legend(self, scene: Scene) -> None:
        """Adds the legend."""
        shown, height = draw_legend(scene, self.across / self.size)
        if height:
            place = f"translate(0 {format_length(self.height)}) scale({format_length(self.size)})"
            self.drawn.append(make_element("g", [shown], transform=place))
            self.height += height * self.size + 0.2

    def add_lines(self, words: Iterable[str]) -> None:
        """Adds lines of text, as wide as the board allows."""
        letters = int(self.across / (LETTER_WIDTH * self.size))
        for line in chain.from_iterable(wrap(one, letters) for one in words):
            self._add_text(line, 0.36, 0.2)

    def _add_text(self, words: str, size: float, left: float, **more: str) -> None:
        self.height += LINE_HEIGHT * self.size
        self.drawn.append(
            make_text_element(left, self.height - 0.1 * self.size, size * self.size, DARK_COLOUR, words, **more)
        )
