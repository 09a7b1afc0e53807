"""A walk through a whole game, level by level: every state, every action, every possible roll.

A small game is walked to its end, a big one until the budget is used. The counts of each level, called perft in chess,
are the same for everybody who understands the rules in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from msgspec import Struct

from referee.chances.outcome_enumeration import TooManyError, enumerate_outcomes
from referee.engine.adjudication import LegalVerdict, apply_events
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.game import AnyGame, view_for
from referee.testing.trial import Trial

MAX_PLAYS = 20_000
"""The most plays that the law tries: enough for all of tic-tac-toe."""
MAX_OUTCOMES = 5_000
"""The most outcomes of one action. An action with more is not walked."""
EARLIER_ACTIONS_TRIED = 3
"""The number of actions from earlier states that are tried in each state."""


class WalkLevel(Struct):
    """The counts of one level. All states of a level are reached by the same number of actions."""

    states: int
    """The distinct states that no earlier level had."""
    ended: int = 0
    """The finished games among those states."""
    plays: int = 0
    """The actions in those states, each counted once for every possible outcome."""


class StateWalk:
    """A walk through all states that can be reached from one first state.

    Iterate over the walk to take it. It yields the breaches of rules on the way.
    """

    def __init__(self, game: AnyGame, state: Any, budget: int) -> None:
        """Prepares a walk that tries at most `budget` plays."""
        self._game, self._left = game, budget
        self._states, self._is_cut = [state], False
        self._met = {_make_key(state)}
        self._earlier: dict[Seat, list[Action]] = defaultdict(list)
        """The actions of each seat in the states that were walked so far, each of them once."""
        self._listed: set[tuple[Seat, Action]] = set()
        self._random = Random(0)
        self.levels: list[WalkLevel] = []
        """The levels walked so far. The last one is incomplete unless the whole game was walked."""

    @property
    def is_complete(self) -> bool:
        """True if every reachable state was walked."""
        return not (self._is_cut or self._states) and self._left > 0

    def __iter__(self) -> Iterator[str]:
        while self._states and self._left > 0:
            states, self._states = self._states, []
            self.levels.append(WalkLevel(len(states)))
            for state in states:
                yield from self._visit(state) if self._left > 0 else ()

    def _visit(self, state: Any) -> Iterator[str]:
        """Yields the breaches of a state and of everything that can be done in it."""
        game, level, before = self._game, self.levels[-1], _make_key(state)
        ended = game.outcome(state) is not None
        level.ended += ended
        sayings = list(islice(self._list_legal_actions(state), self._left + 1))
        if ended != (not sayings):
            what = "the game is over, but actions are possible" if ended else "nobody can do anything"
            yield f"{_say_where(game, state)}: {what}"
        yield from self._find_unlisted(state)
        for seat, action in sayings:
            yield from self._try_action(state, seat, action)
            self._note_action(seat, action)
        if _make_key(state) != before:
            yield f"{_say_where(game, state)}: playing an action changes the state in which it is played"

    def _find_unlisted(self, state: Any) -> Iterator[str]:
        """Yields a breach for each action from earlier states that no rule forbids here, although it is not listed."""
        game, seat = self._game, self._game.to_act(state)
        if seat is None or not self._earlier[seat]:
            return
        view, earlier = view_for(game, state, seat), self._earlier[seat]
        legal = game.legal(view, seat)
        for action in self._random.sample(earlier, min(EARLIER_ACTIONS_TRIED, len(earlier))):
            if action not in legal and not any(game.check(view, seat, action)):
                yield f"{_say_where(game, state)}: {seat}'s {game.format(action)!r} breaks no rule and is not listed"

    def _note_action(self, seat: Seat, action: Action) -> None:
        """Adds a listed action to the earlier ones."""
        if (seat, action) not in self._listed:
            self._listed.add((seat, action))
            self._earlier[seat].append(action)

    def _list_legal_actions(self, state: Any) -> Iterator[tuple[Seat, Action]]:
        game = self._game
        seats = filter(None, dict.fromkeys((game.to_act(state), *game.list_other_actors(state))))
        return ((seat, action) for seat in seats for action in game.legal(view_for(game, state, seat), seat))

    def _try_action(self, state: Any, seat: Seat, action: Action) -> Iterator[str]:
        """Yields the breaches of all outcomes of an action. New states after it join the next level."""
        game = self._game
        results = self._list_outcomes(state, seat, action) if self._left > 0 else iter(())
        refusal = next(game.check(view_for(game, state, seat), seat, action), None)
        if refusal:
            yield f"{_say_where(game, state)}: {seat}'s {game.format(action)!r} is listed and refused ({refusal.rule})"
        for played in results:
            self._left -= 1
            self.levels[-1].plays += 1
            if apply_events(state, played.events) != played.state:
                said = f"{seat}'s {game.format(action)!r}"
                yield f"{_say_where(game, state)}: the events of {said} lead to another state when they are applied"
            key = _make_key(played.state)
            if key not in self._met:
                self._met.add(key)
                self._states.append(played.state)

    def _list_outcomes(self, state: Any, seat: Seat, action: Action) -> Iterator[LegalVerdict]:
        try:
            for way in enumerate_outcomes(self._game, state, seat, action, MAX_OUTCOMES):
                yield way.played
        except TooManyError:
            self._is_cut = True


def check_first_levels(trial: Trial) -> Iterator[str]:
    """Walks the first game of a trial from its start, at most `MAX_PLAYS` plays, and yields the breaches of rules."""
    play = trial.random_games[0]
    trial.where = str(play)
    yield from StateWalk(play.game, play.game.setup(play.options, play.board), MAX_PLAYS)


def _say_where(game: AnyGame, state: Any) -> str:
    return f"where {game.status(view_for(game, state, None))}"


def _make_key(state: Any) -> Any:
    """Returns the key of a state: the state itself, or its text if it cannot be hashed."""
    try:
        hash(state)
    except TypeError:
        return repr(state)
    return state
