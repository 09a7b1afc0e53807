"""Series: several games played as a match.

A game that can be played in matches has a `Series`. What a match adds to the games is only this: under which options
each game is started, what a game is worth, and when the match is over. All of it is the game's own: the record knows
that there are terms, results and scores, not what they hold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from referee.engine.event import Outcome, Seat
from referee.engine.options import Option, Options
from referee.engine.ruling import Refusal

S = TypeVar("S")
T = TypeVar("T", bound=Struct)
R = TypeVar("R", bound=Struct)
M = TypeVar("M", bound=Struct)


class Series(ABC, Generic[S, T, R, M]):
    """How a game with states S is played in matches, on terms T; a game has a result R, the match a score M.

    All are frozen msgspec structs, and terms, results and scores stand in the log of a match.
    """

    terms: type[T]
    result: type[R]
    score: type[M]
    choices: tuple[Option, ...] = ()
    """The terms that players may choose from a list."""

    @abstractmethod
    def agree(self, options: Options, given: Mapping[str, str]) -> T:
        """The terms of a match whose games have these options, from what players typed; OptionError."""

    @abstractmethod
    def begin(self, options: Options, terms: T) -> M:
        """The score before the first game."""

    @abstractmethod
    def next_options(self, score: M) -> Options:
        """What the options of the next game must be, apart from those of all games."""

    @abstractmethod
    def result_of(self, states: Iterable[S], options: Options, outcome: Outcome) -> R:
        """The result of a game that has ended, from its states in force, in order."""

    @abstractmethod
    def check(self, score: M, result: R) -> Iterator[Refusal]:
        """Every rule that a result breaks as the next game of this match."""

    @abstractmethod
    def after(self, score: M, result: R) -> M:
        """The score after a checked result."""

    @abstractmethod
    def winners(self, score: M) -> tuple[Seat, ...]:
        """Who has won the match; nobody while it goes on."""

    @abstractmethod
    def tell(self, score: M) -> Iterator[str]:
        """How the match stands, in lines: totals, and what comes next."""
