"""Scenes: the shapes a game draws with. A renderer turns one into text, words or SVG without knowing the game.

A scene has *pages*: levels of a building, parts of a map; most games have one. A page shows the same board twice, as
shapes for a drawing and as characters for a terminal. Lengths of shapes are in units of one cell's side; x grows to the
right, y downward. Text positions are columns and rows of characters.

Each shape and each piece has a *key*, its name from picture to picture: two pictures of a game differ by the keys whose
shapes differ, and who has drawn one draws the next by exchanging these (`referee.show.drawing`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.engine.palette import Colour
from referee.engine.text import begin_sentence, count_of, listing

Hatching = Literal["rising", "falling", "crossed", "dotted"]
"""Lines over an area that say what happens there: fire, rubble, webs."""
Frame = tuple[float, float, float, float]
"""Left, top, right and bottom."""
Spot = tuple[float, float]
"""A place of a drawing: to the right, and down."""
Shape = Literal["round", "square", "diamond", "triangle", "hexagon"]
"""Shapes of pieces: what they are is told without colour too."""
Overlay = Literal["sight", "reach"]
"""What can be marked on a picture: places in a line of sight of one, places that a piece can come to."""
OVERLAYS: tuple[Overlay, ...] = get_args(Overlay)
MARKED: Mapping[Overlay, str] = {"sight": "Seen from {of}", "reach": "In reach of {of}"}
"""What the marked places are, in words."""


class Polygon(Struct, frozen=True):
    """A closed shape: a cell, a room."""

    points: tuple[tuple[float, float], ...]
    fill: Colour | None = None
    """None: plain."""
    label: str = ""
    """Small text in it, such as a cell's name."""
    solid: bool = False
    """Whether it lies on the board, such as a marker: its colour hides what is below, its label is in the middle."""
    hatching: Hatching | None = None
    place: str = ""
    """What people call the place, if it is one."""
    marked: bool = False
    """Whether it is one of those that were asked for: it gets a thick outline."""
    label_at: Spot | None = None
    """Where the middle of the foot of its label stands, which is within it; None: near its lower edge."""
    label_size: float | None = None
    """Height of its label; None: as it suits its width."""
    key: str = ""
    """What it is called from picture to picture, once a page; empty: its place."""

    def bounds(self) -> Frame:
        """The smallest frame that it fits in."""
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def middle(self) -> tuple[float, float]:
        """The mean of its corners."""
        xs, ys = zip(*self.points, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)


class Piece(Struct, frozen=True):
    """A counter on the board."""

    x: float
    y: float
    fill: Colour
    label: str
    """What is written on it."""
    heading: float | None = None
    """Where its arrow points, in degrees clockwise from up; None: it has no arrow."""
    name: str = ""
    """What a person calls it, for those who cannot see it."""
    shape: Shape = "round"
    key: str = ""
    """What it is called from picture to picture, once a page; empty: its label."""
    place: str = ""
    """What people call the place that it stands on: it has moved when this is another."""
    units: tuple[str, ...] = ()
    """The counters that it stands for, where it is a stack that may part; empty: it is one, called by its key."""
    size: float = 1.0
    """How big it is drawn, where there is little room."""
    ring: Colour | None = None
    """A ring around it: whose it is besides, such as whoever controls it."""
    badge: str = ""
    """A character at its upper right that tells how it is, such as in flight."""

    @property
    def members(self) -> tuple[str, ...]:
        """What moves when it moves: the counters that it stands for."""
        return self.units or (self.key or self.label,)


class Sample(Struct, frozen=True):
    """A line of the legend of a drawing: what it looks like, and what that means."""

    means: str
    fill: Colour | None = None
    hatching: Hatching | None = None
    label: str = ""
    shape: Shape | None = None
    """The shape of a piece; None: it is an area."""
    solid: bool = False
    """Whether the area lies on the board."""
    ring: Colour | None = None
    badge: str = ""


