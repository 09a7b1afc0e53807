"""Secrets: a value that is kept out of the log, which holds only its leaf (`refdice/1`).

A *leaf* is a hash of the value together with a salt, so that nobody can guess values until one fits. Whoever is later
told salt and value can check that they are what was meant all along.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.engine.keyed import Keyed

if TYPE_CHECKING:
    from hashlib import _Hash as HASH

_SALT = b"refdice/1/salt\n"
_LEAF = b"refdice/1/leaf\n"
SALT_SIZE = 32
"""Bytes of a salt."""
MAX_NAME = 255
"""Longest name of a seat or an item, in bytes: its length is hashed as one byte."""


def derive_salt(master: bytes, game_id: str, item: str) -> bytes:
    """Salt of an item, 32 bytes, from the salt master of its owner. No two secrets of a game may share an item."""
    return _mastered(master).digest(_SALT + bytes.fromhex(game_id) + item.encode("ascii"))


_mastered = lru_cache(maxsize=16)(Keyed)  # a seat makes all its salts from one master


def leaf_of(game_id: str, seat: str, item: str, salt: bytes, value: bytes) -> str:
    """Leaf of a value in its canonical encoding, as 64 hex digits.

    `game_id` is the hash of the log's first line, so that no leaf of one game opens in another.
    """
    leaf = _begun(game_id, seat).copy()
    leaf.update(_counted(item) + salt + value)
    return leaf.hexdigest()


@lru_cache(maxsize=16)
def _begun(game_id: str, seat: str) -> HASH:
    """What all leaves of a seat in a game begin with, hashed: each goes on from a copy."""
    return sha256(_LEAF + bytes.fromhex(game_id) + _counted(seat))


def _counted(name: str) -> bytes:
    data = name.encode("ascii")
    if len(data) > MAX_NAME:
        raise ValueError(f"a name of {len(data)} bytes; {MAX_NAME} are the most")
    return bytes([len(data)]) + data
