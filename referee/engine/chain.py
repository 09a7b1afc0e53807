"""Hash chains: how people who do not trust each other throw dice together (`refdice/1`).

Each seat makes a chain of values, each the hash of the next, and publishes the hash of the first, its *tip*. Each throw
takes the next value of every chain. Nobody can choose his value, since his tip has fixed it; nobody can foresee a
throw, since it takes the values of all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from referee.engine.keyed import Keyed

_CHAIN = b"refdice/1/chain\n"
_CONTRIB = b"refdice/1/contrib\n"
_KEY = b"refdice/1/key\n"


def step(game_id: str, seat: str, value: bytes) -> bytes:
    """The value before this one, 32 bytes, in the chain of a seat in a game."""
    name = seat.encode("ascii")
    return sha256(_CHAIN + bytes.fromhex(game_id) + bytes([len(name)]) + name + value).digest()


def chain_of(game_id: str, seat: str, seed: bytes, length: int) -> tuple[bytes, ...]:
    """A whole chain, its tip first, then the values in the order of their use; `seed` is the last of `length`."""
    values = [seed]
    for _ in range(length):
        values.append(step(game_id, seat, values[-1]))
    return tuple(reversed(values))


def is_next(game_id: str, seat: str, value: bytes, before: bytes) -> bool:
    """Whether a value follows another one in the chain of a seat."""
    return step(game_id, seat, value) == before


def cast_key(values: Iterable[bytes], opener: str) -> bytes:
    """Key K of a cast, 32 bytes, from every seat's value in seat order and the hash of the entry that opened it."""
    shares = tuple(values)
    seed = sha256(_CONTRIB + bytes([len(shares)]) + b"".join(shares)).digest()
    return Keyed(seed).digest(_KEY + bytes.fromhex(opener))
