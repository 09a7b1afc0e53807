"""HMAC-SHA-256 under a key that is used again and again, as dice are derived."""

from __future__ import annotations

from hashlib import sha256

BLOCK = 64
"""Bytes that SHA-256 takes at once; no key of ours is longer."""

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Keyed:
    """What HMAC hashes of the key before any message, kept: each message goes on from a copy of it.

    Gives what `hmac.digest(key, message, "sha256")` gives in less than half its time.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        """A key of at most 64 bytes."""
        block = key.ljust(BLOCK, b"\0")
        self._inner = sha256(block.translate(_INNER))
        self._outer = sha256(block.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        """The 32 bytes that belong to a message."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()
