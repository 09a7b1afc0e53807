"""A scene as SVG: one file that any browser shows, with the picture in words for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape as escape_html
from itertools import chain
from textwrap import wrap

from referee.engine.palette import INKS, Ink
from referee.engine.scene import Frame, Hatching, Page, Piece, Polygon, Scene, Shape
from referee.engine.text import printable
from referee.show.text import WIDTH, captions

SCALE = 36
"""Pixels for one cell's side."""
MARGIN = 0.6
LINE = 0.55
"""Height of a line of text beside the board, in cell sides."""
LETTER = 0.22
"""Width that a letter of it may have."""

PLAIN, EDGE, DARK = "#f7f4ec", "#8a8577", "#333"
TINT = 0.35
"""Opacity of a coloured cell; what lies on the board hides it."""
INSET = 0.15
"""How far the outline of a coloured cell lies within it, so that neighbours keep theirs apart."""
MARK = 0.12
"""Width of the outline of what is marked."""
BOLD, CENTRED = 'font-weight="bold"', 'text-anchor="middle"'
SHAPES: dict[Shape, str] = {
    "round": "M0 -0.48A0.48 0.48 0 1 1 0 0.48A0.48 0.48 0 1 1 0 -0.48Z",
    "square": "M-0.44 -0.44H0.44V0.44H-0.44Z",
    "diamond": "M0 -0.58L0.58 0L0 0.58L-0.58 0Z",
    "triangle": "M0 -0.58L0.56 0.42H-0.56Z",
    "hexagon": "M-0.27 -0.46H0.27L0.53 0L0.27 0.46H-0.27L-0.53 0Z",
}
HATCHINGS: dict[Hatching, str] = {
    "rising": "M0 0.3L0.3 0",
    "falling": "M0 0L0.3 0.3",
    "crossed": "M0 0.3L0.3 0M0 0L0.3 0.3",
    "dotted": "M0.12 0.15H0.18",
}
"""What is drawn again and again over a hatched area, in squares of 0.3."""


def escape(text: str) -> str:
    """Text as it may stand in XML, with what cannot be shown spelt out."""
    return escape_html(printable(text), quote=False)


def svg(scene: Scene) -> str:
    """The scene as an SVG document, its pages one below another."""
    body: list[str] = []
    across = down = 0.0
    for page in scene.pages:
        if page.name:
            body.append(_text(0.2, down + LINE, 0.45, DARK, page.name, BOLD))
            down += LINE + 0.2
        left, top, right, bottom = _extent(page)
        body += [_svg(left, top, right - left, bottom - top, f'y="{down:.3f}"'), *_drawn(page), "</svg>"]
        across, down = max(across, right - left), down + bottom - top
    for line in chain.from_iterable(wrap(caption, WIDTH) for caption in captions(scene)):
        body.append(_text(0.2, down + 0.6 * LINE, 0.36, DARK, line))
        across, down = max(across, LETTER * len(line)), down + LINE
    head = _svg(0, 0, across, down, 'xmlns="http://www.w3.org/2000/svg" role="img" font-family="sans-serif"', SCALE)
    told = f"<title>{escape(scene.title)}</title>", f"<desc>{escape(' '.join(scene.words))}</desc>"
    return "\n".join([head, *told, *_patterns(scene), *body, "</svg>"]) + "\n"


def _svg(left: float, top: float, width: float, height: float, more: str, scale: float = 1) -> str:
    size = f'width="{width * scale:.3f}" height="{height * scale:.3f}"'
    return f'<svg {more} {size} viewBox="{left:.3f} {top:.3f} {width:.3f} {height:.3f}">'


def _extent(page: Page) -> Frame:
    """What is shown of a page."""
    if page.frame:
        return page.frame
    points = [*(point for polygon in page.polygons for point in polygon.points), *((it.x, it.y) for it in page.pieces)]
    xs, ys = zip(*points or [(0.0, 0.0)], strict=True)
    return min(xs) - MARGIN, min(ys) - MARGIN, max(xs) + MARGIN, max(ys) + MARGIN


