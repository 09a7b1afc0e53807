"""A page of a scene as drawn parts, each with a key. The next picture is drawn by exchanging the parts that changed.

>>> page = ScenePage("", (), (Piece(0, 0, "red", "B7"),), ())
>>> list(draw_page_parts(page)), compare_parts({}, draw_page_parts(page)).gone
(['piece B7'], ())
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import hypot
from typing import Literal, NamedTuple

from referee.engine.palette import INKS, Ink
from referee.engine.scene import Frame, Hatching, Piece, Point, Polygon, ScenePage, Shape, Trail
from referee.show.element import Element, format_length, make_element

MARGIN = 0.6
"""The margin around a page. All lengths here are in cell sides."""
ROSE_RADIUS, ROSE_LETTER = 1.1, 0.62
"""Half the width of a wind rose, and the height of its letters."""
PLAIN_COLOUR, EDGE_COLOUR, DARK_COLOUR, SMALL_TEXT_COLOUR, LAST_MOVE_COLOUR = (
    "#f7f4ec",
    "#8a8577",
    "#333",
    "#555",
    "#c2185b",
)
"""The colours of empty places, outlines, text, names of places, and marks of the last move."""
AREA_OPACITY = 0.35
"""The opacity of a coloured cell. Things that lie on the board are opaque."""
NAME_HEIGHT, MIN_NAME_HEIGHT, NAME_SHARE = 0.5, 0.34, 0.19
"""The height of a place's name: NAME_SHARE of the width of the place, but from SMALLEST_NAME to NAME."""
INSET = 0.15
"""The distance between the edge of a coloured cell and its inner outline. It keeps the outlines of neighbours apart."""
MARK_WIDTH = 0.12
"""The width of the outline of a marked place."""
TRAIL_GAP = 0.55
"""The distance between the end of a trail and the middle of the piece."""
SHAPE_PATHS: dict[Shape, str] = {
    "round": "M0 -0.48A0.48 0.48 0 1 1 0 0.48A0.48 0.48 0 1 1 0 -0.48Z",
    "square": "M-0.44 -0.44H0.44V0.44H-0.44Z",
    "diamond": "M0 -0.58L0.58 0L0 0.58L-0.58 0Z",
    "triangle": "M0 -0.58L0.56 0.42H-0.56Z",
    "hexagon": "M-0.27 -0.46H0.27L0.53 0L0.27 0.46H-0.27L-0.53 0Z",
}
"""The path of each shape, around its middle."""
HATCHING_PATHS: dict[Hatching, str] = {
    "rising": "M0 0.3L0.3 0",
    "falling": "M0 0L0.3 0.3",
    "crossed": "M0 0.3L0.3 0M0 0L0.3 0.3",
    "dotted": "M0.12 0.15H0.18",
}
"""The paths that fill a hatched area, in squares of 0.3."""
LABEL_SIZES = (0.5, 0.46, 0.42, 0.32, 0.26)
"""The height of the label on a counter with one letter, with two, and so on."""
CACHE_SIZE = 20_000
"""The number of drawn parts of each kind that are kept in memory for the next pictures."""
Layer = Literal["place", "name", "trail", "piece"]
"""The layers of a drawing."""
LAYERS: Mapping[Layer, Mapping[str, str]] = {
    "place": {"fill": PLAIN_COLOUR, "stroke": EDGE_COLOUR, "stroke-width": "0.04"},
    "name": {"fill": SMALL_TEXT_COLOUR, "text-anchor": "middle", "font-size": f"{NAME_HEIGHT:g}"},
    "trail": {"fill": "none", "stroke": LAST_MOVE_COLOUR, "stroke-width": "0.1", "stroke-linecap": "round"},
    "piece": {"stroke-width": "0.06"},
}
"""The layers from bottom to top, with the attributes that all their parts share.

The key of a part begins with its layer.
"""
DrawnParts = Mapping[str, Element]
"""The parts of a page by key, lower ones first."""


