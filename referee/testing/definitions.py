"""Slow definitions: the sentence of a rule as a few lines that anyone can check, compared with what a game lists.

A definition enumerates and filters. It shares no code with the quick lists, so that the two do not err together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain
from random import Random
from typing import Any

from msgspec import Struct

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.choice import Action, Choice, find_action_tag
from referee.engine.dice_source import SeededSource
from referee.engine.event import Seat
from referee.engine.game import AnyGame, view_for
from referee.engine.legal import LegalActions
from referee.engine.text import find_similar_choices

MAX_COMPARED_ACTIONS = 2_000
"""The most actions of one kind that are compared one by one. A state with more of them is not compared."""
ACTIONS_JUDGED = 30
"""The number of actions of a list that are judged in one state, if the list is too long to be compared."""
ACTIONS_PLAYED_PER_CHOICE = 2
"""The number of actions of each choice that are carried out in one state."""
Faces = tuple[int, ...]
"""The dice that an action rolled, in order."""


class Definition(Struct, frozen=True):
    """The meaning of a rule for one kind of action, in a few slow lines.

    >>> from referee.engine import Action
    >>> from referee.testing import Definition
    >>> class Take(Action, frozen=True, tag="take"):
    ...     says = "take {count}"
    ...     count: int
    >>> up_to_three = Definition(Take, "1.2", lambda view, seat: (Take(n) for n in (1, 2, 3) if n <= view))
    >>> [action.count for action in up_to_three.lists(2, "red")]
    [1, 2]
    """

    kind: type[Action]
    """The kind of action."""
    rule: str
    """The id of the rule or ruling whose meaning this is."""
    lists: Callable[[Any, Seat], Iterable[Action]] | None = None
    """Yields every action of this kind that the rule allows a seat in this view."""
    allows: Callable[[Any, Seat, Any], bool] | None = None
    """True if the rule allows a seat this action in this view, for kinds that have too many actions to be listed.

    It is asked about actions of the game's list at random, and about those of `tries`.
    """
    tries: Callable[[Any, Seat, Random], Iterable[Action]] | None = None
    """Yields actions to ask `allows` about, some at random: those that a list should have, and those that it should
    not.
    """
    leads_to: Callable[[Any, Seat, Any, Faces], Mapping[str, Any]] | None = None
    """Returns fields that the state has after a legal action of a seat, by name, given the faces that it rolled.

    Without `lists`, `allows` and `tries` only effects are defined.
    """
    fits: Callable[[Any, Seat], bool] | None = None
    """True if this view is small enough for the definition. None if every view is small enough."""

    def __str__(self) -> str:
        return f"{find_action_tag(self.kind)} means what {self.rule} says"

    def is_due(self, game: AnyGame, state: Any) -> bool:
        """True if actions of this kind may be legal in the phase that is due."""
        return game.order.phase(state) in game.verbs.find_verb(self.kind).phases


class Difference(Struct, frozen=True):
    """A difference between what a game does and what a definition says."""

    seat: Seat
    action: Action | None
    """The action; None if there was an error."""
    told: str
    """The difference in words."""


def check_defined_rule_ids(game: AnyGame, definitions: Iterable[Definition]) -> Iterator[str]:
    """Yields a sentence for each definition whose rule does not exist."""
    book = game.rulebook
    for definition in definitions:
        if definition.rule not in book.rules and definition.rule not in book.rulings:
            near = find_similar_choices(definition.rule, [*book.rules, *book.rulings])
            yield f"there is no rule {definition.rule}" + (f"; did you mean {near[0]}?" if near else "")


def find_difference(game: AnyGame, definition: Definition, state: Any, seats: tuple[Seat, ...]) -> Difference | None:
    """Returns the first difference in a state in which the definition's verb is due; None if there is none.

    `seats` are all seats of the game. An error in the game is a difference, too.
    """
    others = game.list_other_actors(state) if game.verbs.find_verb(definition.kind).may else ()
    table = _Table(game, definition, state, seats)
    for seat in dict.fromkeys(filter(None, (game.to_act(state), *others))):
        try:
            found = next(table.find_differences(seat), None)
        except Exception as error:  # whatever goes wrong, its state is worth being told
            found = Difference(seat, None, f"cannot be compared ({type(error).__name__}: {error})")
        if found:
            return found
    return None


def is_comparable(game: AnyGame, definition: Definition, state: Any) -> bool:
    """True if actions of the definition may be due in this state, the definition covers it, and it is not too slow for
    it.
    """
    seat = game.to_act(state)
    if seat is None or not definition.is_due(game, state):
        return False
    view = view_for(game, state, seat)
    if definition.fits and not definition.fits(view, seat):
        return False
    return not (definition.lists and _count_actions(game, definition, view, seat) > MAX_COMPARED_ACTIONS)


def _count_actions(game: AnyGame, definition: Definition, view: Any, seat: Seat) -> int:
    """Returns the number of actions in the list of a seat; 0 if the game fails to make the list. The comparison reports
    that failure later.
    """
    try:
        return sum(choice.count for choice in _list_choices(game, definition, view, seat))
    except Exception:
        return 0


def _list_choices(game: AnyGame, definition: Definition, view: Any, seat: Seat) -> list[Choice]:
    """Returns the choices of the definition's kind in the list of a seat."""
    return [choice for choice in game.legal(view, seat).choices if choice.kind is definition.kind]


