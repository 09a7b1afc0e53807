"""Mending slips: what was taken back, and can be brought back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.record.log.entry import DeedEntry
from referee.record.log.faults import NotAllowedError
from referee.record.table.agreement import sets_a_state
from referee.record.table.deeds.takeback import going_back
from referee.record.table.seen import last_player_in, said_over

if TYPE_CHECKING:
    from referee.record.table.session import Session


def undo(session: Session, count: int = 1, by: Seat | None = None, agreed: Sequence[Seat] = ()) -> None:
    """Take back the last `count` plays in force, with the answers that followed from them. Dice thrown meanwhile
    stay used; nothing is deleted. The seat that played last takes back, unless it is said who does.
    """
    said = list(islice(said_over(session), min(count, len(session.entries)))) if count > 0 else []
    if not said or len(said) < count:
        there = sum(1 for _ in said_over(session))
        many = f"there {_are(there, 'play')} to take back, not {count}"
        raise NotAllowedError(many if there else "nothing was played that could be taken back")
    go_back(session, said[-1][0], by or last_player_in(session), agreed)


def go_back(session: Session, to: int, by: Seat, agreed: Sequence[Seat] = ()) -> None:
    """Take back all that leads away from entry `to`: the game goes on from there."""
    session.append([(going_back(to, by, agreed), None)])


def redo(session: Session, by: Seat | None = None, agreed: Sequence[Seat] = ()) -> None:
    """Take the last takeback back, as long as nothing was played since: what it took back is in force again."""
    last = _last_undone(session)
    go_back(session, session.in_force(last.n - 1)[-1], by or last.by, agreed)


def last_undoer(session: Session) -> Seat:
    """The seat that took back last; NotAllowedError when there is nothing to bring back."""
    return _last_undone(session).by


def _last_undone(session: Session) -> DeedEntry:
    undone = undone_in(session)
    if not undone:
        raise NotAllowedError("nothing was taken back since the last play")
    return undone[-1]


def _are(count: int, noun: str) -> str:
    return f"is 1 {noun}" if count == 1 else f"are {count} {noun}s"


def undone_in(session: Session) -> list[DeedEntry]:
    """The takebacks that can be taken back now, the one made first first: nothing was played since, and each left only
    what it went back over.
    """
    undone: list[DeedEntry] = []
    late = takewhile(lambda entry: not sets_a_state(entry), reversed(session.entries))
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