def _patterns(scene: Scene) -> Iterator[str]:
    used = {polygon.hatching for page in scene.pages for polygon in page.polygons}
    for name, path in HATCHINGS.items():
        if name in used:
            lines = f'<path d="{path}" stroke="{DARK}" stroke-width="0.04" stroke-linecap="round"/>'
            yield f'<pattern id="{name}" width="0.3" height="0.3" patternUnits="userSpaceOnUse">{lines}</pattern>'


def _drawn(page: Page) -> Iterator[str]:
    for polygon in page.polygons:
        yield from _polygon(polygon)
    for piece in page.pieces:
        yield from _piece(piece)


def _polygon(polygon: Polygon) -> Iterator[str]:
    ink = INKS[polygon.fill] if polygon.fill else None
    yield (
        f'<polygon points="{_points(polygon)}" fill="{ink.paint if ink else PLAIN}" '
        f'fill-opacity="{TINT if ink and not polygon.solid else 1}" '
        + (_dashed(ink.writing, ink) if ink and polygon.solid else f'stroke="{EDGE}" stroke-width="0.04"/>')
    )
    if ink and not polygon.solid:
        yield f'<path d="M{_points(polygon, INSET)}Z" fill="none" {_dashed(ink.paint, ink)}'
    if polygon.hatching:
        yield f'<path d="M{_points(polygon)}Z" fill="url(#{polygon.hatching})"/>'
    if polygon.marked:
        yield f'<path d="M{_points(polygon, INSET / 2)}Z" fill="none" stroke="{DARK}" stroke-width="{MARK}"/>'
    if polygon.label:
        yield _label(polygon, ink)


def _points(polygon: Polygon, inset: float = 0) -> str:
    """Its corners, moved that far inwards where it is as wide as high."""
    left, top, right, bottom = polygon.bounds()
    x, y = polygon.middle()
    part = 1 - 2 * inset / max(right - left, bottom - top, 4 * inset or 1)
    return " ".join(f"{x + (px - x) * part:.3f},{y + (py - y) * part:.3f}" for px, py in polygon.points)


def _dashed(stroke: str, ink: Ink) -> str:
    return f'stroke="{stroke}" stroke-width="0.06" stroke-dasharray="{ink.dashes}"/>'


def _label(polygon: Polygon, ink: Ink | None) -> str:
    """In the middle of what lies on the board; small, at the lower edge of a cell."""
    (x, y), (left, _, right, bottom) = polygon.middle(), polygon.bounds()
    if polygon.solid:
        return _text(x, y + 0.14, 0.4, ink.writing if ink else DARK, polygon.label, f"{BOLD} {CENTRED}")
    size = min(0.4, max(0.26, 0.12 * (right - left)))
    return _text(x, bottom - (0.22 if ink else 0.12), size, "#555", polygon.label, CENTRED)


def _piece(piece: Piece) -> Iterator[str]:
    ink = INKS[piece.fill]
    yield f'<g transform="translate({piece.x} {piece.y})"><title>{escape(piece.name)}</title>'
    if piece.heading is not None:
        yield f'<path d="M-0.3 -0.5L0 -0.82L0.3 -0.5Z" fill="{ink.paint}" transform="rotate({piece.heading:g})"/>'
    yield f'<path d="{SHAPES[piece.shape]}" fill="{ink.paint}" {_dashed(ink.writing, ink)}'
    size = 0.44 if len(piece.label) < 3 else 0.36
    yield _text(0, 0.16, size, ink.writing, piece.label, f"{BOLD} {CENTRED}") + "</g>"


def _text(x: float, y: float, size: float, fill: str, text: str, more: str = "") -> str:
    return f'<text x="{x:.3f}" y="{y:.3f}" font-size="{size:.2f}" fill="{fill}" {more}>{escape(text)}</text>'
