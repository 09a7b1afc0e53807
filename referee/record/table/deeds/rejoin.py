"""Playing on with another key after the old one was lost. Its entry is a `join`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.record.log.enrolment import Enrolment
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.proposal import Proposal, Terms

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

NUMBER = 7


class RejoinOffer(Terms, frozen=True, tag="join"):
    """An offer to play on with another key, because the old one is lost."""

    chair: Enrolment
    """The new key and the new chains of dice of the seat."""

    @property
    def new_enrolment(self) -> Enrolment:
        """The new key and the new chains of dice of the seat."""
        return self.chair

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:  # noqa: ARG002
        """Raises NotAllowedError: a seat joins by a command, with the agreement of the others given beside the log."""
        raise NotAllowedError("to play on with another key: referee join SEAT --lost-key")

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return "to play on with another key"

    def proposal(self, sitting: "SeatView", by: Seat) -> Proposal:  # noqa: ARG002
        """Returns a proposal without effects, because the game stands as before."""
        return Proposal(by, self)
