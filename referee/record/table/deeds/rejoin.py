"""Another key: who has lost theirs plays on with another. The entry that does it is a `join`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.record.log.chair import Chair
from referee.record.log.faults import NotAllowedError
from referee.record.table.proposal import Proposal, Terms

if TYPE_CHECKING:
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 7


class RejoinOffer(Terms, frozen=True, tag="join"):
    """To play on with another key, the old one being lost."""

    chair: Chair
    """How the seat is to take part from now on."""

    @property
    def new_chair(self) -> Chair:
        """How the seat is to take part from now on."""
        return self.chair

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:  # noqa: ARG002
        """Refuses: the word of the others comes beside the log."""
        raise NotAllowedError("another key is asked for beside the log: referee join SEAT --lost-key")

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody offers, as what all would do."""
        return "to play on with another key"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:  # noqa: ARG002
        """Works out nothing: the game stands as before."""
        return Proposal(by, self)
