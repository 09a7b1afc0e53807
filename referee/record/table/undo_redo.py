"""Undoing mistakes: takebacks, and bringing back what was taken back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.record.log.entry import DeedEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.agreement import changes_state
from referee.record.table.deeds.takeback import draft_takeback
from referee.record.table.visible_log import find_last_player, list_spoken_with_previous

if TYPE_CHECKING:
    from referee.record.table.session import Session


def undo(session: Session, count: int = 1, by: Seat | None = None, agreed: Sequence[Seat] = ()) -> None:
    """Takes back the last `count` plays in force, with the answers that followed from them.

    Dice rolled since then stay used, and nothing is deleted. By default, the seat that played last takes back. Raises
    NotAllowedError if there are fewer plays.
    """
    said = list(islice(list_spoken_with_previous(session), min(count, len(session.entries)))) if count > 0 else []
    if not said or len(said) < count:
        there = sum(1 for _ in list_spoken_with_previous(session))
        many = f"there {_format_count(there, 'play')} to take back, not {count}"
        raise NotAllowedError(many if there else "there is no play to take back")
    go_back(session, said[-1][0], by or find_last_player(session), agreed)


def go_back(session: Session, to: int, by: Seat, agreed: Sequence[Seat] = ()) -> None:
    """Takes back everything after entry `to`; the game goes on from there."""
    session.append([(draft_takeback(to, by, agreed), None)])


def redo(session: Session, by: Seat | None = None, agreed: Sequence[Seat] = ()) -> None:
    """Takes back the last takeback, if nothing was played since. The plays that it took back are in force again."""
    last = _find_last_undone(session)
    go_back(session, session.in_force(last.n - 1)[-1], by or last.by, agreed)


def find_last_undoer(session: Session) -> Seat:
    """Returns the seat that took back last. Raises NotAllowedError if there is nothing to bring back."""
    return _find_last_undone(session).by


def _find_last_undone(session: Session) -> DeedEntry:
    undone = list_redoable_takebacks(session)
    if not undone:
        raise NotAllowedError("nothing was taken back since the last play")
    return undone[-1]


def _format_count(count: int, noun: str) -> str:
    return f"is 1 {noun}" if count == 1 else f"are {count} {noun}s"


def list_redoable_takebacks(session: Session) -> list[DeedEntry]:
    """Returns the takebacks that can be taken back now, the oldest first.

    They stand after the last play, each of them went straight back, and none was taken back itself.
    """
    undone: list[DeedEntry] = []
    late = takewhile(lambda entry: not changes_state(entry), reversed(session.entries))
    for entry in reversed([*late]):
        if isinstance(entry, DeedEntry) and entry.goes_back:
            before, after = session.in_force(entry.n - 1), session.in_force(entry.n)
            if before[: len(after)] == after:
                undone.append(entry)
            elif undone and after == session.in_force(undone[-1].n - 1):
                undone.pop()
            else:
                undone = []
    return undone
