"""Positions piece by piece: what changed between two of them, told so that hands can do it.

A position is shown as *pieces*, each with a name and how it stands, in the words in which positions are typed: `R1` is
`c2 N`, `dice` are `2 6`. A game says what its counters are (`Game.pieces`); whatever else a position holds is a piece
by the name of its field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from referee.engine.game import AnyGame
from referee.engine.text import in_runs, listing

NOTHING = "none"
"""How a piece stands that is not there: a list that is empty, a marker that lies nowhere."""

Pieces = Mapping[str, str]
"""How each piece stands, in the order in which people go through them."""


class Change(Struct, frozen=True):
    """Pieces that change in the same way."""

    pieces: tuple[str, ...]
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self._names}: from {self.was} to {self.now}"

    @property
    def back(self) -> str:
        """The same where it goes back to how it was before."""
        return f"{self._names}: back to {self.now}, from {self.was}"

    @property
    def _names(self) -> str:
        return listing(in_runs(self.pieces))


def counters(game: AnyGame, view: Any) -> Pieces:
    """What hands can move; everything, where a game does not tell its counters apart."""
    return game.pieces(view) or everything(game, view)


def everything(game: AnyGame, view: Any) -> Pieces:
    """All that a position of this view says: the counters first, then by the names of the fields all that is left."""
    document = msgspec.to_builtins(game.position_of(view))
    for field in game.piece_fields:
        document.pop(field, None)
    return {**game.pieces(view), **dict(_named(document))}


def _named(document: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    for name, value in document.items():
        if isinstance(value, dict) and value:
            yield from _named(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", words_of(value)


def words_of(value: Any) -> str:
    """A value as it is typed: lists with spaces, lists in lists with colons."""
    if isinstance(value, list | tuple):
        words = (":".join(map(words_of, item)) if isinstance(item, list | tuple) else words_of(item) for item in value)
        return " ".join(words) or NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None or value in ({}, "") else str(value)


def changes(before: Pieces, after: Pieces) -> tuple[Change, ...]:
    """What changed, pieces that changed alike together, in order."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name, NOTHING), after.get(name, NOTHING)
        if was != now:
            alike.setdefault((was, now), []).append(name)
    return tuple(Change(tuple(names), was, now) for (was, now), names in alike.items())
