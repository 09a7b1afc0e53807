"""Resigning: a seat gives the game up. All other seats win, except those where nobody sits."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import Outcome, Seat, rank_seats
from referee.engine.text import listing
from referee.record.log.field_types import AgreedSeats
from referee.record.table.deed import ConsentNeed, EndingDeed, SheetDeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal, make_proposal_of_end

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 4


def resign(session: "Session", by: Seat, agreed: Sequence[Seat] = ()) -> None:
    """Gives the game up for a seat; the others win. If more than two play, they must agree."""
    session.append([(partial(ResignEntry, by=by, agreed=tuple(seat for seat in agreed if seat != by)), None)])


class ResignOffer(DescribedOffer, frozen=True, tag="resign"):
    """An offer to give the game up. It is needed if more than two play, or if somebody else has the pen."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the resignation that all have agreed on."""
        session.append([(partial(ResignEntry, by=by, agreed=tuple(agreed)), None)])

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return "to resign"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out how the game would end."""
        winners = tuple(seat for seat in sitting.facts.occupied_seats if seat != by)
        return make_proposal_of_end(sitting, self, by, winners, f"{by} has resigned")


class ResignEntry(EndingDeed, DescribedDeed, frozen=True, tag="resign"):
    """A seat gives the game up, and all others win."""

    irreversible = "ended"
    joint_roll_fate = "given up"
    waits_for_declared_action = True
    sheet_word = "resign"

    agreed: AgreedSeats
    """The seats that agreed. If more than two play, all others must agree, because the game ends for them, too."""

    @property
    def required_offer(self) -> ResignOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return ResignOffer()

    def judge_outcome(self, reducer: "ReducerState") -> Outcome:
        """Returns the win of all others. Raises FaultError if there is no such seat, or if the game is over."""
        reducer.check_not_over()
        if self.by not in reducer.seats:
            reducer.raise_fault("bad-seat", f"there is no seat {self.by!r}")
        winners = tuple(seat for seat in reducer.occupied_seats if seat != self.by)
        return Outcome(rank_seats(winners, reducer.seats), reducer.list_scores(), f"{self.by} has resigned")

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed | None:
        """Returns the consent that the deed needs from all others; None if only two play."""
        return ConsentNeed("with more than two players, resigning") if len(reducer.occupied_seats) > 2 else None

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns the words that follow the star (*) on the sheet's line."""
        return f"resign{self.sheet_consent}"

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft":
        """Returns the draft of the entry that a line of a sheet describes."""
        return partial(cls, by=said.by, agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Describes the resignation in one line."""
        return f"{self.by} resigns{f', agreed by {listing(self.agreed)}' if self.agreed else ''}"
