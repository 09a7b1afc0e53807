"""Walks a game whole, level by level: every state, every action in it, every way in which its dice can fall.

A small game is walked to its end, a big one as far as the budget goes. The counts of each level (chess calls them
perft) are the same for everybody who has understood the rules alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec import Struct

from referee.chances.ways import TooManyError, ways
from referee.engine.adjudicate import Played, fold
from referee.engine.event import Seat
from referee.engine.game import AnyGame, look
from referee.engine.legal import Action
from referee.testing.trial import Trial

BUDGET = 20_000
"""Plays that the law looks at: enough for all of tic-tac-toe."""
BROAD = 5_000
"""Ways of one action that are still walked."""


class Level(Struct):
    """What there is after so many actions."""

    states: int
    """States that differ, and were not met on an earlier level."""
    ended: int = 0
    """Those of them in which the game is over."""
    plays: int = 0
    """Actions in them, each counted for every way in which its dice can fall."""


class Walk:
    """A walk from a state; iterate it for what is wrong on the way."""

    def __init__(self, game: AnyGame, state: Any, budget: int) -> None:
        """`budget`: how many plays are looked at, at the most."""
        self._game, self._left = game, budget
        self._states, self._is_cut = [state], False
        self._met = {_key(state)}
        self.levels: list[Level] = []
        """What was counted; the last of them is not counted to its end unless the game is walked whole."""

    @property
    def is_whole(self) -> bool:
        """Whether every state that can be reached was walked."""
        return not (self._is_cut or self._states) and self._left > 0

    def __iter__(self) -> Iterator[str]:
        while self._states and self._left > 0:
            states, self._states = self._states, []
            self.levels.append(Level(len(states)))
            for state in states:
                yield from self._from(state) if self._left > 0 else ()

    def _from(self, state: Any) -> Iterator[str]:
        """What is wrong with a state and all that can be done in it."""
        game, level = self._game, self.levels[-1]
        ended = game.outcome(state) is not None
        level.ended += ended
        sayings = list(islice(self._sayings(state), self._left + 1))
        if ended != (not sayings):
            yield f"{_told(game, state)}: {'the game is over and goes on' if ended else 'nobody can do anything'}"
        for seat, action in sayings:
            yield from self._done(state, seat, action)

    def _sayings(self, state: Any) -> Iterator[tuple[Seat, Action]]:
        game = self._game
        seats = filter(None, dict.fromkeys((game.to_act(state), *game.may_act(state))))
        return ((seat, action) for seat in seats for action in game.legal(look(game, state, seat), seat))

    def _done(self, state: Any, seat: Seat, action: Action) -> Iterator[str]:
        """What is wrong with an action in all ways in which its dice can fall; what it leads to is walked next."""
        game = self._game
        ways_left = self._ways(state, seat, action) if self._left > 0 else iter(())
        refusal = next(game.check(look(game, state, seat), seat, action), None)
        if refusal:
            yield f"{_told(game, state)}: {seat}'s {game.format(action)!r} is listed and refused ({refusal.rule})"
        for played in ways_left:
            self._left -= 1
            self.levels[-1].plays += 1
            if fold(state, played.events) != played.state:
                yield f"{_told(game, state)}: the events of {seat}'s {game.format(action)!r} lead elsewhere when folded"
            key = _key(played.state)
            if key not in self._met:
                self._met.add(key)
                self._states.append(played.state)

    def _ways(self, state: Any, seat: Seat, action: Action) -> Iterator[Played]:
        try:
            for way in ways(self._game, state, seat, action, BROAD):
                yield way.played
        except TooManyError:
            self._is_cut = True


def first_plays(trial: Trial) -> Iterator[str]:
    """Everything that can be done first, and in all ways in which dice can fall, keeps to the rules."""
    play = trial.plays[0]
    trial.where = str(play)
    yield from Walk(play.game, play.game.setup(play.options, play.board), BUDGET)


def _told(game: AnyGame, state: Any) -> str:
    return f"where {game.status(look(game, state, None))}"


def _key(state: Any) -> Any:
    """What a state is known by: itself, or its words where it cannot be hashed."""
    try:
        hash(state)
    except TypeError:
        return repr(state)
    return state
