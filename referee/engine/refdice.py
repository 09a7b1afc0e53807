"""Dice derived byte for byte from a key (`refdice/1`): anybody who has the seed works out the same faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import count, repeat

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
    return map(_face, repeat(Keyed(key)), count(first), sides)


def _face(key: Keyed, index: int, sides: int) -> int:
    width, limit = _words(sides)
    for block in count():
        data = key.digest(_message(index, block))
        for word in data if width == 1 else _words_in(data, width):
            if word < limit:
                return 1 + word % sides
    raise AssertionError("there is a usable word in one of the blocks")


@lru_cache(maxsize=512)  # most throws are of few dice, and most dice take one block
def _message(index: int, block: int) -> bytes:
    """What gives a block of words for a die."""
    return b"refdice/1/die\n" + index.to_bytes(4, "big") + block.to_bytes(4, "big")


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
