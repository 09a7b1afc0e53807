"""The outline of a log that cannot be read: its players, its dates, and whether its lines form a chain.

An outline needs only the frame of the lines and a few fields that every format has. So it also works for logs of newer
referees, and for games that are not installed.
"""

from __future__ import annotations

from typing import Any, BinaryIO

from msgspec import Struct

from referee.engine.text import make_printable
from referee.gate import UnreadableError, read_json
from referee.record.log.field_types import MAX_LINE_BYTES, is_time
from referee.record.log.line_format import BODY_OFFSET, LINE_START, NO_PREVIOUS_HASH, format_entry_line

MAX_LISTED_NAMES = 8


class LogOutline(Struct, frozen=True):
    """The facts about a log that can be found without reading its plays."""

    game: str
    """The name of the game, as the log gives it."""
    program: str
    """The version of the referee that wrote the log; "" if it does not say."""
    format: int
    rules: int
    players: tuple[str, ...]
    """The seats with the names of their players."""
    entries: int
    """The number of lines from the beginning that form a chain with correct hashes."""
    is_fully_chained: bool
    """True if all lines of the log form the chain."""
    head: str
    """The hash of the last line of the chain."""
    first: str
    """The time of the first line, as the line says; "" if it is not a real time."""
    last: str
    """The time of the last line of the chain; "" if it is not a real time."""


class _First(Struct):
    game: str
    format: int = 0
    rules: int = 0
    program: str = ""
    seats: Any = ()


class _Link(Struct):
    prev: str
    at: str = ""


def read_log_outline(file: BinaryIO) -> LogOutline | None:
    """Returns the outline of a log, read from the file's present position. None if the first line begins no game."""
    first: _First | None = None
    begun, count, head, last, whole = "", 0, NO_PREVIOUS_HASH, "", True
    while line := file.readline(MAX_LINE_BYTES + 1):
        body = line.removesuffix(b"\n")[BODY_OFFSET:-1]
        link = _decode(body, _Link) if line.removesuffix(b"\n") + b"\n" == format_entry_line(body) else None
        if link is None or link.prev != head:
            whole = False
            break
        if first is None:
            first, begun = _decode(body, _First), link.at
            if first is None:
                return None
        head, last, count = line[len(LINE_START) :][:64].decode(), link.at, count + 1
    if first is None:
        return None
    told = (
        make_printable(first.game[:40]),
        make_printable(first.program[:40]),
        first.format,
        first.rules,
        _list_players(first.seats),
    )
    return LogOutline(*told, count, whole, head, *(time if is_time(time) else "" for time in (begun, last)))


def _list_players(seats: Any) -> tuple[str, ...]:
    """Returns the seats with their names, in all forms that first entries have had."""
    listed = seats.items() if isinstance(seats, dict) else map(_describe_seat, seats if isinstance(seats, list) else ())
    return tuple(make_printable(f"{seat} ({name})")[:100] for seat, name in list(listed)[:MAX_LISTED_NAMES])


def _describe_seat(seated: Any) -> tuple[str, str]:
    return (str(seated.get("seat")), str(seated.get("name"))) if isinstance(seated, dict) else (str(seated), "?")


def _decode(body: bytes, kind: Any) -> Any:
    try:
        return read_json(body, kind)
    except UnreadableError:
        return None
