"""Ending by agreement: all say how the game ends."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from referee.engine.dice import SeatName
from referee.engine.event import REFEREE, Outcome, Seat, ranked
from referee.engine.text import listing
from referee.record.log.fields import Agreed
from referee.record.table.deed import Needs, Starred
from referee.record.table.proposal import Proposal, Terms, ToldDeed, end_of

if TYPE_CHECKING:
    from referee.record.table.draft import Draft
    from referee.record.table.folded import Folded
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 5

Winners = Annotated[tuple[SeatName, ...], Meta(max_length=8)]


def finish(session: "Session", winners: Sequence[Seat], agreed: Sequence[Seat]) -> None:
    """Ends the game by agreement of all seats: one has won, several have tied, or nobody has won."""
    session.append([(partial(SettledEntry, by=REFEREE, winners=tuple(winners), agreed=tuple(agreed)), None)])


class SettleOffer(Terms, frozen=True, tag="settled"):
    """To end the game."""

    winners: Winners
    """Who has won; several have tied; nobody, where it is empty."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        session.append([(partial(SettledEntry, by=REFEREE, winners=self.winners, agreed=(by, *agreed)), None)])

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody offers, as what all would do."""
        return f"to end the game: {_result(self.winners)}"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out how the game would end."""
        return end_of(sitting, self, by, self.winners, f"ended by agreement: {_result(self.winners)}")


class SettledEntry(ToldDeed, frozen=True, tag="settled"):
    """The game is ended by agreement of everybody."""

    bar = "ended"
    by_table = True
    star = "end"

    winners: Winners
    """Who has won; several have tied; nobody, where it is empty."""
    agreed: Agreed
    """Other seats that agreed."""

    @property
    def content(self) -> list[Any]:
        """What it says that is read back from the words of another log."""
        return ["settled", self.winners]

    @property
    def terms(self) -> SettleOffer:
        """What has to be offered so that it can stand in the log."""
        return SettleOffer(self.winners)

    def check(self, fold: "Folded") -> None:
        """Fails the fold where nobody sits there, or the game is over."""
        self._outcome(fold)

    def apply(self, fold: "Folded") -> None:
        """Ends the game."""
        fold.end(self._outcome(fold))

    def _outcome(self, fold: "Folded") -> Outcome:
        fold.check_not_over()
        if any(seat not in fold.seats for seat in self.winners) or len({*self.winners}) < len(self.winners):
            fold.fail("bad-seat", f"the winners are to be among {listing(fold.seats)}")
        because = f"ended by agreement: {_result(self.winners)}"
        return Outcome(ranked(self.winners, fold.seats), fold.scores(), because)

    def needs(self, fold: "Folded") -> Needs:  # noqa: ARG002
        """Returns what all others must agree to."""
        return Needs("an end by agreement")

    def on_sheet(self, line_of: Callable[[int], int]) -> str:  # noqa: ARG002
        """Returns what stands on a sheet behind the star."""
        won = f", won {' '.join(self.winners)}" if self.winners else ""
        return f"end{self.consent_on_sheet}{won}"

    @classmethod
    def from_sheet(cls, said: Starred) -> "Draft":
        """Returns what a line of a sheet records."""
        return partial(cls, by=said.by, winners=said.won, agreed=said.agreed)

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Tells it in one line."""
        won = (
            f"{listing(self.winners)} {'wins' if len(self.winners) == 1 else 'tie'}" if self.winners else "nobody wins"
        )
        return f"the game is ended by agreement of {listing(self.agreed)}: {won}"


def _result(winners: Sequence[Seat]) -> str:
    has = "has won" if len(winners) == 1 else "have tied"
    return f"{listing(winners)} {has}" if winners else "nobody has won"
