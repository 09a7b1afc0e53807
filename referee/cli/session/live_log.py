"""The log of a session at the table, which others may change between its lines, and the player at the screen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from referee.engine.event import REFEREE, Seat
from referee.record.log import store
from referee.record.log.entry import AnyEntry
from referee.record.log.log_errors import MovedOnError, NotAllowedError
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session


class ScreenHandover(Struct, frozen=True):
    """A change of the player at the screen, which must come before the next action."""

    to: Seat
    """The player who sits down."""
    has_secrets_to_hide: bool
    """True if the player who looks now keeps secrets, which have to leave the screen first."""


class LiveLog:
    """A log in a running program, and the player at the screen."""

    def __init__(self, session: Session, *, screened: bool = True) -> None:
        """`screened` is True if only one player at a time looks at the screen in a game with secrets.

        If it is False, every command names its view, as in the shell.
        """
        self.session = session
        self.was_changed = False
        """True if somebody else has changed the log since the previous line."""
        self.news: list[AnyEntry] = []
        """The entries that somebody else has added since the previous line."""
        self.eyes: Seat | None = None
        """The player at the screen; None for everybody."""
        self.on_screen: frozenset[Seat] = frozenset()
        """The seats whose secrets are on the screen. REFEREE stands for the secrets of all seats."""
        self.has_shown_secrets = False
        """True once anybody's secrets have been on the screen."""
        self._screened = screened
        self._seat_first_player()

    def is_log_at(self, path: Path) -> bool:
        """True if the file at `path` is this log."""
        own = self.session.path
        return own is not None and (own == path or (path.exists() and own.exists() and own.samefile(path)))

    def refresh(self) -> None:
        """Reads the log again if somebody else has changed it. Raises FaultError or OSError."""
        path, self.news = self.session.path, []
        self.was_changed = path is not None and not store.has_same_end(path, self.session.head)
        if self.was_changed:
            self.read_again()
        self._seat_player_to_move()

    def read_again(self) -> None:
        """Reads the whole log again, and notes the added entries as news. Raises FaultError or OSError."""
        known = len(self.session.entries)
        self.session = open_log(self.session.file_path)
        if self.session.letter:
            from referee.record.table.merging import (
                restore_original_log,  # a log is hardly ever changed while it is played
            )

            self.session = restore_original_log(self.session)
        self.news = self.session.entries[known:]

    def reload_own_changes(self) -> None:
        """Reads the log again after a line typed here has changed the file directly. The new entries are not announced
        as news.

        Raises FaultError or OSError.
        """
        self.read_again()
        self.news = []

    def switch_to(self, session: Session) -> None:
        """Goes on with the log of another session."""
        self.session, self.eyes = session, None
        self._seat_first_player()

    def check_up_to_date(self) -> None:
        """Raises MovedOnError if the speaker has not seen the present state of the game."""
        if self.was_changed:
            raise MovedOnError(store.MOVED_ON_MESSAGE)

    # Secrets: one player at a time looks at the screen

    @property
    def is_screen_shared(self) -> bool:
        """True if players take turns at the screen, because they may know different things."""
        now = SeatView(self.session, None)
        here = self._screened and self.session.public.protocol is None
        return here and len(now.facts.playable_seats) > 1 and not now.facts.vault_seats.isdisjoint(now.facts.keepers)

    @property
    def pending_handover(self) -> ScreenHandover | None:
        """The hand-over that must come before the next action; None if none is needed, or if nobody here can move."""
        now = SeatView(self.session, None)
        to = now.facts.to_act
        if (
            to is None
            or not self.is_screen_shared
            or to not in now.facts.playable_seats
            or not now.facts.may_see_differently(self.eyes, to)
        ):
            return None
        return ScreenHandover(to, self.eyes in now.facts.keepers)

    @property
    def log_and_viewer(self) -> tuple[Path | None, Seat | None]:
        """The path of the log, and the player at the screen. Secrets on the screen are only for this player."""
        return self.session.path, self.eyes

    def find_speaker(self) -> Seat | None:
        """Returns the seat that speaks if a line names none. Raises NotAllowedError if a player must sit down first."""
        handover = self.pending_handover
        if self.eyes is None and handover:
            raise NotAllowedError(f"{handover.to} has to sit down first: press Enter")
        return self.eyes

    def carry_out_handover(self, handover: ScreenHandover) -> None:
        """Carries out a hand-over of the screen.

        Between two players with secrets, the first one only leaves, so nobody is at the screen for a while. A further
        hand-over seats the next player.
        """
        keepers = SeatView(self.session, None).facts.keepers
        self.eyes = None if handover.has_secrets_to_hide and handover.to in keepers else handover.to

    def note_secrets_shown(self, eyes: Iterable[Seat]) -> None:
        """Notes that the secrets of these seats are on the screen, if players take turns at it."""
        now = SeatView(self.session, None)
        secret = frozenset(eyes) & {*now.facts.keepers, REFEREE} if self.is_screen_shared else frozenset[Seat]()
        self.on_screen |= secret
        self.has_shown_secrets = self.has_shown_secrets or bool(secret)

    def note_screen_cleared(self) -> None:
        """Notes that no secrets are on the screen, since it will be cleared before anything else is shown."""
        self.on_screen = frozenset()

    def _seat_player_to_move(self) -> None:
        """Lets the seat to move take the screen, if it knows the same as the player who is there now."""
        now = SeatView(self.session, None)
        if (
            self.is_screen_shared
            and now.facts.to_act
            and not now.facts.may_see_differently(self.eyes, now.facts.to_act)
        ):
            self.eyes = now.facts.to_act

    def _seat_first_player(self) -> None:
        """Seats a player at the screen if only one plays here, or if the seat to move knows no more than everybody."""
        now = SeatView(self.session, None)
        if not self._screened or not now.facts.keepers:
            return
        alone = tuple(self.session.public.vault_seats) if self.session.public.protocol else now.facts.playable_seats
        if len(alone) == 1:
            (self.eyes,) = alone
        self._seat_player_to_move()
