"""Dice derived from a key (`refdice/1`). Anyone who has the seed computes the same faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import count, repeat

from referee.engine.hmac_key import HmacKey


def derive_draw_key(seed: bytes, draw: int) -> bytes:
    """Returns the key of a draw, 32 bytes, from the 32-byte seed and the number of the draw."""
    number = sha256(b"refdice/1/draw\n" + draw.to_bytes(4, "big")).digest()
    return _seeded(seed).digest(b"refdice/1/key\n" + number)


_seeded = lru_cache(maxsize=16)(HmacKey)  # a game takes all its dice from one seed, or from one per seat


def derive_faces(key: bytes, sides: Sequence[int], first: int = 0) -> Iterator[int]:
    """Yields a face from 1 up for each die in `sides`, from the key of a draw.

    Words of the key's output that are too large are skipped, to avoid bias. `first` is the number of dice that were
    taken from the same key before.
    """
    return map(_derive_face, repeat(HmacKey(key)), count(first), sides)


def _derive_face(key: HmacKey, index: int, sides: int) -> int:
    width, limit = _measure_words(sides)
    for block in count():
        data = key.digest(_make_message(index, block))
        for word in data if width == 1 else _split_words(data, width):
            if word < limit:
                return 1 + word % sides
    raise AssertionError("there is a usable word in one of the blocks")


@lru_cache(maxsize=512)  # most rolls have few dice, and most dice need one block
def _make_message(index: int, block: int) -> bytes:
    """Returns the message whose digest is a block of words for one die."""
    return b"refdice/1/die\n" + index.to_bytes(4, "big") + block.to_bytes(4, "big")


def _split_words(data: bytes, width: int) -> Iterator[int]:
    """Yields the whole words of a block; each is `width` bytes long."""
    return (int.from_bytes(data[at : at + width], "big") for at in range(0, len(data) - width + 1, width))


@lru_cache(maxsize=64)
def _measure_words(sides: int) -> tuple[int, int]:
    """Returns two numbers about the words that give faces of a die with this number of sides.

    The first is the size of a word in bytes, the second is the smallest word that is skipped.
    """
    width = 1
    while 256**width < sides:
        width += 1
    return width, 256**width // sides * sides
