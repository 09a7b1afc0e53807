"""Series: several games played as a match, with points, bonuses and running totals.

A game that can be played in matches has a `Series` in its `Game`. What a match adds to the games is only this: who
may start each game, what a game is worth, and when the match is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from referee.engine.ruling import Refusal

if TYPE_CHECKING:
    from referee.engine.game import Seat

Points = Annotated[int, Meta(ge=0, le=100_000)]
SeatName = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,23}$")]


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """What the players agree on before a match."""

    target: Annotated[int, Meta(ge=1, le=100_000)]
    """The total that ends the match."""
    first: str
    """By which rule the later games are opened; the series knows which there are."""


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How one game of a match went."""

    opened_by: SeatName
    """Who took the first turn."""
    thrown: bool
    """Whether dice decided that."""
    scores: dict[SeatName, Points]
    """What each seat reached in the game."""
    winners: tuple[SeatName, ...]
    """One for a win, several for a tie."""


class Standing(Struct, frozen=True):
    """A match between two games."""

    options: Mapping[str, str]
    """The options of every game in it."""
    terms: Terms
    totals: Mapping[Seat, int]
    games: tuple[Result, ...] = ()
    bonus: Mapping[Seat, int] = {}
    """Bonus points of the game just ended."""
    opener: Seat | None = None
    """Who opens the next game; None: a throw of dice tells."""
    winner: Seat | None = None
    """Who won the match; None while it goes on."""


class Series(Struct, frozen=True):
    """How a game is played in matches. Pure functions."""

    openings: tuple[str, ...]
    """The rules by which later games can be opened, the default first."""
    target: Callable[[Mapping[str, str]], int]
    """The usual target under these options."""
    begin: Callable[[Mapping[str, str], Terms], Standing]
    """The standing before the first game."""
    check: Callable[[Standing, Result], Iterator[Refusal]]
    """Every rule that a result breaks as the next game of this match."""
    score: Callable[[Standing, Result], Standing]
    """The standing after a checked result."""
    opened_by: Callable[[Iterable[Any]], Seat]
    """Who took the first turn of a game, from its states in order."""
    opening_option: str
    """The option by which a game is told who opens it."""
    thrown: str
    """That option's value when dice shall tell."""
