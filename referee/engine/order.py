"""The order of play: what has to be done now, by whom, and by which rule it comes first.

A game says what is due. Whose move it is, which verbs belong to it, and the refusal "not now" follow.

    >>> order = Order(lambda state: Due("red", "throw", "dice.1", "red has to throw first"))
    >>> order.to_act(state), order.phase(state)
    ('red', 'throw')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from referee.engine.event import Event, Script, Seat
from referee.engine.ruling import Refusal

S = TypeVar("S")


class Due(Struct, frozen=True, gc=False):
    """What has to be done now."""

    seat: Seat
    """Who has to do it."""
    phase: str
    """Of what kind it is: the verbs of this phase can be said, and no others."""
    rule: str
    """The rule by which it comes first."""
    words: str
    """What is due, as a clause without capital or full stop: "this is the Fire Phase", "losses come first"."""
    asks: bool = False
    """Whether the seat is asked for what it knows and others do not: its answer is an action with one legal form."""


def nobody_barred(_state: Any, _seat: Seat) -> Iterator[Refusal]:
    """Everybody may speak whose part it is."""
    return iter(())


class Order(Generic[S]):
    """The order of play of a game, on views and states alike: it is the same for all who look."""

    def __init__(
        self,
        due: Callable[[S], Due | None],
        barred: Callable[[S, Seat], Iterator[Refusal]] = nobody_barred,
        theirs: Callable[[S, Due], Iterator[Refusal]] | None = None,
    ) -> None:
        """`due` tells what has to be done now; None: the game is over. `barred`: why a seat may say nothing at all,
        whatever it is, such as that the game is over; judged before all else. `theirs`: why others may not say what is
        due; not given: the rule by which it is due.
        """
        self._work_out, self.barred, self._theirs = due, barred, theirs
        self._latest: tuple[object, Due | None] = (self, None)  # which is no state

    def due(self, state: S) -> Due | None:
        """What has to be done now; None: the game is over. It is asked for several times of each state in a row, and
        worked out once.
        """
        latest, due = self._latest
        if latest is not state:
            due = self._work_out(state)
            self._latest = state, due
        return due

    def to_act(self, state: S) -> Seat | None:
        """Who has to do what is due; None when the game is over."""
        due = self.due(state)
        return None if due is None else due.seat

    def asks(self, state: S) -> bool:
        """Whether somebody is asked for what only he knows."""
        due = self.due(state)
        return due is not None and due.asks

    def phase(self, state: S) -> str | None:
        """Which kind of thing is due; None when the game is over."""
        due = self.due(state)
        return None if due is None else due.phase

    def not_now(self, state: S) -> Iterator[Refusal]:
        """Why nothing but what is due can be said."""
        due = self.due(state)
        if due is not None:
            yield Refusal(due.rule, due.words)

    def theirs(self, state: S) -> Iterator[Refusal]:
        """Why others cannot say what is due."""
        due = self.due(state)
        if due is not None:
            yield from (
                self._theirs(state, due)
                if self._theirs
                else [Refusal(due.rule, f"this is for {due.seat}: {due.words}")]
            )


# An agenda: what must be settled before all else


class Task(Struct, Generic[S], frozen=True, forbid_unknown_fields=True, tag_field="task"):
    """Something that has to be settled before the game goes on. A state holds an agenda of them; the first one is due,
    and its tag is the phase.
    """

    asks: ClassVar[bool] = False
    """Whether it asks a seat for what only that seat knows."""

    @property
    def rule(self) -> str:
        """The rule by which it comes first: mostly the same for all of a kind, a `ClassVar`."""
        raise NotImplementedError

    @property
    def phase(self) -> str:
        """Its kind, in place of a phase: the verbs of this phase settle it. Its tag, where it has one."""
        return str(self.__struct_config__.tag)

    def seat(self, state: S) -> Seat:
        """Who has to settle it, where somebody has to choose."""
        raise NotImplementedError

    def words(self, state: S) -> str:
        """What has to be done, as a clause: "losses are to be named first"."""
        raise NotImplementedError

    def forced(self, state: S) -> Script[S] | Event | None:  # noqa: ARG002 - mostly somebody chooses
        """What follows without anybody choosing; None: somebody has to choose."""
        return None

    def due(self, state: S) -> Due:
        """The same as what is due in the order of play."""
        return Due(self.seat(state), self.phase, self.rule, self.words(state), self.asks)


def settle(state: S, step: Callable[[S], Script[S] | Event | None]) -> Script[S]:
    """Do what nobody chooses, one thing after another, until somebody has to choose or nothing is left; returns the
    state after it. `step` tells what comes next: a script, one event, or None for nothing.
    """
    while (following := step(state)) is not None:
        if isinstance(following, Event):
            state = yield following
        else:
            state = yield from following
    return state
