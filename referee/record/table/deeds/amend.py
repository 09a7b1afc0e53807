"""Amending: the position is corrected by agreement of everybody, and stands in the log whole."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.entry import encode
from referee.record.log.faults import FaultError, NotAllowedError, not_allowed
from referee.record.log.fields import Agreed, Text
from referee.record.log.limits import check_text
from referee.record.table.deed import Amendment, Needs, Starred
from referee.record.table.known import Known
from referee.record.table.proposal import Proposal, Terms, ToldDeed, proposed_by

if TYPE_CHECKING:
    from referee.record.table.draft import Draft
    from referee.record.table.folded import Folded
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 2


def amend(
    session: "Session", document: Mapping[str, Any], why: str, agreed: Sequence[Seat], by: Seat = REFEREE
) -> None:
    """Replaces the position by agreement of all seats; NotAllowedError when nothing would change."""
    check_text(why)
    draft: Draft = partial(AmendEntry, by=by, position=dict(document), why=why, agreed=tuple(agreed))
    if session.fold.keepers:  # before anything is compared, which would tell whether a guess is right
        session.check(draft)
    with not_allowed():
        placed = session.fold.placed(document)
    if placed == session.fold.known.truth:
        raise NotAllowedError("that is how the game stands already: nothing would be amended")
    session.append([(draft, None)])


class AmendOffer(Terms, frozen=True, tag="amend"):
    """To correct the position."""

    tells_changes = True

    position: dict[str, Any]
    """How the game is to stand."""
    why: Text
    """What was wrong, in the players' words."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        session.append(
            [(partial(AmendEntry, by=REFEREE, position=self.position, why=self.why, agreed=(by, *agreed)), None)]
        )

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody offers, as what all would do."""
        return f'to amend the position, saying "{self.why}"'

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out what would change. A position stands in the log for everybody to read, secrets and all."""
        opens = tuple((seat, 0) for seat in sitting.facts.keepers)
        try:
            after = sitting.session.fold.placed(self.position)
        except FaultError as error:
            return Proposal(by, self, opens=opens, why=self.why, cannot=error.fault.cause)
        return Proposal(by, self, hands=sitting.sight.amended_to(after), opens=opens, why=self.why)


class AmendEntry(ToldDeed, frozen=True, tag="amend"):
    """A position corrected by agreement of everybody: people at a table make mistakes and settle them."""

    bar = "agreed"
    by_table = True
    star = "amend"

    position: dict[str, Any]
    """How the game stands from now on."""
    why: Text
    """What was wrong, in the players' words."""
    agreed: Agreed
    """Other seats that agreed."""

    @property
    def called(self) -> str:
        """What it is called where a log that counts is found changed."""
        return "an amended position"

    @property
    def content(self) -> list[Any]:
        """What it says that is read back from the words of another log."""
        return ["amend", self.position]

    @property
    def terms(self) -> AmendOffer:
        """What has to be offered so that it can stand in the log."""
        return AmendOffer(self.position, self.why)

    def apply(self, fold: "Folded") -> None:
        """Goes on from the position."""
        fold.known = Known(fold.placed(self.position))

    def needs(self, fold: "Folded") -> Needs:  # noqa: ARG002
        """Returns what all others must agree to."""
        return Needs("an amended position")

    def amendment(self, fold: "Folded") -> Amendment:
        """Tells what it corrects, in the view of a spectator."""
        from referee.record.table.sight import Sight  # few games are amended

        changes = Sight(fold.moment, None).amended_to(fold.placed(self.position))
        return Amendment(self.n, self.why, self.agreed, tuple(map(str, changes)))

    def on_sheet(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns what stands on a sheet behind the star."""
        document = {"position": self.position, "why": self.why}
        return f"amend{self.consent_on_sheet}: {encode(document).decode()}"

    @classmethod
    def from_sheet(cls, said: Starred) -> "Draft | None":
        """Returns what a line of a sheet records; None where it does not say enough."""
        document = said.document()
        position, why = document.get("position"), document.get("why")
        if not isinstance(position, dict) or not isinstance(why, str):
            return None
        return partial(cls, by=said.by, position=position, why=why, agreed=said.agreed)

    def words(self, look: "Sitting") -> str:
        """Tells it in one line, as these eyes may read it."""
        changes = "; ".join(map(str, proposed_by(look, self).hands)) or "as it was"
        return f"position amended, agreed by {listing(self.agreed)}: {self.why} ({changes})"

    def told(self, look: "Sitting", proposed: Callable[[], list[str]]) -> list[str]:  # noqa: ARG002
        """Tells what changes on the board."""
        return proposed()
