"""Taking back: the game goes on from an earlier entry, and nothing is deleted."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.engine.position_diff import PieceChange, list_manual_changes
from referee.engine.text import listing
from referee.record.log.field_types import AgreedSeats, EntryNumber
from referee.record.table.agreement import explain_need_for_consent
from referee.record.table.deed import ConsentNeed, SheetDeed
from referee.record.table.proposal import (
    DescribedDeed,
    DescribedOffer,
    Proposal,
    has_visible_dice,
    make_proposal_of_deed,
)

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 1


class TakebackOffer(DescribedOffer, frozen=True, tag="takeback"):
    """An offer to go back to the state after an earlier entry, or to go forward again to a state that was taken
    back.
    """

    to: EntryNumber
    """The entry to go back to."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the takeback that all have agreed on."""
        session.append([(draft_takeback(self.to, by, agreed), None)])

    def describe(self, look: "SeatView") -> str:
        """Returns the offer in words that begin with "to"."""
        when = f", turn {look.at_entry(self.to).facts.turn}" if self.to < len(look.log.entries) else ""
        return f"to take back to entry {self.to}{when}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out which entries would no longer count, and which would count again."""
        if self.to >= len(sitting.log.entries):
            return Proposal(by, self, cannot=f"there is no entry {self.to}")
        then = sitting.at_entry(self.to)
        before, after = sitting.log.entries_in_force, then.log.entries_in_force
        gone = tuple(n for n in reversed(before) if n not in after)
        again = tuple(n for n in after if n not in before)
        thrown = tuple(n for n in gone if has_visible_dice(sitting, n))
        cannot = "" if gone or again else "the game stands like that already"
        return Proposal(by, self, gone, again, thrown, piece_changes=_list_moved_pieces(sitting, then), cannot=cannot)


class TakebackEntry(DescribedDeed, frozen=True, tag="takeback"):
    """The game goes on from an earlier entry. Nothing is deleted."""

    goes_back = True
    has_bounded_fields = True
    names_entry = "to"
    sheet_word = "back LINE"

    to: EntryNumber
    """The entry to go back to. The state after it is in force again."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def back_to(self) -> int:
        """The number of the earlier entry from which the game goes on."""
        return self.to

    @property
    def noun_phrase(self) -> str:
        """The name of such an entry in messages about changed logs."""
        return f"a takeback to entry {self.to}"

    @property
    def required_offer(self) -> TakebackOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return TakebackOffer(self.to)

    def apply(self, reducer: "ReducerState") -> None:
        """Continues the game from the moment after the earlier entry."""
        then = reducer.get_moment(self.to)
        reducer.known, reducer.line = then.known, then.line
        reducer.change_options(then.options)
        if not reducer.header.dice.is_joint:  # by mail a seat keeps its key, and so its player
            reducer.change_seating(then.seating)
        reducer.forget_moment_if_unneeded(self.to, self.n)

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed | None:
        """Returns the consent that the deed needs from all others. None if the seat may take the entries back alone."""
        because = explain_need_for_consent(
            reducer.line, reducer.get_moment(self.to).line, self.by, reducer.explain_barred_lone_takeback(self.to)
        )
        return ConsentNeed("the takeback", because) if because else None

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:
        """Returns the words that follow the star (*) on the sheet's line."""
        return f"back {line_of(self.to)}{self.sheet_consent}"

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft | None":
        """Returns the draft of an undo that a sheet describes; None if the sheet does not say to which line it goes
        back.

        The number of that line is also the number of its entry.
        """
        return None if said.to is None else partial(cls, by=said.by, to=said.to, agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:
        """Describes the takeback in one line."""
        agreed = f", agreed by {listing(self.agreed)}" if self.agreed else ""
        way = "brings back what was taken back, up to" if make_proposal_of_deed(look, self).again else "takes back to"
        return f"{self.by} {way} entry {self.to}{agreed}"

    def describe_changes(self, look: "SeatView", proposed: Callable[[], list[str]]) -> list[str]:  # noqa: ARG002
        """Returns the entries that no longer count, or count again."""
        return proposed()


def draft_takeback(to: int, by: Seat, agreed: Sequence[Seat]) -> "Draft":
    """Returns the draft of a takeback to an earlier entry."""
    return partial(TakebackEntry, by=by, to=to, agreed=tuple(seat for seat in agreed if seat != by))


def _list_moved_pieces(before: "SeatView", after: "SeatView") -> tuple[PieceChange, ...]:
    return list_manual_changes(before.sight.movable_pieces, after.sight.movable_pieces)
