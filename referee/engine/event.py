"""Events, seats and outcomes: what happens in a game, who acts, and how the game ends."""

from collections.abc import Generator, Iterator
from types import ModuleType
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from msgspec import Meta, Struct

from referee.engine.text import listing

Seat = str
"""A player's place: a lower-case word such as "red". `REFEREE` stands for entries that no player made."""

REFEREE = "referee"
"""The seat of entries that no player made."""


class Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """Something that happened, as the log keeps it for ever. Every game's events derive from this class.

    Events hold plain values only, and so never form a cycle. The garbage collector can ignore them.

        >>> class Moved(Event, frozen=True, tag="moved"):
        ...     told = "Move {unit} to {place}."
        ...     unit: str
        ...     place: str
        >>> Moved("R1", "c2").tell()
        'Move R1 to c2.'
    """

    told: ClassVar[str] = ""
    """The sentence that tells people what to do on the board, with the fields in braces.

    For example "{unit} puts out the fire in {box}: take the flames off." If such a sentence is not enough, override
    `tell`.
    """

    tells: ClassVar[bool] = False
    """True if the event tells players a secret.

    Then nobody may take it back alone, since they would choose again knowing more.
    """

    announces: ClassVar[bool] = False
    """True if the event's sentence only repeats what the state after it shows, such as whose turn it is.

    A session shows the state below the events, so it leaves the sentence out.
    """

    settles: ClassVar[bool] = False
    """True if the rulebook forbids a player to take the event back alone, although no die was rolled.

    For example, a player may have let go of a piece.
    """

    evident: ClassVar[bool] = False
    """True if public facts and open dice alone decide the event, such as a fight between units that everybody sees.

    Anyone can then check that it had to happen, even without the secrets of the seat that acted.
    """

    def tell(self) -> str:
        """Returns the event as one line that a person at the table can act on.

        A field with several values is written as a list: "A1, A2 and B3".
        """
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return self.told.format_map({name: _join_items(value) for name, value in fields.items()})

    def apply(self, state: Any) -> Any:
        """Returns the state after this event. The state changes nowhere else. No rules are checked here.

        The method must work even if the value of a `Secret` in the event or the state is not known.
        """
        raise NotImplementedError


def list_event_types(topic: ModuleType) -> Iterator[type[Event]]:
    """Yields the event types that a module defines. Names that begin with "_" are base classes, and are left out."""
    for name, value in vars(topic).items():
        is_event = isinstance(value, type) and issubclass(value, Event) and value.__module__ == topic.__name__
        if is_event and not name.startswith("_"):
            yield value


def _join_items(value: Any) -> Any:
    return listing(list(map(str, value))) if isinstance(value, tuple) else value


class MessageEvent(Event, frozen=True):
    """An event that is only told to people. It changes nothing in the state."""

    def apply(self, state: Any) -> Any:
        """Returns the same state."""
        return state


E = TypeVar("E", bound=Event)
S = TypeVar("S")


class SecretEvent(Struct, Generic[E], frozen=True):
    """An event that only the seat that caused it sees. Rule code yields `SecretEvent(event)` in place of the event."""

    event: E
    """The event itself."""


Script = Generator[Event | SecretEvent[Any], S, Any]
"""A generator of rule code. It yields each event as it happens, and is sent the state after that event."""


Score = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]
"""A seat's result. Logs hold no larger numbers."""


class Outcome(Struct, frozen=True):
    """The way a game ended."""

    ranks: tuple[tuple[Seat, ...], ...]
    """The seats by rank, best first. Seats that share a rank are a team, or have tied.

    The first rank has won. It is empty if nobody has: all lost together, or a single player lost.
    """
    scores: tuple[tuple[Seat, Score], ...]
    """The result of each seat, in the game's own unit."""
    because: str
    """The end of the game in one clause, as a person would tell it."""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The first rank: one seat for a win, several for a tie or a team, none if nobody won.

        >>> Outcome((("red",), ("blue",)), (("red", 3), ("blue", 1)), "red has brought three runners home").winners
        ('red',)
        """
        return self.ranks[0] if self.ranks else ()


def rank_seats(winners: tuple[Seat, ...], seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    """Returns the winners as the first rank, and all other seats as the second. `winners` is empty if nobody won."""
    others = tuple(seat for seat in seats if seat not in winners)
    return (winners, others) if others else (winners,)
