"""Taking back: the game goes on from an earlier entry, and nothing is deleted."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.engine.pieces import Change, moves
from referee.engine.text import listing
from referee.record.log.fields import Agreed, Number
from referee.record.table.agreement import why_agreement
from referee.record.table.deed import Needs, Starred
from referee.record.table.proposal import Proposal, Terms, ToldDeed, proposed_by, throws

if TYPE_CHECKING:
    from referee.record.table.draft import Draft
    from referee.record.table.folded import Folded
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 1


class TakebackOffer(Terms, frozen=True, tag="takeback"):
    """To go back, or on again, to the state after an entry."""

    to: Number
    """The entry gone back to."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        session.append([(going_back(self.to, by, agreed), None)])

    def words(self, look: "Sitting") -> str:
        """Returns what somebody offers, as what all would do."""
        when = f", turn {look.then(self.to).facts.turn}" if self.to < len(look.log.entries) else ""
        return f"to take back to entry {self.to}{when}"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out which entries would no longer count, or count again."""
        if self.to >= len(sitting.log.entries):
            return Proposal(by, self, cannot=f"there is no entry {self.to}")
        then = sitting.then(self.to)
        before, after = sitting.log.in_force, then.log.in_force
        gone = tuple(n for n in reversed(before) if n not in after)
        again = tuple(n for n in after if n not in before)
        thrown = tuple(n for n in gone if throws(sitting, n))
        cannot = "" if gone or again else "that is how the game stands already"
        return Proposal(by, self, gone, again, thrown, hands=_hands(sitting, then), cannot=cannot)


class TakebackEntry(ToldDeed, frozen=True, tag="takeback"):
    """The game goes on from an earlier entry. Nothing is deleted."""

    goes_back = True
    is_bounded = True
    names_entry = "to"
    star = "back LINE"

    to: Number
    """The entry gone back to: the state after it is in force again."""
    agreed: Agreed
    """Other seats that agreed."""

    @property
    def back_to(self) -> int:
        """The earlier entry from which the game goes on."""
        return self.to

    @property
    def called(self) -> str:
        """What it is called where a log that counts is found changed."""
        return f"a takeback back to entry {self.to}"

    @property
    def terms(self) -> TakebackOffer:
        """What has to be offered so that it can stand in the log."""
        return TakebackOffer(self.to)

    def apply(self, fold: "Folded") -> None:
        """Goes on from how the game stood."""
        then = fold.at(self.to)
        fold.known, fold.line = then.known, then.line
        fold.forget(self.to, self.n)

    def needs(self, fold: "Folded") -> Needs | None:
        """Returns what all others must agree to, unless it goes over entries of its own seat alone."""
        because = why_agreement(fold.line, fold.at(self.to).line, self.by, fold.why_fixed(self.to))
        return Needs("the takeback", because) if because else None

    def on_sheet(self, line_of: Callable[[int], int]) -> str:
        """Returns what stands on a sheet behind the star."""
        return f"back {line_of(self.to)}{self.consent_on_sheet}"

    @classmethod
    def from_sheet(cls, said: Starred) -> "Draft | None":
        """Returns what a line of a sheet records: each line of a log that is made of one has its number."""
        return None if said.to is None else partial(cls, by=said.by, to=said.to, agreed=said.agreed)

    def words(self, look: "Sitting") -> str:
        """Tells it in one line."""
        agreed = f", agreed by {listing(self.agreed)}" if self.agreed else ""
        way = "brings back what was taken back, up to" if proposed_by(look, self).again else "takes back to"
        return f"{self.by} {way} entry {self.to}{agreed}"

    def told(self, look: "Sitting", proposed: Callable[[], list[str]]) -> list[str]:  # noqa: ARG002
        """Tells what no longer counts, or counts again."""
        return proposed()


def going_back(to: int, by: Seat, agreed: Sequence[Seat]) -> "Draft":
    """Returns what is recorded where the game goes on from an earlier entry."""
    return partial(TakebackEntry, by=by, to=to, agreed=tuple(seat for seat in agreed if seat != by))


def _hands(before: "Sitting", after: "Sitting") -> tuple[Change, ...]:
    return moves(before.sight.counters, after.sight.counters)