class Trail(Struct, frozen=True):
    """Where the last move led: from a spot to another. None: it was not on the page before, or is not any more."""

    start: Spot | None
    end: Spot | None


class Glyph(Struct, frozen=True):
    """Characters at a place of the text picture."""

    column: int
    row: int
    text: str
    colour: Colour | None = None
    """None: plain."""
    faint: bool = False
    """Whether it is background that may be shown dim."""
    ascii: str | None = None
    """The same in ASCII, where it differs."""
    place: str = ""
    """What people call the place that it stands for, if it is one."""


class Layout(Struct, frozen=True):
    """One way to show a page in characters."""

    width: int
    """Columns that it needs."""
    glyphs: tuple[Glyph, ...]
    beside: tuple[str, ...] = ()
    """Lines that stand beside it: what neither characters nor shapes tell."""
    legend: tuple[str, ...] = ()
    """Lines that tell what its characters mean."""
    cell: tuple[int, int] = (4, 2)
    """Columns and rows from one cell to the next, for windows and for what is too wide."""

    @property
    def height(self) -> int:
        """Rows that it needs."""
        return 1 + max((glyph.row for glyph in self.glyphs), default=-1)


class Page(Struct, frozen=True):
    """A level, or a part of a map."""

    name: str
    """What people call it; empty where there is only one."""
    polygons: tuple[Polygon, ...]
    pieces: tuple[Piece, ...]
    layouts: tuple[Layout, ...]
    """Ways to show it in characters, the narrowest first, which should fit 40 columns; what does not is shown in parts,
    one below another.
    """
    step: float = 1.0
    """From the middle of one cell to the next, for windows."""
    frame: Frame | None = None
    """What a drawing shows of it; None: everything."""

    trails: tuple[Trail, ...] = ()
    """What the last move has changed on it."""
    compass: tuple[str, str, str, str] | None = None
    """What lies above, to the right, below and to the left, where directions matter: letters of a wind rose."""

    def layout(self, width: int, height: int | None = None) -> Layout:
        """The widest layout that fits so many columns and rows, else the narrowest."""
        fits = (it for it in reversed(self.layouts) if it.width <= width and (height is None or it.height <= height))
        return next(fits, self.layouts[0])

    def places(self) -> set[str]:
        """The places that a window can be laid round."""
        drawn = {polygon.place for polygon in self.polygons}
        return (drawn | {glyph.place for layout in self.layouts for glyph in layout.glyphs}) - {""}


class Scene(Struct, frozen=True):
    """A picture of a game: for the eye as shapes or characters, for the ear as sentences."""

    title: str
    pages: tuple[Page, ...]
    beside: tuple[str, ...] = ()
    """Lines that stand below all pages: scores, captured and lost counters."""
    words: tuple[str, ...] = ()
    """The whole picture as sentences, for a screen reader."""
    notes: tuple[str, ...] = ()
    """What a reader must know about the picture, such as which part is a reconstruction."""
    legend: tuple[Sample, ...] = ()
    """What the colours, hatchings and shapes of the drawing mean; what does not occur in it is left out."""
    seats: Mapping[Seat, Colour] = {}
    """The colours of the seats."""
    focus: str = ""
    """The name of the page where something happens; empty: on all alike."""
    heading: str = ""
    """Which turn it is, and whose; told by whoever shows the picture."""
    to_move: Seat | None = None
    """Who is to move; None: nobody, or it was not told."""

    def page(self, name: str) -> Scene:
        """The same with only this page, where there is one of this name."""
        return replace(self, pages=tuple(page for page in self.pages if page.name == name) or self.pages)


class NoPlaceError(LookupError):
    """The board has no place of this name, or no piece where one may be named too. The message is a clause."""


