"""The log that a session at the table plays on: kept read and folded between its lines, and who sits at the screen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from referee.engine.event import REFEREE, Seat
from referee.record.log.entry import AnyEntry
from referee.record.log.faults import MovedOnError, NotAllowedError
from referee.record.table.session import Session
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log


class HandOver(Struct, frozen=True):
    """The screen has to pass to the player who speaks next."""

    to: Seat
    """The player who sits down."""
    leaves: bool
    """True if the player who looks now keeps secrets, which have to leave the screen first."""


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
        self.on_screen: frozenset[Seat] = frozenset()
        """The seats whose secrets stand on the screen; the referee's are those of all seats."""
        self.has_shown_secrets = False
        """True once secrets of anybody have stood on the screen."""
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
        now = Sitting(self.session, None)
        here = self._screened and self.session.pact is None
        return here and len(now.facts.players) > 1 and not now.facts.here.isdisjoint(now.facts.keepers)

    @property
    def handover(self) -> HandOver | None:
        """The hand-over that must come before anybody speaks; None: whoever looks may speak, or nobody can here."""
        now = Sitting(self.session, None)
        to = now.facts.to_act
        if to is None or not self.changes_hands or to not in now.facts.players or not now.facts.differs(self.eyes, to):
            return None
        return HandOver(to, self.eyes in now.facts.keepers)

    @property
    def place(self) -> tuple[Path | None, Seat | None]:
        """The log that is played on, and who looks at it: what stands on the screen is for them alone."""
        return self.session.path, self.eyes

    def speaker(self) -> Seat | None:
        """Returns who speaks if nobody is named. Raises NotAllowedError while the seat is empty."""
        handover = self.handover
        if self.eyes is None and handover:
            raise NotAllowedError(f"{handover.to} has to sit down first: press Enter")
        return self.eyes

    def pass_on(self, handover: HandOver) -> None:
        """Seats the next player. Between two who keep secrets nobody looks for a moment: the first leaves, and the
        other presses Enter once more.
        """
        keepers = Sitting(self.session, None).facts.keepers
        self.eyes = None if handover.leaves and handover.to in keepers else handover.to

    def show_to(self, eyes: Iterable[Seat]) -> None:
        """Notes whose eyes saw what is shown next: their secrets are on the screen from then on."""
        now = Sitting(self.session, None)
        secret = frozenset(eyes) & {*now.facts.keepers, REFEREE} if self.changes_hands else frozenset[Seat]()
        self.on_screen |= secret
        self.has_shown_secrets = self.has_shown_secrets or bool(secret)

    def clear_screen(self) -> None:
        """Notes that the screen is cleared before anything else is shown."""
        self.on_screen = frozenset()

    def _move_up(self) -> None:
        """Those who keep no secrets see the same: who of them is to act speaks, without sitting down."""
        now = Sitting(self.session, None)
        if self.changes_hands and now.facts.to_act and not now.facts.differs(self.eyes, now.facts.to_act):
            self.eyes = now.facts.to_act

    def _seat_first(self) -> None:
        """Where one seat only plays here, or all may know what its player knows, he looks from the beginning."""
        now = Sitting(self.session, None)
        if not self._screened or not now.facts.keepers:
            return
        alone = tuple(self.session.vaults) if self.session.pact else now.facts.players
        if len(alone) == 1:
            (self.eyes,) = alone
        self._move_up()
