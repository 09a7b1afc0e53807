"""What fold, judge, pact and sheets ask a deed of the record. Each deed answers in its own file, in `deeds`."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from msgspec import Struct

from referee.engine.event import Seat
from referee.record.log.entry import DeedEntry

if TYPE_CHECKING:
    from referee.record.log.offer import Offer
    from referee.record.table.draft import Draft
    from referee.record.table.folded import Folded


class Amendment(Struct, frozen=True):
    """A position that the players corrected by agreement: an audit lists each and goes on from there."""

    n: int
    why: str
    agreed: tuple[Seat, ...]
    changes: tuple[str, ...]
    """What exactly was changed, as far as everybody may see it."""


class Needs(NamedTuple):
    """What all others must agree to."""

    what: str
    """As a clause begins: `the takeback`."""
    because: str = ""
    """Why they must, as a clause, where it is not always so."""


class Starred(NamedTuple):
    """What a line of a sheet says that is no play."""

    by: Seat
    to: int | None
    """The line that it names."""
    agreed: tuple[Seat, ...]
    won: tuple[Seat, ...]
    document: Callable[[], dict[str, Any]]
    """Reads what stands behind the colon as JSON."""


class JudgedDeed(DeedEntry, frozen=True):
    """A deed, as far as it is folded and judged."""

    by_table: ClassVar[bool] = False
    """Whether all at the table make it together, whoever has offered it."""
    throw: ClassVar[Literal["dropped", "given up", "stays"]] = "dropped"
    """What becomes of dice that are being thrown by mail. Where a game is given up, they are dropped once that is taken
    back.
    """
    waits_for_declared: ClassVar[bool] = False
    """Whether who has declared something first plays it, unless all have agreed."""
    star: ClassVar[str] = ""
    """How it stands on a sheet, behind the star; empty: it says nothing there."""

    @property
    @abstractmethod
    def terms(self) -> "Offer | None":
        """What has to be offered so that it can stand in the log."""

    @property
    def content(self) -> list[Any]:
        """What it says that is read back from the words of another log, but for names."""
        return [type(self).__struct_config__.tag, self.by]

    def does(self, offer: "Offer") -> bool:
        """Tells whether it does what was offered."""
        return offer == self.terms

    def check(self, fold: "Folded") -> None:
        """Fails the fold where it makes no sense, before anything of it is judged."""

    @abstractmethod
    def apply(self, fold: "Folded") -> None:
        """Folds it: the one place in which the game goes on from it."""

    @abstractmethod
    def needs(self, fold: "Folded") -> Needs | None:
        """Returns what all others must agree to; None where its seat does it alone."""

    def amendment(self, fold: "Folded") -> Amendment | None:  # noqa: ARG002
        """Judges what it corrects, and tells it; None: it corrects nothing."""
        return None

    # On a sheet

    def on_sheet(self, line_of: Callable[[int], int]) -> str:
        """Returns what stands on a sheet behind the star; `line_of` gives the line of an entry."""
        raise NotImplementedError

    @classmethod
    def from_sheet(cls, said: Starred) -> "Draft | None":  # noqa: ARG003
        """Returns what a line of a sheet records; None where it does not say enough."""
        return None

    @property
    def consent_on_sheet(self) -> str:
        """Who has agreed, as sheets say it."""
        return f", agreed {' '.join(self.agreed)}" if self.agreed else ""


def check_answered(kind: type) -> None:
    """TypeError where a class keeps silent on something that every one of its kind is asked."""
    silent = [asked for asked in dir(kind) if getattr(getattr(kind, asked, None), "__isabstractmethod__", False)]
    if silent:
        raise TypeError(f"{kind.__name__} does not say: {', '.join(silent)}")
