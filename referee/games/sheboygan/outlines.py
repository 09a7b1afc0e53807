"""Whether the outlines on an own map can be worked with: looked at once, before lines of sight are worked out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
import shapely

from referee.engine.component import BoardError
from referee.games.sheboygan.sight import Layout, Outline

OVERLAP = 0.1
"""Part of the smaller of two boxes that may lie over the other, since outlines are measured."""
MARGIN = 1.5
"""Units by which a wall may stick out of its box."""


def check_outlines(layout: Layout) -> None:
    """BoardError names the first outline that crosses itself, wall outside its box, or box that lies over another."""
    problem = next(chain(_crossing(layout), _outside(layout), _overlapping(layout)), None)
    if problem:
        raise BoardError(problem)


def _crossing(layout: Layout) -> Iterator[str]:
    boxes = list(chain.from_iterable(layout.places))
    names = [*(f"the outline of {box}" for box in boxes), *(f"a wall of {' and '.join(of)}" for of in layout.owners)]
    shapes = [_shape(outline) for outline in (*chain.from_iterable(layout.outlines), *layout.blocks)]
    for name, shape in zip(names, shapes, strict=True):
        if not shape.is_valid or not shape.area:
            yield f"{name} crosses or touches itself"


def _outside(layout: Layout) -> Iterator[str]:
    outlines = chain.from_iterable(zip(*pair, strict=True) for pair in zip(layout.places, layout.outlines, strict=True))
    boxes = {box: _shape(outline).buffer(MARGIN) for box, outline in outlines}
    for owners, wall in zip(layout.owners, layout.blocks, strict=True):
        ground = shapely.union_all([boxes[box] for box in owners])
        if not ground.buffer(MARGIN * (len(owners) - 1)).contains(_shape(wall)):
            yield f"the wall of {' and '.join(owners)} is not within its box"


def _overlapping(layout: Layout) -> Iterator[str]:
    shapes = np.array([shapely.union_all([_shape(outline) for outline in place]) for place in layout.outlines])
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    allowed = OVERLAP * np.minimum(shapely.area(shapes[one]), shapely.area(shapes[other]))
    over = (one < other) & (shapely.area(shapely.intersection(shapes[one], shapes[other])) > allowed)
    for low, high in zip(one[over], other[over], strict=True):
        yield f"{layout.places[low][0]} and {layout.places[high][0]} lie over one another"


def _shape(outline: Outline) -> shapely.Polygon:
    return shapely.Polygon(outline)
