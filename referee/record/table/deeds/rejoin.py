"""Playing on with another key, because the old one was lost or somebody else takes the seat. Its entry is a `join`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.record.log.enrolment import Enrolment
from referee.record.log.limits import find_name_problem
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deeds.sits import PlayerName, explain_mistakable_name
from referee.record.table.proposal import DescribedOffer, NewPlayer, Proposal

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 7


def explain_unfit_successor(session: "Session", seat: Seat, name: str) -> str:
    """Returns, as a clause, why a player with this name cannot take a seat by mail; "" if they can."""
    return find_name_problem(name) or explain_mistakable_name(session.reducer, seat, name)


class RejoinOffer(DescribedOffer, frozen=True, tag="join", omit_defaults=True):
    """An offer to play on with another key, because the old one is lost or somebody else takes the seat."""

    chair: Enrolment
    """The new key and the new chains of dice of the seat."""
    name: PlayerName = ""
    """The name of the player who takes the seat; left out if the player stays the same."""

    @property
    def new_enrolment(self) -> Enrolment:
        """The new key and the new chains of dice of the seat."""
        return self.chair

    @property
    def new_name(self) -> str:
        """The name of the player who takes the seat with that key; "" if the player stays the same."""
        return self.name

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:  # noqa: ARG002
        """Raises NotAllowedError: a seat joins by a command, with the agreement of the others given beside the log."""
        raise NotAllowedError("to play on with another key: referee join SEAT --lost-key, or --as NAME")

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to play on as {self.name}" if self.name else "to play on with another key"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out who would play the seat. The game stands as before."""
        if not self.name:
            return Proposal(by, self)
        cannot = explain_unfit_successor(sitting.session, by, self.name)
        return Proposal(by, self, new_player=NewPlayer(by, self.name), cannot=cannot)