class PartChanges(NamedTuple):
    """The differences between one picture of a page and the next."""

    drawn: DrawnParts
    """The parts that are new or changed."""
    gone: tuple[str, ...]
    """The keys of the parts that are gone."""


def compare_parts(before: DrawnParts, after: DrawnParts) -> PartChanges:
    """Returns the parts to draw and the keys to remove, so that the picture `before` becomes the picture `after`."""
    drawn = {key: part for key, part in after.items() if before.get(key) != part}
    return PartChanges(drawn, tuple(key for key in before if key not in after))


def draw_page_parts(page: ScenePage) -> DrawnParts:
    """Returns all parts of a page. If a key occurs again, a number makes it unique."""
    named: dict[str, Element] = {}
    for key, part in _draw_keyed_parts(page):
        named[key if key not in named else _number_key(key, named)] = part
    return named


def group_by_layer(drawn: DrawnParts) -> tuple[Element, ...]:
    """Returns one element for each layer, from bottom to top, with its parts inside."""
    found: dict[str, list[Element]] = {layer: [] for layer in LAYERS}
    for key, part in drawn.items():
        found[key.split(" ", 1)[0]].append(part)
    return tuple(Element("g", LAYERS[layer], tuple(found[layer])) for layer in LAYERS)


def define_patterns(hatchings: Iterable[Hatching]) -> Element:
    """Returns the definitions that hatched areas refer to."""
    return make_element("defs", (_define_pattern(name) for name in HATCHING_PATHS if name in set(hatchings)))


def measure_page(page: ScenePage) -> Frame:
    """Returns the visible area of a page: left, top, right and bottom, in cell sides."""
    if page.frame:
        return page.frame
    points = [
        *(point for polygon in page.polygons for point in polygon.points),
        *((piece.x, piece.y) for piece in page.pieces),
    ]
    xs, ys = zip(*points or [(0.0, 0.0)], strict=True)
    room = 2 * ROSE_RADIUS + MARGIN if page.compass else 0
    return min(xs) - MARGIN, min(ys) - MARGIN, max(xs) + MARGIN + room, max(ys) + MARGIN


def make_text_element(x: float, y: float, size: float, fill: str, words: str, **more: str) -> Element:
    """Returns words as a text element at a point; `more` are further attributes."""
    return make_element("text", words, x=x, y=y, font_size=size, fill=fill, **{"stroke": "none", **more})


def _draw_keyed_parts(page: ScenePage) -> Iterator[tuple[str, Element]]:
    for polygon in page.polygons:
        called = polygon.key or polygon.place or polygon.label
        yield f"place {called}", draw_area(polygon)
        if polygon.label and not polygon.solid:
            yield f"name {called}", draw_place_name(polygon)
    if page.compass:
        yield "place rose", _draw_rose(page, page.compass)
    for trail in page.trails:
        yield f"trail {_format_spot(trail.start)}-{_format_spot(trail.end)}", draw_trail(trail)
    for piece in page.pieces:
        yield f"piece {piece.key or piece.label}", draw_piece(piece)


def _number_key(key: str, named: Mapping[str, Element]) -> str:
    return next(f"{key}#{n}" for n in range(2, len(named) + 3) if f"{key}#{n}" not in named)


def _format_spot(spot: Point | None) -> str:
    return f"{format_length(spot[0])},{format_length(spot[1])}" if spot else ""


def _define_pattern(name: Hatching) -> Element:
    lines = make_element("path", d=HATCHING_PATHS[name], stroke=DARK_COLOUR, stroke_width=0.04, stroke_linecap="round")
    return make_element("pattern", [lines], id=name, width=0.3, height=0.3, patternUnits="userSpaceOnUse")


def _group_elements(drawn: Iterable[Element]) -> Element:
    """Returns the elements as one group. A single element is returned unchanged."""
    several = tuple(drawn)
    return several[0] if len(several) == 1 else make_element("g", several)


# Areas


