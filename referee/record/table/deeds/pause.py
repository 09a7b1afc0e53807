"""Pausing: in a game by mail with a pace, the days of the next turn count from a later day on, by agreement."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.field_types import AgreedSeats, Day, is_day
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deed import ConsentNeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal

if TYPE_CHECKING:
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 13


def pause_pace(session: "Session", until: str, agreed: Sequence[Seat] = ()) -> None:
    """Lets the pace rest until a day, by agreement of all seats. Raises NotAllowedError if that is impossible."""
    problem = explain_barred_pause(session.reducer, until)
    if problem:
        raise NotAllowedError(problem)
    session.append([(partial(PauseEntry, by=REFEREE, until=until, agreed=tuple(agreed)), None)])


def explain_barred_pause(reducer: "ReducerState", until: str) -> str:
    """Returns, as a clause, why the pace of a game cannot rest until a day; "" if it can. The present time plays no
    part.
    """
    if not reducer.header.pace:
        return "this game was started without --pace, so there is no pace to pause"
    if not is_day(until):
        return f"there is no day {until}"
    return "the game is over already" if reducer.known.find_outcome(reducer.game) else ""


class PauseOffer(DescribedOffer, frozen=True, tag="pause"):
    """An offer to let the pace rest until a day."""

    until: Day
    """The day from which the days of a turn count, in UTC."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the pause that all have agreed on."""
        pause_pace(session, self.until, (by, *agreed))

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to let the pace rest until {self.until}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Returns a proposal with the reason why the pace cannot rest, if there is one. The game stands as before."""
        return Proposal(by, self, cannot=explain_barred_pause(sitting.session.reducer, self.until))


class PauseEntry(DescribedDeed, frozen=True, tag="pause"):
    """The pace of a game by mail rests until a day, by agreement of everybody. The last such entry counts."""

    is_made_by_table = True

    until: Day
    """The day from which the days of a turn count, in UTC."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def sheet_content(self) -> list[Any]:
        """The content that stays the same in a log that was read back from a sheet."""
        return ["pause", self.until]

    @property
    def required_offer(self) -> PauseOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return PauseOffer(self.until)

    def check(self, reducer: "ReducerState") -> None:
        """Raises FaultError if the pace cannot rest."""
        problem = explain_barred_pause(reducer, self.until)
        if problem:
            reducer.raise_fault("bad-order", problem)

    def apply(self, reducer: "ReducerState") -> None:
        """Notes the day until which the pace rests. The game stands as before. Raises FaultError if the pace cannot
        rest.
        """
        self.check(reducer)
        reducer.paused_until = self.until

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others."""
        return ConsentNeed("a pause")

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Describes the pause in one line."""
        return f"the pace rests until {self.until}, agreed by {listing(self.agreed)}"
