"""The order of play: what has to be done now, by whom, and by which rule.

A game only says what is due. The rest follows from it: whose move it is, which verbs can be used, and the refusal "not
now".

    >>> state = None
    >>> order = Order(lambda state: Obligation("red", "throw", "dice.1", "red has to throw first"))
    >>> order.to_act(state), order.phase(state)
    ('red', 'throw')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal

S = TypeVar("S")


class Obligation(Struct, frozen=True, gc=False):
    """Something that has to be done now, before anything else."""

    seat: Seat
    """The seat that has to do it."""
    phase: str
    """The phase of the game. Only verbs of this phase can be used."""
    rule: str
    """The rule by which it comes first."""
    words: str
    """The obligation as a clause without capital letter or full stop, for refusals: "this is the Fire Phase"."""
    asks: bool = False
    """True if the seat is asked for something that only it knows. Its answer is an action with one legal form."""


def bar_nobody(_state: Any, _seat: Seat) -> Iterator[Refusal]:
    """Yields nothing: no seat is barred."""
    return iter(())


class Order(Generic[S]):
    """The order of play of a game. It gives the same answers for views and for complete states."""

    def __init__(
        self,
        due: Callable[[S], Obligation | None],
        barred: Callable[[S, Seat], Iterator[Refusal]] = bar_nobody,
        theirs: Callable[[S, Obligation], Iterator[Refusal]] | None = None,
    ) -> None:
        """Creates an order of play from functions.

        `due` returns what has to be done now; None if the game is over. `barred` yields reasons why a seat may do
        nothing at all, such as the end of the game, and is checked first. `theirs` yields reasons why other seats may
        not do what is due. By default, the reason is the rule of the obligation.
        """
        self._compute_due, self.barred, self._theirs = due, barred, theirs
        self._latest: tuple[object, Obligation | None] = (self, None)  # `self` is never a state

    def due(self, state: S) -> Obligation | None:
        """Returns the obligation that is due; None if the game is over. The result for the latest state is kept."""
        latest, due = self._latest
        if latest is not state:
            due = self._compute_due(state)
            self._latest = state, due
        return due

    def to_act(self, state: S) -> Seat | None:
        """Returns the seat that has to act; None if the game is over."""
        due = self.due(state)
        return None if due is None else due.seat

    def awaits_answer(self, state: S) -> bool:
        """True if a seat is asked for something that only it knows."""
        due = self.due(state)
        return due is not None and due.asks

    def phase(self, state: S) -> str | None:
        """Returns the phase that is due; None if the game is over."""
        due = self.due(state)
        return None if due is None else due.phase

    def refuse_not_due(self, state: S) -> Iterator[Refusal]:
        """Yields the refusal of an action that is not due; nothing if the game is over."""
        due = self.due(state)
        if due is not None:
            yield Refusal(due.rule, due.words)

    def refuse_other_seats(self, state: S) -> Iterator[Refusal]:
        """Yields the reasons why other seats cannot do what is due."""
        due = self.due(state)
        if due is not None:
            yield from (
                self._theirs(state, due)
                if self._theirs
                else [Refusal(due.rule, f"{due.seat} has to act now: {due.words}")]
            )


# Tasks that must be settled before all else


class Task(Struct, Generic[S], frozen=True, forbid_unknown_fields=True, tag_field="task"):
    """Something that has to be settled before the game goes on.

    A state holds a list of tasks. The first one is due, and its tag is the phase.
    """

    asks: ClassVar[bool] = False
    """True if it asks a seat for something that only that seat knows."""

    @property
    def rule(self) -> str:
        """The rule by which this task comes first. Usually all tasks of a class share one rule, as a `ClassVar`."""
        raise NotImplementedError

    @property
    def phase(self) -> str:
        """The phase: the verbs of this phase settle the task. By default it is the tag of the class."""
        return str(self.__struct_config__.tag)

    def seat(self, state: S) -> Seat:
        """Returns the seat that has to settle the task."""
        raise NotImplementedError

    def describe(self, state: S) -> str:
        """Returns what has to be done, as a clause: "losses are to be named first"."""
        raise NotImplementedError

    def make_forced_events(self, state: S) -> Script[S] | Event | None:  # noqa: ARG002 - somebody usually has to choose
        """Returns the events that settle the task without a decision; None if somebody has to choose."""
        return None

    def make_obligation(self, state: S) -> Obligation:
        """Returns the task as an obligation, which the order of play can then make due."""
        return Obligation(self.seat(state), self.phase, self.rule, self.describe(state), self.asks)


def settle_tasks(state: S, step: Callable[[S], Script[S] | Event | None]) -> Script[S]:
    """Yields the events that need no decision, step by step, until somebody has to choose or nothing is left.

    Returns the last state. `step` returns the next events for a state: a script, one event, or None to stop.
    """
    while (following := step(state)) is not None:
        if isinstance(following, Event):
            state = yield following
        else:
            state = yield from following
    return state
