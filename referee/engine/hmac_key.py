"""HMAC-SHA-256 for a key that is used many times, as when dice are derived."""

from __future__ import annotations

from hashlib import sha256

BLOCK = 64
"""The block size of SHA-256 in bytes. No key of ours is longer."""

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class HmacKey:
    """A key for HMAC-SHA-256 that is hashed only once. Each message continues from a copy of that hash.

    The result equals `hmac.digest(key, message, "sha256")` and takes less than half the time.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        """Prepares a key of at most 64 bytes."""
        block = key.ljust(BLOCK, b"\0")
        self._inner = sha256(block.translate(_INNER))
        self._outer = sha256(block.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        """Returns the 32-byte digest of a message."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()
