"""Judging lines from elsewhere that continue a log: the log is believed, and only the new lines are judged."""

from __future__ import annotations

from referee.record.log.entry import AnyEntry, AnyPlay, BranchEntry, OfferEntry
from referee.record.table.knowledge import Knowledge
from referee.record.table.reducer import Reducer
from referee.record.table.verifier import Verifier


class NewEntryVerifier(Verifier):
    """A verifier that believes the entries that are here already, and judges all later ones."""

    def __init__(self, known: int) -> None:
        """`known` is the number of entries that are here."""
        super().__init__()
        self._known = known

    def judge_play(self, reducer: Reducer, entry: AnyPlay) -> Knowledge:
        """Returns the knowledge after a play. Raises FaultError if a new play is wrong."""
        return reducer.apply_recorded_events(entry) if entry.n < self._known else super().judge_play(reducer, entry)

    def check_non_play_entry(self, reducer: Reducer, entry: AnyEntry) -> None:
        """Checks a new entry that is not a play. Raises FaultError if it is wrong."""
        if entry.n >= self._known:
            if self._known and isinstance(entry, BranchEntry):
                reducer.raise_fault("bad-order", "a branch is a log of its own")
            if self._known and isinstance(entry, OfferEntry) and entry.offer.new_enrolment:
                reducer.raise_fault(
                    "bad-offer", f"a request for another key of {entry.by} travels beside the log, not in it"
                )
            super().check_non_play_entry(reducer, entry)
