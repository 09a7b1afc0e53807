"""The way to an action that is not possible yet: a short line of legal actions, found by a small search.

The search never asks what only the referee knows. It plays on the view of one seat, with dice of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count, cycle, islice
from typing import Any

from msgspec import Struct

from referee.engine.adjudication import LegalVerdict, PendingVerdict, Verdict, adjudicate
from referee.engine.choice import Action
from referee.engine.dice import DiceError, Need, TypedDie
from referee.engine.dice_source import TypedSource
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.plugin_errors import GameError
from referee.engine.secret import UnknownError
from referee.record.table.wish import Wish

MakeFaces = Callable[[Need], list[TypedDie]]
"""A function that makes up the faces of the dice that are needed."""
MAX_ACTIONS_PLAYED_OUT = 30
"""The most actions that the search plays out. This takes less than 50 ms on a small computer."""
MAX_STEPS = 8
"""The most actions before the one that is wished for."""
MAX_ACTIONS_OF_PIECE = 2
"""The most actions of the named piece that are tried in one state."""
MAX_ROLLS = 4
"""The most rolls of one action."""
COST_OF_ONLY_ACTION, COST_OF_CLOSING_ACTION, COST_OF_BARE_ACTION, COST_OF_FILLED_ACTION = 1, 2, 3, 4
"""The cost of an action: the only one, one that only ends something, one without fields, and any other."""
SECRET_ERRORS = (DiceError, UnknownError, GameError, LookupError, ValueError, TypeError, AttributeError)
"""Errors of rules that ask a view for something that only other seats know."""


class WayStep(Struct, frozen=True):
    """An action on the way, and the seat that takes it."""

    by: Seat
    action: Action


class WayToAction(Struct, frozen=True):
    """A line of legal actions that leads to another action."""

    after: tuple[WayStep, ...]
    """The actions of the line, in order; at least one."""
    then: WayStep
    """The action that is legal after the line."""
    rolls: bool
    """True if the line depends on dice that the seat itself rolls."""

    @property
    def includes_other_seats(self) -> bool:
        """True if other seats act before the end of the line."""
        return any(step.by != self.after[0].by for step in self.after)


class _Node(Struct, frozen=True):
    """A state that the search has reached."""

    state: Any
    after: tuple[WayStep, ...] = ()
    rolls: bool = False


class WaySearch(Struct, frozen=True):
    """A search for the way to a wish, on the view of one seat."""

    game: AnyGame
    seat: Seat
    """The seat that wished."""
    wish: Wish
    secrets: bool
    """True if the game keeps secrets. Then other seats only do what needs no choice, as far as this view can tell."""

    def find_way(self, view: Any) -> WayToAction | None:
        """Returns the cheapest line found after which the wished action is legal.

        If there is no such line, returns a line after which a piece of the wish can do an action of the same kind. None
        if neither line is found.
        """
        nearly: WayToAction | None = None
        for node in self._search_nodes(view):
            for mover in self._list_speakers(node.state):
                with suppress(*SECRET_ERRORS):
                    own = self._get_view(node.state, mover)
                    if next(self.game.check(own, mover, self.wish.action), None) is None:
                        return WayToAction(node.after, WayStep(mover, self.wish.action), node.rolls)
                    nearly = nearly or self._find_nearby_way(own, mover, node)
        return nearly

    def _list_speakers(self, state: Any) -> Iterator[Seat]:
        """Yields the seat whose action is looked for in a state. This is the seat that made the wish, if it may act.
        Otherwise, it is the seat to act, if everybody knows whose pieces are named.
        """
        mover = self.game.to_act(state)
        if mover == self.seat or (mover is not None and self.seat in self.game.list_other_actors(state)):
            yield self.seat
        elif mover is not None and self.wish.tells_seat:
            yield mover

    def _find_nearby_way(self, view: Any, mover: Seat, node: _Node) -> WayToAction | None:
        """Returns the way to an action of the same kind by a named piece; None if no such action is legal here."""
        if not self.wish.pieces:
            return None
        same = (choice for choice in self.game.legal(view, mover).choices if choice.kind is self.wish.kind)
        found = next(filter(self.wish.names_piece, self.wish.list_nearest_actions(same, briefly=True)), None)
        return WayToAction(node.after, WayStep(mover, found), node.rolls) if found is not None else None

    def _get_view(self, state: Any, mover: Seat) -> Any:
        return state if self.secrets else self.game.view(state, mover)

    def _search_nodes(self, view: Any) -> Iterator[_Node]:
        """Yields states that legal lines lead to, cheap lines first, until the budget of work is used up."""
        number, played = count(), 0
        waiting: list[tuple[int, int, _Node]] = [(0, next(number), _Node(view))]
        while waiting:
            cost, _, node = heappop(waiting)
            if node.after:
                yield node
            tries = (
                self._list_actions_to_try(node.state)
                if len(node.after) < MAX_STEPS and played < MAX_ACTIONS_PLAYED_OUT
                else ()
            )
            for extra, step in tries:
                for unlikely, after in enumerate(self._list_states_after(node, step)):
                    played += 1
                    heappush(waiting, (cost + extra + unlikely, next(number), after))

    def _list_actions_to_try(self, state: Any) -> Iterator[tuple[int, WayStep]]:
        """Yields the actions that are tried in a state, each with its cost.

        These are the actions without a choice, such as a roll or the end of a phase, then actions about the wish. In a
        game with secrets, another seat's actions are tried only if they leave no choice.
        """
        mover = self.game.to_act(state)
        if mover is None:
            return
        view = self._get_view(state, mover)
        with suppress(*SECRET_ERRORS):
            legal = self.game.verbs.without_resigning(self.game.legal(view, mover))
            is_blind = self.secrets and mover != self.seat
            for cost, action in (
                _list_actions_without_choice(self.game, legal) if is_blind else self._list_worth_trying(legal)
            ):
                yield cost, WayStep(mover, action)

    def _list_worth_trying(self, legal: LegalActions) -> Iterator[tuple[int, Action]]:
        """Yields the actions to try, each with its cost: those without a choice, and those near the wish.

        If only one action is possible, yields that alone. If no action is near the wish, yields one other action.
        """
        plain = list(_list_actions_without_choice(self.game, legal))
        yield from plain
        if plain and plain[0][0] == COST_OF_ONLY_ACTION:
            return
        near = self.wish.list_nearest_actions(legal.choices, briefly=True)[:MAX_ACTIONS_OF_PIECE]
        yield from ((COST_OF_FILLED_ACTION, action) for action in near if action.__struct_fields__)
        if not near:
            others = (action for choice in legal.choices for action in islice(choice, 1) if action.__struct_fields__)
            yield from ((COST_OF_FILLED_ACTION, action) for action in islice(others, 1))

    def _list_states_after(self, node: _Node, step: WayStep) -> Iterator[_Node]:
        """Yields the states after an action, one for each roll that is tried."""
        for luck in self._list_ways_to_roll():
            verdict, thrown = self._judge_step(node, step, luck)
            if isinstance(verdict, LegalVerdict):
                yield _Node(verdict.state, (*node.after, step), node.rolls or (thrown and step.by == self.seat))
            if not thrown:
                return

    def _judge_step(self, node: _Node, step: WayStep, luck: MakeFaces) -> tuple[Verdict | None, bool]:
        """Returns the verdict on an action with made-up dice, and True if it took any dice.

        The verdict is None if it depends on something unknown, or if the action takes too many rolls.
        """
        faces: list[TypedDie] = []
        for _ in range(MAX_ROLLS):
            try:
                verdict = adjudicate(self.game, node.state, step.by, step.action, TypedSource(faces))
            except SECRET_ERRORS:
                return None, bool(faces)
            if not isinstance(verdict, PendingVerdict) or verdict.need is None:
                return verdict, bool(faces)
            faces += luck(verdict.need)
        return None, True

    def _list_ways_to_roll(self) -> Iterator[MakeFaces]:
        """Yields functions that make up faces: with the numbers that the wish names, then all high, then all low."""
        yield _make_roller(
            [int(word) for word in (*self.wish.pieces, *self.wish.others) if word.isdecimal() and len(word) < 4]
        )
        yield lambda need: _spell_faces(need, [need.sides] * need.count)
        yield lambda need: _spell_faces(need, [1] * need.count)


def _list_actions_without_choice(game: AnyGame, legal: LegalActions) -> Iterator[tuple[int, Action]]:
    """Yields the only action, or all actions without fields, each with its cost."""
    only = legal.only_action()
    if only is not None:
        yield COST_OF_ONLY_ACTION, only
        return
    for choice in legal.choices:
        if not choice.kind.__struct_fields__:
            yield (
                COST_OF_CLOSING_ACTION if game.verbs.find_verb(choice.kind).closes else COST_OF_BARE_ACTION,
                choice.kind(),
            )


def _make_roller(numbers: Sequence[int]) -> MakeFaces:
    """Returns a function that makes up faces: these numbers where they fit, then all faces in turn."""

    def make_up_faces(need: Need) -> list[TypedDie]:
        shown = [number for number in numbers if 1 <= number <= need.sides][: need.count]
        mixed = islice(cycle(range(1, need.sides + 1)), need.count - len(shown))
        return _spell_faces(need, [*shown, *mixed])

    return make_up_faces


def _spell_faces(need: Need, numbers: Sequence[int]) -> list[TypedDie]:
    """Returns faces as they are typed: names, where a die has names instead of numbers."""
    return [need.names[number - 1] for number in numbers] if need.names else list(numbers)
