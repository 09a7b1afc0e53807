"""A log as it is served: read again whenever it changes, told to each pair of eyes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.errors import explain
from referee.cli.look import people_of
from referee.cli.paged import told_from
from referee.record.log.faults import FaultError
from referee.record.log.vault import vault_path
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log
from referee.serve.game import BrokenError, Reading

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.page.story import Story
    from referee.record.table.session import Session


class Served:
    """A log in a file."""

    def __init__(self, session: Session, troubled: Callable[[str], None] = lambda _: None) -> None:
        """`troubled` hears in full what is wrong with the log, as often as it changes; empty: nothing any more."""
        assert session.path is not None, "a log in a file"
        self._path, self._session, self._troubled = session.path, session, troubled
        self._era = 0
        """How often earlier entries have come to read otherwise."""
        self._last: dict[Seat | None, Sitting] = {}
        """The game as it was told last to each pair of eyes."""

    def stamp(self) -> Hashable:
        """Sizes and times of the log and of the vaults beside it."""
        vaults = (vault_path(self._path, seat) for seat in self._session.seats)
        return tuple(map(_stamp, (self._path, *vaults)))

    def read(self) -> Reading:
        """Read the log; BrokenError."""
        before, look = self._session, Sitting(self._session)
        with self._told():
            session = open_log(self._path)
            revealed = not set(look.log.sealed) <= set(Sitting(session).log.sealed)
        if revealed or session.vaults != before.vaults:
            self._era += 1
        self._session = session
        return self.reading

    @property
    def reading(self) -> Reading:
        """What was read last."""
        session = self._session
        seats = frozenset(people_of(Sitting(session)))
        return Reading(
            len(session.entries), session.head.hash, self._era, frozenset(session.in_force()), seats, _notice(session)
        )

    def hash_at(self, n: int) -> str:
        """The hash of an entry; BrokenError."""
        with self._told():
            return self._session.hash_at(n)

    def story(self, eyes: Seat | None, first: int) -> Story:
        """What was read last, from an entry on, as these eyes see it; BrokenError."""
        look, before = Sitting(self._session, eyes), self._last.get(eyes)
        with self._told():
            told = told_from(look, first, before=before if before and before.log.entry == first - 1 else None)
        self._last[eyes] = look
        return told

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What is wrong is told here in full, and to everybody in few words, which name no file."""
        try:
            yield
        except FaultError as error:
            self._troubled(explain(error, self._path).complaint)
            raise BrokenError(f"The log cannot be read from entry {error.fault.n} on. {STANDS}") from error
        except Exception as error:  # whatever it is, the board goes on once the log is another one
            self._troubled(explain(error, self._path).complaint)
            raise BrokenError(f"The log cannot be read now. {STANDS}") from error


STANDS = "The board stands as it was before; it goes on once the log is mended."


def _notice(session: Session) -> str:
    """What is wrong with a log that can be read."""
    return f"The log ends in the middle of an entry. {STANDS}" if session.head.torn else ""


def _stamp(path: Path) -> Hashable:
    """What is other once somebody has written a file; None: it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
