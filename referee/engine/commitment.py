"""Commitments: hashes that stand in a log in place of secret values (`refdice/1`).

A commitment, called *leaf* in logs, is the hash of a value together with a random salt. The salt stops people from
guessing values until one fits. When the owner reveals salt and value, everybody can check that they fit the commitment.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.engine.hmac_key import HmacKey

if TYPE_CHECKING:
    from hashlib import _Hash as HASH

_SALT = b"refdice/1/salt\n"
_LEAF = b"refdice/1/leaf\n"
SALT_SIZE = 32
"""The length of a salt, in bytes."""
MAX_NAME_BYTES = 255
"""The longest name of a seat or an item, in bytes. The hash includes its length as one byte."""


def derive_salt(master: bytes, game_id: str, item: str) -> bytes:
    """Returns the salt of a secret, 32 bytes, from its owner's master salt.

    `item` is the name of the secret in the game. No two secrets of a game may share a name.
    """
    return _master_key(master).digest(_SALT + bytes.fromhex(game_id) + item.encode("ascii"))


_master_key = lru_cache(maxsize=16)(HmacKey)  # a seat makes all its salts from one master


def make_commitment(game_id: str, seat: str, item: str, salt: bytes, value: bytes) -> str:
    """Returns the commitment to a value in its canonical encoding, as 64 hex digits.

    `game_id` is the hash of the log's first line, so that no commitment of one game fits in another.
    """
    leaf = _begin_hash(game_id, seat).copy()
    leaf.update(_prefix_length(item) + salt + value)
    return leaf.hexdigest()


@lru_cache(maxsize=16)
def _begin_hash(game_id: str, seat: str) -> HASH:
    """Returns the hash state that all commitments of a seat in a game share. Each one continues from a copy."""
    return sha256(_LEAF + bytes.fromhex(game_id) + _prefix_length(seat))


def _prefix_length(name: str) -> bytes:
    """Returns a name in ASCII after one byte with its length. Raises ValueError if the name is too long."""
    data = name.encode("ascii")
    if len(data) > MAX_NAME_BYTES:
        raise ValueError(f"a name has {len(data)} bytes; at most {MAX_NAME_BYTES} are allowed")
    return bytes([len(data)]) + data
