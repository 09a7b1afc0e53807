"""The logs that one command has opened, so that an error can be blamed on the log that caused it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.record.table.history import Source

MAX_LOGS = 16
"""The number of opened logs that are remembered: the last ones."""
_watchers: list[deque[Source]] = []


def watch_opened_logs() -> deque[Source]:
    """Returns a list, empty at first, to which every log is added that is opened from here on, the last one last."""
    opened: deque[Source] = deque(maxlen=MAX_LOGS)
    _watchers[:] = [opened]
    return opened


def note_opened_log(source: Source) -> None:
    """Remembers a log that is opened, if somebody watches."""
    for opened in _watchers:
        opened.append(source)
