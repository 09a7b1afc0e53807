"""Lines of sight worked out: what stands between any two places, exactly (6.12).

Of all straight lines between two places only some matter. Turn and shift a line as far as it goes without meeting
anything new: unless nothing lies beside it, it then runs through two corners, one of a building that it just touches
and one more of a building or of a place where it ends. So the lines through two such corners, past which they run
without cutting in, and any one line for two places tell everything. On which side of a line a corner lies is told in
whole numbers, without rounding.

What stands on a line is its *gate*, as a set of bits: the line is open when none of that stands any more. For each two
places the least gates are kept, those that contain no other.
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
"""The corners of a closed shape in turn, in whole units; it may have bays."""
Shapes = Sequence[tuple[int, Outline]]
"""Outlines, each with the number of what it belongs to: a place, or a block after all places."""
Whole = NDArray[np.int64]
Real = NDArray[np.float64]
Flags = NDArray[np.bool_]
Gates = dict[tuple[int, int], list[int]]
"""The least gates of each two places, the lower number first."""

TOUCH = 1e-6
"""What overlaps by no more only touches; along a line, in squares of the unit."""
BATCH = 40_000
"""Lines that are followed at once."""
OVERLAP = 0.1
"""Part of the smaller of two boxes that may lie over the other, since outlines are measured."""
MARGIN = 1.5
"""Units by which a wall may stick out of its box."""


class Lines(NamedTuple):
    """Straight lines through two corners each."""

    start: Whole
    """The first corner. A spot on the line is told by how far from here it is, times the distance of the corners."""
    along: Whole
    """From the first corner to the second."""
    one: Whole
    """The number of what the first corner belongs to."""
    other: Whole
    """The number of what the second belongs to."""


class Stretches(NamedTuple):
    """Where lines run through something, in the order of the lines."""

    line: Whole
    since: Real
    until: Real
    owner: Whole

    def of(self, which: Flags | Whole) -> Stretches:
        """Some of them, or all in another order."""
        return Stretches(self.line[which], self.since[which], self.until[which], self.owner[which])


def least_gates(
    places: Sequence[Sequence[Outline]],
    blocks: Sequence[Outline],
    own: Sequence[Sequence[int]],
    report: Callable[[float], None] = lambda _: None,
) -> Gates:
    """The least gates between all places. A place may have several outlines; `own` has for each place those blocks that
    never block its lines; `report` is told now and then which part of the work is done.
    """
    shapes = [(number, outline) for number, place in enumerate(places) for outline in place]
    shapes += enumerate(blocks, len(places))
    lines, gates = _lines(shapes, len(places)), _touching(places)
    free = np.zeros((len(places), len(blocks)), dtype=np.bool_)
    for place, mine in enumerate(own):
        free[place, list(mine)] = True
    for begin in range(0, len(lines.start), BATCH):
        batch = Lines(*(part[begin : begin + BATCH] for part in lines))
        for one, other, gate in _gates_on(batch, shapes, free):
            _keep(gates, (one, other), gate)
        report(min(1.0, (begin + BATCH) / len(lines.start)))
    return gates


def _touching(places: Sequence[Sequence[Outline]]) -> Gates:
    """Places that share a corner: nothing stands between them."""
    found = defaultdict(set)
    for number, place in enumerate(places):
        for corner in chain.from_iterable(place):
            found[tuple(corner)].add(number)
    return {pair: [0] for numbers in found.values() for pair in combinations(sorted(numbers), 2)}


def _keep(gates: Gates, pair: tuple[int, int], gate: int) -> None:
    """Keep a gate unless a lesser one is known, in place of those that contain it."""
    known = gates.setdefault(pair, [])
    for least in known:
        if least & gate == least:
            return
    known[:] = [more for more in known if more & gate != gate]
    known.append(gate)


# The lines that matter


def _lines(shapes: Shapes, places: int) -> Lines:
    """The lines that matter."""
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
            good &= _cross(along, here) * _cross(along, there) >= 0
        to = np.nonzero(good)[0] + since
        found.append((np.full(len(to), at), to))
    found.append(_any_corners(owner[:first_block]))
    one, other = map(np.concatenate, zip(*found, strict=True))
    apart = (corner[one] != corner[other]).any(1)
    one, other = one[apart], other[apart]
    return Lines(corner[one], corner[other] - corner[one], owner[one], owner[other])


def _any_corners(owner: Whole) -> tuple[Whole, Whole]:
    """A corner of each for each two places."""
    first = np.unique(owner, return_index=True)[1]
    one, other = np.triu_indices(len(first), 1)
    return first[one], first[other]


def _cross(one: Whole, other: Whole) -> Whole:
    """Above zero where the other vector points to the left of the one, below zero to the right."""
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


# What stands between the places on a line


def _gates_on(lines: Lines, shapes: Shapes, free: Flags) -> Iterator[tuple[int, int, int]]:
    """Two places, the lower number first, and what stands between them, for all places on each of these lines. `free`
    tells for each place which blocks never block its lines.
    """
    places, blocks = free.shape
    met = _met(lines, shapes, places)
    near, far = _gaps(lines, met.of(met.owner < places), places)
    walls = met.of(met.owner >= places)
    gap, wall = _joined(near.line, walls.line, len(lines.start))
    between = (walls.since[wall] < far.since[gap] - TOUCH) & (walls.until[wall] > near.until[gap] + TOUCH)
    between &= near.until[gap] < far.since[gap]  # places that were measured may overlap
    stands = np.zeros((len(near.line), blocks), dtype=np.bool_)
    stands[gap[between], walls.owner[wall[between]] - places] = True
    stands &= ~(free[near.owner] | free[far.owner])
    pair = np.minimum(near.owner, far.owner) * places + np.maximum(near.owner, far.owner)
    yield from _told_once(pair, stands, places)


def _told_once(pair: Whole, stands: Flags, places: int) -> Iterator[tuple[int, int, int]]:
    """Each pair with each of its gates once, small gates first."""
    width = -(-stands.shape[1] // 8)
    rows = np.empty((len(pair), 8 + width), dtype=np.uint8)
    rows[:, :8] = pair.astype(">u8").view(np.uint8).reshape(-1, 8)
    rows[:, 8:] = np.packbits(stands, axis=1, bitorder="little")
    order = np.argsort(stands.sum(1), kind="stable")
    for row in dict.fromkeys(map(bytes, rows[order])):
        yield *divmod(int.from_bytes(row[:8], "big"), places), int.from_bytes(row[8:], "little")


def _gaps(lines: Lines, row: Stretches, places: int) -> tuple[Stretches, Stretches]:
    """The gaps of lines: where one place is left and where another is entered. Such a gap has all corners between its
    ends that the line was laid through, but that a corner may belong to an end.
    """
    length = (lines.along * lines.along).sum(1)
    of_place = np.stack([lines.one < places, lines.other < places], 1)
    spots = np.stack([np.zeros_like(length), length], 1)
    least = np.where(of_place, np.inf, spots).min(1)[row.line]
    most = np.where(of_place, -np.inf, spots).max(1)[row.line]
    ends = of_place.sum(1)[row.line]
    is_end = (row.owner == lines.one[row.line]) | (row.owner == lines.other[row.line])
    before, behind = row.until <= least + TOUCH, row.since >= most - TOUCH
    found = [
        _facing(row.of(before & (is_end | (ends == 0))), row.of(behind & (is_end | (ends < 2))), len(length)),
        _facing(row.of(before & ~is_end & (ends == 1)), row.of(behind & is_end & (ends == 1)), len(length)),
    ]
    near, far = (Stretches(*map(np.concatenate, zip(*side, strict=True))) for side in zip(*found, strict=True))
    return near, far


def _facing(before: Stretches, behind: Stretches, count: int) -> tuple[Stretches, Stretches]:
    """Stretches through one place with all stretches further on through another, or where both are."""
    near, far = _joined(before.line, behind.line, count)
    apart = (before.owner[near] != behind.owner[far]) & (before.since[near] <= behind.until[far])
    return before.of(near[apart]), behind.of(far[apart])


def _joined(left: Whole, right: Whole, count: int) -> tuple[Whole, Whole]:
    """Every one on the left with every one on the right that has the same of `count` numbers; the right is in order."""
    first = np.searchsorted(right, np.arange(count + 1))
    many = np.diff(first)[left]
    one = np.repeat(np.arange(len(left)), many)
    offset = np.arange(len(one)) - np.repeat(np.cumsum(many) - many, many)
    return one, np.repeat(first[left], many) + offset


# What lies on a line


def _met(lines: Lines, shapes: Shapes, places: int) -> Stretches:
    """What lines run through. Blocks count by their inside, places with their outline."""
    found = []
    for owner, outline in shapes:
        for at, since, until in _through(lines, np.array(outline, dtype=np.int64), closed=owner < places):
            found.append((at, since, until, np.full(len(at), owner)))
    met = Stretches(*map(np.concatenate, zip(*found, strict=True)))
    return met.of(np.argsort(met.line, kind="stable"))


def _through(lines: Lines, outline: Whole, *, closed: bool) -> Iterator[tuple[Whole, Real, Real]]:
    """Which lines run through a shape, from where to where."""
    middle = outline.mean(0)
    reach = np.sqrt(((outline - middle) ** 2).sum(1).max()) + 1
    off = np.abs(_cross(lines.along, middle - lines.start))
    at = np.nonzero(off <= reach * np.sqrt((lines.along**2).sum(1)))[0]
    ray = outline[None] - lines.start[at, None]
    side, spot = _cross(lines.along[at, None], ray), (lines.along[at, None] * ray).sum(-1)
    met = (side.min(1) <= 0) & (side.max(1) >= 0) if closed else (side.min(1) < 0) & (side.max(1) > 0)
    at, side, spot = at[met], side[met], spot[met].astype(np.float64)
    left, right = _crossings(side >= 0, side, spot), _crossings(side > 0, side, spot)
    yield from _closed(at, side, spot, left, right) if closed else _open(at, left, right)


def _crossings(above: NDArray[np.bool_], side: Whole, spot: Real) -> Real:
    """Where lines cross an outline, in order along the line, then infinity: every second time they leave it."""
    next_side, next_spot = np.roll(side, -1, 1), np.roll(spot, -1, 1)
    crosses = above != np.roll(above, -1, 1)
    rise = np.where(crosses, next_side - side, 1)
    crossings = np.where(crosses, (spot * next_side - next_spot * side) / rise, np.inf)
    crossings.sort(axis=1)
    return crossings


def _open(at: Whole, left: Real, right: Real) -> Iterator[tuple[Whole, Real, Real]]:
    """Where lines are inside: where they are both when shifted a little to the left and to the right."""
    for one, other in product(range(0, left.shape[1] - 1, 2), repeat=2):
        since = np.maximum(left[:, one], right[:, other])
        until = np.minimum(left[:, one + 1], right[:, other + 1])
        inside = np.isfinite(until) & (until > since + TOUCH)
        yield at[inside], since[inside], until[inside]


def _closed(at: Whole, side: Whole, spot: Real, left: Real, right: Real) -> Iterator[tuple[Whole, Real, Real]]:
    """Where lines are inside or on the outline: where they are when shifted a little, and at corners."""
    for column in range(0, left.shape[1] - 1, 2):
        new = np.isfinite(left[:, column + 1])
        yield at[new], left[new, column], left[new, column + 1]
        new = np.isfinite(right[:, column + 1]) & (right[:, column : column + 2] != left[:, column : column + 2]).any(1)
        yield at[new], right[new, column], right[new, column + 1]
    for corner in range(side.shape[1]):
        new = (side[:, corner] == 0) & ~_covered(spot[:, corner], left)
        yield at[new], spot[new, corner], spot[new, corner]


def _covered(spot: Real, crossings: Real) -> NDArray[np.bool_]:
    """Whether these spots lie within a stretch."""
    inside = np.zeros(len(spot), dtype=np.bool_)
    for column in range(0, crossings.shape[1] - 1, 2):
        inside |= (crossings[:, column] <= spot) & (spot <= crossings[:, column + 1])
    return inside


# Whether the outlines on an own map can be worked with: looked at once, before all else


Boxes = dict[str, shapely.Polygon]
Walls = Sequence[tuple[tuple[str, ...], shapely.Polygon]]
"""Walls and seams, each with the boxes whose it is."""


def check_outlines(
    places: Sequence[tuple[str, ...]],
    outlines: Sequence[Sequence[Outline]],
    owners: Sequence[tuple[str, ...]],
    blocks: Sequence[Outline],
) -> None:
    """BoardError names the first outline that crosses itself, wall outside its box, or box that lies over another."""
    boxes = dict(zip(chain.from_iterable(places), map(shapely.Polygon, chain.from_iterable(outlines)), strict=True))
    walls = list(zip(owners, map(shapely.Polygon, blocks), strict=True))
    problem = next(chain(_crossing(boxes, walls), _outside(boxes, walls), _overlapping(places, boxes)), None)
    if problem:
        raise BoardError(problem)


def _crossing(boxes: Boxes, walls: Walls) -> Iterator[str]:
    shapes = [(f"the outline of {box}", shape) for box, shape in boxes.items()]
    shapes += [(f"a wall of {' and '.join(of)}", shape) for of, shape in walls]
    for name, shape in shapes:
        if not shape.is_valid or not shape.area:
            yield f"{name} crosses or touches itself"


def _outside(boxes: Boxes, walls: Walls) -> Iterator[str]:
    for owners, wall in walls:
        ground = shapely.union_all([boxes[box].buffer(MARGIN) for box in owners])
        if not ground.buffer(MARGIN * (len(owners) - 1)).contains(wall):
            yield f"the wall of {' and '.join(owners)} is not within its box"


def _overlapping(places: Sequence[tuple[str, ...]], boxes: Boxes) -> Iterator[str]:
    shapes = np.array([shapely.union_all([boxes[box] for box in place]) for place in places])
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    allowed = OVERLAP * np.minimum(shapely.area(shapes[one]), shapely.area(shapes[other]))
    over = (one < other) & (shapely.area(shapely.intersection(shapes[one], shapes[other])) > allowed)
    for low, high in zip(one[over], other[over], strict=True):
        yield f"{places[low][0]} and {places[high][0]} lie over one another"
