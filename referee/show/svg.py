"""A scene as SVG: one file that any browser shows, with the picture in words for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap

from referee.engine.palette import INKS
from referee.engine.scene import Page, Scene
from referee.show.drawing import DARK, extent, layers, parts, patterns, text
from referee.show.element import Element, element, number
from referee.show.legend import legend

SCALE = 36
"""Pixels for one cell's side."""
LINE = 0.6
"""Height of a line of text beside the board, in cell sides."""
LETTER = 0.22
"""Width that a letter of it may have."""
NARROWEST = 18
"""Cell sides that text gets, however small the board is."""
ROOMY = 26.0
"""Where a board is wider than so many cell sides, the text beside it grows with it."""
WIDER = 1.15
"""How much wider than its widest page a picture may become, so that small pages lie side by side."""


def svg(scene: Scene) -> str:
    """The scene as an SVG document: whose turn it is, its pages, the legend, and what lies beside the board."""
    rows = tuple(_rows(scene.pages))
    across = max([NARROWEST, *(sum(map(width_of, row)) for row in rows)])
    body = _Column(across)
    body.heading(scene)
    for row in rows:
        body.pages(row)
    body.legend(scene)
    body.lines(captions(scene))
    told = element("title", scene.title), element("desc", " ".join(scene.words))
    hatchings = {it.hatching for page in scene.pages for it in page.polygons if it.hatching}
    defined = [patterns(hatchings)] if hatchings else []
    frame = svg_element(0, 0, across, body.height, (*told, *defined, *body.drawn), scale=SCALE, role="img")
    return frame.xml() + "\n"


def captions(scene: Scene) -> tuple[str, ...]:
    """The lines below the drawing: what neither shapes nor the legend tell."""
    beside = dict.fromkeys(page.layouts[-1].beside for page in scene.pages if page.layouts)
    return tuple(chain(*beside, scene.beside, scene.notes))


def page_element(page: Page, x: float = 0, y: float = 0) -> Element:
    """A page as an SVG of its own, at a spot of another."""
    left, top, right, bottom = extent(page)
    return svg_element(left, top, right - left, bottom - top, layers(parts(page)), x=x, y=y)


def svg_element(
    left: float,
    top: float,
    width: float,
    height: float,
    inside: Iterable[Element],
    *,
    scale: float = 1,
    **more: str | float | None,
) -> Element:
    """A frame on a drawing: what of it is seen, in cell sides, and how big."""
    box = " ".join(map(number, (left, top, width, height)))
    more = {"xmlns": "http://www.w3.org/2000/svg", "font_family": "sans-serif", **more}
    return element("svg", inside, width=width * scale, height=height * scale, viewBox=box, **more)


def width_of(page: Page) -> float:
    """Cell sides that a page is wide."""
    left, _, right, _ = extent(page)
    return right - left


def _rows(pages: tuple[Page, ...]) -> Iterator[tuple[Page, ...]]:
    """Pages side by side as long as they are not much wider than the widest of them."""
    widest, row = WIDER * max(map(width_of, pages), default=0.0), list[Page]()
    for page in pages:
        if row and sum(map(width_of, [*row, page])) > widest:
            yield tuple(row)
            row = []
        row.append(page)
    if row:
        yield tuple(row)


class _Column:
    """What is drawn from top to bottom, so far."""

    def __init__(self, across: float) -> None:
        self.across, self.height = across, 0.0
        self.drawn: list[Element] = []
        self.size = max(1.0, across / ROOMY)
        """How much bigger than usual text is."""

    def heading(self, scene: Scene) -> None:
        """Whose turn it is, in the colour of the seat; below it how the game stands."""
        colour = scene.seats.get(scene.to_move or "")
        if scene.heading:
            if colour:
                paint, side = INKS[colour].paint, 0.5 * self.size
                y = self.height + 0.1 * self.size
                self.drawn.append(
                    element("rect", x=0.2, y=y, width=side, height=side, fill=paint, stroke=DARK, stroke_width=0.04)
                )
            self._text(scene.heading, 0.45, 0.2 + (0.75 * self.size if colour else 0), font_weight="bold")
        self.lines([scene.title] if scene.title else [])

    def pages(self, row: tuple[Page, ...]) -> None:
        """Pages side by side under their names."""
        named = any(page.name for page in row)
        x, top = 0.0, self.height + (self.size * LINE + 0.2 if named else 0)
        for page in row:
            if page.name:
                self.drawn.append(text(x + 0.2, top - 0.1, 0.45 * self.size, DARK, page.name, font_weight="bold"))
            shown = page_element(page, x=x, y=top)
            self.drawn.append(shown)
            x += width_of(page)
            _, upper, _, lower = extent(page)
            self.height = max(self.height, top + lower - upper)

    def legend(self, scene: Scene) -> None:
        """What the shapes mean."""
        shown, height = legend(scene, self.across / self.size)
        if height:
            place = f"translate(0 {number(self.height)}) scale({number(self.size)})"
            self.drawn.append(element("g", [shown], transform=place))
            self.height += height * self.size + 0.2

    def lines(self, words: Iterable[str]) -> None:
        """Lines of text, as wide as the board allows."""
        letters = int(self.across / (LETTER * self.size))
        for line in chain.from_iterable(wrap(one, letters) for one in words):
            self._text(line, 0.36, 0.2)

    def _text(self, words: str, size: float, left: float, **more: str) -> None:
        self.height += LINE * self.size
        self.drawn.append(text(left, self.height - 0.1 * self.size, size * self.size, DARK, words, **more))
