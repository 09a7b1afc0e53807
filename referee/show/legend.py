"""The legend of a drawing: a sample of each colour, hatching and shape in the drawing, with its meaning."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.scene import LegendItem, Piece, Polygon, Scene, ScenePage, Trail
from referee.show.drawing import DARK_COLOUR, LAYERS, draw_area, draw_piece, draw_trail, make_text_element
from referee.show.element import Element, make_element

LINE_HEIGHT = 1.0
"""The height of a line. All lengths here are in cell sides."""
INDENT = 1.25
"""The distance from the left edge of a sample to its words."""
LETTER_WIDTH = 0.2
"""The width reserved for a letter."""
TEXT_HEIGHT = 0.36
"""The height of the words."""
GAP = 0.6
"""The gap between two entries on a line."""
SAMPLE_MIDDLE = (0.6, 0.0)
MOVE_MARK_SAMPLES = (
    LegendItem("just came, moved or changed", trail=Trail((-0.5, 0.0), SAMPLE_MIDDLE)),
    LegendItem("just taken away", trail=Trail(SAMPLE_MIDDLE, None)),
)
"""The samples of the marks of the last move. Every game has them."""
SAMPLE_CORNERS = ((0.15, -0.28), (1.05, -0.28), (1.05, 0.28), (0.15, 0.28))


def list_samples(scene: Scene) -> tuple[LegendItem, ...]:
    """Returns the samples that the legend needs: those of the scene's own legend and of common marks that occur in a
    picture.
    """
    return tuple(it for it in (*scene.legend, *MOVE_MARK_SAMPLES) if any(_is_on_page(it, page) for page in scene.pages))


def draw_sample(sample: LegendItem) -> Element:
    """Returns a sample about as big as a counter, with its middle at the point (0.6, 0) in cell sides."""
    if sample.trail:
        shared = {**LAYERS["trail"], "transform": "translate(0.3 0) scale(0.5)"}
        return Element("g", shared, (draw_trail(sample.trail),))
    if sample.shape is None:
        return draw_area(
            Polygon(SAMPLE_CORNERS, sample.fill, sample.label, sample.solid, sample.hatching, label_size=0.36)
        )
    return draw_piece(_make_piece(sample))


def draw_legend(scene: Scene, width: float) -> tuple[Element, float]:
    """Returns a drawing of all samples that occur, and the height of the drawing.

    Each line has as many samples as fit into `width`."""
    placed, height = [], 0.0
    for sample, x, y in _position_samples(list_samples(scene), width):
        words = make_text_element(INDENT, 0.13, TEXT_HEIGHT, DARK_COLOUR, sample.means)
        placed.append(
            make_element("g", [draw_sample(sample), words], transform=f"translate({x:g} {y + LINE_HEIGHT / 2:g})")
        )
        height = y + LINE_HEIGHT
    return Element("g", LAYERS["place"], tuple(placed)), height


def _position_samples(samples: tuple[LegendItem, ...], width: float) -> Iterator[tuple[LegendItem, float, float]]:
    """Yields each sample with its left edge and top."""
    x = y = 0.0
    for sample in samples:
        wide = INDENT + LETTER_WIDTH * len(sample.means)
        if x and x + wide > width:
            x, y = 0.0, y + LINE_HEIGHT
        yield sample, round(x, 2), round(y, 2)
        x += wide + GAP


def _make_piece(sample: LegendItem) -> Piece:
    shape = sample.shape or "round"
    return Piece(
        0.6, 0, sample.fill or "grey", sample.label, shape=shape, ring=sample.ring, badge=sample.badge, size=0.75
    )


def _is_on_page(sample: LegendItem, page: ScenePage) -> bool:
    if sample.trail:
        return any((trail.end is None) == (sample.trail.end is None) for trail in page.trails)
    if sample.shape is None:
        return any(_is_like(sample, polygon) for polygon in page.polygons)
    return any(_is_piece_like(sample, piece) for piece in page.pieces)


def _is_like(sample: LegendItem, polygon: Polygon) -> bool:
    expected = (sample.solid, sample.hatching or polygon.hatching, sample.label if sample.solid else "")
    shown = (polygon.solid, polygon.hatching, polygon.label if polygon.solid else "")
    return expected == shown and (sample.fill == polygon.fill or (sample.fill is None and sample.hatching is not None))


def _is_piece_like(sample: LegendItem, piece: Piece) -> bool:
    """True if a sample stands for this piece. A sample with a ring or a badge stands for all pieces that have it."""
    if sample.ring or sample.badge:
        return piece.ring == sample.ring and (not sample.badge or piece.badge == sample.badge)
    return piece.shape == sample.shape and sample.fill == piece.fill
