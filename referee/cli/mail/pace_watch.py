"""Tells a program of the user's own when a game has waited longer than its pace: while mail is watched, or a game is
served.
"""

from __future__ import annotations

import time
from pathlib import Path

from referee.cli.mail.awaited_seat import measure_wait_of_game
from referee.cli.mail.waiting_games import list_logs_in_folder
from referee.cli.turn_hook import TurnHook
from referee.mail.seats import find_own_seat
from referee.record.archive.log_boundary import run_on_log
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

SECONDS_BETWEEN_CHECKS = 600.0
"""The seconds between two looks at the games. A pace counts days."""


class PaceWatch:
    """A watch over games with a pace. It remembers the waits that the program was told about."""

    def __init__(self, hook: TurnHook, log: Path | None = None) -> None:
        """Watches one game; if `log` is None, all games of this folder."""
        self._hook, self._log = hook, log
        self._told: set[tuple[Path, str]] = set()
        """The waits that the program was told about: each a log, with the time at which its pace was over."""
        self._next = 0.0

    def report_overdue_waits(self) -> None:
        """Tells the program once about each wait that is longer than the pace.

        Looks at the games only once in `SECONDS_BETWEEN_CHECKS`.
        """
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + SECONDS_BETWEEN_CHECKS
        for path in [self._log] if self._log else list_logs_in_folder(None):
            run_on_log(path, lambda path=path: self._look_at(path))  # type: ignore[misc]

    def _look_at(self, path: Path) -> None:
        session = open_log(path)
        wait, protocol = measure_wait_of_game(session), session.public.protocol
        if wait is None or protocol is None or not wait.is_over or (path, wait.due) in self._told:
            return
        self._told.add((path, wait.due))
        self._hook.run_for_overdue_game(SeatView(session), find_own_seat(protocol))
