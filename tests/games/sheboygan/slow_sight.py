"""Lines of sight worked out in another way, for comparison: slowly, for two places and one set of fallen buildings.

Every line through any two corners of what lies near is tried, in whole numbers and fractions, without any rounding.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from shapely.geometry import LineString, MultiPoint, Polygon


def places_of(board, box):
    """The outlines of the place of a box: with a bridge or a tunnel goes the river box."""
    boxes = [box, *([board.other_box_in_space[box]] if box in board.other_box_in_space else [])]
    return [list(board.boxes[one].polygon) for one in boxes]


def standing(board, fallen, ends, lightning=False):
    """What blocks: the walls of buildings that stand, and the seams between two of them, but not those of the ends."""
    gone = {*fallen, *ends} | {box.id for box in board.boxes.values() if lightning and box.terrain == "low"}
    walls = [list(box.wall) for box in board.boxes.values() if box.wall and box.id not in gone]
    return [*walls, *(list(seam.polygon) for seam in board.file.seam if not {seam.a, seam.b} & gone)]


def near(board, one, other, fallen, lightning=False):
    """What could block a line between two boxes."""
    places = places_of(board, one), places_of(board, other)
    hull = MultiPoint([corner for place in places for outline in place for corner in outline]).convex_hull
    blocks = standing(board, fallen, {one, other}, lightning)
    return places, [block for block in blocks if Polygon(block).intersects(hull)]


def sees(board, one, other, fallen, lightning=False):
    """Whether any line through two corners joins the boxes and cuts no block."""
    (here, there), blocks = near(board, one, other, fallen, lightning)
    corners = sorted({tuple(corner) for outline in (*here, *there, *blocks) for corner in outline})
    return any(_is_free(line, here, there, blocks) for line in combinations(corners, 2))


def is_clear(board, line, one, other, fallen, lightning=False):
    """Whether a line with floating ends runs through no block; `relate` tells if interiors meet."""
    blocks = near(board, one, other, fallen, lightning)[1]
    return not any(LineString(line).relate_pattern(Polygon(block), "T********") for block in blocks)


def _is_free(line, here, there, blocks):
    ends = [[stretch for outline in place for stretch in _closed(line, outline)] for place in (here, there)]
    if not all(ends):
        return False
    inside = [stretch for block in blocks for stretch in _open(line, block)]
    return any(_gap_is_free(gap, inside) for near, far in product(*ends) for gap in [_gap(near, far)])


def _gap(one, other):
    """From the end of the one stretch to the begin of the other, in whichever order they lie."""
    return (one[1], other[0]) if one[1] <= other[0] else (other[1], one[0])


def _gap_is_free(gap, inside):
    return gap[0] >= gap[1] or not any(since < gap[1] and until > gap[0] for since, until in inside)


def _open(line, outline):
    left, right, _ = _runs(line, outline)
    pairs = ((max(a, c), min(b, d)) for (a, b), (c, d) in product(left, right))
    return [(since, until) for since, until in pairs if since < until]


def _closed(line, outline):
    left, right, corners = _runs(line, outline)
    return [*left, *right, *((corner, corner) for corner in corners)]


def _runs(line, outline):
    """Where a line is inside when shifted a little to the left and to the right, and the corners that lie on it."""
    (x, y), (x2, y2) = line
    along = x2 - x, y2 - y
    side = [along[0] * (py - y) - along[1] * (px - x) for px, py in outline]
    spot = [along[0] * (px - x) + along[1] * (py - y) for px, py in outline]
    left = _crossings(side, spot, [value >= 0 for value in side])
    right = _crossings(side, spot, [value > 0 for value in side])
    return left, right, [at for at, value in zip(spot, side, strict=True) if value == 0]


def _crossings(side, spot, above):
    found = []
    for at in range(len(side)):
        after = (at + 1) % len(side)
        if above[at] != above[after]:
            found.append(Fraction(spot[at] * side[after] - spot[after] * side[at], side[after] - side[at]))
    found.sort()
    return list(zip(found[::2], found[1::2], strict=True))
