"""The rules of a match: several games of one kind, played for a common score.

A game that can be played in matches has a `MatchRules`. It decides three things: the options of each game, the worth of
each result, and when the match is over. The rest of the program knows that terms, results and scores exist, but not
what they hold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from referee.engine.event import Outcome, Seat
from referee.engine.options import Option, Options
from referee.engine.rulebook import Refusal

S = TypeVar("S")
T = TypeVar("T", bound=Struct)
R = TypeVar("R", bound=Struct)
M = TypeVar("M", bound=Struct)


class MatchRules(ABC, Generic[S, T, R, M]):
    """The rules of a match of a game with states S. The match has terms T and a score M, and each game has a result R.

    All of these are frozen msgspec structs. The log of a match holds terms, results and scores.
    """

    terms: type[T]
    result: type[R]
    score: type[M]
    choices: tuple[Option, ...] = ()
    """The terms that players may choose from a list."""

    @abstractmethod
    def parse_terms(self, options: Options, given: Mapping[str, str]) -> T:
        """Returns the terms of a match, from what players typed and the options of its games.

        Raises OptionError if they conflict.
        """

    @abstractmethod
    def make_initial_score(self, options: Options, terms: T) -> M:
        """Returns the score before the first game."""

    @abstractmethod
    def next_options(self, score: M) -> Options:
        """Returns the options that the next game must have, in addition to the options that all games share."""

    @abstractmethod
    def result_of(self, states: Iterable[S], options: Options, outcome: Outcome) -> R:
        """Returns the result of a finished game, from its states in force, in order."""

    @abstractmethod
    def check(self, score: M, result: R) -> Iterator[Refusal]:
        """Yields a refusal for every rule that a result breaks as the next game of this match."""

    @abstractmethod
    def add_result(self, score: M, result: R) -> M:
        """Returns the score after a checked result."""

    @abstractmethod
    def winners(self, score: M) -> tuple[Seat, ...]:
        """Returns the winners of the match; none while it goes on."""

    @abstractmethod
    def tell(self, score: M) -> Iterator[str]:
        """Yields the state of the match in lines: the totals, and what comes next."""
