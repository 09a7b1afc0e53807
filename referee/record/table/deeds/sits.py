"""Sitting down: somebody else plays a seat from here on, by agreement of everybody."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from referee.engine.dice import SeatName
from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import AgreedSeats
from referee.record.log.limits import find_name_problem
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.agreement import describe_unknown_seat
from referee.record.table.deed import ConsentNeed, SheetDeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, NewPlayer, Proposal

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 11

PlayerName = Annotated[str, Meta(max_length=60)]


def sit_down(session: "Session", seat: Seat, name: str, agreed: Sequence[Seat] = ()) -> None:
    """Lets somebody play a seat from here on, if its player has left or if a bot plays it. All must agree.

    Raises NotAllowedError if the seat is taken, or if the name is not fit for a player or means somebody else.
    """
    problem = explain_barred_sitting(session.reducer, seat, name) or explain_mistakable_name(
        session.reducer, seat, name
    )
    if problem:
        raise NotAllowedError(problem)
    session.append([(partial(SitsEntry, by=REFEREE, seat=seat, name=name, agreed=tuple(agreed)), None)])


def explain_barred_sitting(reducer: "ReducerState", seat: Seat, name: str) -> str:
    """Returns, as a clause, why a player with this name cannot sit down at a seat; "" if they can."""
    if seat not in reducer.seats:
        return describe_unknown_seat(reducer.seats, [seat]) or f"{seat} has no seat"
    fixed = reducer.explain_fixed_seating() or find_name_problem(name)
    if fixed:
        return fixed
    names = reducer.seating.map_seats_to_names(reducer.game, reducer.known.public)
    if names[seat] and seat not in reducer.seating.bots:
        who = "somebody" if names[seat] == seat else names[seat]
        return f"{who} sits at {seat}, and has to leave first: referee leaves {seat}"
    return ""


def explain_mistakable_name(reducer: "ReducerState", seat: Seat, name: str) -> str:
    """Returns, as a clause, why a name would be taken for that of somebody else in this game; "" if it would not."""
    from referee.record.table.player_names import explain_unfit_newcomer  # few players come in mid-game

    here = reducer.seating.map_seats_to_names(reducer.game, reducer.known.public)
    others = {other: known or other for other, known in here.items() if other != seat}
    taken = next((other for other, known in others.items() if known == name), None)
    if taken:
        return f"{name} sits at {taken} already"
    return explain_unfit_newcomer(name, seat, others, reducer.former_players) or ""


class SitOffer(DescribedOffer, frozen=True, tag="sits"):
    """An offer to let somebody else play a seat. It is never made by mail, where each seat signs with its player's
    key.
    """

    by_mail = False

    seat: SeatName
    name: PlayerName

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the new player that all have agreed on."""
        sit_down(session, self.seat, self.name, (by, *agreed))

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to let {self.name} play {self.seat}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out who would play the seat from then on."""
        reducer = sitting.session.reducer
        cannot = explain_barred_sitting(reducer, self.seat, self.name) or explain_mistakable_name(
            reducer, self.seat, self.name
        )
        return Proposal(by, self, new_player=NewPlayer(self.seat, self.name), cannot=cannot)


class SitsEntry(DescribedDeed, frozen=True, tag="sits"):
    """Somebody takes over a seat from here on. The seat's player had left, or a bot played it."""

    irreversible = "seated"
    is_made_by_table = True
    sheet_word = "sits"

    seat: SeatName
    """The seat."""
    name: PlayerName
    """The name of the new player."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def sheet_content(self) -> list[Any]:
        """The content that stays the same in a log that was read back from a sheet."""
        return ["sits", self.seat, self.name]

    @property
    def required_offer(self) -> SitOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return SitOffer(self.seat, self.name)

    def check(self, reducer: "ReducerState") -> None:
        """Raises FaultError if this player cannot sit down there."""
        problem = explain_barred_sitting(reducer, self.seat, self.name)
        if problem:
            reducer.raise_fault("bad-seat", problem)

    def apply(self, reducer: "ReducerState") -> None:
        """Lets the player sit down."""
        self.check(reducer)
        state = reducer.known.public
        reducer.change_seating(reducer.seating.with_player(reducer.game, state, self.seat, self.name))

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others who play."""
        return ConsentNeed("another player")

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns the words that follow the star (*) on the sheet's line."""
        return f"sits{self.sheet_consent}: {encode_for_log({'name': self.name, 'seat': self.seat}).decode()}"

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft | None":
        """Returns the draft of the entry that a line of a sheet describes. None if the line says too little."""
        document = said.read_document()
        seat, name = document.get("seat"), document.get("name")
        if not isinstance(seat, str) or not isinstance(name, str):
            return None
        return partial(cls, by=said.by, seat=seat, name=name, agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Describes the new player in one line."""
        agreed = f", agreed by {listing(self.agreed)}" if self.agreed else ""
        return f"{self.name} sits at {self.seat} from here on{agreed}"
