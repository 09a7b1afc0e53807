"""Links as QR codes in a terminal. Each character holds two squares of the code, one above the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import segno

QUIET_ZONE = 2
"""The light squares around a code."""
HALF_BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""The character for a pair of squares: upper dark, lower dark."""


def draw_qr_rows(link: str, *, ascii_only: bool = False) -> list[str]:
    """Returns the rows of a link's QR code. Light squares are blanks, so the code needs a light background.

    In ASCII, a square is two characters wide and one row high.
    """
    rows = [bytes(row) for row in segno.make_qr(link, error="l").matrix_iter(border=QUIET_ZONE)]
    if ascii_only:
        return ["".join("##" if square else "  " for square in row) for row in rows]
    return ["".join(HALF_BLOCKS[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in _pair_rows(rows)]


def _pair_rows(rows: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
    empty = bytes(len(rows[0]))
    return zip_longest(rows[::2], rows[1::2], fillvalue=empty)
