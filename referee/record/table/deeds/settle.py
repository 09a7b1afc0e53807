"""Ending by agreement: all seats decide together how the game ends."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from referee.engine.dice import SeatName
from referee.engine.event import REFEREE, Outcome, Seat, rank_seats
from referee.engine.text import listing
from referee.record.log.field_types import AgreedSeats
from referee.record.table.deed import ConsentNeed, EndingDeed, SheetDeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal, make_proposal_of_end

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 5

Winners = Annotated[tuple[SeatName, ...], Meta(max_length=8)]


def end_by_agreement(session: "Session", winners: Sequence[Seat], agreed: Sequence[Seat]) -> None:
    """Ends the game by agreement of all seats. One wins, several tie, or nobody wins."""
    session.append([(partial(AgreedEndEntry, by=REFEREE, winners=tuple(winners), agreed=tuple(agreed)), None)])


class AgreedEndOffer(DescribedOffer, frozen=True, tag="settled"):
    """An offer to end the game."""

    may_be_ruled = True

    winners: Winners
    """The seat that wins, or the seats that tie. Empty if nobody wins."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the end that all have agreed on."""
        session.append([(partial(AgreedEndEntry, by=REFEREE, winners=self.winners, agreed=(by, *agreed)), None)])

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to end the game: {_describe_result(self.winners)}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out how the game would end."""
        return make_proposal_of_end(
            sitting, self, by, self.winners, f"ended by agreement: {_describe_result(self.winners)}"
        )


class AgreedEndEntry(EndingDeed, DescribedDeed, frozen=True, tag="settled"):
    """The game was ended by agreement of everybody."""

    irreversible = "ended"
    is_made_by_table = True
    sheet_word = "end"

    winners: Winners
    """The seat that wins, or the seats that tie. Empty if nobody wins."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def sheet_content(self) -> list[Any]:
        """The content that stays the same in a log that was read back from a sheet."""
        return ["settled", self.winners]

    @property
    def required_offer(self) -> AgreedEndOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return AgreedEndOffer(self.winners)

    def judge_outcome(self, reducer: "ReducerState") -> Outcome:
        """Returns the agreed end. Raises FaultError if a winner has no seat, or if the game is over."""
        reducer.check_not_over()
        if any(seat not in reducer.seats for seat in self.winners) or len({*self.winners}) < len(self.winners):
            reducer.raise_fault("bad-seat", f"the winners must be among {listing(reducer.seats)}")
        because = f"ended by agreement: {_describe_result(self.winners)}"
        return Outcome(rank_seats(self.winners, reducer.seats), reducer.list_scores(), because)

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others."""
        return ConsentNeed("an end by agreement")

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns the words that follow the star (*) on the sheet's line."""
        won = f", won {' '.join(self.winners)}" if self.winners else ""
        return f"end{self.sheet_consent}{won}"

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft":
        """Returns the draft of the entry that a line of a sheet describes."""
        return partial(cls, by=said.by, winners=said.won, agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Describes the end in one line."""
        won = (
            f"{listing(self.winners)} {'wins' if len(self.winners) == 1 else 'tie'}" if self.winners else "nobody wins"
        )
        return f"the game is ended by agreement of {listing(self.agreed)}: {won}"


def _describe_result(winners: Sequence[Seat]) -> str:
    has = "has won" if len(winners) == 1 else "have tied"
    return f"{listing(winners)} {has}" if winners else "nobody has won"
