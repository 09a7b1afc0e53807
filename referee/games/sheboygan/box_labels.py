"""The outlines of boxes in a drawing, and the places of their names: each name inside its own box.

Both are computed once for a map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise, product

from referee.games.sheboygan.board import Board, Box

DRAWING_UNIT = 22
"""The hundredths of an inch in one unit of the drawing. A counter is nearly one unit wide."""
TUNNEL_SCALE = 0.5
"""The scale of a tunnel in the drawing. It is drawn smaller, so that the river above it can be seen."""
NAME_HEIGHTS = (0.62, 0.56, 0.5, 0.4, 0.34, 0.28, 0.22)
"""The possible heights of a name. The biggest that fits is taken."""
CHARACTER_WIDTH = 0.62
"""The width of a character in a name, as a part of the name's height."""
FOOT_DISTANCES = (0.26, 0.13)
"""The distances between the foot of a name and the lower edge of its box: the usual one, and one for little room."""
GRID_PARTS = 12
"""The number of parts into which a box is divided, across and down, to look for room."""

Spot = tuple[float, float]
Outline = tuple[Spot, ...]


def convert_to_spot(x: float, y: float) -> Spot:
    """Returns a point of the map, in hundredths of an inch, as a spot in the drawing."""
    return round(x / DRAWING_UNIT, 3), round(y / DRAWING_UNIT, 3)


def find_outlines(board: Board) -> Mapping[str, Outline]:
    """Returns the outline of every box in the drawing."""
    known: Mapping[str, Outline] | None = board.rule_cache.get("outlines")
    if known is None:
        boxes = board.boxes.values()
        known = board.rule_cache["outlines"] = {
            box.id: tuple(convert_to_spot(x, y) for x, y in _find_outline(box)) for box in boxes
        }
    return known


def _find_outline(box: Box) -> Iterator[Spot]:
    if box.terrain != "tunnel":
        yield from box.polygon
        return
    (left, top), (right, bottom) = (map(limit, zip(*box.polygon, strict=True)) for limit in (min, max))
    for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
        yield (
            box.centre[0] + TUNNEL_SCALE * (x - (left + right) / 2),
            box.centre[1] + TUNNEL_SCALE * (y - (top + bottom) / 2),
        )


def find_labels(board: Board) -> Mapping[str, tuple[Spot, float]]:
    """Returns, for each box, the middle of the lower edge of its name, and the height of the name."""
    known: Mapping[str, tuple[Spot, float]] | None = board.rule_cache.get("labels")
    if known is None:
        outlines = find_outlines(board)
        known = board.rule_cache["labels"] = {
            box: _place_label(box, outline, outlines.get(board.other_box_in_space.get(box, ""), ()))
            for box, outline in outlines.items()
        }
    return known


def _place_label(name: str, outline: Outline, mate: Outline) -> tuple[Spot, float]:
    """Returns the spot and height of a name: the biggest that fits, as low as possible, then nearest to the middle.

    If no size fits, returns a spot within the outline and the smallest size. `mate` is the outline of the other box in
    the same space; empty if there is none.
    """
    lies_on = mate if _measure_area(mate) < _measure_area(outline) else ()
    for size, foot in product(NAME_HEIGHTS, FOOT_DISTANCES):
        for spot in _list_spots_to_try(outline, foot):
            if _does_label_fit(name, spot, size, outline) and not (
                lies_on and _does_label_meet(name, spot, size, lies_on)
            ):
                return spot, size
    return _find_spot_inside(outline), NAME_HEIGHTS[-1]


def _measure_area(outline: Outline) -> float:
    (left, top), (right, bottom) = _find_bounds(outline) if outline else ((0.0, 0.0), (0.0, 0.0))
    return (right - left) * (bottom - top)


def _find_bounds(outline: Outline) -> tuple[Spot, Spot]:
    xs, ys = zip(*outline, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def _list_spots_to_try(outline: Outline, foot: float = FOOT_DISTANCES[0]) -> Iterator[Spot]:
    """Yields spots from the lower edge upwards, in each row from the middle outwards."""
    (left, top), (right, bottom) = _find_bounds(outline)
    middle, wide, high = (left + right) / 2, (right - left) / GRID_PARTS, (bottom - top) / GRID_PARTS
    for row in range(GRID_PARTS):
        for column in range(GRID_PARTS):
            aside = (column + 1) // 2 * wide * (1 if column % 2 else -1)
            yield round(middle + aside, 3), round(bottom - foot - row * high, 3)


def _find_corners(name: str, spot: Spot, size: float) -> Outline:
    """Returns the corners of a name, and the middles of its upper and lower edge."""
    (x, y), half = spot, CHARACTER_WIDTH * size * len(name) / 2
    return tuple((x + across, y - up) for across in (-half, 0, half) for up in (-0.05, 0.75 * size))


def _does_label_fit(name: str, spot: Spot, size: float, outline: Outline) -> bool:
    return all(is_within(corner, outline) for corner in _find_corners(name, spot, size))


def _does_label_meet(name: str, spot: Spot, size: float, outline: Outline) -> bool:
    return any(is_within(corner, outline) for corner in _find_corners(name, spot, size))


def is_within(spot: Spot, outline: Outline) -> bool:
    """True if a spot lies within an outline: a line from it to the right crosses the outline an odd number of times."""
    (x, y), inside = spot, False
    for (x1, y1), (x2, y2) in pairwise((*outline, outline[0])):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def _find_spot_inside(outline: Outline) -> Spot:
    """Returns a spot within the outline; its first corner if none is found."""
    return next((spot for spot in _list_spots_to_try(outline) if is_within(spot, outline)), outline[0])