def marked(scene: Scene, places: Collection[str], what: str) -> Scene:
    """The scene with these places marked: outlined in drawings, and in characters the only ones whose names are shown.

    `what` says what they are: "Seen from C05".
    """
    told = f"{what}: {listing(sorted(places)) or 'no place'}."
    pages = tuple(
        replace(
            page,
            polygons=tuple(replace(one, marked=True) if one.place in places else one for one in page.polygons),
            layouts=tuple(
                replace(layout, glyphs=tuple(_dotted(glyph, places) for glyph in layout.glyphs))
                for layout in page.layouts
            ),
        )
        for page in scene.pages
    )
    return replace(scene, pages=pages, words=(*scene.words, told), notes=(*scene.notes, told))


def _dotted(glyph: Glyph, places: Collection[str]) -> Glyph:
    """A glyph of the background as dots, unless its place is marked."""
    if not glyph.faint or not glyph.place or glyph.place in places:
        return glyph
    dots = "·" * len(glyph.text)
    return replace(glyph, text=dots, ascii="." * len(dots))


def window(scene: Scene, place: str, radius: int) -> Scene:
    """What lies within so many cells of a place; NoPlaceError. Case does not matter.

    Shapes and characters, and the pieces as its words; lines beside the board stay as they are.
    """
    found = [(page, name) for page in scene.pages for name in page.places() if name.lower() == place.lower()]
    if not found:
        raise NoPlaceError(f"the board has no {place}")
    pages = tuple(_around(page, name, radius) for page, name in found)
    words = tuple(f"{begin_sentence(piece.name)}." for page in pages for piece in page.pieces if piece.name)
    note = f"Only {found[0][1]} and what lies within {count_of(radius, 'cell')} of it is shown."
    return replace(scene, pages=pages, words=words, notes=(*scene.notes, note))


def _around(page: Page, place: str, radius: int) -> Page:
    layouts = tuple(_cut(layout, place, radius) for layout in page.layouts)
    middle = next((polygon.middle() for polygon in page.polygons if polygon.place == place), None)
    if middle is None:
        return replace(page, layouts=layouts)
    (x, y), reach = middle, page.step * (radius + 0.5)
    frame = x - reach, y - reach, x + reach, y + reach
    polygons = tuple(polygon for polygon in page.polygons if _overlap(polygon, frame))
    pieces = tuple(piece for piece in page.pieces if max(abs(piece.x - x), abs(piece.y - y)) <= reach)
    return replace(page, polygons=polygons, pieces=pieces, layouts=layouts, frame=frame)


def _overlap(polygon: Polygon, frame: Frame) -> bool:
    """Whether any of it may lie within a frame; what only touches the edge does not."""
    left, top, right, bottom = polygon.bounds()
    return left < frame[2] and right > frame[0] and top < frame[3] and bottom > frame[1]


def _cut(layout: Layout, place: str, radius: int) -> Layout:
    """The cells of a layout round a place, with what surrounds them, moved to the corner."""
    first: dict[str, Glyph] = {}
    for glyph in layout.glyphs:
        first.setdefault(glyph.place, glyph)
    if place not in first:
        return layout
    near = {name for name, glyph in first.items() if _is_near(layout, glyph, first[place], radius)}
    kept = [
        glyph
        for glyph in layout.glyphs
        if (glyph.place in near if glyph.place else _is_near(layout, glyph, first[place], radius))
    ]
    left, top = min(glyph.column for glyph in kept), min(glyph.row for glyph in kept)
    moved = tuple(replace(glyph, column=glyph.column - left, row=glyph.row - top) for glyph in kept)
    return replace(layout, glyphs=moved, width=max(glyph.column + len(glyph.text) for glyph in moved))


def _is_near(layout: Layout, glyph: Glyph, centre: Glyph, radius: int) -> bool:
    """Whether a cell is near another, by their first glyphs; or what stands between cells, which may be one row above
    them, below them, or just before them.
    """
    wide, high = layout.cell
    across = glyph.column + len(glyph.text) / 2 - centre.column - len(centre.text) / 2
    down = glyph.row - centre.row
    if glyph.place:
        return abs(across) < (radius + 0.5) * wide and abs(down) < (radius + 0.5) * high
    return abs(across) < (radius + 0.5) * wide + 1 and -radius * high - 1 <= down < (radius + 1) * high
