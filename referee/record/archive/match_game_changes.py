"""Checks that the games of a match have not changed since their results were entered."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from referee.record.log.entry import AnyEntry, BranchEntry, DeedEntry, NoteEntry
from referee.record.log.log_errors import FaultError
from referee.record.table.opening_logs import open_log


class ChangedGame(NamedTuple):
    """A game of a match whose log has changed since its result was entered."""

    number: int
    """The number of the game, from 1."""
    log: Path
    how: str
    """The change, as a clause."""
    steps: int
    """The number of steps that the match must go back for the game to be played again."""

    def __str__(self) -> str:
        return f"game {self.number}, in {self.log.name}, has changed since it was entered: {self.how}"


def describe_game_change_or_fault(path: Path, head: str) -> str | None:
    """Returns why a game's log is not as it was when it ended with this hash, as a clause; None if it is."""
    try:
        return describe_game_change(path, head)
    except FaultError as error:
        return f"entry {error.fault.n} of its log is wrong: {error.fault.clause}"
    except FileNotFoundError:
        return "its log is not here"
    except OSError as error:
        return f"its log cannot be read: {error.strerror or error}"


def describe_game_change(path: Path, head: str) -> str | None:
    """Returns the change in a game's log after the entry with this hash, as a clause. None if the game is the same.

    Remarks and reveals change nothing, nor does a takeback that was taken back. Raises FaultError or OSError.
    """
    session = open_log(path)
    hashes = [*(entry.prev for entry in session.entries[1:]), session.head.hash]
    if head not in hashes:
        return "its log no longer holds its end"
    ended = hashes.index(head)
    after = session.entries[ended + 1 :]
    change = next((entry for entry in after if not _does_add_nothing(entry)), None)
    if change is None or session.in_force() == session.in_force(ended):
        return None
    return f"entry {change.n} is {_name_entry(change)}"


def _does_add_nothing(entry: AnyEntry) -> bool:
    """True if an entry leaves the game the same: a remark or a reveal."""
    return isinstance(entry, NoteEntry) or (isinstance(entry, DeedEntry) and entry.opens_secret)


def _name_entry(entry: AnyEntry) -> str:
    if isinstance(entry, BranchEntry):
        return "a branch"
    return entry.noun_phrase if isinstance(entry, DeedEntry) else "a play"
