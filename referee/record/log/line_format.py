"""The frame of an entry: the bytes around it in its line, and the hash of the entry.

Every line is `{"hash":"<64 hex>","entry":{...}}` and a line feed. The hash is the SHA-256 of `referee/1`, a line feed,
and the exact bytes of the entry.
"""

from __future__ import annotations

from hashlib import sha256

HASH_PREFIX = b"referee/1\n"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The bytes that some editors and mail programs put before a text in UTF-8."""
NO_PREVIOUS_HASH = "0" * 64
LINE_START = b'{"hash":"'
LINE_MIDDLE = b'","entry":'
LINE_END = b"}\n"
BODY_OFFSET = len(LINE_START) + 64 + len(LINE_MIDDLE)
"""The first byte of the entry in its line."""


def hash_entry(body: bytes) -> str:
    """Returns the hash of an entry's bytes."""
    return sha256(HASH_PREFIX + body).hexdigest()


def format_line(body: bytes, hash_: str) -> bytes:
    """Returns the line with an entry, from the entry's bytes and their hash."""
    return LINE_START + hash_.encode() + LINE_MIDDLE + body + LINE_END


def format_entry_line(body: bytes) -> bytes:
    """Returns the line with an entry, and works out its hash."""
    return format_line(body, hash_entry(body))
