"""Judging what comes from elsewhere and goes on with a log: that log is believed, and only what is new is judged."""

from __future__ import annotations

from referee.record.log.entry import AnyEntry, AnyPlay, BranchEntry, OfferEntry
from referee.record.table.fold import Fold
from referee.record.table.judge import JudgeAgain
from referee.record.table.known import Known


class JudgeFrom(JudgeAgain):
    """Believes what is here already, and judges what comes after it."""

    def __init__(self, known: int) -> None:
        """`known`: how many entries are here."""
        super().__init__()
        self._known = known

    def play(self, fold: Fold, entry: AnyPlay) -> Known:
        """What is known after a play."""
        return fold.believed(entry) if entry.n < self._known else super().play(fold, entry)

    def other(self, fold: Fold, entry: AnyEntry) -> None:
        """Look at an entry that is no play."""
        if entry.n >= self._known:
            if self._known and isinstance(entry, BranchEntry):
                fold.fail("bad-order", "a branch is a log of its own")
            if self._known and isinstance(entry, OfferEntry) and entry.offer.new_chair:
                fold.fail("bad-offer", f"another key for {entry.by} is asked for beside the log, not in it")
            super().other(fold, entry)
