"""Entries that no rule judges: remarks, and the answers that nobody decides."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import REFEREE, Seat
from referee.record.log.entry import NoteEntry
from referee.record.log.limits import check_text

if TYPE_CHECKING:
    from referee.record.table.moment import JudgedAction
    from referee.record.table.session import Session


def record_note(session: Session, text: str, by: Seat = REFEREE) -> None:
    """Records a note. Raises NotAllowedError if the text is empty, or holds signs that may not stand in a log."""
    check_text(text)
    session.append([(partial(NoteEntry, by=by, text=text), None)])


def record_forced_answers(session: Session) -> list[JudgedAction]:
    """Records the answers that are due from seats with a vault here, and returns these answers."""
    from referee.record.table.action_batch import ActionBatch  # a remark needs none

    line = ActionBatch(session.moment(), [])
    session.record(line.said)
    return line.said
