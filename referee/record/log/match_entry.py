"""Entries of a match: a record of its own that names the logs of its games."""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Generic, TypeVar, cast

from msgspec import Meta

from referee.engine.game import AnyGame
from referee.record.log.entry import Entry, NoteEntry, Seated, all_deeds
from referee.record.log.fields import FORMAT, GAME_LOG, MAX_NUMBER, Hash, Name

T = TypeVar("T")
R = TypeVar("R")
M = TypeVar("M")


class MatchEntry(Entry, Generic[T], frozen=True, tag="match"):
    """The first entry of a match: a record of its own that names the logs of its games."""

    format: Annotated[int, Meta(ge=1, le=FORMAT)]
    game: Name
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    options: dict[str, str]
    """The options of every game in the match."""
    terms: T
    seats: Annotated[tuple[Seated, ...], Meta(min_length=1, max_length=8)]


class GameStartedEntry(Entry, frozen=True, tag="game-started"):
    """The next game of the match began; from here on no other log can be put in its place."""

    log: Annotated[str, Meta(pattern=f"^{GAME_LOG}$")]
    """File name of its log, which lies beside the match's."""
    game: Hash
    """Its id: hash of the first line of its log."""


class GameEndedEntry(Entry, Generic[R, M], frozen=True, tag="game-ended"):
    """The game ended: its result, and how the match stands after it."""

    head: Hash
    """Hash of the last line of its log."""
    result: R
    standing: M


def match_types(game: AnyGame) -> Any:
    """The union of the entry types of matches of this game; TypeError when it is not played in matches."""
    if game.series is None:
        raise TypeError(f"{game.name} is not played in matches")
    first = cast(Any, MatchEntry)[game.series.terms]
    ended = cast(Any, GameEndedEntry)[game.series.result, game.series.score]
    back = [deed for deed in all_deeds() if deed.goes_back]
    return reduce(or_, back, first | GameStartedEntry | ended | NoteEntry)
