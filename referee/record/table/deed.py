"""The questions that the reducer, the verifier, the mail protocol and sheets ask each deed. The folder `deeds` holds a
file for each deed.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from msgspec import Struct

from referee.engine.event import Outcome, Seat
from referee.record.log.entry import DeedEntry

if TYPE_CHECKING:
    from referee.record.log.offer import Offer
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState


class Amendment(Struct, frozen=True):
    """A position that the players corrected by agreement. An audit lists it and goes on from there."""

    n: int
    why: str
    agreed: tuple[Seat, ...]
    changes: tuple[str, ...]
    """The changes that everybody may see."""


class ConsentNeed(NamedTuple):
    """The need of a deed for the consent of all other seats."""

    what: str
    """The beginning of a clause, such as "the takeback"."""
    because: str = ""
    """The reason that they must agree, as a clause; "" if they always must."""


class SheetDeed(NamedTuple):
    """A line of a sheet that tells a deed, not a play."""

    by: Seat
    to: int | None
    """The number of the earlier line that this line names; None if it names none."""
    agreed: tuple[Seat, ...]
    won: tuple[Seat, ...]
    """The seats that the line names as winners."""
    read_document: Callable[[], dict[str, Any]]
    """Reads the JSON behind the colon."""
    has_document: bool
    """True if there is something behind the colon."""


class JudgedDeed(DeedEntry, frozen=True):
    """An entry about the game itself, such as a takeback or an end. The reducer applies it and an audit judges it."""

    is_made_by_table: ClassVar[bool] = False
    """True if the whole table makes the deed, whoever offered it."""
    joint_roll_fate: ClassVar[Literal["dropped", "given up", "stays"]] = "dropped"
    """The fate of an open joint roll by mail. After "given up", the roll counts as dropped only once the deed is taken
    back.
    """
    waits_for_declared_action: ClassVar[bool] = False
    """True if a seat that has declared an action must play it before the deed, unless all have agreed."""
    sheet_word: ClassVar[str] = ""
    """The word behind the star on a sheet; "" if the deed does not stand on sheets."""

    @property
    @abstractmethod
    def required_offer(self) -> "Offer | None":
        """The offer that must be agreed to before the deed is recorded; None if the deed needs none."""

    @property
    def sheet_content(self) -> list[Any]:
        """The content that stays the same in a log that was read back from a sheet. It serves to compare logs."""
        return [type(self).__struct_config__.tag, self.by]

    def carries_out(self, offer: "Offer") -> bool:
        """True if the deed carries out the offer."""
        return offer == self.required_offer

    def check(self, reducer: "ReducerState") -> None:
        """Raises FaultError if the deed makes no sense at this point of the game."""

    @abstractmethod
    def apply(self, reducer: "ReducerState") -> None:
        """Changes the game in force as the deed demands. Raises FaultError if that is impossible."""

    @abstractmethod
    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed | None:
        """Returns the consent that the deed needs from all others; None if the seat may act alone."""

    def judge_amendment(self, reducer: "ReducerState") -> Amendment | None:  # noqa: ARG002
        """Judges the correction in the deed and returns it; None if the deed corrects nothing."""
        return None

    # On a sheet

    def format_sheet_text(self, line_of: Callable[[int], int]) -> str:
        """Returns the words that follow the star (*) on the sheet's line; `line_of` gives the line of an entry."""
        raise NotImplementedError

    @classmethod
    def draft_from_sheet(cls, said: SheetDeed) -> "Draft | None":  # noqa: ARG003
        """Returns the draft of the entry that a line of a sheet describes. None if the line says too little."""
        return None

    @property
    def sheet_consent(self) -> str:
        """The seats that have agreed, in the words of a sheet: ", agreed blue"; "" if there are none."""
        return f", agreed {' '.join(self.agreed)}" if self.agreed else ""


class EndingDeed:
    """A mixin for deeds that end the game. Such a deed works out in `judge_outcome` how the game ends."""

    __slots__ = ()

    @abstractmethod
    def judge_outcome(self, reducer: "ReducerState") -> Outcome:
        """Returns the end of the game. Raises FaultError if the deed cannot end it."""

    def check(self, reducer: "ReducerState") -> None:
        """Raises FaultError if the deed cannot end the game."""
        self.judge_outcome(reducer)

    def apply(self, reducer: "ReducerState") -> None:
        """Ends the game."""
        reducer.end_game(self.judge_outcome(reducer))


def check_abstract_methods(kind: type) -> None:
    """Raises TypeError if a class does not define every abstract method of its bases."""
    silent = [asked for asked in dir(kind) if getattr(getattr(kind, asked, None), "__isabstractmethod__", False)]
    if silent:
        raise TypeError(f"{kind.__name__} lacks: {', '.join(silent)}")
