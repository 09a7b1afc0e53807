"""Hash chains: the way in which people who do not trust each other roll dice together (`refdice/1`).

Each seat makes a chain of values. Each value is the hash of the next one. The seat publishes the hash of the first
value, its *tip*. Each roll uses the next value of every chain. The published tip fixes all values of a seat, so nobody
can choose one. Each roll needs the values of all seats, so nobody can foresee it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from referee.engine.hmac_key import HmacKey

_CHAIN = b"refdice/1/chain\n"
_CONTRIB = b"refdice/1/contrib\n"
_KEY = b"refdice/1/key\n"
_OPENING = b"refdice/2/opening\n"


def derive_previous_value(game_id: str, seat: str, value: bytes) -> bytes:
    """Returns the 32 bytes that come before `value` in a seat's chain for a game."""
    return sha256(_frame(game_id, seat) + value).digest()


def derive_chain(game_id: str, seat: str, seed: bytes, length: int) -> tuple[bytes, ...]:
    """Returns a whole chain: its tip, which the seat publishes, and then the values in the order of use.

    `seed` is the last of `length` values.
    """
    values, frame = [seed], _frame(game_id, seat)
    for _ in range(length):
        values.append(sha256(frame + values[-1]).digest())
    return tuple(reversed(values))


def _frame(game_id: str, seat: str) -> bytes:
    """Returns the bytes that are hashed before each value of a seat's chain, so that no two chains share a step."""
    name = seat.encode("ascii")
    return _CHAIN + bytes.fromhex(game_id) + bytes([len(name)]) + name


def is_next_value(game_id: str, seat: str, value: bytes, before: bytes) -> bool:
    """True if `value` follows `before` in a seat's chain."""
    return derive_previous_value(game_id, seat, value) == before


def hash_roll_opening(record_id: str, content: bytes) -> str:
    """Returns the hash, in hex, of the entry that opened a joint roll. `derive_joint_key` needs this hash.

    `record_id` is the hash of the `game` or `branch` entry. `content` is the opening entry without its time and place.
    """
    return sha256(_OPENING + bytes.fromhex(record_id) + content).hexdigest()


def derive_joint_key(values: Iterable[bytes], opener: str) -> bytes:
    """Returns the key of a joint roll, 32 bytes.

    `values` are the shares of all seats in seat order. `opener` is the hash of the entry that opened the roll, in hex.
    """
    shares = tuple(values)
    seed = sha256(_CONTRIB + bytes([len(shares)]) + b"".join(shares)).digest()
    return HmacKey(seed).digest(_KEY + bytes.fromhex(opener))
