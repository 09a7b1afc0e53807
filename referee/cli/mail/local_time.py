"""Times in the zone of the reader. Data for programs keep UTC."""

from __future__ import annotations

import time

from referee.gate import read_time


def format_local_time(at: str) -> str:
    """Returns a time of an entry in the reader's own zone, to the minute. `describe_time_zone` names the zone.

    A time stays in UTC if it cannot be converted, because it lies at the very start or end of the calendar.
    """
    try:
        found = read_time(at).astimezone()
    except (OverflowError, ValueError, OSError):
        found = read_time(at)
    return found.isoformat(" ", timespec="minutes")[:16]


def describe_time_zone() -> str:
    """Returns the name of the reader's own time zone, such as "CET/CEST"."""
    return "/".join(dict.fromkeys(time.tzname))