@lru_cache(CACHE_SIZE)
def draw_area(polygon: Polygon) -> Element:
    """Returns the shape of a place, or of a thing on the board: its colour, its hatching and its label."""
    return _group_elements(_draw_area_elements(polygon))


def _draw_area_elements(polygon: Polygon) -> Iterator[Element]:
    ink = INKS[polygon.fill] if polygon.fill else None
    lies = _make_dashed_stroke(ink.writing, ink) if ink and polygon.solid else {}
    opacity = AREA_OPACITY if ink and not polygon.solid else None
    paint = ink.paint if ink else None
    yield make_element("polygon", points=_format_points(polygon), fill=paint, fill_opacity=opacity, **lies)
    if ink and not polygon.solid:
        yield make_element(
            "path", d=f"M{_format_points(polygon, INSET)}Z", fill="none", **_make_dashed_stroke(ink.paint, ink)
        )
    if polygon.hatching:
        yield make_element("path", d=f"M{_format_points(polygon)}Z", fill=f"url(#{polygon.hatching})")
    if polygon.marked:
        outline = f"M{_format_points(polygon, INSET / 2)}Z"
        yield make_element("path", d=outline, fill="none", stroke=DARK_COLOUR, stroke_width=MARK_WIDTH)
    if polygon.label and polygon.solid:
        yield _draw_label(polygon, ink)


def _format_points(polygon: Polygon, inset: float = 0) -> str:
    """Returns the corners as text, after the shape is made smaller around its middle.

    The longer side of the shape loses `inset` at each end; the other side becomes shorter in proportion. A very small
    shape keeps at least half its size.
    """
    left, top, right, bottom = polygon.find_bounds()
    x, y = polygon.find_middle()
    part = 1 - 2 * inset / max(right - left, bottom - top, 4 * inset or 1)
    return " ".join(
        f"{format_length(x + (px - x) * part)},{format_length(y + (py - y) * part)}" for px, py in polygon.points
    )


def _make_dashed_stroke(stroke: str, ink: Ink) -> dict[str, str]:
    return {"stroke": stroke, "stroke_width": "0.06", "stroke_dasharray": ink.dashes}


def _draw_label(polygon: Polygon, ink: Ink | None) -> Element:
    """Returns the label in the middle of a thing on the board."""
    (x, y), paint, size = polygon.find_middle(), ink.writing if ink else DARK_COLOUR, polygon.label_size or 0.4
    return make_text_element(x, y + 0.35 * size, size, paint, polygon.label, text_anchor="middle", font_weight="bold")


@lru_cache(CACHE_SIZE)
def draw_place_name(polygon: Polygon) -> Element:
    """Returns the label of a place in a small size, at its lower edge or at `label_at`.

    Over a hatching, the label has a halo.
    """
    (x, _), (left, _, right, bottom) = polygon.find_middle(), polygon.find_bounds()
    size = polygon.label_size or min(NAME_HEIGHT, max(MIN_NAME_HEIGHT, round(NAME_SHARE * (right - left), 2)))
    x, y = polygon.label_at or (x, bottom - (0.22 if polygon.fill else 0.12))
    halo = {"stroke": PLAIN_COLOUR, "stroke_width": "0.14", "paint_order": "stroke"} if polygon.hatching else {}
    return make_element("text", polygon.label, x=x, y=y, font_size=None if size == NAME_HEIGHT else size, **halo)


# Pieces


@lru_cache(CACHE_SIZE)
def draw_piece(piece: Piece) -> Element:
    """Returns a piece with its arrow, ring and badge. A stack has a second shape below it."""
    inside = tuple(_draw_counter_elements(piece))
    sized = [make_element("g", inside, transform=f"scale({format_length(piece.size)})")] if piece.size != 1 else inside
    title = [make_element("title", piece.name)] if piece.name else []
    return make_element(
        "g", [*title, *sized], transform=f"translate({format_length(piece.x)} {format_length(piece.y)})"
    )


