"""A log that `referee serve` watches: it is read again after every change, and shown in each view."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.errors import explain_error
from referee.cli.game_view import list_human_seats
from referee.cli.html_page import make_story_without_files
from referee.record.archive.checkpoint import format_checkpoint
from referee.record.log.hash_words import format_entry_witness
from referee.record.log.log_errors import FaultError
from referee.record.log.vault import find_vault_path
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView
from referee.serve.watched_log import LogReading, UnreadableLogError

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.page.page_model import Story
    from referee.record.table.session import Session


class WatchedLogFile:
    """A log in a file that browsers watch."""

    def __init__(
        self,
        session: Session,
        troubled: Callable[[str], None] = lambda _: None,
        changed: Callable[[SeatView], None] = lambda _: None,
    ) -> None:
        """Watches the log of a session.

        `troubled` is called with a full message about each problem with the log. `changed` is called with the game
        after each change.
        """
        self._path, self._session, self._troubled, self._changed = session.file_path, session, troubled, changed
        self._text_version = 0
        """The number of times that entries known before have changed their words, as after a reveal."""
        self._last: dict[Seat | None, SeatView] = {}
        """The game that each seat was shown last; spectators under None."""

    def read_change_stamp(self) -> Hashable:
        """Returns a value that changes when the log, or a vault of it, changes."""
        vaults = (find_vault_path(self._path, seat) for seat in self._session.public.seats)
        return tuple(map(_read_stamp, (self._path, *vaults)))

    def read_log(self) -> LogReading:
        """Reads the log again. Raises UnreadableLogError."""
        before, look = self._session, SeatView(self._session)
        with self._report_errors():
            session = open_log(self._path)
            revealed = not set(look.log.sealed_entries) <= set(SeatView(session).log.sealed_entries)
        if revealed or session.public.vault_seats != before.public.vault_seats:
            self._text_version += 1
        self._session = session
        self._changed(SeatView(session))
        return self.last_reading

    @property
    def last_reading(self) -> LogReading:
        """The log as it was read last."""
        session = self._session
        seats = frozenset(list_human_seats(SeatView(session)))
        return LogReading(
            entry_count=len(session.entries),
            head=session.head.hash,
            text_version=self._text_version,
            in_force=frozenset(session.in_force()),
            seats=seats,
            is_over=SeatView(session).facts.to_act is None,
            notice=_describe_problem(session),
        )

    def hash_at(self, n: int) -> str:
        """Returns the hash of entry `n`. Raises UnreadableLogError."""
        with self._report_errors():
            return self._session.hash_at(n)

    def format_witness(self, n: int) -> str:
        """Returns the number of an entry and the words of its hash. Raises UnreadableLogError."""
        return format_entry_witness(n, self.hash_at(n))

    def format_checkpoint(self, n: int) -> str:
        """Returns the checkpoint of an entry. Raises UnreadableLogError."""
        return format_checkpoint(self.hash_at(0), n, self.hash_at(n))

    def tell_story(self, eyes: Seat | None, first: int) -> Story:
        """Returns the story of the game as last read, from entry `first` on, in the view of `eyes`.

        Raises UnreadableLogError.
        """
        look, before = SeatView(self._session, eyes), self._last.get(eyes)
        with self._report_errors():
            told = make_story_without_files(
                look, first, before=before if before and before.log.entry_number == first - 1 else None
            )
        self._last[eyes] = look
        return told

    @contextmanager
    def _report_errors(self) -> Iterator[None]:
        """Reports an error in full on this computer, and raises UnreadableLogError, which names no files."""
        try:
            yield
        except FaultError as error:
            self._troubled(" ".join(explain_error(error, self._path).complaint))
            raise UnreadableLogError(
                f"The log cannot be read from entry {error.fault.n} on. {LAST_GOOD_STATE_SHOWN}"
            ) from error
        except Exception as error:  # whatever went wrong, the board goes on once the log changes
            self._troubled(" ".join(explain_error(error, self._path).complaint))
            raise UnreadableLogError(f"The log cannot be read now. {LAST_GOOD_STATE_SHOWN}") from error


LAST_GOOD_STATE_SHOWN = "The board shows the last good state until the log is repaired."


def _describe_problem(session: Session) -> str:
    """Returns a sentence about a problem of a log that can still be read; "" if there is none."""
    return f"The log ends in the middle of an entry. {LAST_GOOD_STATE_SHOWN}" if session.head.torn else ""


def _read_stamp(path: Path) -> Hashable:
    """Returns a value that changes when somebody writes the file; None if the file does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
