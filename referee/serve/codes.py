"""Links as QR codes in a terminal: two squares of the code lie one above the other in each character."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import segno

QUIET = 2
"""Light squares around a code."""
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""What is dark: the upper square, the lower one."""


def code_of(link: str, *, ascii_only: bool = False) -> list[str]:
    """The rows of the code of a link; dark squares are written, light ones are empty, so that it takes a light ground.
    In ASCII a square is two characters wide, and all rows are alike.
    """
    rows = [bytes(row) for row in segno.make_qr(link, error="l").matrix_iter(border=QUIET)]
    if ascii_only:
        return ["".join("##" if square else "  " for square in row) for row in rows]
    return ["".join(HALVES[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in _pairs(rows)]


def _pairs(rows: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    empty = bytes(len(rows[0]))
    return zip_longest(rows[::2], rows[1::2], fillvalue=empty)
