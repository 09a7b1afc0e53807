"""Resigning: a seat gives the game up, and all others have won."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import Outcome, Seat, ranked
from referee.engine.text import listing
from referee.record.log.fields import Agreed
from referee.record.table.deed import Needs, Starred
from referee.record.table.proposal import Proposal, Terms, ToldDeed, end_of

if TYPE_CHECKING:
    from referee.record.table.draft import Draft
    from referee.record.table.folded import Folded
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 4


def resign(session: "Session", by: Seat, agreed: Sequence[Seat] = ()) -> None:
    """Gives the game up for a seat: the others have won. Where more than two play, they must agree."""
    session.append([(partial(ResignEntry, by=by, agreed=tuple(seat for seat in agreed if seat != by)), None)])


class ResignOffer(Terms, frozen=True, tag="resign"):
    """To give the game up: where more than two play, or where somebody else has the pen."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        session.append([(partial(ResignEntry, by=by, agreed=tuple(agreed)), None)])

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody offers, as what all would do."""
        return "to resign"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out how the game would end."""
        winners = tuple(seat for seat in sitting.facts.seats if seat != by)
        return end_of(sitting, self, by, winners, f"{by} has resigned")


class ResignEntry(ToldDeed, frozen=True, tag="resign"):
    """A seat gives the game up: all others have won."""

    bar = "ended"
    throw = "given up"
    waits_for_declared = True
    star = "resign"

    agreed: Agreed
    """Seats that agreed; needed of all others where more than two play, for the game ends for them, too."""

    @property
    def terms(self) -> ResignOffer:
        """What has to be offered so that it can stand in the log."""
        return ResignOffer()

    def check(self, fold: "Folded") -> None:
        """Fails the fold where nobody sits there, or the game is over."""
        self._outcome(fold)

    def apply(self, fold: "Folded") -> None:
        """Ends the game."""
        fold.end(self._outcome(fold))

    def _outcome(self, fold: "Folded") -> Outcome:
        fold.check_not_over()
        if self.by not in fold.seats:
            fold.fail("bad-seat", f"nobody who plays sits at {self.by!r}")
        winners = tuple(seat for seat in fold.seats if seat != self.by)
        return Outcome(ranked(winners, fold.seats), fold.scores(), f"{self.by} has resigned")

    def needs(self, fold: "Folded") -> Needs | None:
        """Returns what all others must agree to, where the game ends for more than one of them."""
        return Needs("where more than two play, to resign") if len(fold.seats) > 2 else None

    def on_sheet(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns what stands on a sheet behind the star."""
        return f"resign{self.consent_on_sheet}"

    @classmethod
    def from_sheet(cls, said: Starred) -> "Draft":
        """Returns what a line of a sheet records."""
        return partial(cls, by=said.by, agreed=said.agreed)

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Tells it in one line."""
        return f"{self.by} resigns{f', agreed by {listing(self.agreed)}' if self.agreed else ''}"
