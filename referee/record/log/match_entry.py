"""The entries of a match: a log of its own that names the logs of its games."""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Generic, TypeVar, cast

from msgspec import Meta

from referee.engine.game import AnyGame
from referee.record.log.entry import Entry, NoteEntry, SeatedPlayer, list_deed_types
from referee.record.log.field_types import GAME_LOG_PATTERN, LOG_FORMAT, MAX_NUMBER, Hash, Identifier

T = TypeVar("T")
R = TypeVar("R")
M = TypeVar("M")


class MatchEntry(Entry, Generic[T], frozen=True, tag="match"):
    """The first entry of a match."""

    format: Annotated[int, Meta(ge=1, le=LOG_FORMAT)]
    game: Identifier
    rules: Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
    options: dict[str, str]
    """The options of every game in the match."""
    terms: T
    seats: Annotated[tuple[SeatedPlayer, ...], Meta(min_length=1, max_length=8)]


class GameStartedEntry(Entry, frozen=True, tag="game-started"):
    """The next game of the match has begun. From here on, no other log can take its place."""

    log: Annotated[str, Meta(pattern=f"^{GAME_LOG_PATTERN}$")]
    """The file name of its log, which lies beside the match's."""
    game: Hash
    """The id of the game: the hash of the first line of its log."""


class GameEndedEntry(Entry, Generic[R, M], frozen=True, tag="game-ended"):
    """A game of the match has ended, with its result and the new standing of the match."""

    head: Hash
    """The hash of the last line of its log."""
    result: R
    standing: M


def make_match_entry_types(game: AnyGame) -> Any:
    """Returns the union of the entry types of this game's matches. Raises TypeError if the game has no matches."""
    if game.match_rules is None:
        raise TypeError(f"{game.name} is not played in matches")
    first = cast(Any, MatchEntry)[game.match_rules.terms]
    ended = cast(Any, GameEndedEntry)[game.match_rules.result, game.match_rules.score]
    back = [deed for deed in list_deed_types() if deed.goes_back]
    return reduce(or_, back, first | GameStartedEntry | ended | NoteEntry)
