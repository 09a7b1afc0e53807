"""Games that count in a match: whether their logs are still as they were when they were entered."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from referee.record.log.entry import AnyEntry, BranchEntry, DeedEntry, NoteEntry
from referee.record.log.faults import FaultError
from referee.record.table.start import open_log


class Changed(NamedTuple):
    """A game that counts in a match, and is no longer as it was entered."""

    number: int
    """Of the game, from 1."""
    log: Path
    how: str
    """What was done, as a clause."""
    steps: int
    """How far the match has to go back for it to be played again."""

    def __str__(self) -> str:
        return f"game {self.number}, in {self.log.name}, has changed since it was entered: {self.how}"


def why_unlike(path: Path, head: str) -> str | None:
    """What keeps the log of a game from being as it was when it ended with this hash, as a clause; None: nothing."""
    try:
        return how_changed(path, head)
    except FaultError as error:
        return f"entry {error.fault.n} of its log is wrong: {error.fault.words}"
    except FileNotFoundError:
        return "its log is not here"
    except OSError as error:
        return f"its log cannot be read: {error.strerror or error}"


def how_changed(path: Path, head: str) -> str | None:
    """What was done in the log of a game after the entry with this hash, as a clause; None: nothing but remarks and
    reveals, or what came to the same game again, as a takeback that was taken back. FaultError, OSError.
    """
    session = open_log(path)
    hashes = [*(entry.prev for entry in session.entries[1:]), session.head.hash]
    if head not in hashes:
        return "its log does not hold its end"
    ended = hashes.index(head)
    after = session.entries[ended + 1 :]
    change = next((entry for entry in after if not _adds_nothing(entry)), None)
    if change is None or session.in_force() == session.in_force(ended):
        return None
    return f"entry {change.n} is {_called(change)}"


def _adds_nothing(entry: AnyEntry) -> bool:
    """Tells whether the game is the same after an entry: a remark, or a secret that is opened."""
    return isinstance(entry, NoteEntry) or (isinstance(entry, DeedEntry) and entry.opens)


def _called(entry: AnyEntry) -> str:
    if isinstance(entry, BranchEntry):
        return "a branch"
    return entry.called if isinstance(entry, DeedEntry) else "a play"
