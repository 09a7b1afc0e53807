"""Compressed data in a page: zlib in base64, which every browser unpacks by itself."""

from __future__ import annotations

import re
import zlib
from base64 import b64encode

from referee.gate import UnreadableError, read_text
from referee.gate.text_encodings import decompress_zlib, read_base64

ELEMENT_BEGINS, ELEMENT_ENDS = '<script type="text/plain" id="', "</script>"
PACKED_ELEMENT = re.compile(f'({re.escape(ELEMENT_BEGINS)}[a-z]+">)([A-Za-z0-9+/=]*)({re.escape(ELEMENT_ENDS)})')
PACKED_ELEMENT_COUNT = 2
"""The number of packed elements in a page: its frames, and the script that steps through them."""
MAX_UNPACKED_BYTES = 256 * 1024 * 1024
"""The most bytes that one packed element may unpack to in a page from a stranger."""


def pack_element(name: str, data: str) -> str:
    """Returns a `script` element with this id that holds the compressed data. The name is in small letters."""
    return f'{ELEMENT_BEGINS}{name}">{b64encode(zlib.compress(data.encode(), 9)).decode()}{ELEMENT_ENDS}'


def unpack_page(page: str) -> str:
    """Returns a page with its packed elements unpacked. Data that cannot be unpacked stays as it is.

    Pages are compared in this form, because two programs need not compress to the same bytes.
    """
    return PACKED_ELEMENT.sub(
        lambda found: found[1] + _unpack_element(found[2]) + found[3], page, count=PACKED_ELEMENT_COUNT
    )


def _unpack_element(letters: str) -> str:
    try:
        found = decompress_zlib(read_base64(letters), MAX_UNPACKED_BYTES)
        return read_text(found.data) if found.is_whole and not found.has_rest else letters
    except UnreadableError:
        return letters
