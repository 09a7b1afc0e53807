"""Scenes: pictures of a game as values. A renderer turns a scene into text, words or SVG without knowing the game.

A scene has *pages*, such as levels of a building or parts of a map. Most games have one page. A page describes the
board twice: as shapes for a drawing, and as characters for a terminal. Lengths of shapes are in cell sides; x grows to
the right, y downward. Positions of text are columns and rows.

Each shape and piece has a *key*, a name that stays the same from picture to picture. A renderer compares keys to redraw
only the parts that changed (`referee.show.drawing`).
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
"""Lines over an area that show what happens there: fire, rubble, webs."""
Frame = tuple[float, float, float, float]
"""A rectangle: left, top, right and bottom."""
Point = tuple[float, float]
"""A point of a drawing: x and y."""
Shape = Literal["round", "square", "diamond", "triangle", "hexagon"]
"""The shapes of pieces. They can be told apart without colour."""
Overlay = Literal["sight", "reach"]
"""The kinds of places that can be marked: those in sight of a place, or those within reach of a piece."""
OVERLAYS: tuple[Overlay, ...] = get_args(Overlay)
"""All overlays."""
OVERLAY_TITLES: Mapping[Overlay, str] = {"sight": "Seen from {of}", "reach": "Within reach of {of}"}
"""The words for the marked places of each overlay."""


class Polygon(Struct, frozen=True):
    """A closed shape, such as a cell or a room."""

    points: tuple[tuple[float, float], ...]
    """The corners, in order."""
    fill: Colour | None = None
    """The colour; None means plain."""
    label: str = ""
    """Small text in the shape, such as a cell's name."""
    solid: bool = False
    """True if it lies on the board like a marker. It hides everything below it, and its label is in the middle."""
    hatching: Hatching | None = None
    """The lines drawn over it, if any."""
    place: str = ""
    """The name that people use for this place of the board; "" if the shape is not a place."""
    marked: bool = False
    """True if somebody asked to see this place marked. It gets a thick outline."""
    label_at: Point | None = None
    """The middle of the label's lower edge, inside the shape; None means near the lower edge of the shape."""
    label_size: float | None = None
    """The height of the label; None means that it follows from the width of the shape."""
    key: str = ""
    """The name from picture to picture, unique on its page. If empty, `place` is used."""

    def find_bounds(self) -> Frame:
        """Returns the smallest frame that contains the shape."""
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def find_middle(self) -> tuple[float, float]:
        """Returns the mean of the corners."""
        xs, ys = zip(*self.points, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)


class Piece(Struct, frozen=True):
    """A counter on the board, or a stack of counters that is drawn as one."""

    x: float
    """The horizontal place of its middle, in cell sides from the left."""
    y: float
    """The vertical place of its middle, in cell sides from the top."""
    fill: Colour
    """The colour."""
    label: str
    """The text on the counter."""
    heading: float | None = None
    """The direction of its arrow, in degrees clockwise from up; None means no arrow."""
    name: str = ""
    """The piece in words, for people who cannot see the picture."""
    shape: Shape = "round"
    """The outline of the counter."""
    key: str = ""
    """The name from picture to picture, unique on its page. If empty, `label` is used."""
    place: str = ""
    """The name of the place where the piece stands. If it changes, the piece has moved."""
    units: tuple[str, ...] = ()
    """The counters in it, if it is a stack that may split. If empty, the piece is one counter, named by its key."""
    size: float = 1.0
    """The size in relation to a normal counter; smaller where there is little room."""
    ring: Colour | None = None
    """The colour of a ring around it, such as that of the player who controls it; None means no ring."""
    badge: str = ""
    """One character at its upper right that shows its condition, such as in flight."""

    @property
    def members(self) -> tuple[str, ...]:
        """The names of the counters in this piece, which all move together."""
        return self.units or (self.key or self.label,)


class Trail(Struct, frozen=True):
    """The path of a piece in the last move."""

    start: Point | None
    """The point where the piece was; None if it is new."""
    end: Point | None
    """The point where the piece is; None if it is gone."""


