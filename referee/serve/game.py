"""What is served: a game whose log somebody else may lengthen, mend or rewrite at any moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, Protocol

from referee.page.story import Story

Speak = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""What a seat asks or says by its phone, and the answer."""


class BrokenError(Exception):
    """The log cannot be read now; in words that everybody may hear."""


class Reading(NamedTuple):
    """A log as it was read."""

    entries: int
    """How many it has."""
    head: str
    """The hash of the last of them: while it is the same, so is all before it."""
    era: Hashable
    """Where it is another one, earlier entries read otherwise than before, as after a reveal."""
    in_force: frozenset[int]
    """The line of play: what of it is not in here any more was taken back."""
    seats: frozenset[str]
    """Those whose eyes can be looked through here."""
    notice: str = ""
    """What is wrong with the log though it can be read, as a sentence."""


class Game(Protocol):
    """A game and its log. It is asked by one thread at a time."""

    def stamp(self) -> Hashable:
        """Another one than before wherever the log may have changed. Reads nothing, and never fails."""

    def read(self) -> Reading:
        """Read the log; BrokenError."""

    def hash_at(self, n: int) -> str:
        """The hash of an entry of what was read last; BrokenError."""

    def story(self, eyes: str | None, first: int) -> Story:
        """What was read last, from an entry on, as these eyes see it; None: everybody's. BrokenError."""
