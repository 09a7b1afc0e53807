"""What can be told of a log that cannot be read: who plays, when, and whether its lines hang together.

It asks for nothing but the frame of lines and a few fields that every format has had, so it works for logs of newer
referees, and for games that are not installed here.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from referee.engine.text import printable
from referee.record.log.fields import MAX_LINE, is_time
from referee.record.log.frame import BODY_AT, NO_PARENT, OPENER, frame

MOST_NAMES = 8


class Outline(Struct, frozen=True):
    """What can be told of a log without reading its plays."""

    game: str
    """The name of the game, as the log tells it."""
    program: str
    """The version of the referee that wrote it; empty where it does not say."""
    format: int
    rules: int
    players: tuple[str, ...]
    """The seats with the names of those who sit there."""
    entries: int
    """How many lines from the beginning follow one another, each with a hash that fits."""
    whole: bool
    """True if these are all its lines."""
    head: str
    """The hash of the last of them."""
    first: str
    """When the first was written, as it says itself."""
    last: str
    """When the last was written."""


class _First(Struct):
    game: str
    format: int = 0
    rules: int = 0
    program: str = ""
    seats: Any = ()


class _Link(Struct):
    prev: str
    at: str = ""


def outline_of(file: BinaryIO) -> Outline | None:
    """Reads a log loosely from where the file stands; None where its first line is no entry that begins a game."""
    first: _First | None = None
    begun, count, head, last, whole = "", 0, NO_PARENT, "", True
    while line := file.readline(MAX_LINE + 1):
        body = line.removesuffix(b"\n")[BODY_AT:-1]
        link = _decoded(body, _Link) if line.removesuffix(b"\n") + b"\n" == frame(body) else None
        if link is None or link.prev != head:
            whole = False
            break
        if first is None:
            first, begun = _decoded(body, _First), link.at
            if first is None:
                return None
        head, last, count = line[len(OPENER) :][:64].decode(), link.at, count + 1
    if first is None:
        return None
    told = (printable(first.game[:40]), printable(first.program[:40]), first.format, first.rules, _players(first.seats))
    return Outline(*told, count, whole, head, *(time if is_time(time) else "" for time in (begun, last)))


def _players(seats: Any) -> tuple[str, ...]:
    """The seats with their names, in the forms that first entries have had."""
    listed = seats.items() if isinstance(seats, dict) else map(_seat, seats if isinstance(seats, list) else ())
    return tuple(printable(f"{seat} ({name})")[:100] for seat, name in list(listed)[:MOST_NAMES])


def _seat(seated: Any) -> tuple[str, str]:
    return (str(seated.get("seat")), str(seated.get("name"))) if isinstance(seated, dict) else (str(seated), "?")


def _decoded(body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
