"""What is known here of a game at one moment: the truth, or no more than some seats see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from referee.engine.adjudicate import fold
from referee.engine.event import REFEREE, Outcome, Seat
from referee.engine.game import AnyGame, look
from referee.engine.secret import UnknownError, blinded


class Known(Struct, frozen=True, gc=False):
    """The truth where every secret so far can be opened here; else a state for each seat whose secrets can be, as that
    seat sees it, and one for spectators.
    """

    truth: Any = None
    views: Mapping[Seat | None, Any] | None = None
    ended: Outcome | None = None
    """How players have ended the game, if they have: by giving it up, or by agreement."""

    def outcome(self, game: AnyGame) -> Outcome | None:
        """How the game ended, by its rules or by its players; None while it goes on."""
        return self.ended or game.outcome(self.public)

    @property
    def public(self) -> Any:
        """A state that tells what is the same in every view: who acts, what turn it is, how it ended."""
        return self.truth if self.views is None else self.views[None]

    def seen_by(self, game: AnyGame, seat: Seat | None) -> Any:
        """What a seat sees; None: a spectator; the referee: all that is known here. UnknownError: whose is not."""
        if self.views is None:
            return look(game, self.truth, seat)
        if seat == REFEREE:
            return next((view for viewer, view in self.views.items() if viewer), self.views[None])
        if seat not in self.views:
            raise UnknownError(str(seat))
        return self.views[seat]

    def knows(self, seat: Seat) -> bool:
        """Whether what this seat sees is known here."""
        return self.views is None or seat in self.views

    def without(self, game: AnyGame, seats: Iterable[Seat], unknown: Iterable[Seat]) -> Known:
        """What is left to know once secrets of `unknown` seats cannot be opened; `seats` are all there are."""
        gone = set(unknown)
        if self.views is not None:
            return Known(views={seat: view for seat, view in self.views.items() if seat not in gone}, ended=self.ended)
        viewers = (*(seat for seat in seats if seat not in gone), None)
        return Known(views={seat: look(game, self.truth, seat) for seat in viewers}, ended=self.ended)

    def after(self, game: AnyGame, by: Seat, events: tuple[Any, ...], seen: tuple[Any, ...]) -> Known:
        """What is known after a play: `events` are all of it, `seen` what others than its own seat see."""
        if self.views is None:
            return Known(fold(self.truth, events))
        return Known(
            views={
                seat: look(game, fold(view, events if seat == by else blinded(seen, seat)), seat)
                for seat, view in self.views.items()
            }
        )
