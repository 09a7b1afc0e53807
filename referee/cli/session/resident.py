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
        self._seat_first()

    def holds(self, path: Path) -> bool:
        """Whether this is the log there."""
        own = self.session.path
        return own is not None and (own == path or (path.exists() and own.exists() and own.samefile(path)))

    def refresh(self) -> None:
        """Read again what somebody else has added to; FaultError, OSError."""
        self.moved, self.news = not self.session.is_current(), []
        if self.moved:
            self.read_again()
        self._move_up()

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
        self._seat_first()

    def check_unmoved(self) -> None:
        """Nothing is recorded of what was said before its speaker saw how the game stands; MovedOnError."""
        if self.moved:
            raise MovedOnError("somebody else has recorded something meanwhile; look how it stands, then say it again")

    # Secrets: one player at a time looks at the screen

    @property
    def changes_hands(self) -> bool:
        """Whether players take turns at the screen, since not all who play here may know the same."""
        now = self.session.through(None)
        here = self._screened and self.session.pact is None
        return here and len(now.players) > 1 and not now.here.isdisjoint(now.keepers)

    @property
    def to_sit(self) -> Seat | None:
        """Who has to sit down at the screen before he can speak; None: who looks may speak, or nobody can here."""
        now = self.session.through(None)
        if not self.changes_hands or now.to_act not in now.players:
            return None
        return now.to_act if now.differs(self.eyes, now.to_act) else None

    @property
    def has_secrets(self) -> bool:
        """Whether who looks may see what others may not."""
        return self.changes_hands and self.eyes in self.session.through(None).keepers

    def speaker(self) -> Seat | None:
        """Who speaks if nobody is named; NotAllowedError while the seat is empty."""
        if self.eyes is None and self.to_sit:
            raise NotAllowedError(f"{self.to_sit} has to sit down first: press Enter")
        return self.eyes

    def hand_over(self) -> None:
        """Who has to speak sits down. From one who keeps secrets to another it takes two steps: first he gets up."""
        now, leaves = self.session.through(None), self.has_secrets
        self.eyes = None if leaves and self.to_sit in now.keepers else self.to_sit

    def get_up(self) -> None:
        """Who looked at the screen leaves it to everybody."""
        self.eyes = None

    def _move_up(self) -> None:
        """Those who keep no secrets see the same: who of them is to act speaks, without sitting down."""
        now = self.session.through(None)
        if self.changes_hands and now.to_act and not now.differs(self.eyes, now.to_act):
            self.eyes = now.to_act

    def _seat_first(self) -> None:
        """Where one seat only plays here, or all may know what its player knows, he looks from the beginning."""
        now = self.session.through(None)
        if not self._screened or not now.keepers:
            return
        alone = tuple(self.session.vaults) if self.session.pact else now.players
        if len(alone) == 1:
            (self.eyes,) = alone
        self._move_up()