def _draw_counter_elements(piece: Piece) -> Iterator[Element]:
    ink, shape = INKS[piece.fill], SHAPE_PATHS[piece.shape]
    if len(piece.units) > 1:
        yield make_element("path", d=shape, fill=ink.paint, stroke=ink.writing, transform="translate(0.1 -0.1)")
    if piece.heading is not None:
        arrow = f"rotate({piece.heading:g})"
        yield make_element("path", d="M-0.4 -0.3L0 -0.84L0.4 -0.3Z", fill=ink.paint, transform=arrow)
    if piece.ring:
        ring = INKS[piece.ring]
        yield make_element("circle", r=0.6, fill="none", stroke=ring.paint, stroke_width=0.14)
    yield make_element("path", d=shape, fill=ink.paint, **_make_dashed_stroke(ink.writing, ink))
    size = LABEL_SIZES[min(len(piece.label), len(LABEL_SIZES)) - 1]
    yield make_text_element(0, 0.16, size, ink.writing, piece.label, text_anchor="middle", font_weight="bold")
    if piece.badge:
        yield make_element("circle", cx=0.42, cy=-0.42, r=0.26, fill="#fff", stroke=DARK_COLOUR)
        yield make_text_element(0.42, -0.3, 0.36, DARK_COLOUR, piece.badge, text_anchor="middle", font_weight="bold")


# The marks of the last move, and directions


def draw_trail(trail: Trail) -> Element:
    """Returns the mark of a move."""
    return _group_elements(_draw_trail_elements(trail))


def _draw_trail_elements(trail: Trail) -> Iterator[Element]:
    """Yields the parts of a move's mark: a ring where the move ends, and an arrow if it also has a start.

    Without an end, yields a cross where the piece was taken away.
    """
    if trail.end:
        yield make_element("circle", cx=trail.end[0], cy=trail.end[1], r=0.68)
    elif trail.start:
        yield _draw_cross(*trail.start)
    if trail.start and trail.end and trail.start != trail.end:
        yield _draw_arrow(trail.start, trail.end)


def _draw_cross(x: float, y: float, arm: float = 0.3) -> Element:
    falling, rising = ((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))
    return make_element("path", d=_format_path(*falling) + _format_path(*rising))


def _draw_arrow(start: Point, end: Point) -> Element:
    """Returns an arrow from `start` towards `end`: a line with two barbs. It stops before the piece that stands at
    `end`.
    """
    across, down = end[0] - start[0], end[1] - start[1]
    length = hypot(across, down)
    x, y = across / length, down / length
    tip = end[0] - TRAIL_GAP * x, end[1] - TRAIL_GAP * y
    barbs = [(tip[0] - 0.35 * x + turn * y, tip[1] - 0.35 * y - turn * x) for turn in (0.22, -0.22)]
    return make_element("path", d=_format_path(start, tip) + _format_path(barbs[0], tip, barbs[1]))


def _format_path(*spots: Point) -> str:
    return "M" + "L".join(f"{format_length(x)} {format_length(y)}" for x, y in spots)


def _draw_rose(page: ScenePage, names: tuple[str, str, str, str]) -> Element:
    """Returns a wind rose with the names of the directions, beside the upper right corner of the page."""
    _, top, right, _ = measure_page(page)
    x, y = right - MARGIN - ROSE_RADIUS, top + MARGIN + ROSE_RADIUS
    star = "M0 -0.6L0.12 -0.12L0.6 0L0.12 0.12L0 0.6L-0.12 0.12L-0.6 0L-0.12 -0.12Z"
    spots = ((0.0, -0.66), (0.88, 0.22), (0.0, 1.12), (-0.88, 0.22))
    letters = (
        make_text_element(*spot, ROSE_LETTER, DARK_COLOUR, name, text_anchor="middle")
        for spot, name in zip(spots, names, strict=True)
    )
    return make_element(
        "g",
        [make_element("path", d=star, fill=DARK_COLOUR), *letters],
        transform=f"translate({format_length(x)} {format_length(y)})",
    )
