"""Lines of sight, computed once, and the buildings that still stand (6.12).

A line can be blocked by *blocks*: the walls of building boxes (6.12b), and the seams between two of them. A seam is
solid while both stand (C38). For every two places, the sets of blocks that must be gone for a free line are known: the
*gates*. A bridge or tunnel and its river box are one place (5.14e). A place's own walls never block its lines (C15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from pathlib import Path
from zlib import compress, decompress

import msgspec
from msgspec import Struct

from referee.engine.component import BoardError, DerivedData, Report

SIGHT_VERSION = 1
"""The version of the computation. It counts up when the same map could lead to other lines of sight than before."""
MISSING_PACKAGES = "lines of sight on an own map are worked out with numpy and shapely: pip install 'referee[maps]'"

Outline = tuple[tuple[int, int], ...]


class SightLayout(Struct, frozen=True):
    """The parts of a map on which lines of sight depend."""

    places: tuple[tuple[str, ...], ...]
    """The boxes of each place."""
    outlines: tuple[tuple[Outline, ...], ...]
    """The outlines of each place."""
    owners: tuple[tuple[str, ...], ...]
    """The buildings of each block: one if it is a wall, two if it is a seam."""
    blocks: tuple[Outline, ...]
    version: int = SIGHT_VERSION


class LinesOfSight:
    """Lines of sight on a map."""

    def __init__(self, layout: SightLayout, rows: Sequence[bytes], low_buildings: frozenset[str]) -> None:
        """Stores packed gates. `rows` holds the gates of each place to all later ones."""
        self._place = {box: number for number, boxes in enumerate(layout.places) for box in boxes}
        self._rows = rows
        self._owners = layout.owners
        self._all = (1 << len(layout.blocks)) - 1
        self._of = _map_buildings_to_bits(layout.owners)
        self._low_buildings = low_buildings
        self._gates: dict[tuple[int, int], tuple[int, ...]] = {}
        self._standing = lru_cache(maxsize=64)(self._work_out_standing)
        self._row = lru_cache(maxsize=None)(self._unpack)

    def has_clear_line(self, one: str, other: str, fallen: frozenset[str], *, lightning: bool) -> bool:
        """True if a straight line joins two boxes (6.12a) when these buildings have fallen (7.11c).

        Lightning passes over low buildings (13.13c).
        """
        near, far = self._place[one], self._place[other]
        if near == far:
            return True
        standing = self._standing(fallen, lightning)
        return any(not gate & standing for gate in self._find_gates((near, far) if near < far else (far, near)))

    def _work_out_standing(self, fallen: frozenset[str], lightning: bool) -> int:
        """Returns the blocks that stand in the way, as bits. Low buildings are never in the way of lightning."""
        gone = 0
        for building in fallen | self._low_buildings if lightning else fallen:
            gone |= self._of.get(building, 0)
        return self._all & ~gone

    def _find_gates(self, pair: tuple[int, int]) -> tuple[int, ...]:
        """Returns the gates between two places, each as bits. The lower number comes first in `pair`."""
        known = self._gates.get(pair)
        if known is None:
            gates = msgspec.msgpack.decode(self._row(pair[0])[pair[1] - pair[0] - 1], type=list[list[int]])
            known = self._gates[pair] = tuple(sum(1 << block for block in gate) for gate in gates)
        return known

    def _unpack(self, place: int) -> list[bytes]:
        return msgspec.msgpack.decode(decompress(self._rows[place]), type=list[bytes])


def _map_buildings_to_bits(owners: Sequence[tuple[str, ...]]) -> Mapping[str, int]:
    """Returns, for each building, the blocks of sight that it makes, as bits: its wall, and its seams with others."""
    bits: dict[str, int] = {}
    for block, buildings in enumerate(owners):
        for building in buildings:
            bits[building] = bits.get(building, 0) | 1 << block
    return bits


def make_sight_data(layout: SightLayout, shipped: Path) -> DerivedData:
    """Returns the lines of sight of a layout, as data that is cached or still to be computed."""
    return DerivedData(
        "lines of sight", msgspec.msgpack.encode(layout), lambda report: _compute_gates(layout, report), shipped
    )


def find_lines_of_sight(layout: SightLayout, low_buildings: frozenset[str], shipped: Path) -> LinesOfSight:
    """Returns the lines of sight on a map with these low buildings. If they are not cached, they are computed first.

    Raises BoardError if that is impossible.
    """
    return LinesOfSight(
        layout, msgspec.msgpack.decode(make_sight_data(layout, shipped).get(), type=list[bytes]), low_buildings
    )


def _compute_gates(layout: SightLayout, report: Report) -> bytes:
    """Returns the gates of each place to all later places, packed.

    Raises BoardError if an outline cannot be used, or numpy or shapely is missing.
    """
    try:
        from referee.games.sheboygan.sight_geometry import (
            check_outlines,
            find_least_gates,
        )  # numpy and shapely need not be there
    except ImportError as error:
        raise BoardError(MISSING_PACKAGES) from error
    check_outlines(layout.places, layout.outlines, layout.owners, layout.blocks)
    of = _map_buildings_to_bits(layout.owners)
    own = [_list_bit_numbers(reduce(or_, (of.get(box, 0) for box in place))) for place in layout.places]
    gates = find_least_gates(layout.outlines, layout.blocks, own, report)
    count = len(layout.places)
    return msgspec.msgpack.encode(
        [_pack_row([gates[one, other] for other in range(one + 1, count)]) for one in range(count)]
    )


def _pack_row(row: Sequence[Sequence[int]]) -> bytes:
    """Returns the gates of a place to all later places, packed.

    The gates to each of them are packed separately, so that a program decodes only those that it needs.
    """
    encode = msgspec.msgpack.encode
    return compress(encode([encode([_list_bit_numbers(gate) for gate in sorted(gates)]) for gates in row]), 9)


def _list_bit_numbers(bits: int) -> list[int]:
    """Returns the numbers of the bits that are set."""
    return [at for at in range(bits.bit_length()) if bits >> at & 1]