class LegendItem(Struct, frozen=True):
    """A line in the legend of a drawing: a sample, and its meaning."""

    means: str
    """The meaning, in words."""
    fill: Colour | None = None
    """The colour of the sample."""
    hatching: Hatching | None = None
    """The lines over the sample, if any."""
    label: str = ""
    """The text on the sample."""
    shape: Shape | None = None
    """The shape of a piece; None means that the sample is an area."""
    solid: bool = False
    """True if the area lies on the board like a marker."""
    ring: Colour | None = None
    """The colour of its ring, if any."""
    badge: str = ""
    """The character at its upper right, if any."""
    trail: Trail | None = None
    """The mark of the last move that it shows; None if it shows an area or a piece."""


class Glyph(Struct, frozen=True):
    """Characters at a place of the text picture."""

    column: int
    """The column of its first character, from 0."""
    row: int
    """The row, from 0."""
    text: str
    """The characters."""
    colour: Colour | None = None
    """The colour; None means plain."""
    faint: bool = False
    """True if it is background that may be shown dim."""
    ascii: str | None = None
    """The same in ASCII, if it differs."""
    place: str = ""
    """The name of the place on the board that the characters show; "" if they show none."""


class Layout(Struct, frozen=True):
    """One way to show a page in characters."""

    width: int
    """The columns that it needs."""
    glyphs: tuple[Glyph, ...]
    """The characters."""
    beside: tuple[str, ...] = ()
    """Lines beside the picture about things that neither characters nor shapes show."""
    legend: tuple[str, ...] = ()
    """Lines that explain its characters."""
    cell: tuple[int, int] = (4, 2)
    """The columns and rows from one cell to the next. Pictures are cropped, or split if too wide, by whole cells."""

    @property
    def height(self) -> int:
        """The number of rows that the layout needs."""
        return 1 + max((glyph.row for glyph in self.glyphs), default=-1)


class ScenePage(Struct, frozen=True):
    """A level of a building, or a part of a map."""

    name: str
    """The name that people use; "" if there is only one page."""
    polygons: tuple[Polygon, ...]
    """The areas, those below first."""
    pieces: tuple[Piece, ...]
    """The counters."""
    layouts: tuple[Layout, ...]
    """The layouts of the page in characters, the narrowest first.

    The narrowest should fit 40 columns. A layout that does not fit is shown in parts, one below another.
    """
    step: float = 1.0
    """The distance from the middle of one cell to the next. `crop_scene` measures with it."""
    frame: Frame | None = None
    """The part that a drawing shows; None means everything."""

    trails: tuple[Trail, ...] = ()
    """The paths of the pieces that the last move has changed."""
    compass: tuple[str, str, str, str] | None = None
    """The letters of a wind rose: up, right, down and left. None if directions do not matter."""

    def choose_layout(self, width: int, height: int | None = None) -> Layout:
        """Returns the widest layout that fits these columns and rows; the narrowest if none fits."""
        fits = (
            layout
            for layout in reversed(self.layouts)
            if layout.width <= width and (height is None or layout.height <= height)
        )
        return next(fits, self.layouts[0])

    def list_places(self) -> set[str]:
        """Returns the places around which a picture can be cropped (`crop_scene`)."""
        drawn = {polygon.place for polygon in self.polygons}
        return (drawn | {glyph.place for layout in self.layouts for glyph in layout.glyphs}) - {""}


class Scene(Struct, frozen=True):
    """A picture of a game: shapes or characters for the eye, sentences for the ear."""

    title: str
    """The state of play in one line, as a sentence without a full stop."""
    pages: tuple[ScenePage, ...]
    """The pages, in the order in which they are shown."""
    beside: tuple[str, ...] = ()
    """Lines below all pages, such as scores, and captured or lost counters."""
    words: tuple[str, ...] = ()
    """The whole picture as sentences, for a screen reader."""
    notes: tuple[str, ...] = ()
    """Remarks that a reader must know, such as which part is a reconstruction."""
    legend: tuple[LegendItem, ...] = ()
    """The meanings of colours, hatchings and shapes. A renderer leaves out those that do not occur."""
    seats: Mapping[Seat, Colour] = {}
    """The colours of the seats."""
    focus: str = ""
    """The name of the page where something happens; "" if no page stands out."""
    heading: str = ""
    """The turn and the seat to move. The program that shows the picture sets it."""
    board: str = ""
    """The name of the board; "" if the game has only one."""
    to_move: Seat | None = None
    """The seat to move; None if there is none, or if it is not known."""

    def list_remarks(self) -> tuple[str, ...]:
        """Returns the name of the board and the notes, as lines."""
        return (f"Board: {self.board}.", *self.notes) if self.board else self.notes

    def select_page(self, name: str) -> Scene:
        """Returns the same scene with only the page of this name. If there is no such page, returns all pages."""
        return replace(self, pages=tuple(page for page in self.pages if page.name == name) or self.pages)


