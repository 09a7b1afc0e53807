"""What happens in a game: events, who acts, how it ends."""

from collections.abc import Generator
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from msgspec import Meta, Struct

from referee.engine.text import listing

Seat = str
"""A player's place: a lower-case word such as "red". `REFEREE` stands for entries that no player made."""

REFEREE = "referee"


class Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """Something that happened, as the log keeps it for ever. Every game's events derive from it.

    Events hold values only and so can form no cycle: the garbage collector need not look at them.
    """

    told: ClassVar[str] = ""
    """What to do at the table, in words, with its fields in braces: "{unit} puts out the fire in {box}: take the flames
    off." Where a sentence with gaps does not do, `tell` is written instead.
    """

    tells: ClassVar[bool] = False
    """Whether players learn a secret by it: then nobody may take it back alone and choose again, knowing more."""

    settles: ClassVar[bool] = False
    """Whether the rulebook forbids to take it back alone, though no die fell: a piece that was let go of."""

    evident: ClassVar[bool] = False
    """Whether what everybody may know and open dice decide it: then anybody can tell whether it had to happen, though
    secrets of who has played are not known. A fight in the open is, in a game of hidden movement.
    """

    def tell(self) -> str:
        """The event as one line that a person can act on at the table. Several things are listed: "A1, A2 and B3"."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return self.told.format_map({name: _listed(value) for name, value in fields.items()})

    def apply(self, state: Any) -> Any:
        """Return the state after the event. The one place where state changes; it knows no rules.

        It must do without the value of a `Secret` that is not known.
        """
        raise NotImplementedError


def _listed(value: Any) -> Any:
    return listing(list(map(str, value))) if isinstance(value, tuple) else value


class Told(Event, frozen=True):
    """Something that is only told: nothing changes by it that the state does not show."""

    def apply(self, state: Any) -> Any:
        """The same state."""
        return state


E = TypeVar("E", bound=Event)
S = TypeVar("S")


class Unseen(Struct, Generic[E], frozen=True):
    """An event that only the seat sees which caused it: rule code yields `Unseen(event)` in place of the event."""

    event: E


Script = Generator[Event | Unseen[Any], S, Any]
"""Rule code: yields each event as it happens, and is sent the state after it."""


Score = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]
"""What a seat reached; a log holds no larger numbers."""


class Outcome(Struct, frozen=True):
    """How a game ended."""

    ranks: tuple[tuple[Seat, ...], ...]
    """Seats by rank, the best first; who shares a rank is a team, or has tied. The first rank has won: it is empty
    where nobody has, as when all lose together or somebody loses who plays alone.
    """
    scores: tuple[tuple[Seat, Score], ...]
    """What each seat reached, in the game's own unit."""
    because: str
    """The end in one clause, as a person would tell it."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The first rank: one seat for a win, several for a tie or a team, none when nobody won."""
        return self.ranks[0] if self.ranks else ()


def ranked(winners: tuple[Seat, ...], seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    """The ranks where some have won, or nobody has, and the others are not told apart."""
    others = tuple(seat for seat in seats if seat not in winners)
    return (winners, others) if others else (winners,)
