"""The frame of an entry: how its bytes stand in their line, and the hash that is made of them.

Every line is `{"hash":"<64 hex>","entry":{...}}` and a line feed. The hash is SHA-256 over `referee/1`, a line feed
and the exact bytes of the entry.
"""

from __future__ import annotations

from hashlib import sha256

SALT = b"referee/1\n"
NO_PARENT = "0" * 64
OPENER = b'{"hash":"'
MIDDLE = b'","entry":'
CLOSER = b"}\n"
BODY_AT = len(OPENER) + 64 + len(MIDDLE)
"""Where the entry begins in its line."""


def hash_of(body: bytes) -> str:
    """Hash of an entry's bytes."""
    return sha256(SALT + body).hexdigest()


def line_of(body: bytes, hash_: str) -> bytes:
    """The line of a log that holds an entry, from its bytes and their hash."""
    return OPENER + hash_.encode() + MIDDLE + body + CLOSER


def frame(body: bytes) -> bytes:
    """The same, where the hash is not known yet."""
    return line_of(body, hash_of(body))
