"""The game that a server shows. Its log may grow, or be corrected or rewritten, at any moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, Protocol

from referee.page.page_model import Story

RequestHandler = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""A function that takes a seat and a request from its phone, and returns the answer."""


class UnreadableLogError(Exception):
    """Raised if the log cannot be read now. The message is for everybody."""


class LogReading(NamedTuple):
    """The state of a log when it was read."""

    entry_count: int
    """The number of entries."""
    head: str
    """The hash of the last entry. While it stays the same, so does everything before it."""
    text_version: Hashable
    """A value that changes when earlier entries change their text, as after a reveal."""
    in_force: frozenset[int]
    """The numbers of the entries that count now. The others were taken back."""
    seats: frozenset[str]
    """The seats whose view is possible on this computer."""
    is_over: bool = False
    """True if the game is over."""
    notice: str = ""
    """A problem of a log that could be read, in a sentence; "" if there is none."""


class WatchedGame(Protocol):
    """A game and its log, as the server reads them. Only one thread at a time uses a `WatchedGame`."""

    def read_change_stamp(self) -> Hashable:
        """Returns a value that changes whenever the log may have changed. It does not read the log and never fails."""

    def read_log(self) -> LogReading:
        """Reads the log. Raises UnreadableLogError."""

    def hash_at(self, n: int) -> str:
        """Returns the hash of an entry in the last reading. Raises UnreadableLogError."""

    def format_witness(self, n: int) -> str:
        """Returns the number of an entry and the words of its hash, in the form that `audit --witness` reads.

        Raises UnreadableLogError.
        """

    def format_checkpoint(self, n: int) -> str:
        """Returns the checkpoint of an entry: its hash as a short text. Raises UnreadableLogError."""

    def tell_story(self, eyes: str | None, first: int) -> Story:
        """Returns the story of the game as last read, from entry `first` on, as a seat or everybody (None) sees it.

        Raises UnreadableLogError.
        """
