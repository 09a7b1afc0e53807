"""What is packed in a page: compressed (zlib) and spelt in base64, which every browser unpacks by itself."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode

BEGINS, ENDS = '<script type="text/plain" id="', "</script>"
PLACE = re.compile(f'({re.escape(BEGINS)}[a-z]+">)([A-Za-z0-9+/=]*)({re.escape(ENDS)})')
PLACES = 2
"""How many a page has: its frames, and the script that steps through them."""
MOST = 256 * 1024 * 1024
"""Bytes that each may unpack to in a page from a stranger."""


def packed(name: str, data: str) -> str:
    """The element that holds it."""
    return f'{BEGINS}{name}">{b64encode(zlib.compress(data.encode(), 9)).decode()}{ENDS}'


def spread(page: str) -> str:
    """A page with all of it unpacked, a frame a line. What cannot be unpacked stays: nothing can be shown of it.

    Pages are compared so, because programs that compress need not agree to a byte.
    """
    return PLACE.sub(lambda found: found[1] + _unpacked(found[2]) + found[3], page, count=PLACES)


def _unpacked(letters: str) -> str:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(b64decode(letters, validate=True), MOST)
        return letters if not unpacking.eof or unpacking.unused_data else data.decode()
    except (zlib.error, ValueError):
        return letters
