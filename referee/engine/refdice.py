"""Dice derived byte for byte from a key (`refdice/1`): anybody who has the seed works out the same faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256

from referee.engine.keyed import Keyed


def draw_key(seed: bytes, draw: int) -> bytes:
    """Key K of a draw in open mode (`refdice/1`): 32 bytes from the 32-byte seed and the number of the draw."""
    number = sha256(b"refdice/1/draw\n" + draw.to_bytes(4, "big")).digest()
    return _seeded(seed).digest(b"refdice/1/key\n" + number)


_seeded = lru_cache(maxsize=16)(Keyed)  # a game throws all its dice from one seed, or from one for each seat


def derive_faces(key: bytes, sides: Sequence[int], first: int = 0) -> Iterator[int]:
    """Faces 1..n for each die in `sides` from the key of a draw. Unbiased: words past the limit are skipped.

    `first` is the number of the first of these dice among those of one key.
    """
    keyed = Keyed(key)
    for index, faces in enumerate(sides, first):
        yield _face(keyed, index, faces)


def _face(key: Keyed, index: int, sides: int) -> int:
    width, limit = _words(sides)
    die = b"refdice/1/die\n" + index.to_bytes(4, "big")
    for block in range(2**32):
        data = key.digest(die + block.to_bytes(4, "big"))
        for word in data if width == 1 else _words_in(data, width):
            if word < limit:
                return 1 + word % sides
    raise AssertionError("2**32 blocks without a usable word")


def _words_in(data: bytes, width: int) -> Iterator[int]:
    """The whole words of a block, each of so many bytes."""
    return (int.from_bytes(data[at : at + width], "big") for at in range(0, len(data) - width + 1, width))


@lru_cache(maxsize=64)
def _words(sides: int) -> tuple[int, int]:
    """The bytes of a word for a die, and the limit from which on words are skipped."""
    width = 1
    while 256**width < sides:
        width += 1
    return width, 256**width // sides * sides
