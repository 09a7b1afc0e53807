"""The file in which rare spots are kept between runs.

The file only names games and moments in them. So wrong, old or invented content can neither make a law fail nor hide a
breach.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from referee.gate import UnreadableError, read_json

MAX_SPOTS = 1_000
"""The most spots that are kept of a game."""
MAX_FILE_BYTES = 4 * 2**20
"""The largest file that is read, in bytes."""

NaturalNumber = Annotated[int, Meta(ge=0, le=10**9)]


class KeptSpots(Struct, forbid_unknown_fields=True):
    """The rare moments that earlier searches found in random games, and the lines that those games reached."""

    code: str
    """The hash of the rules under which all of this was found."""
    spots: Annotated[list[tuple[NaturalNumber, NaturalNumber]], Meta(max_length=MAX_SPOTS)] = []
    """For each game number, the action counts at which it reached lines that no game had reached before."""
    reached: dict[str, list[NaturalNumber]] = {}
    """The reached lines, by module."""
    first: Annotated[list[NaturalNumber], Meta(max_length=MAX_SPOTS)] = []
    """Games to play first, because they reached rare lines under other rules."""
    next: NaturalNumber = 0
    """The number of the next game."""


def read_kept_spots(path: Path, code: str) -> KeptSpots:
    """Returns the content of a file that was kept for the rules with the hash `code`.

    An unreadable file counts as absent. The games in a file for other rules are played again.
    """
    try:
        with path.open("rb") as file:
            kept = read_json(file.read(MAX_FILE_BYTES), KeptSpots)
    except (OSError, UnreadableError):
        return KeptSpots(code)
    if kept.code == code:
        return kept
    return KeptSpots(code, first=list(dict.fromkeys([*(number for number, _ in kept.spots), *kept.first]))[:MAX_SPOTS])


def write_kept_spots(path: Path, kept: KeptSpots) -> None:
    """Writes the whole file, or nothing if the folder cannot be written."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent) as folder:
            written = Path(folder) / path.name
            written.write_bytes(msgspec.json.encode(kept))
            written.replace(path)