class NoPlaceError(LookupError):
    """Raised when the board has no place, or no piece, of the name that was asked for. The message is a clause."""


def mark_places(scene: Scene, places: Collection[str], what: str) -> Scene:
    """Returns the scene with these places marked.

    Drawings outline them. In characters, they are the only places whose names are shown. `what` describes them: "Seen
    from C05".
    """
    sentence = f"{what}: {listing(sorted(places)) or 'no place'}."
    pages = tuple(
        replace(
            page,
            polygons=tuple(replace(one, marked=True) if one.place in places else one for one in page.polygons),
            layouts=tuple(
                replace(layout, glyphs=tuple(_dot_unmarked(glyph, places) for glyph in layout.glyphs))
                for layout in page.layouts
            ),
        )
        for page in scene.pages
    )
    return replace(scene, pages=pages, words=(*scene.words, sentence), notes=(*scene.notes, sentence))


def _dot_unmarked(glyph: Glyph, places: Collection[str]) -> Glyph:
    """Returns a background glyph as dots, unless its place is marked."""
    if not glyph.faint or not glyph.place or glyph.place in places:
        return glyph
    dots = "·" * len(glyph.text)
    return replace(glyph, text=dots, ascii="." * len(dots))


def crop_scene(scene: Scene, place: str, radius: int) -> Scene:
    """Returns the part of a scene within `radius` cells of a place. The place may be typed in any case of letters.

    Leaves out shapes, characters and pieces outside that part. The sentences then describe the remaining pieces only.
    Lines beside the board stay. Raises NoPlaceError if there is no such place.
    """
    found = [(page, name) for page in scene.pages for name in page.list_places() if name.lower() == place.lower()]
    if not found:
        raise NoPlaceError(f"the board has no {place}")
    pages = tuple(_crop_page(page, name, radius) for page, name in found)
    words = tuple(f"{begin_sentence(piece.name)}." for page in pages for piece in page.pieces if piece.name)
    note = f"This shows only {found[0][1]} and everything within {count_of(radius, 'cell')} of it."
    return replace(scene, pages=pages, words=words, notes=(*scene.notes, note))


def _crop_page(page: ScenePage, place: str, radius: int) -> ScenePage:
    """Returns the part of a page around a place."""
    layouts = tuple(_crop_layout(layout, place, radius) for layout in page.layouts)
    middle = next((polygon.find_middle() for polygon in page.polygons if polygon.place == place), None)
    if middle is None:
        return replace(page, layouts=layouts)
    (x, y), reach = middle, page.step * (radius + 0.5)
    frame = x - reach, y - reach, x + reach, y + reach
    polygons = tuple(polygon for polygon in page.polygons if _overlap(polygon, frame))
    pieces = tuple(piece for piece in page.pieces if max(abs(piece.x - x), abs(piece.y - y)) <= reach)
    return replace(page, polygons=polygons, pieces=pieces, layouts=layouts, frame=frame)


def _overlap(polygon: Polygon, frame: Frame) -> bool:
    """True if any part of the shape may lie inside the frame. A shape that only touches the edge does not."""
    left, top, right, bottom = polygon.find_bounds()
    return left < frame[2] and right > frame[0] and top < frame[3] and bottom > frame[1]


def _crop_layout(layout: Layout, place: str, radius: int) -> Layout:
    """Returns the cells of a layout around a place, with their borders, moved to the top left corner.

    A layout that does not show the place is returned unchanged.
    """
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
    """True if a glyph is at most `radius` cells away from the centre.

    Columns are measured between the middles of the texts. A border between cells may be one row or one column of text
    farther away than a cell.
    """
    wide, high = layout.cell
    across = glyph.column + len(glyph.text) / 2 - centre.column - len(centre.text) / 2
    down = glyph.row - centre.row
    if glyph.place:
        return abs(across) < (radius + 0.5) * wide and abs(down) < (radius + 0.5) * high
    return abs(across) < (radius + 0.5) * wide + 1 and -radius * high - 1 <= down < (radius + 1) * high
