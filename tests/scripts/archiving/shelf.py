"""The shelf of the archive: what is to be put there, and the index that says what it is."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

WHY = "As it was written under this format and these rules."


class Kept(NamedTuple):
    """A file as it is to be kept."""

    folder: str
    """Format and rules: `1-2`."""
    file: str
    """Where in it, and under which name."""
    data: bytes
    facts: dict[str, str | int]
    """What the index says of it besides its name and hash."""


class TakenError(Exception):
    """Something lies there already."""


def list_archived(archive: Path) -> set[tuple[str, str]]:
    """The folders that lie there already, each with a game that is in it."""
    return {
        (index.parent.name, row["game"])
        for index in archive.glob("*/index.toml")
        for row in tomllib.loads(index.read_text(encoding="utf-8"))["file"]
        if "game" in row
    }


def put(archive: Path, things: Iterable[Kept]) -> int:
    """Put all of it there and say so in the index; how many files. TakenError: nothing is put where something lies."""
    things = list(things)
    for thing in things:
        if (archive / thing.folder / thing.file).exists():
            raise TakenError(f"{thing.folder}/{thing.file} lies there already, and is never made again")
    for thing in things:
        path = archive / thing.folder / thing.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(thing.data)
        with (archive / thing.folder / "index.toml").open("a", encoding="utf-8", newline="\n") as index:
            index.write(_row(thing))
    return len(things)


def _row(thing: Kept) -> str:
    facts = {"file": thing.file, "sha256": sha256(thing.data).hexdigest(), **thing.facts}
    return "\n".join(["[[file]]", *(f"{name} = {json.dumps(value)}" for name, value in facts.items()), "", ""])
