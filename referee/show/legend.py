"""The legend of a drawing: a sample of each colour, hatching and shape that occurs in it, with what it means."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.scene import Page, Piece, Polygon, Sample, Scene
from referee.show.drawing import DARK, LAYERS, area, counter, text
from referee.show.element import Element, element

HIGH = 1.0
"""Height of a line of it, in the size of a counter."""
INDENT = 1.25
"""From the left edge of a sample to its words."""
LETTER = 0.2
"""Width that a letter may have."""
SIZE = 0.36
"""Height of its words."""
GAP = 0.6
"""Between the words of one and the next."""
BOX = ((0.15, -0.28), (1.05, -0.28), (1.05, 0.28), (0.15, 0.28))


def samples(scene: Scene) -> tuple[Sample, ...]:
    """Those that occur in the picture."""
    return tuple(sample for sample in scene.legend if any(_occurs(sample, page) for page in scene.pages))


def drawn(sample: Sample) -> Element:
    """What it looks like, about as big as a counter, its middle at 0.6, 0."""
    if sample.shape is None:
        return area(Polygon(BOX, sample.fill, sample.label, sample.solid, sample.hatching, label_size=0.36))
    return counter(_piece(sample))


def legend(scene: Scene, width: float) -> tuple[Element, float]:
    """All samples side by side as they fit, and how high that is."""
    placed, height = [], 0.0
    for sample, x, y in _flowing(samples(scene), width):
        words = text(INDENT, 0.13, SIZE, DARK, sample.means)
        placed.append(element("g", [drawn(sample), words], transform=f"translate({x:g} {y + HIGH / 2:g})"))
        height = y + HIGH
    return Element("g", LAYERS["place"], tuple(placed)), height


def _flowing(found: tuple[Sample, ...], width: float) -> Iterator[tuple[Sample, float, float]]:
    """Each with its left edge and top, one beside the other as long as there is room."""
    x = y = 0.0
    for sample in found:
        wide = INDENT + LETTER * len(sample.means)
        if x and x + wide > width:
            x, y = 0.0, y + HIGH
        yield sample, round(x, 2), round(y, 2)
        x += wide + GAP


def _piece(sample: Sample) -> Piece:
    shape = sample.shape or "round"
    return Piece(
        0.6, 0, sample.fill or "grey", sample.label, shape=shape, ring=sample.ring, badge=sample.badge, size=0.75
    )


def _occurs(sample: Sample, page: Page) -> bool:
    if sample.shape is None:
        return any(_is_like(sample, polygon) for polygon in page.polygons)
    return any(_is_piece_like(sample, piece) for piece in page.pieces)


def _is_like(sample: Sample, polygon: Polygon) -> bool:
    told = (sample.solid, sample.hatching or polygon.hatching, sample.label if sample.solid else "")
    shown = (polygon.solid, polygon.hatching, polygon.label if polygon.solid else "")
    return told == shown and (sample.fill == polygon.fill or (sample.fill is None and sample.hatching is not None))


def _is_piece_like(sample: Sample, piece: Piece) -> bool:
    """A sample with a ring or a badge stands for all pieces that have one."""
    if sample.ring or sample.badge:
        return piece.ring == sample.ring and (not sample.badge or piece.badge == sample.badge)
    return piece.shape == sample.shape and sample.fill == piece.fill
