"""Lines of sight, computed exactly: the obstacles between any two places (6.12).

Only some of the straight lines between two places matter. Any line can be turned and shifted, without meeting a new
obstacle, until it runs through two corners. One corner belongs to a building that the line just touches. The other
belongs to such a building, or to a place where the line ends. Only a line with nothing beside it meets no corner.

So two kinds of lines are followed. One kind runs through two such corners, without cutting into the shapes there. The
other is a single line for every two places. The side of a line on which a corner lies is computed in whole numbers,
without rounding.

The obstacles on a line are its *gate*, a set of bits. The line is open when none of them stands any more. For every two
places the least gates are kept: those that contain no other gate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from referee.engine.component import BoardError

Outline = Sequence[tuple[int, int]]
"""The corners of a closed shape in order, in whole units. The shape may be concave."""
OwnedOutlines = Sequence[tuple[int, Outline]]
"""Outlines, each with the number of its owner. Places are numbered first, then blocks."""
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Gates = dict[tuple[int, int], list[int]]
"""The least gates between every two places, the place with the lower number first."""

TOUCH_TOLERANCE = 1e-6
"""The largest overlap that only counts as touching; along a line, in squares of the unit."""
LINES_PER_BATCH = 40_000
"""The number of lines that are followed at once."""
MAX_OVERLAP = 0.1
"""The part of the smaller of two boxes that may lie over the other, because measured outlines are not exact."""
WALL_MARGIN = 1.5
"""The distance, in whole units, by which a wall may stick out of its box."""


class Lines(NamedTuple):
    """Straight lines through two corners each."""

    start: IntArray
    """The first corner. A spot on the line is its distance from here, times the distance between the two corners."""
    vector: IntArray
    """The vector from the first corner to the second."""
    first_owner: IntArray
    """The number of the owner of the first corner."""
    second_owner: IntArray
    """The number of the owner of the second corner."""


class Stretches(NamedTuple):
    """Stretches of lines inside shapes, in the order of the lines.

    A stretch runs along `line`, from the spot `since` to the spot `until`, inside a shape of `owner`.
    """

    line: IntArray
    since: FloatArray
    until: FloatArray
    owner: IntArray

    def select(self, which: BoolArray | IntArray) -> Stretches:
        """Returns the stretches that `which` selects, in its order."""
        return Stretches(self.line[which], self.since[which], self.until[which], self.owner[which])


def find_least_gates(
    places: Sequence[Sequence[Outline]],
    blocks: Sequence[Outline],
    own: Sequence[Sequence[int]],
    report: Callable[[float], None] = lambda _: None,
) -> Gates:
    """Returns the least gates between every two places. A gate is a set of blocks that bars a line, as bits.

    A place may have several outlines.

    `own` names, for each place, the blocks that never block its lines. `report` is called now and then with the part of
    the work that is done, from 0 to 1.
    """
    shapes = [(number, outline) for number, place in enumerate(places) for outline in place]
    shapes += enumerate(blocks, len(places))
    lines, gates = _make_lines(shapes, len(places)), _find_touching_places(places)
    free = np.zeros((len(places), len(blocks)), dtype=np.bool_)
    for place, mine in enumerate(own):
        free[place, list(mine)] = True
    for begin in range(0, len(lines.start), LINES_PER_BATCH):
        batch = Lines(*(part[begin : begin + LINES_PER_BATCH] for part in lines))
        for one, other, gate in _find_gates(batch, shapes, free):
            _add_gate(gates, (one, other), gate)
        report(min(1.0, (begin + LINES_PER_BATCH) / len(lines.start)))
    return gates


def _find_touching_places(places: Sequence[Sequence[Outline]]) -> Gates:
    """Returns an empty gate for every two places that share a corner: nothing stands between them."""
    found = defaultdict(set)
    for number, place in enumerate(places):
        for corner in chain.from_iterable(place):
            found[tuple(corner)].add(number)
    return {pair: [0] for numbers in found.values() for pair in combinations(sorted(numbers), 2)}


def _add_gate(gates: Gates, pair: tuple[int, int], gate: int) -> None:
    """Adds a gate unless it contains a known one, and drops the known gates that contain it."""
    known = gates.setdefault(pair, [])
    for least in known:
        if least & gate == least:
            return
    known[:] = [more for more in known if more & gate != gate]
    known.append(gate)


# The lines that matter


def _make_lines(shapes: OwnedOutlines, places: int) -> Lines:
    """Returns the lines that run through two corners without cutting into the shapes there.

    One line for every two places is added.
    """
    outlines = [np.array(outline, dtype=np.int64) for _, outline in shapes]
    owner = np.repeat([number for number, _ in shapes], list(map(len, outlines)))
    corner, after = np.concatenate(outlines), np.concatenate([np.roll(outline, -1, 0) for outline in outlines])
    before = np.concatenate([np.roll(outline, 1, 0) for outline in outlines])
    sides, found = (before - corner, after - corner), []
    first_block = int(np.searchsorted(owner, places))
    for at in range(len(corner)):
        since = max(at + 1, first_block)
        along = corner[since:] - corner[at]
        good = along.any(1)
        for here, there in ((sides[0][at], sides[1][at]), (sides[0][since:], sides[1][since:])):
            good &= _multiply_crosswise(along, here) * _multiply_crosswise(along, there) >= 0
        to = np.nonzero(good)[0] + since
        found.append((np.full(len(to), at), to))
    found.append(_pick_corners(owner[:first_block]))
    one, other = map(np.concatenate, zip(*found, strict=True))
    apart = (corner[one] != corner[other]).any(1)
    one, other = one[apart], other[apart]
    return Lines(corner[one], corner[other] - corner[one], owner[one], owner[other])


def _pick_corners(owner: IntArray) -> tuple[IntArray, IntArray]:
    """Returns, for every two places, the first corner of each."""
    first = np.unique(owner, return_index=True)[1]
    one, other = np.triu_indices(len(first), 1)
    return first[one], first[other]


def _multiply_crosswise(one: IntArray, other: IntArray) -> IntArray:
    """Returns the cross products of vectors. The sign tells on which side of `one` the vector `other` points."""
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


# What stands between the places on a line


def _find_gates(lines: Lines, shapes: OwnedOutlines, free: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Yields two places, the lower number first, and the gate between them, for all places on each of these lines.

    `free` tells, for each place and block, whether the block never blocks lines of the place.
    """
    places, blocks = free.shape
    met = _find_stretches(lines, shapes, places)
    near, far = _find_gaps(lines, met.select(met.owner < places), places)
    walls = met.select(met.owner >= places)
    gap, wall = _join_equal_numbers(near.line, walls.line, len(lines.start))
    between = (walls.since[wall] < far.since[gap] - TOUCH_TOLERANCE) & (
        walls.until[wall] > near.until[gap] + TOUCH_TOLERANCE
    )
    between &= near.until[gap] < far.since[gap]  # places that were measured may overlap
    stands = np.zeros((len(near.line), blocks), dtype=np.bool_)
    stands[gap[between], walls.owner[wall[between]] - places] = True
    stands &= ~(free[near.owner] | free[far.owner])
    pair = np.minimum(near.owner, far.owner) * places + np.maximum(near.owner, far.owner)
    yield from _list_distinct_gates(pair, stands, places)


