"""The pace of a game by mail: the days that a seat has let pass. Times come from the clocks of the players."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from referee.engine.event import Seat
from referee.engine.text import count_of
from referee.gate import read_time
from referee.record.log.entry import get_current_time

LAST_TIME = datetime(9999, 12, 31, tzinfo=UTC)
"""The last time of the calendar. It stands for all later times."""


class SeatWait(Struct, frozen=True):
    """The wait for a seat in a game with a pace."""

    seat: Seat
    pace: int
    """The days that a turn may take."""
    days: int
    """The whole days that have passed."""
    due: str
    """The time at which the pace is over, in UTC, written as in entries."""
    paused_until: str
    """The day until which the pace rests; "" if it does not rest now."""
    is_over: bool
    """True if the seat has taken longer than the pace."""

    @property
    def description(self) -> str:
        """The wait as a clause: "9 days of 14", or in a pause "no days count until 2026-12-24"."""
        if self.paused_until:
            return f"no days count until {self.paused_until}"
        return f"{count_of(self.days, 'day')} of {self.pace}{', so the pace is over' if self.is_over else ''}"


def read_clock() -> datetime:
    """Returns the present time."""
    return read_time(get_current_time())


def measure_wait(seat: Seat, pace: int, since: str, paused_until: str) -> SeatWait:
    """Returns the wait for a seat since a time. `pace` is at least a day; `paused_until` is "" without a pause."""
    now, begun = read_clock(), read_time(since)
    rests = read_time(paused_until).replace(tzinfo=UTC) if paused_until else begun
    start = max(begun, rests)
    due = start + timedelta(days=pace) if start < LAST_TIME - timedelta(days=pace) else LAST_TIME
    at, rest = due.isoformat(timespec="seconds").replace("+00:00", "Z"), paused_until if rests > now else ""
    return SeatWait(seat, pace, max(0, (now - start).days), at, rest, is_over=now >= due)
