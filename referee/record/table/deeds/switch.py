"""Switching: from here on an option has another value, by agreement of everybody."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from referee.engine.event import REFEREE, Seat
from referee.engine.option_resolution import check_values_offered, switch_options
from referee.engine.options import OptionError, Options
from referee.engine.text import listing
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import AgreedSeats
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deed import ConsentNeed, SheetDeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal, SwitchedOption
from referee.record.table.seating import FIRST_FORMAT

if TYPE_CHECKING:
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 12

NewOptionValues = Annotated[dict[str, str], Meta(min_length=1)]


def switch_game_options(
    session: "Session", changes: Mapping[str, str], agreed: Sequence[Seat] = (), by: Seat = REFEREE
) -> None:
    """Gives options of a game other values from here on, by agreement of all seats.

    Raises NotAllowedError or OptionError if the options cannot be switched now.
    """
    problem = explain_barred_switch(session.reducer)
    if problem:
        raise NotAllowedError(problem)
    check_values_offered(session.game, changes)
    switch_options(session.game, session.reducer.options, changes)
    others = tuple(seat for seat in agreed if seat != by)
    session.append([(partial(SwitchEntry, by=by, options=dict(changes), agreed=others), None)])


def explain_barred_switch(reducer: "ReducerState") -> str:
    """Returns, as a clause, why no option can be switched now; "" if one can."""
    if reducer.form < FIRST_FORMAT:
        return f"log format {reducer.form} cannot record a switch; to go on in a newer format: referee upgrade"
    return "the game is over already" if reducer.known.find_outcome(reducer.game) else ""


class SwitchOffer(DescribedOffer, frozen=True, tag="switch"):
    """An offer to give options other values from then on."""

    options: NewOptionValues
    """The new value of each option that changes."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the switch that all have agreed on."""
        switch_game_options(session, self.options, (by, *agreed))

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to switch {_format_changes(self.options)}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out which options would change from then on, those set by a preset included."""
        reducer = sitting.session.reducer
        cannot, now = explain_barred_switch(reducer), sitting.facts.options
        try:
            check_values_offered(sitting.facts.game, self.options)
            after = switch_options(sitting.facts.game, now, self.options)
        except OptionError as error:
            return Proposal(by, self, cannot=cannot or str(error))
        return Proposal(by, self, switched=_list_switched(now, after), cannot=cannot)


class SwitchEntry(DescribedDeed, frozen=True, tag="switch"):
    """From here on, options have other values, by agreement of everybody. Each play is judged by the options that were
    in force when it was made.
    """

    irreversible = "switched"
    is_made_by_table = True
    sheet_word = "switch"

    options: NewOptionValues
    """The new value of each option that changes."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def sheet_content(self) -> list[Any]:
        """The content that stays the same in a log that was read back from a sheet."""
        return ["switch", self.options]

    @property
    def required_offer(self) -> SwitchOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return SwitchOffer(self.options)

    def check(self, reducer: "ReducerState") -> None:
        """Raises FaultError if the options cannot be switched here."""
        self._compute_options_after(reducer)

    def _compute_options_after(self, reducer: "ReducerState") -> dict[str, str]:
        """Returns the options after the deed. Raises FaultError if they cannot be switched here."""
        problem = explain_barred_switch(reducer)
        if problem:
            reducer.raise_fault("bad-options", problem)
        try:
            return switch_options(reducer.game, reducer.options, self.options)
        except OptionError as error:
            reducer.raise_fault("bad-options", str(error))

    def apply(self, reducer: "ReducerState") -> None:
        """Continues the game under the other options, from the same state."""
        after = self._compute_options_after(reducer)
        reducer.known = reducer.known.under_options(reducer.game, after)
        reducer.change_options(after)

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others."""
        return ConsentNeed("switching an option")

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns the words that follow the star (*) on the sheet's line."""
        return f"switch{self.sheet_consent}: {encode_for_log(self.options).decode()}"

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft | None":
        """Returns the draft of the entry that a line of a sheet describes. None if the line says too little."""
        options = said.read_document() if said.has_document else {}
        if not options or not all(isinstance(value, str) for value in options.values()):
            return None
        return partial(cls, by=said.by, options=options, agreed=said.agreed)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Describes the switch in one line."""
        return f"from here on {_format_changes(self.options)}, agreed by {listing(self.agreed)}"

    def describe_changes(self, look: "SeatView", proposed: Callable[[], list[str]]) -> list[str]:  # noqa: ARG002
        """Returns the old and the new value of each option."""
        return proposed()


def _format_changes(changes: Options) -> str:
    return listing([f"{name}={value}" for name, value in changes.items()])


def _list_switched(now: Options, after: Options) -> tuple[SwitchedOption, ...]:
    return tuple(SwitchedOption(name, now[name], value) for name, value in after.items() if value != now[name])
