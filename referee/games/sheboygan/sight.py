"""Who sees whom: lines of sight, worked out once, and what of the buildings still stands (6.12).

What blocks a line are *blocks*: the walls of building boxes (6.12b), and the seams between two of them, which are solid
while both stand (C38). For each two places it is known which sets of blocks, the *gates*, must be gone for a straight
line to be free. Bridge or tunnel and river box are one place (5.14e). A place's own walls never block its lines (C15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from pathlib import Path
from zlib import compress, decompress

import msgspec
from msgspec import Struct

from referee.engine.component import BoardError, Report, WorkedOut

VERSION = 1
"""Counts up when the same map could lead to other lines of sight than before."""
MAPS = "lines of sight on an own map are worked out with numpy and shapely: pip install 'referee[maps]'"

Outline = tuple[tuple[int, int], ...]


class Layout(Struct, frozen=True):
    """All that lines of sight depend on."""

    places: tuple[tuple[str, ...], ...]
    """The boxes of each place."""
    outlines: tuple[tuple[Outline, ...], ...]
    """The outlines of each place."""
    owners: tuple[tuple[str, ...], ...]
    """The buildings that each block is the wall of, or the seam between."""
    blocks: tuple[Outline, ...]
    version: int = VERSION


class Sight:
    """Lines of sight on a map."""

    def __init__(self, layout: Layout, rows: Sequence[bytes], low: frozenset[str]) -> None:
        """`rows` have for each place its gates with all later ones, packed; `low` are the low buildings."""
        self._place = {box: number for number, boxes in enumerate(layout.places) for box in boxes}
        self._rows = rows
        self._owners = layout.owners
        self._all = (1 << len(layout.blocks)) - 1
        self._of = _bits_of(layout.owners)
        self._low = low
        self._gates: dict[tuple[int, int], tuple[int, ...]] = {}
        self._standing = lru_cache(maxsize=64)(self._work_out_standing)
        self._row = lru_cache(maxsize=None)(self._unpack)

    def is_open(self, one: str, other: str, fallen: frozenset[str], *, lightning: bool) -> bool:
        """Whether a straight line joins two boxes (6.12a) when these buildings have fallen (7.11c).

        Lightning passes over low buildings (13.13c).
        """
        near, far = self._place[one], self._place[other]
        if near == far:
            return True
        standing = self._standing(fallen, lightning)
        return any(not gate & standing for gate in self._gates_of((near, far) if near < far else (far, near)))

    def _work_out_standing(self, fallen: frozenset[str], lightning: bool) -> int:
        """The blocks that are there, as bits."""
        gone = 0
        for building in fallen | self._low if lightning else fallen:
            gone |= self._of.get(building, 0)
        return self._all & ~gone

    def _gates_of(self, pair: tuple[int, int]) -> tuple[int, ...]:
        """The gates of two places, each as bits."""
        known = self._gates.get(pair)
        if known is None:
            gates = msgspec.msgpack.decode(self._row(pair[0])[pair[1] - pair[0] - 1], type=list[list[int]])
            known = self._gates[pair] = tuple(sum(1 << block for block in gate) for gate in gates)
        return known

    def _unpack(self, place: int) -> list[bytes]:
        return msgspec.msgpack.decode(decompress(self._rows[place]), type=list[bytes])


def _bits_of(owners: Sequence[tuple[str, ...]]) -> Mapping[str, int]:
    """The blocks of each building, as bits: its wall, and its seams with others."""
    bits: dict[str, int] = {}
    for block, buildings in enumerate(owners):
        for building in buildings:
            bits[building] = bits.get(building, 0) | 1 << block
    return bits


def worked_out(layout: Layout, shipped: Path) -> WorkedOut:
    """Its lines of sight: kept, or still to be worked out."""
    return WorkedOut("lines of sight", msgspec.msgpack.encode(layout), lambda report: _make(layout, report), shipped)


def sight_on(layout: Layout, low: frozenset[str], shipped: Path) -> Sight:
    """Lines of sight on a map with these low buildings; worked out first if they are not kept. BoardError when that
    cannot be done.
    """
    return Sight(layout, msgspec.msgpack.decode(worked_out(layout, shipped).get(), type=list[bytes]), low)


def _make(layout: Layout, report: Report) -> bytes:
    """The gates of each place with all later ones, packed; BoardError when outlines cannot be used."""
    try:
        from referee.games.sheboygan.lines import check_outlines, least_gates  # numpy and shapely need not be there
    except ImportError as error:
        raise BoardError(MAPS) from error
    check_outlines(layout.places, layout.outlines, layout.owners, layout.blocks)
    of = _bits_of(layout.owners)
    own = [_numbers(reduce(or_, (of.get(box, 0) for box in place))) for place in layout.places]
    gates = least_gates(layout.outlines, layout.blocks, own, report)
    count = len(layout.places)
    return msgspec.msgpack.encode(
        [_packed([gates[one, other] for other in range(one + 1, count)]) for one in range(count)]
    )


def _packed(row: Sequence[Sequence[int]]) -> bytes:
    """The gates of a place with all later ones, each for itself, so that few are unpacked."""
    encode = msgspec.msgpack.encode
    return compress(encode([encode([_numbers(gate) for gate in sorted(gates)]) for gates in row]), 9)


def _numbers(bits: int) -> list[int]:
    """The numbers of the bits that are set."""
    return [at for at in range(bits.bit_length()) if bits >> at & 1]
