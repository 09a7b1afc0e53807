"""What a packet that has come is to the log of its game, as a value: it is new, it is known, it is too early, copies
have parted, or it holds what may not be.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from referee.engine.event import Seat
from referee.record.archive.forks import Fork
from referee.record.log.faults import FaultError
from referee.record.table.ledger import ASIDE

Situation = Literal[
    "new",
    "known",
    "ahead",
    "early",
    "parted",
    "retold",
    "forked",
    "changed",
    "claimed",
    "unsigned",
    "faulty",
    "other-game",
    "other-rules",
]
"""new: entries were added. known: all of it was here. ahead: so it was, and this copy has more. early: entries before
it are missing. parted: both have unsigned entries the other lacks. retold: entries that are here were written down at
another time, and may go on. forked: a seat has signed two entries with one number. changed: what a seat has agreed to
here is otherwise there. claimed: another key speaks in it for one's own seat. unsigned: nobody has signed its last
entry. faulty: it holds what may not be.
"""


OLD: frozenset[Situation] = frozenset({"known", "ahead"})
"""What holds nothing new."""


class Arrival(Struct, frozen=True):
    """What was found in a packet, and what was done with it."""

    situation: Situation
    first: int = 0
    """The first entry that it is about: the first new one, the first missing one, the first that differs."""
    last: int = 0
    """The last entry that it is about."""
    seat: Seat = ""
    """The seat that it is about; of new entries, the one that has signed them all."""
    mine: int = 0
    """Entries that only this copy has."""
    theirs: int = 0
    """Entries that only the packet has."""
    bound: bool = False
    """Whether one's own key has signed what only this copy has: then it signs nothing else in its place."""
    fork: Fork | None = None
    fault: FaultError | None = None
    kept: bool = True
    """Whether it waits here, where it came too early."""

    @property
    def is_new(self) -> bool:
        """Whether it has brought entries."""
        return self.situation == "new"

    @property
    def is_old(self) -> bool:
        """Whether all of it was here."""
        return self.situation in OLD

    @property
    def is_fine(self) -> bool:
        """Whether it brings no trouble."""
        return self.is_new or self.is_old

    @property
    def has_begun(self) -> bool:
        """Whether a game has begun here with it."""
        return self.is_new and self.first == 0


def is_aside(log: Path) -> bool:
    """Whether this is a log that was set aside, as its name says."""
    return ASIDE in log.name
