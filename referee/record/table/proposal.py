"""Proposals: the effects of a deed that others must agree to. Everyone who looks at a deed works them out.

Players agree to these effects, never to the words of the deed's author. Their agreement holds for that deed alone, and
lapses as soon as anybody plays. The file of each deed, in `deeds`, works out its effects and words them.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import Roll
from referee.engine.event import Outcome, Seat, rank_seats
from referee.engine.position_diff import PieceChange
from referee.record.log.entry import PlayEntry
from referee.record.log.offer import Offer
from referee.record.table.deed import JudgedDeed, check_abstract_methods

if TYPE_CHECKING:
    from referee.record.table.joint_roll import DroppedRoll
    from referee.record.table.moment import JudgedAction
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session


class CorrectedEntry(Struct, frozen=True):
    """An entry whose dice or play would be corrected."""

    n: int
    """The number of the entry."""
    faces: tuple[str, ...]
    """The dice that it would have; empty if these eyes do not see them."""
    words: str = ""
    """The play that it would have; "" if only the dice are corrected."""


class NewPlayer(Struct, frozen=True):
    """The player of a seat after an offer is carried out."""

    seat: Seat
    name: str = ""
    """The name of the player; "" for nobody or a bot."""
    bot: str | None = None
    """The bot that plays the seat; None without one."""


class SwitchedOption(Struct, frozen=True):
    """An option that has another value from an offer on."""

    name: str
    before: str
    after: str


class Proposal(Struct, frozen=True):
    """The effects of an offer, as certain eyes see them."""

    by: Seat
    """The seat that makes the offer; the referee stands for somebody at the table."""
    offer: Offer
    gone: tuple[int, ...] = ()
    """The entries that would no longer count and are not played again, the last one first."""
    again: tuple[int, ...] = ()
    """The entries that would count again, in order."""
    thrown: tuple[int, ...] = ()
    """The entries of `gone` that hold dice, which would have to be rolled again."""
    corrected: CorrectedEntry | None = None
    """The entry that would be corrected."""
    said: tuple["JudgedAction", ...] = ()
    """The plays that would be made again and recorded with the correction, in order."""
    because: str = ""
    """The reason that the first entry of `gone` no longer holds, as a clause."""
    is_hidden: bool = False
    """True if the effects are hidden until all agree, because they would tell secrets."""
    piece_changes: tuple[PieceChange, ...] = ()
    """The pieces that would change."""
    opens: tuple[tuple[Seat, int], ...] = ()
    """The secrets that everybody could read from then on: seat and number. 0 stands for all that the position holds."""
    outcome: Outcome | None = None
    """The end that the game would have; None if it would go on."""
    rules: tuple[int, tuple[str, ...]] | None = None
    """The version of the rules under which the game would go on, and the rules that would change."""
    switched: tuple[SwitchedOption, ...] = ()
    """The options that would have another value from then on."""
    new_player: NewPlayer | None = None
    """The player that a seat would have from then on; None if it keeps its player."""
    drops: tuple["DroppedRoll", ...] = ()
    """The open joint rolls that would never be made."""
    why: str = ""
    """The reason that the author of the offer gives."""
    cannot: str = ""
    """The reason that the offer cannot be carried out at all, as a clause; "" if it can."""


class DescribedOffer(Offer, frozen=True):
    """An offer with its effects, its words and the way to record it."""

    leaves_joint_roll: ClassVar[bool] = False
    """True if an open joint roll by mail is still made after the deed."""
    is_carried_out_by_author: ClassVar[bool] = False
    """True if only the seat that offered it can carry it out."""
    tells_changes: ClassVar[bool] = False
    """True if a log lists the changes behind the words of the offer."""

    def __init_subclass__(cls) -> None:
        """Raises TypeError if a subclass does not define everything that an offer must say."""
        check_abstract_methods(cls)

    @abstractmethod
    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out the effects on the game at this moment."""

    @abstractmethod
    def describe(self, look: "SeatView") -> str:
        """Returns the offer in words that begin with "to", such as "to resign"."""

    @abstractmethod
    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the deed that all have agreed on. Raises NotAllowedError if it cannot be done."""


class DescribedDeed(JudgedDeed, frozen=True):
    """A deed with the words that describe it."""

    def __init_subclass__(cls) -> None:
        """Raises TypeError if a subclass does not define everything that a deed must say."""
        check_abstract_methods(cls)

    @abstractmethod
    def describe(self, look: "SeatView") -> str:
        """Describes the deed in one line, as these eyes may read it.

        Pages hold this line, and an audit compares it. So its words must not change.
        """

    def describe_changes(self, look: "SeatView", proposed: Callable[[], list[str]]) -> list[str]:  # noqa: ARG002
        """Returns the changes to make with the pieces on the board, in lines. `proposed` gives the lines that were
        shown before the agreement.
        """
        return []

    @property
    def secret_text(self) -> str:
        """The words for the secret that the deed sealed, once that is revealed."""
        return "nothing"


def get_described_offer(offer: Offer) -> DescribedOffer:
    """Returns an offer as `DescribedOffer`. Every offer that can be read belongs to this class."""
    assert isinstance(offer, DescribedOffer), "every offer has terms"
    return offer


def make_proposal_of_offer(sitting: "SeatView", offer: Offer, by: Seat) -> Proposal:
    """Works out the effects of an offer on the game at this moment."""
    terms, protocol = get_described_offer(offer), sitting.protocol
    found = terms.make_proposal(sitting, by)
    waits = protocol is not None and sitting.at is None and protocol.has_pending_roll and protocol.droppable_roll
    return replace(found, drops=(waits,)) if waits and not terms.leaves_joint_roll else found


def make_proposal_of_deed(look: "SeatView", deed: JudgedDeed) -> Proposal:
    """Works out the effects of a recorded deed, as if it were offered just before its entry."""
    assert deed.required_offer is not None, "this deed can be offered"
    return make_proposal_of_offer(look.at_entry(deed.n - 1), deed.required_offer, deed.by)


def has_visible_dice(sitting: "SeatView", n: int) -> bool:
    """True if an entry holds dice, as far as these eyes see them."""
    entry = sitting.log.entries[n] if 0 <= n < len(sitting.log.entries) else None
    return isinstance(entry, PlayEntry) and bool(entry.known_rolls)


def format_faces(rolls: Sequence[Roll]) -> tuple[str, ...]:
    """Returns the dice of several rolls as people read them."""
    return tuple(str(face) for roll in rolls for face in roll.names or roll.faces)


def make_proposal_of_end(
    sitting: "SeatView", offer: DescribedOffer, by: Seat, winners: tuple[Seat, ...], because: str
) -> Proposal:
    """Works out how the game would end if its players ended it now."""
    strangers = [seat for seat in winners if seat not in sitting.facts.seats]
    if strangers:
        return Proposal(by, offer, cannot=f"there is no seat {strangers[0]}")
    if sitting.facts.outcome:
        return Proposal(by, offer, cannot="the game is over already")
    return Proposal(by, offer, outcome=Outcome(rank_seats(winners, sitting.facts.seats), (), because))
