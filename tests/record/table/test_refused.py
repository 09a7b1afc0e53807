"""What was refused leaves no trace."""

from __future__ import annotations

import pytest
from logfiles import files_of

from referee.engine.dice import DiceError
from referee.engine.text import NotUnderstoodError
from referee.record.log.log_errors import LogError, NotAllowedError
from referee.record.table.action_batch import ActionBatch
from referee.record.table.deeds.amend import amend_position
from referee.record.table.opening_logs import branch
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import undo


def refusals(session):
    position = {"turn": "red", "robots": []}
    return {
        "illegal": lambda: session.do("1 turn ne"),
        "half legal": lambda: session.do("2 turn ne, 1 turn n"),
        "out of turn": lambda: session.do("2 turn ne", by="blue"),
        "nonsense": lambda: session.do("dance"),
        "half nonsense": lambda: session.do("2 turn ne, dance"),
        "empty": lambda: session.do(""),
        "dice that nothing asks for": lambda: session.do("2 turn ne", faces=[1]),
        "undo without agreement": lambda: undo(session),
        "undo of too much": lambda: undo(session, 9, agreed=["red", "blue"]),
        "undo of nothing": lambda: undo(session, 0),
        "undo agreed by nobody": lambda: undo(session, agreed=["green"]),
        "amend without agreement": lambda: amend_position(session, position, "because", ["red"]),
        "amend to nonsense": lambda: amend_position(session, position, "because", ["red", "blue"]),
        "amend to no position": lambda: amend_position(session, {"weather": "fine"}, "because", ["red", "blue"]),
        "empty note": lambda: record_note(session, "  "),
        "note by nobody": lambda: record_note(session, "hello", by="green"),
        "note with an escape": lambda: record_note(session, "\x1b[2J"),
        "branch from nowhere": lambda: branch(session, "b", 17),
        "branch with an odd name": lambda: branch(session, "../b"),
    }


NAMES = ["illegal", "half legal", "out of turn", "nonsense", "half nonsense", "empty", "dice that nothing asks for"]
NAMES += ["undo without agreement", "undo of too much", "undo of nothing", "undo agreed by nobody"]
NAMES += ["amend without agreement", "amend to nonsense", "amend to no position"]
NAMES += ["empty note", "note by nobody", "note with an escape", "branch from nowhere", "branch with an odd name"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_refused_is_written(name, control):
    before, entries, state = files_of(control.path), list(control.entries), control.moment().state
    try:
        line = refusals(control)[name]()
        assert line.refused, "this was to be refused"
    except (NotAllowedError, NotUnderstoodError, DiceError):
        pass
    assert files_of(control.path) == before
    assert (list(control.entries), control.moment().state) == (entries, state)


def test_missing_dice_are_asked_for_and_nothing_is_written(table):
    before = files_of(table.path)
    line = table.do("throwoff", faces=[6])
    assert (line.awaiting.need.count, line.awaiting.need.sides, line.awaiting.typed_count) == (2, 6, 1)
    assert (line.said, files_of(table.path)) == ([], before)


def test_a_line_goes_on_with_the_dice_that_were_missing(table):
    """Nothing of what was typed or judged before is lost."""
    line = table.judge("throwoff, throw", faces=[6, 1, 2])
    assert (line.awaiting.need.count, line.awaiting.typed_count, len(line.said)) == (3, 1, 1)
    line.continue_with([2, 6])
    assert (line.awaiting, len(line.said)) == (None, 2)
    table.record(line.said)
    assert table.moment().state == line.moment.state


def test_dice_that_are_left_over_are_thrown_on(table):
    line = ActionBatch(table.moment(), ["throwoff"], faces=[6, 1, 2, 2, 6], use_spare_faces=True)
    assert [table.game.format(item.action) for item in line.said] == ["throwoff red blue", "throw"]
    with pytest.raises(DiceError, match="1 die too many"):
        ActionBatch(table.moment(), ["throwoff"], faces=[6, 1, 2, 2, 6, 6], use_spare_faces=True)


def test_a_log_that_is_gone_is_not_started_again(control):
    control.path.unlink()
    with pytest.raises((OSError, LogError)):
        record_note(control, "where am I")
    assert not control.path.exists()
