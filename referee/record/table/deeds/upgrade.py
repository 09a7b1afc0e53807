"""Upgrading: from here on the game is played under newer rules and written in a newer format."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from referee.engine.event import REFEREE, Seat
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.engine.versions import list_changed_rules
from referee.record.log.field_types import LOG_FORMAT, MAX_NUMBER, AgreedSeats
from referee.record.table.deed import ConsentNeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal

if TYPE_CHECKING:
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 8


def upgrade_game(session: "Session", agreed: Sequence[Seat], by: Seat = REFEREE) -> None:
    """Continues the game under today's rules and in today's log format, by agreement of all seats."""
    rules, others = find_game(session.game.name).rules_version, tuple(seat for seat in agreed if seat != by)
    session.append([(partial(UpgradeEntry, by=by, format=LOG_FORMAT, rules=rules, agreed=others), None)])


class UpgradeOffer(DescribedOffer, frozen=True, tag="upgrade"):
    """An offer to go on under newer rules and in a newer log format."""

    format: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The log format of all later entries."""
    rules: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The version of the rules for all later entries."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the upgrade that all have agreed on."""
        session.append(
            [(partial(UpgradeEntry, by=REFEREE, format=self.format, rules=self.rules, agreed=(by, *agreed)), None)]
        )

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to go on under rules {self.rules}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out which rules would change from then on."""
        reducer, today = sitting.session.reducer, find_game(sitting.facts.game.name)
        cannot = ""
        if (self.rules, self.format) == (reducer.rules, reducer.form):
            cannot = f"the game is played under rules {reducer.rules} already"
        elif self.rules > today.rules_version or self.format > LOG_FORMAT:
            cannot = f"rules {self.rules} of {today.name} are not known here: update the referee first"
        elif self.rules < today.rules_version or self.format < LOG_FORMAT:
            cannot = f"rules {today.rules_version} of {today.name} are in use by now, not rules {self.rules}"
        return Proposal(by, self, rules=(self.rules, list_changed_rules(today.versions, reducer.rules)), cannot=cannot)


class UpgradeEntry(DescribedDeed, frozen=True, tag="upgrade"):
    """From here on the game is played under newer rules and written in a newer format, by agreement of everybody."""

    is_made_by_table = True

    format: Annotated[int, Meta(ge=1, le=LOG_FORMAT)]
    """The log format of all later entries."""
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    """The version of the rules for all later entries."""
    agreed: AgreedSeats
    """The other seats that agreed."""

    @property
    def versions(self) -> tuple[int, int]:
        """The log format and the version of the rules after the deed."""
        return self.format, self.rules

    @property
    def required_offer(self) -> UpgradeOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return UpgradeOffer(self.format, self.rules)

    def check(self, reducer: "ReducerState") -> None:
        """Raises FaultError unless the rules or the log format get newer, and neither gets older."""
        then, now = (reducer.rules, reducer.form), (self.rules, self.format)
        if now == then or now[0] < then[0] or now[1] < then[1]:
            reducer.raise_fault(
                "bad-order", f"the game is played under rules {reducer.rules} and log format {reducer.form} already"
            )

    def apply(self, reducer: "ReducerState") -> None:
        """Continues the game under other rules, from the same state."""
        self.check(reducer)
        reducer.switch_versions(self.format, self.rules)

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed:  # noqa: ARG002
        """Returns the consent that the deed needs from all others."""
        return ConsentNeed("going on under other rules")

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Describes the upgrade in one line."""
        return f"rules {self.rules} from here on, agreed by {listing(self.agreed)}"
