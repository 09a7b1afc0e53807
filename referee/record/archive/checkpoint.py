"""Checkpoints: how long a log was at some moment, and the hash of its last entry, as a short text.

The text has the form of C2SP's checkpoints (tlog-checkpoint): an origin, the number of entries, the hash in base64.
Anybody may countersign it as a signed note without reading the game. The hash is that of a chain, not of a tree.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import NamedTuple

from referee.gate import UnreadableError
from referee.gate.text_encodings import read_base64

ORIGIN_PREFIX = "referee/"
"""The beginning of the origin. The first digits of the game's id follow."""
ID_DIGITS = 16
"""The hexadecimal digits of an id in the origin: 64 bits, which nobody hits by chance in an evening."""
_GAP = r"[\s>]+"
"""The room between two parts. Scanners may turn a line feed into a blank, and mail may quote the lines."""
_FORM = re.compile(
    rf"{ORIGIN_PREFIX}(?P<id>[0-9a-f]{{16}}){_GAP}(?P<count>[1-9][0-9]{{0,15}}){_GAP}(?P<hash>[A-Za-z0-9+/]{{43}}=)"
)


class Checkpoint(NamedTuple):
    """A log as it was at some moment."""

    id: str
    """The first digits of the game's id, in hex."""
    n: int
    """The number of the entry that was the last."""
    hash: str
    """The hash of that entry, in hex."""


def format_checkpoint(id_: str, n: int, hash_: str) -> str:
    """Returns the text of a checkpoint. `id_` is the id of the game, `hash_` the hash of entry `n`, both in hex."""
    return f"{ORIGIN_PREFIX}{id_[:ID_DIGITS]}\n{n + 1}\n{b64encode(bytes.fromhex(hash_)).decode()}\n"


def find_checkpoints(text: str) -> Iterator[Checkpoint]:
    """Yields the checkpoints in a text, whatever stands around them. Signatures behind them are not checked."""
    for found in _FORM.finditer(text):
        try:
            yield Checkpoint(found["id"], int(found["count"]) - 1, read_base64(found["hash"]).hex())
        except UnreadableError:
            continue