def _list_distinct_gates(pair: IntArray, stands: BoolArray, places: int) -> Iterator[tuple[int, int, int]]:
    """Yields each pair with each of its gates once, small gates first."""
    width = -(-stands.shape[1] // 8)
    rows = np.empty((len(pair), 8 + width), dtype=np.uint8)
    rows[:, :8] = pair.astype(">u8").view(np.uint8).reshape(-1, 8)
    rows[:, 8:] = np.packbits(stands, axis=1, bitorder="little")
    order = np.argsort(stands.sum(1), kind="stable")
    for row in dict.fromkeys(map(bytes, rows[order])):
        yield *divmod(int.from_bytes(row[:8], "big"), places), int.from_bytes(row[8:], "little")


def _find_gaps(lines: Lines, row: Stretches, places: int) -> tuple[Stretches, Stretches]:
    """Returns the stretches before each gap between two places on a line, and the stretches behind it.

    The corners through which a line was laid must lie between these two places, or belong to one of them.
    """
    length = (lines.vector * lines.vector).sum(1)
    of_place = np.stack([lines.first_owner < places, lines.second_owner < places], 1)
    spots = np.stack([np.zeros_like(length), length], 1)
    least = np.where(of_place, np.inf, spots).min(1)[row.line]
    most = np.where(of_place, -np.inf, spots).max(1)[row.line]
    ends = of_place.sum(1)[row.line]
    is_end = (row.owner == lines.first_owner[row.line]) | (row.owner == lines.second_owner[row.line])
    before, behind = row.until <= least + TOUCH_TOLERANCE, row.since >= most - TOUCH_TOLERANCE
    found = [
        _pair_facing_stretches(
            row.select(before & (is_end | (ends == 0))), row.select(behind & (is_end | (ends < 2))), len(length)
        ),
        _pair_facing_stretches(
            row.select(before & ~is_end & (ends == 1)), row.select(behind & is_end & (ends == 1)), len(length)
        ),
    ]
    near, far = (Stretches(*map(np.concatenate, zip(*side, strict=True))) for side in zip(*found, strict=True))
    return near, far


def _pair_facing_stretches(before: Stretches, behind: Stretches, count: int) -> tuple[Stretches, Stretches]:
    """Returns pairs of stretches of one line through different places: the second lies farther on, or both overlap."""
    near, far = _join_equal_numbers(before.line, behind.line, count)
    apart = (before.owner[near] != behind.owner[far]) & (before.since[near] <= behind.until[far])
    return before.select(near[apart]), behind.select(far[apart])


def _join_equal_numbers(left: IntArray, right: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """Returns the positions of all pairs of equal numbers, one number on the left and one on the right.

    All numbers are below `count`, and those on the right are in order.
    """
    first = np.searchsorted(right, np.arange(count + 1))
    many = np.diff(first)[left]
    one = np.repeat(np.arange(len(left)), many)
    offset = np.arange(len(one)) - np.repeat(np.cumsum(many) - many, many)
    return one, np.repeat(first[left], many) + offset


# What lies on a line


def _find_stretches(lines: Lines, shapes: OwnedOutlines, places: int) -> Stretches:
    """Returns the stretches of lines inside shapes. The outline of a place is a part of it, that of a block is not."""
    found = []
    for owner, outline in shapes:
        for at, since, until in _find_lines_through(lines, np.array(outline, dtype=np.int64), closed=owner < places):
            found.append((at, since, until, np.full(len(at), owner)))
    met = Stretches(*map(np.concatenate, zip(*found, strict=True)))
    return met.select(np.argsort(met.line, kind="stable"))


def _find_lines_through(
    lines: Lines, outline: IntArray, *, closed: bool
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Yields the numbers of lines that run through a shape, and the spots where stretches begin and end.

    If `closed`, a line that only touches the outline counts too.
    """
    middle = outline.mean(0)
    reach = np.sqrt(((outline - middle) ** 2).sum(1).max()) + 1
    off = np.abs(_multiply_crosswise(lines.vector, middle - lines.start))
    at = np.nonzero(off <= reach * np.sqrt((lines.vector**2).sum(1)))[0]
    ray = outline[None] - lines.start[at, None]
    side, spot = _multiply_crosswise(lines.vector[at, None], ray), (lines.vector[at, None] * ray).sum(-1)
    met = (side.min(1) <= 0) & (side.max(1) >= 0) if closed else (side.min(1) < 0) & (side.max(1) > 0)
    at, side, spot = at[met], side[met], spot[met].astype(np.float64)
    left, right = _find_crossings(side >= 0, side, spot), _find_crossings(side > 0, side, spot)
    yield from _find_closed_stretches(at, side, spot, left, right) if closed else _find_open_stretches(at, left, right)


def _find_crossings(above: NDArray[np.bool_], side: IntArray, spot: FloatArray) -> FloatArray:
    """Returns the spots where lines enter and leave an outline in turn, filled up with infinity."""
    next_side, next_spot = np.roll(side, -1, 1), np.roll(spot, -1, 1)
    crosses = above != np.roll(above, -1, 1)
    rise = np.where(crosses, next_side - side, 1)
    crossings = np.where(crosses, (spot * next_side - next_spot * side) / rise, np.inf)
    crossings.sort(axis=1)
    return crossings


def _find_open_stretches(
    at: IntArray, left: FloatArray, right: FloatArray
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Yields the stretches where a line runs inside a shape, with the shape on both sides of the line."""
    for one, other in product(range(0, left.shape[1] - 1, 2), repeat=2):
        since = np.maximum(left[:, one], right[:, other])
        until = np.minimum(left[:, one + 1], right[:, other + 1])
        inside = np.isfinite(until) & (until > since + TOUCH_TOLERANCE)
        yield at[inside], since[inside], until[inside]


def _find_closed_stretches(
    at: IntArray, side: IntArray, spot: FloatArray, left: FloatArray, right: FloatArray
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Yields stretches inside a shape or on its outline.

    On the outline, the shape lies on one side of the line, or the line only meets a corner.
    """
    for column in range(0, left.shape[1] - 1, 2):
        new = np.isfinite(left[:, column + 1])
        yield at[new], left[new, column], left[new, column + 1]
        new = np.isfinite(right[:, column + 1]) & (right[:, column : column + 2] != left[:, column : column + 2]).any(1)
        yield at[new], right[new, column], right[new, column + 1]
    for corner in range(side.shape[1]):
        new = (side[:, corner] == 0) & ~_mark_covered_spots(spot[:, corner], left)
        yield at[new], spot[new, corner], spot[new, corner]


def _mark_covered_spots(spot: FloatArray, crossings: FloatArray) -> NDArray[np.bool_]:
    """True for each spot that lies between a crossing into the shape and the next one out of it."""
    inside = np.zeros(len(spot), dtype=np.bool_)
    for column in range(0, crossings.shape[1] - 1, 2):
        inside |= (crossings[:, column] <= spot) & (spot <= crossings[:, column + 1])
    return inside


# Checks of the outlines on a player's own map, made once, before everything else


BoxPolygons = dict[str, shapely.Polygon]
WallPolygons = Sequence[tuple[tuple[str, ...], shapely.Polygon]]
"""Walls and seams, each with the boxes to which it belongs."""


def check_outlines(
    places: Sequence[tuple[str, ...]],
    outlines: Sequence[Sequence[Outline]],
    owners: Sequence[tuple[str, ...]],
    blocks: Sequence[Outline],
) -> None:
    """Raises BoardError for an outline that crosses itself, a wall outside its box, or a box that lies over another."""
    boxes = dict(zip(chain.from_iterable(places), map(shapely.Polygon, chain.from_iterable(outlines)), strict=True))
    walls = list(zip(owners, map(shapely.Polygon, blocks), strict=True))
    problem = next(
        chain(
            _list_crossing_outlines(boxes, walls),
            _list_walls_outside(boxes, walls),
            _list_overlapping_boxes(places, boxes),
        ),
        None,
    )
    if problem:
        raise BoardError(problem)


def _list_crossing_outlines(boxes: BoxPolygons, walls: WallPolygons) -> Iterator[str]:
    shapes = [(f"the outline of {box}", shape) for box, shape in boxes.items()]
    shapes += [(f"a wall of {' and '.join(of)}", shape) for of, shape in walls]
    for name, shape in shapes:
        if not shape.is_valid or not shape.area:
            yield f"{name} crosses or touches itself"


def _list_walls_outside(boxes: BoxPolygons, walls: WallPolygons) -> Iterator[str]:
    for owners, wall in walls:
        ground = shapely.union_all([boxes[box].buffer(WALL_MARGIN) for box in owners])
        if not ground.buffer(WALL_MARGIN * (len(owners) - 1)).contains(wall):
            yield f"the wall of {' and '.join(owners)} is not within its box"


def _list_overlapping_boxes(places: Sequence[tuple[str, ...]], boxes: BoxPolygons) -> Iterator[str]:
    shapes = np.array([shapely.union_all([boxes[box] for box in place]) for place in places])
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    allowed = MAX_OVERLAP * np.minimum(shapely.area(shapes[one]), shapely.area(shapes[other]))
    over = (one < other) & (shapely.area(shapely.intersection(shapes[one], shapes[other])) > allowed)
    for low, high in zip(one[over], other[over], strict=True):
        yield f"{places[low][0]} and {places[high][0]} lie over one another"
