"""The log that a session at the table plays on: kept read and folded between its lines, and who sits at the screen."""

from __future__ import annotations

from pathlib import Path

from referee.engine.event import Seat
from referee.record.log.entry import AnyEntry
from referee.record.log.faults import MovedOnError, NotAllowedError
from referee.record.table.session import Session
from referee.record.table.start import open_log


class Resident:
    """One log, and whose eyes are on the screen."""

    def __init__(self, session: Session, *, screened: bool = True) -> None:
        """`screened`: in a game with secrets only one player looks at a time; else eyes are named with every command,
        as in the shell.
        """
        self.session = session
        self.moved = False
        """Whether somebody else has added to the log since the line before."""
        self.news: list[AnyEntry] = []
        """What they have added."""
        self.eyes: Seat | None = None
        """Who looks at the screen; None: everybody."""
        self._screened = screened
        self._seat_alone()

    def holds(self, path: Path) -> bool:
        """Whether this is the log there."""
        own = self.session.path
        return own is not None and (own == path or (path.exists() and own.exists() and own.samefile(path)))

    def refresh(self) -> None:
        """Read again what somebody else has added to; FaultError, OSError."""
        self.moved, self.news = not self.session.is_current(), []
        if self.moved:
            self.read_again()

    def read_again(self) -> None:
        """Read the whole log anew; FaultError, OSError."""
        assert self.session.path is not None, "a session plays on a file"
        known = len(self.session.entries)
        self.session = open_log(self.session.path)
        self.news = self.session.entries[known:]

    def catch_up(self) -> None:
        """Read the log after a line that has added to it by itself: it has told what came, which is no news."""
        self.read_again()
        self.news = []

    def turn_to(self, session: Session) -> None:
        """Play on in another log."""
        self.session, self.eyes = session, None
        self._seat_alone()

    def check_unmoved(self) -> None:
        """Nothing is recorded of what was said before its speaker saw how the game stands; MovedOnError."""
        if self.moved:
            raise MovedOnError("somebody else has recorded something meanwhile; look how it stands, then say it again")

    # Secrets: one player at a time looks at the screen

    @property
    def changes_hands(self) -> bool:
        """Whether players take turns at the screen, since secrets of several are here."""
        return self._screened and len(self.session.vaults) > 1

    @property
    def due(self) -> Seat | None:
        """Who has to sit down at the screen before he can speak; None: who looks may speak, or nobody can here."""
        now = self.session.through(None)
        if not self.changes_hands or now.to_act in (None, self.eyes):
            return None
        return now.to_act if now.to_act in now.here or now.to_act not in now.keepers else None

    def speaker(self) -> Seat | None:
        """Who speaks if nobody is named; NotAllowedError while the seat is empty."""
        if self.eyes is None and self.due:
            raise NotAllowedError(f"{self.due} has to sit down first: press Enter")
        return self.eyes

    def hand_over(self) -> None:
        """Who looked gets up; then who has to speak sits down."""
        self.eyes = self.due if self.eyes is None else None

    def _seat_alone(self) -> None:
        """Where secrets of one seat only are here, nobody else looks."""
        here = self.session.vaults
        if self._screened and len(here) == 1:
            (self.eyes,) = here