class _Table:
    """One state in which a game and a definition are compared."""

    def __init__(self, game: AnyGame, definition: Definition, state: Any, seats: tuple[Seat, ...]) -> None:
        self._game, self._definition, self._state, self._seats = game, definition, state, seats
        self._rule = definition.rule

    def find_differences(self, seat: Seat) -> Iterator[Difference]:
        """Yields the differences about the actions of a seat."""
        view = view_for(self._game, self._state, seat)
        choices, random = _list_choices(self._game, self._definition, view, seat), Random(0)
        if self._definition.lists:
            yield from self._compare_lists(view, seat, choices, self._definition.lists(view, seat))
        if self._definition.allows:
            yield from self._compare_judgements(view, seat, choices, self._definition.allows)
        if self._definition.leads_to:
            for action in dict.fromkeys(
                choice.pick(random) for choice in choices for _ in range(ACTIONS_PLAYED_PER_CHOICE)
            ):
                yield from self._compare_effects(seat, action, self._definition.leads_to)

    def _compare_lists(
        self, view: Any, seat: Seat, choices: list[Choice], defined: Iterable[Action]
    ) -> Iterator[Difference]:
        """Yields actions that only the game or only the definition lists, and defined ones that `check` refuses."""
        listed, allowed = dict.fromkeys(chain.from_iterable(choices)), dict[Action, None]()
        for action in defined:
            allowed[action] = None
            if action not in listed:
                yield Difference(seat, action, f"is allowed by {self._rule}, and not listed")
            elif refusal := next(self._game.check(view, seat, action), None):
                yield Difference(seat, action, f"is allowed by {self._rule}, and refused by {refusal.rule}")
        for action in listed:
            if action not in allowed:
                yield Difference(seat, action, f"is listed, and not allowed by {self._rule}")

    def _compare_judgements(
        self, view: Any, seat: Seat, choices: list[Choice], allows: Callable[[Any, Seat, Any], bool]
    ) -> Iterator[Difference]:
        """Yields actions that the game and the definition judge differently. Compares some actions from the game's
        list, and the actions that the definition wants to try.
        """
        random, legal = Random(0), LegalActions(choices)
        picked = [legal.pick(random) for _ in range(ACTIONS_JUDGED)] if any(choice.count for choice in choices) else []
        tries = self._definition.tries(view, seat, random) if self._definition.tries else ()
        for action in dict.fromkeys(chain(picked, tries)):
            allowed, refusal = allows(view, seat, action), next(self._game.check(view, seat, action), None)
            if (action in legal) != allowed or bool(refusal) == allowed:
                said = f"is {'' if allowed else 'not '}allowed by {self._rule}"
                listed = "listed" if action in legal else "not listed"
                checked = f"refused by {refusal.rule}" if refusal else "not refused"
                yield Difference(seat, action, f"{said}, and {listed} and {checked}")

    def _compare_effects(
        self, seat: Seat, action: Action, leads_to: Callable[[Any, Seat, Any, Faces], Mapping[str, Any]]
    ) -> Iterator[Difference]:
        """Yields the fields of the state after an action that are not as the definition says.

        The same action always gets the same dice.
        """
        key = sha256(self._game.format(action).encode()).hexdigest()
        source = SeededSource(dict.fromkeys((None, *self._seats), key))
        played = adjudicate(self._game, self._state, seat, action, source)
        if not isinstance(played, LegalVerdict):
            yield Difference(seat, action, f"is listed, and comes to {played}")
            return
        faces = tuple(chain.from_iterable(roll.faces for roll in played.rolls))
        rolled = f" with the dice {' '.join(map(str, faces))}" if faces else ""
        for name, value in leads_to(self._state, seat, action, faces).items():
            came = getattr(played.state, name)
            if came != value:
                told = f"leads to {name} {_shorten(came)}{rolled}, by {self._rule} to {_shorten(value)}"
                yield Difference(seat, action, told)


def _shorten(value: Any) -> str:
    """Returns a value as text. If it is longer than 300 characters, "..." takes the place of the rest."""
    text = str(value)
    return text if len(text) <= 300 else f"{text[:300]}..."
