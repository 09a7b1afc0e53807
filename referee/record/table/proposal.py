"""What others have to agree to: what a deed would do, worked out from all that it would record, by whoever looks at it.

An agreement is to what these facts say, never to what its author says of it. It holds for that deed only, and lapses
as soon as anybody plays. What each deed would do, and in which words it is told, stands in its file in `deeds`.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import Roll
from referee.engine.event import Outcome, Seat, ranked
from referee.engine.pieces import Change
from referee.record.log.entry import PlayEntry
from referee.record.log.offer import Offer
from referee.record.table.deed import JudgedDeed, check_answered

if TYPE_CHECKING:
    from referee.record.table.cast import DroppedThrow
    from referee.record.table.moment import Said
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting


class Mended(Struct, frozen=True):
    """A throw that would be typed otherwise."""

    n: int
    """Its entry."""
    faces: tuple[str, ...]
    """How it would stand in the record; empty: these eyes do not see that throw."""


class Proposal(Struct, frozen=True):
    """What an offer would do, as certain eyes see it."""

    by: Seat
    """Who proposes it; the referee: who sits at the table."""
    offer: Offer
    gone: tuple[int, ...] = ()
    """Entries that would no longer count, and are not said again; the last one first."""
    again: tuple[int, ...] = ()
    """Entries that would count again, in order."""
    thrown: tuple[int, ...] = ()
    """Those of the entries gone in which dice fell: whoever plays there again throws anew."""
    mended: Mended | None = None
    """The throw that would be typed otherwise."""
    said: tuple["Said", ...] = ()
    """Plays that would be said again and recorded with it, in order."""
    because: str = ""
    """Why the first of the entries gone no longer holds, as a clause."""
    is_shut: bool = False
    """Whether what follows from it is not worked out before all agree, since that would tell secrets."""
    hands: tuple[Change, ...] = ()
    """Pieces that would stand otherwise."""
    opens: tuple[tuple[Seat, int], ...] = ()
    """Secrets that everybody could read from then on: whose, and how many; 0: all that the position holds."""
    outcome: Outcome | None = None
    """How the game would end."""
    rules: tuple[int, tuple[str, ...]] | None = None
    """The version of the rules by which the game would go on, and the rules that differ from those until then."""
    drops: tuple["DroppedThrow", ...] = ()
    """Throws that wait, and would never be made."""
    why: str = ""
    """What its author says of it."""
    cannot: str = ""
    """Why it cannot be done at all, as a clause."""


class Terms(Offer, frozen=True):
    """What seats can be asked to agree to."""

    leaves_throw: ClassVar[bool] = False
    """Whether dice that are being thrown by mail are thrown all the same."""
    is_own: ClassVar[bool] = False
    """Whether only who has offered it can do it, for nobody else has what it takes."""
    tells_changes: ClassVar[bool] = False
    """Whether a log tells behind its words what it would change."""

    def __init_subclass__(cls) -> None:
        """TypeError where something is not answered."""
        check_answered(cls)

    @abstractmethod
    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out what it would do to the game at this moment."""

    @abstractmethod
    def words(self, look: "Sitting") -> str:
        """Returns what somebody offers, as what all would do."""

    @abstractmethod
    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on; NotAllowedError."""


class ToldDeed(JudgedDeed, frozen=True):
    """A deed with the words in which it is told."""

    def __init_subclass__(cls) -> None:
        """TypeError where something is not answered."""
        check_answered(cls)

    @abstractmethod
    def words(self, look: "Sitting") -> str:
        """Tells it in one line, as these eyes may read it."""

    def told(self, look: "Sitting", proposed: Callable[[], list[str]]) -> list[str]:  # noqa: ARG002
        """Tells what happened, as things to do with the pieces; `proposed`: as was told before it was agreed to."""
        return []

    @property
    def secret_words(self) -> str:
        """What it had sealed, once that is revealed."""
        return "nothing"


def terms_of(offer: Offer) -> Terms:
    """Returns an offer as what it would do: every one that can be read is."""
    assert isinstance(offer, Terms), "each is defined in the file of a deed"
    return offer


def proposal_of(sitting: "Sitting", offer: Offer, by: Seat) -> Proposal:
    """Works out what an offer would do to the game at this moment."""
    terms, pact = terms_of(offer), sitting.pact
    found = terms.proposal(sitting, by)
    waits = pact is not None and sitting.at is None and pact.is_pending and pact.throw
    return replace(found, drops=(waits,)) if waits and not terms.leaves_throw else found


def proposed_by(look: "Sitting", deed: JudgedDeed) -> Proposal:
    """Works out what a deed did that others had to agree to, or could have had to."""
    assert deed.terms is not None, "these are offered"
    return proposal_of(look.then(deed.n - 1), deed.terms, deed.by)


def throws(sitting: "Sitting", n: int) -> bool:
    """Tells whether dice fell in an entry, as far as these eyes see it."""
    entry = sitting.log.entries[n] if 0 <= n < len(sitting.log.entries) else None
    return isinstance(entry, PlayEntry) and bool(entry.all_rolls)


def spell_faces(rolls: Sequence[Roll]) -> tuple[str, ...]:
    """Returns the dice of several rolls as people read them."""
    return tuple(str(face) for roll in rolls for face in roll.names or roll.faces)


def end_of(sitting: "Sitting", offer: Terms, by: Seat, winners: tuple[Seat, ...], because: str) -> Proposal:
    """Works out how a game would end that its players end."""
    strangers = [seat for seat in winners if seat not in sitting.facts.seats]
    if strangers:
        return Proposal(by, offer, cannot=f"nobody sits at {strangers[0]}")
    if sitting.facts.outcome:
        return Proposal(by, offer, cannot="the game is over already")
    return Proposal(by, offer, outcome=Outcome(ranked(winners, sitting.facts.seats), (), because))
