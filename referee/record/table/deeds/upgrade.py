"""Going on under other rules: from here on the game is played under newer rules, and written in a newer form."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from referee.engine.event import REFEREE, Seat
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.engine.versions import changed_rules
from referee.record.log.fields import FORMAT, MAX_NUMBER, Agreed, Number
from referee.record.table.deed import Needs
from referee.record.table.proposal import Proposal, Terms, ToldDeed

if TYPE_CHECKING:
    from referee.record.table.folded import Folded
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 8


def upgrade(session: "Session", agreed: Sequence[Seat], by: Seat = REFEREE) -> None:
    """Goes on under today's rules and in today's log format, by agreement of all seats."""
    rules, others = find_game(session.game.name).rules_version, tuple(seat for seat in agreed if seat != by)
    session.append([(partial(UpgradeEntry, by=by, format=FORMAT, rules=rules, agreed=others), None)])


class UpgradeOffer(Terms, frozen=True, tag="upgrade"):
    """To go on under newer rules, written in a newer log format."""

    format: Number
    """The log format of all entries that follow."""
    rules: Number
    """The version of the rules by which all that follows is judged."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        session.append(
            [(partial(UpgradeEntry, by=REFEREE, format=self.format, rules=self.rules, agreed=(by, *agreed)), None)]
        )

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody offers, as what all would do."""
        return f"to go on under rules {self.rules}"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out which rules would differ from then on."""
        fold, today = sitting.session.fold, find_game(sitting.facts.game.name)
        cannot = ""
        if (self.rules, self.format) == (fold.rules, fold.form):
            cannot = f"the game is played under rules {fold.rules} already"
        elif self.rules > today.rules_version or self.format > FORMAT:
            cannot = f"rules {self.rules} of {today.name} are not known here: update the referee first"
        elif self.rules < today.rules_version or self.format < FORMAT:
            cannot = f"rules {today.rules_version} of {today.name} are played by now, not rules {self.rules}"
        return Proposal(by, self, rules=(self.rules, changed_rules(today.versions, fold.rules)), cannot=cannot)


class UpgradeEntry(ToldDeed, frozen=True, tag="upgrade"):
    """From here on the game is played under newer rules, and written in a newer form, by agreement of everybody."""

    by_table = True

    format: Annotated[int, Meta(ge=1, le=FORMAT)]
    """The log format of all entries that follow."""
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    """The version of the rules by which all that follows is judged."""
    agreed: Agreed
    """Other seats that agreed."""

    @property
    def versions(self) -> tuple[int, int]:
        """The log format and the rules that hold after it."""
        return self.format, self.rules

    @property
    def terms(self) -> UpgradeOffer:
        """What has to be offered so that it can stand in the log."""
        return UpgradeOffer(self.format, self.rules)

    def check(self, fold: "Folded") -> None:
        """Fails the fold unless the rules or the log format are newer than those in force, and neither is older."""
        then, now = (fold.rules, fold.form), (self.rules, self.format)
        if now == then or now[0] < then[0] or now[1] < then[1]:
            fold.fail("bad-order", f"the game is played under rules {fold.rules} and log format {fold.form} already")

    def apply(self, fold: "Folded") -> None:
        """Goes on under other rules, over the same state."""
        self.check(fold)
        fold.go_under(self.format, self.rules)

    def needs(self, fold: "Folded") -> Needs:  # noqa: ARG002
        """Returns what all others must agree to."""
        return Needs("to go on under other rules")

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Tells it in one line."""
        return f"rules {self.rules} from here on, agreed by {listing(self.agreed)}"
