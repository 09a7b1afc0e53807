"""Amending the position: all agree to a corrected position, and the log holds the whole of it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import AgreedSeats, Text
from referee.record.log.limits import check_text
from referee.record.log.log_errors import FaultError, NotAllowedError, turn_faults_into_not_allowed
from referee.record.table.deed import Amendment, ConsentNeed, SheetDeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal, make_proposal_of_deed

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 2


def amend_position(
    session: "Session", document: Mapping[str, Any], why: str, agreed: Sequence[Seat], by: Seat = REFEREE
) -> None:
    """Puts the position `document` in place of the present one; all seats must agree.

    `document` is a position as a player may type it. Raises NotAllowedError if the position breaks a rule, if nothing
    would change, or if somebody has not agreed.
    """
    check_text(why)
    draft: Draft = partial(AmendEntry, by=by, position=dict(document), why=why, agreed=tuple(agreed))
    if session.reducer.keepers:  # before the comparison, which would tell whether a guess is right
        session.check(draft)
    with turn_faults_into_not_allowed():
        placed = session.reducer.make_state_at_position(document)
    if placed == session.reducer.known.truth:
        raise NotAllowedError("the game stands like that already: nothing would change")
    session.append([(draft, None)])


class AmendOffer(DescribedOffer, frozen=True, tag="amend"):
    """An offer to correct the position."""

    tells_changes = True

    position: dict[str, Any]
    """The position to go on from."""
    why: Text
    """The mistake, in the players' words."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the amendment that all have agreed on."""
        session.append(
            [(partial(AmendEntry, by=REFEREE, position=self.position, why=self.why, agreed=(by, *agreed)), None)]
        )

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f'to amend the position, saying "{self.why}"'

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Returns a proposal with the changes on the board, or with the reason why the position breaks a rule.

        The proposal also lists every keeper, because the log would then show the whole position to everybody.
        """
        opens = tuple((seat, 0) for seat in sitting.facts.keepers)
        try:
            after = sitting.session.reducer.make_state_at_position(self.position)
        except FaultError as error:
            return Proposal(by, self, opens=opens, why=self.why, cannot=error.fault.cause)
        return Proposal(by, self, piece_changes=sitting.sight.list_changes_to(after), opens=opens, why=self.why)


class AmendEntry(DescribedDeed, frozen=True, tag="amend"):
    """A position that was corrected by agreement, because people at a table make mistakes and settle them."""

    irreversible = "agreed"
    is_made_by_table = True
    sheet_word = "amend"

    position: dict[str, Any]
    """The position from which the game goes on."""
    why: Text
    """The mistake, in the players' words."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def noun_phrase(self) -> str:
        """The name of such an entry in messages about changed logs."""
        return "an amended position"

    @property
    def sheet_content(self) -> list[Any]:
        """The content that stays the same in a log that was read back from a sheet."""
        return ["amend", self.position]

    @property
    def required_offer(self) -> AmendOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return AmendOffer(self.position, self.why)

    def apply(self, reducer: "ReducerState") -> None:
        """Continues the game from the position. Raises FaultError if the position breaks a rule."""
        reducer.start_from_position(self.position)

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others."""
        return ConsentNeed("an amended position")

    def judge_amendment(self, reducer: "ReducerState") -> Amendment:
        """Returns the correction as spectators see it."""
        from referee.record.table.player_view import PlayerView  # few games are amended

        changes = PlayerView(reducer.moment, None).list_changes_to(reducer.make_state_at_position(self.position))
        return Amendment(self.n, self.why, self.agreed, tuple(map(str, changes)))

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns the words that follow the star (*) on the sheet's line."""
        document = {"position": self.position, "why": self.why}
        return f"amend{self.sheet_consent}: {encode_for_log(document).decode()}"

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft | None":
        """Returns the draft of the entry that a line of a sheet describes. None if the line says too little."""
        document = said.read_document()
        position, why = document.get("position"), document.get("why")
        if not isinstance(position, dict) or not isinstance(why, str):
            return None
        return partial(cls, by=said.by, position=position, why=why, agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:
        """Describes the amendment in one line, as these eyes may read it."""
        changes = "; ".join(map(str, make_proposal_of_deed(look, self).piece_changes)) or "as it was"
        return f"position amended, agreed by {listing(self.agreed)}: {self.why} ({changes})"

    def describe_changes(self, look: "SeatView", proposed: Callable[[], list[str]]) -> list[str]:  # noqa: ARG002
        """Returns the changes on the board."""
        return proposed()
