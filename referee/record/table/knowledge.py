"""The knowledge of a game at one moment: the whole truth, or only the views of some seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudication import apply_events
from referee.engine.event import REFEREE, Outcome, Seat
from referee.engine.game import AnyGame, view_for
from referee.engine.options import Options
from referee.engine.secret import UnknownError, hide_secrets_from


class Knowledge(Struct, frozen=True, gc=False):
    """The state of a game, as far as it is known on this computer.

    This is the true state if every secret so far can be opened here. Otherwise, it is one view for each seat whose
    secrets can be opened, and one view for spectators.
    """

    truth: Any = None
    """The true state; None if it is not known here."""
    views: Mapping[Seat | None, Any] | None = None
    """The view of each seat that is known here, and of spectators under None. None if the truth is known."""
    ended: Outcome | None = None
    """The end that the players gave the game, by resigning or by agreement; None if they did not."""

    def find_outcome(self, game: AnyGame) -> Outcome | None:
        """Returns how the game ended, by its rules or by its players; None while it goes on."""
        return self.ended or game.outcome(self.public)

    @property
    def public(self) -> Any:
        """A state for questions that have the same answer in every view: who acts, which turn it is, how it ended."""
        return self.truth if self.views is None else self.views[None]

    def view_of(self, game: AnyGame, seat: Seat | None) -> Any:
        """Returns the view of a seat; None stands for a spectator, and `REFEREE` for the truth.

        If the truth is not known here, `REFEREE` stands for the first seat whose view is known, or else for a
        spectator. Raises UnknownError if secrets of the seat are not known here.
        """
        if self.views is None:
            return view_for(game, self.truth, seat)
        if seat == REFEREE:
            return next((view for viewer, view in self.views.items() if viewer), self.views[None])
        if seat not in self.views:
            raise UnknownError(str(seat))
        return self.views[seat]

    def can_open_view_of(self, seat: Seat) -> bool:
        """True if the view of this seat is known here."""
        return self.views is None or seat in self.views

    def drop_secrets_of(self, game: AnyGame, seats: Iterable[Seat], unknown: Iterable[Seat]) -> Knowledge:
        """Returns the knowledge that is left if secrets of the `unknown` seats cannot be opened; `seats` are all
        seats.
        """
        gone = set(unknown)
        if self.views is not None:
            return Knowledge(
                views={seat: view for seat, view in self.views.items() if seat not in gone}, ended=self.ended
            )
        viewers = (*(seat for seat in seats if seat not in gone), None)
        return Knowledge(views={seat: view_for(game, self.truth, seat) for seat in viewers}, ended=self.ended)

    def under_options(self, game: AnyGame, options: Options) -> Knowledge:
        """Returns the knowledge after the players switched to these options."""
        if self.views is None:
            return replace(self, truth=game.under_options(self.truth, options))
        return replace(self, views={seat: game.under_options(view, options) for seat, view in self.views.items()})

    def apply_play(self, game: AnyGame, by: Seat, events: tuple[Any, ...], seen: tuple[Any, ...]) -> Knowledge:
        """Returns the knowledge after a play. `events` are all of its events, `seen` those that other seats see."""
        if self.views is None:
            return Knowledge(apply_events(self.truth, events))
        return Knowledge(
            views={
                seat: view_for(game, apply_events(view, events if seat == by else hide_secrets_from(seen, seat)), seat)
                for seat, view in self.views.items()
            }
        )
