"""Amending single pieces: all agree to new places of pieces, and every secret stays sealed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import REFEREE, Seat
from referee.engine.position_diff import list_changes, list_pieces_and_fields
from referee.engine.secret import Secret
from referee.engine.text import listing
from referee.record.log.field_types import AgreedSeats, Text, TypedChanges
from referee.record.log.limits import check_text
from referee.record.log.log_errors import FaultError
from referee.record.table.deed import Amendment, ConsentNeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal, make_proposal_of_deed

if TYPE_CHECKING:
    from referee.record.log.offer import Offer
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.sealed_amendment import AmendmentParts
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 3


def amend_pieces(
    session: "Session", changes: Sequence[str], why: str, agreed: Sequence[Seat] = (), owner: Seat | None = None
) -> None:
    """Changes pieces by agreement of all seats, and keeps all secrets sealed.

    `owner` is the seat that alone sees these pieces and seals the changes; None if everybody sees them. Raises
    NotAllowedError if nothing would change, if a rule forbids the changes, or if somebody has not agreed.
    """
    check_text(why)
    said = tuple(changes)
    pieces = partial(AmendPiecesEntry, by=owner or REFEREE, changes=() if owner else said)
    others = tuple(seat for seat in agreed if seat != owner)
    secret = Secret(owner, said) if owner else None
    session.append([(partial(pieces, secret=secret, why=why, agreed=others), None)])


class AmendPiecesOffer(DescribedOffer, frozen=True, tag="amend-pieces"):
    """An offer to correct some pieces while every secret stays sealed."""

    tells_changes = True

    changes: TypedChanges
    """The pieces and their new places."""
    why: Text
    """The mistake, in the players' words."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the amendment that all have agreed on."""
        pieces = partial(AmendPiecesEntry, by=REFEREE, changes=self.changes, secret=None)
        session.append([(partial(pieces, why=self.why, agreed=(by, *agreed)), None)])

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f'to amend the position, saying "{self.why}"'

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out the changes in the view of these eyes. Every secret stays sealed.

        This computer judges the changes by all secrets that it knows. No other computer can tell if the changes
        contradict one of these secrets.
        """
        from referee.record.table.sealed_amendment import (  # few games are amended
            AmendmentParts,
            apply_typed_changes,
            check_amendment,
        )

        reducer = sitting.session.reducer
        try:
            check_amendment(reducer, AmendmentParts(self.changes, (), None))
            after = apply_typed_changes(reducer, sitting.sight.view, self.changes)
        except FaultError as error:
            return Proposal(by, self, why=self.why, cannot=error.fault.cause)
        return Proposal(
            by,
            self,
            piece_changes=list_changes(sitting.sight.pieces, list_pieces_and_fields(sitting.facts.game, after)),
            why=self.why,
        )


class AmendPiecesEntry(DescribedDeed, frozen=True, tag="amend-pieces"):
    """Pieces that were corrected by agreement, in a game with secrets, all of which stay sealed."""

    irreversible = "agreed"
    is_made_by_table = True

    changes: TypedChanges
    """The pieces that everybody sees, and their new places. Empty if the changes are a secret."""
    secret: Secret[TypedChanges] | None
    """The changes, if only the seat sees these pieces; otherwise null."""
    why: Text
    """The mistake, in the players' words."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def known_changes(self) -> tuple[str, ...]:
        """The changes, as far as they are known here."""
        return self.secret.value if self.secret is not None and self.secret.known else self.changes

    @property
    def noun_phrase(self) -> str:
        """The name of such an entry in messages about changed logs."""
        return "an amended position"

    @property
    def required_offer(self) -> AmendPiecesOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return AmendPiecesOffer(self.known_changes, self.why)

    def carries_out(self, offer: "Offer") -> bool:
        """True if the deed carries out the offer. A sealed deed never does, since nobody else can see its changes."""
        return self.secret is None and offer == self.required_offer

    def apply(self, reducer: "ReducerState") -> None:
        """Continues the game with the changed pieces."""
        from referee.record.table.sealed_amendment import apply_amendment  # few games are amended

        reducer.known = apply_amendment(reducer, self._split_changes(reducer))

    def _split_changes(self, reducer: "ReducerState") -> "AmendmentParts":
        from referee.record.table.sealed_amendment import split_amendment

        return split_amendment(reducer, self.by, self.changes, self.secret)

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others."""
        return ConsentNeed("an amended position")

    def judge_amendment(self, reducer: "ReducerState") -> Amendment:
        """Judges the changes as far as the secrets are known here, and returns them as everybody may see them."""
        from referee.record.table.sealed_amendment import check_amendment, describe_for_spectators

        parts = self._split_changes(reducer)
        check_amendment(reducer, parts)
        return Amendment(self.n, self.why, self.agreed, describe_for_spectators(reducer, parts))

    def describe(self, look: "SeatView") -> str:
        """Describes the amendment in one line, as these eyes may read it."""
        return (
            f"position amended, agreed by {listing(self.agreed)}: {self.why} ({self._describe_changes_in_words(look)})"
        )

    def _describe_changes_in_words(self, look: "SeatView") -> str:
        """Returns the changes in words, as these eyes may know them."""
        if self.secret is None:
            return "; ".join(map(str, make_proposal_of_deed(look, self).piece_changes)) or "as it was"
        shut = f"what {self.by} alone sees, sealed"
        return (
            f"{', '.join(self.known_changes)} (a secret)"
            if self.secret.known and look.sight.sees_secrets_of(self.by)
            else shut
        )

    def describe_changes(self, look: "SeatView", proposed: Callable[[], list[str]]) -> list[str]:
        """Returns the changes on the board, as these eyes may know them."""
        return proposed() if self.secret is None else [self._describe_changes_in_words(look)]

    @property
    def secret_text(self) -> str:
        """The words for the sealed changes, once they are revealed."""
        return f"position amended: {', '.join(self.known_changes)}"
