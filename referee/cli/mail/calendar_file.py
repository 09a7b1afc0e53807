"""A calendar of the games that wait for somebody, as RFC 5545 has it: a day for each game with a pace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from referee.cli.mail.waiting_games import WaitingGame
from referee.gate import read_day
from referee.record.log.field_types import is_day

MAX_LINE_BYTES = 75
"""The most bytes of a line (RFC 5545, 3.1). A longer line is folded: each further piece begins with a space."""
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
"""The characters that a text may not hold as they are (RFC 5545, 3.3.11)."""


def format_calendar(games: Iterable[WaitingGame]) -> Iterator[str]:
    """Yields the lines of a calendar, without line breaks. Each waiting game with a pace is an event of a whole day.

    The same games give the same lines. An event has the id of its game. The stamp of the event is the time since which
    the game waits.
    """
    rows = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//referee//mail//EN"]
    for one in {one.id: one for one in games}.values():  # copies of a log are one game
        rows += _format_event(one)
    for row in (*rows, "END:VCALENDAR"):
        yield from _fold(row)


def _format_event(one: WaitingGame) -> Iterator[str]:
    """Yields the lines of the event of a game.

    Yields nothing if the game has no wait, or if the last day of the wait is not a date that a calendar can hold.
    """
    if one.wait is None or not is_day(one.wait.due[:10]):
        return
    whose = "your turn" if one.waits_for == one.you else f"waits for {one.player}"
    day = read_day(one.wait.due[:10])
    after = day + timedelta(days=1) if day < date.max else day
    yield "BEGIN:VEVENT"
    yield f"UID:{one.id[:32]}@referee"
    yield f"DTSTAMP:{_compact_time(one.since)}"
    yield f"DTSTART;VALUE=DATE:{_compact_time(day.isoformat())}"
    yield f"DTEND;VALUE=DATE:{_compact_time(after.isoformat())}"
    yield f"SUMMARY:{f'{one.game}: {whose}'.translate(ESCAPES)}"
    yield f"DESCRIPTION:{f'{one.log}, {one.when}; a turn may take {one.wait.pace} days'.translate(ESCAPES)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _compact_time(time: str) -> str:
    """Returns a time or day without its dashes and colons."""
    return time.replace("-", "").replace(":", "")


def _fold(row: str) -> Iterator[str]:
    """Yields a line in pieces of at most `MAX_LINE_BYTES` bytes, never parting a character.

    Each piece but the first begins with a space, which marks it as the rest of a line.
    """
    piece = ""
    for letter in row:
        if len((piece + letter).encode()) > MAX_LINE_BYTES:
            yield piece
            piece = " "
        piece += letter
    yield piece
