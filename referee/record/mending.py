"""Mending slips: what was taken back and can be brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.record.entry import SETS_A_STATE, TakebackEntry

if TYPE_CHECKING:
    from referee.record.session import Session


def undone_in(session: Session) -> list[TakebackEntry]:
    """The takebacks that can be taken back now, the one made first first: nothing was played since, and each left only
    what it went back over.
    """
    undone: list[TakebackEntry] = []
    for entry in session.entries:
        if isinstance(entry, TakebackEntry):
            before, after = session.in_force(entry.n - 1), session.in_force(entry.n)
            if before[: len(after)] == after:
                undone.append(entry)
            elif undone and after == session.in_force(undone[-1].n - 1):
                undone.pop()
            else:
                undone = []
        elif isinstance(entry, SETS_A_STATE):
            undone = []
    return undone
