"""The frames of a page, packed: compressed (zlib) and spelt in base64, which every browser unpacks by itself."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode

BEGINS, ENDS = '<script type="text/plain" id="frames">', "</script>"
PLACE = re.compile(f"({re.escape(BEGINS)})([A-Za-z0-9+/=]*)({re.escape(ENDS)})")
MOST = 256 * 1024 * 1024
"""Bytes that the frames of a page from a stranger may unpack to."""


def packed(data: str) -> str:
    """The element that holds it."""
    return f"{BEGINS}{b64encode(zlib.compress(data.encode(), 9)).decode()}{ENDS}"


def spread(page: str) -> str:
    """A page with its frames unpacked, a line each. What cannot be unpacked stays: nothing can be shown of it.

    Pages are compared so, because programs that compress need not agree to a byte.
    """
    return PLACE.sub(lambda found: found[1] + _unpacked(found[2]) + found[3], page, count=1)


def _unpacked(letters: str) -> str:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(b64decode(letters, validate=True), MOST)
        return letters if not unpacking.eof or unpacking.unused_data else data.decode()
    except (zlib.error, ValueError):
        return letters
