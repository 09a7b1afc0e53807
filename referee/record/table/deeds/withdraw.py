"""Withdrawing an offer by mail: the seat that made the offer takes it back. Only its offer stands in a log, no deed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.record.log.entry import OfferEntry
from referee.record.log.field_types import Hash
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.pending_offers import hash_offer
from referee.record.table.proposal import DescribedOffer, Proposal, get_described_offer

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 14


class WithdrawOffer(DescribedOffer, frozen=True, tag="withdraw"):
    """An offer that takes back another offer of the same seat. Nobody has to agree."""

    of: Hash
    """The SHA-256 of the offer that ends, as the log spells it."""

    @property
    def withdrawn_hash(self) -> str:
        """The SHA-256 of the offer that this one takes back."""
        return self.of

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:  # noqa: ARG002
        """Raises NotAllowedError: an offer ends with the entry that withdraws it."""
        raise NotAllowedError("to take back your own offer: referee mail refuse")

    def describe(self, look: "SeatView") -> str:
        """Returns the offer in words that begin with "to"."""
        made = (one.offer for one in look.log.entries if isinstance(one, OfferEntry))
        found = next((offer for offer in made if hash_offer(offer) == self.of), None)
        return f"to take back {f'the offer {get_described_offer(found).describe(look)}' if found else 'an offer'}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:  # noqa: ARG002
        """Returns a proposal without effects: the game stands as before."""
        return Proposal(by, self)
