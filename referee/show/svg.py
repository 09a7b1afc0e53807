"""A scene as SVG: one file that any browser shows, with the picture in words for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape as escape_html

from referee.engine.scene import Piece, Polygon, Scene
from referee.engine.text import printable
from referee.show.text import captions

SCALE = 36
"""Pixels for one cell's side."""
MARGIN = 0.6
LINE = 0.55
"""Height of a line of text beside the board, in cell sides."""

OTHER = "#5d5d5d"
COLOURS = {"red": "#c0392b", "blue": "#2460a7", "green": "#2e7d32", "grey": OTHER}
GOAL_OPACITY = 0.35


def escape(text: str) -> str:
    """Text as it may stand in XML, with what cannot be shown spelt out."""
    return escape_html(printable(text), quote=False)


def svg(scene: Scene) -> str:
    """The scene as an SVG document."""
    xs = [x for polygon in scene.polygons for x, _ in polygon.points] + [piece.x for piece in scene.pieces]
    ys = [y for polygon in scene.polygons for _, y in polygon.points] + [piece.y for piece in scene.pieces]
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    below = captions(scene)
    width = max(max(xs) - left + MARGIN, 0.3 * max(map(len, below), default=0))
    height = max(ys) - top + MARGIN + LINE * len(below)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * SCALE:.0f}" height="{height * SCALE:.0f}" '
        f'viewBox="{left:.3f} {top:.3f} {width:.3f} {height:.3f}" role="img" font-family="sans-serif">',
        f"<title>{escape(scene.title)}</title>",
        f"<desc>{escape(' '.join(scene.words))}</desc>",
        *map(_polygon, scene.polygons),
        *(part for piece in scene.pieces for part in _piece(piece)),
        *_lines(below, left + 0.2, max(ys) + MARGIN),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _polygon(polygon: Polygon) -> str:
    points = " ".join(f"{x},{y}" for x, y in polygon.points)
    fill = COLOURS.get(polygon.owner, OTHER) if polygon.owner else "#f7f4ec"
    opacity = GOAL_OPACITY if polygon.owner and not polygon.solid else 1
    x = sum(x for x, _ in polygon.points) / len(polygon.points)
    label = _solid_label(polygon, x) if polygon.solid else _faint_label(polygon, x)
    shape = f'<polygon points="{points}" fill="{fill}" fill-opacity="{opacity}" stroke="#8a8577" stroke-width="0.04"/>'
    return shape + label


def _faint_label(polygon: Polygon, x: float) -> str:
    xs, y = [x for x, _ in polygon.points], max(y for _, y in polygon.points)
    size = min(0.4, max(0.26, 0.12 * (max(xs) - min(xs))))
    return (
        f'<text x="{x:.3f}" y="{y - 0.12:.3f}" font-size="{size:.2f}" text-anchor="middle" fill="#777">'
        f"{escape(polygon.label)}</text>"
    )


def _solid_label(polygon: Polygon, x: float) -> str:
    y = sum(y for _, y in polygon.points) / len(polygon.points)
    colour = "#fff" if polygon.owner else "#333"
    return (
        f'<text x="{x:.3f}" y="{y + 0.14:.3f}" font-size="0.4" font-weight="bold" text-anchor="middle" '
        f'fill="{colour}">{escape(polygon.label)}</text>'
    )


def _piece(piece: Piece) -> Iterator[str]:
    colour = COLOURS.get(piece.owner, OTHER)
    yield f'<g transform="translate({piece.x} {piece.y})"><title>{escape(piece.name)}</title>'
    if piece.heading is not None:
        yield f'<path d="M-0.3 -0.5 L0 -0.82 L0.3 -0.5 Z" fill="{colour}" transform="rotate({piece.heading:g})"/>'
    yield f'<circle r="0.48" fill="{colour}"/>'
    size = 0.44 if len(piece.label) < 3 else 0.36
    yield (
        f'<text y="0.16" font-size="{size}" font-weight="bold" text-anchor="middle" fill="#fff">'
        f"{escape(piece.label)}</text></g>"
    )


def _lines(lines: tuple[str, ...], x: float, y: float) -> Iterator[str]:
    for number, line in enumerate(lines):
        at = y + LINE * (number + 0.6)
        yield f'<text x="{x:.3f}" y="{at:.3f}" font-size="0.36" fill="#333">{escape(line)}</text>'
