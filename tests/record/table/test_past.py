"""What is over in a long game: not kept, but there when it is asked for."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from random import Random

import pytest
from long_log import write_long_log

from referee.record.archive.audit import audit
from referee.record.log.log_errors import FaultError
from referee.record.table import log_walker
from referee.record.table.deeds.takeback import TakebackEntry
from referee.record.table.history import MAX_KEPT
from referee.record.table.opening_logs import open_log, open_stream, replay
from referee.record.table.prescan import Prescan
from referee.record.table.undo_redo import go_back, redo, undo
from referee.record.table.visible_log import list_spoken_with_previous

PLAYS = 3 * MAX_KEPT
SPARE = 64
"""Bytes of memory that an entry may cost which is not in force any more."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_log(tmp_path_factory.mktemp("past") / "long.jsonl", PLAYS)


@pytest.fixture
def long(written: Path, tmp_path: Path) -> Path:
    path = tmp_path / "long.jsonl"
    path.write_bytes(written.read_bytes())
    return path


def known(path: Path) -> list:
    return [known for _, known in replay(path)]


@pytest.mark.parametrize("order", ["forward", "backward", "shuffled"])
def test_every_moment_and_entry_is_there(order, long):
    session, truth = open_log(long), list(replay(long))
    numbers = list(range(0, len(truth), 1 if order == "forward" else 37))
    if order == "backward":
        numbers.reverse()
    elif order == "shuffled":
        Random(1).shuffle(numbers)
    for n in numbers:
        assert (session.entries[n], session.moment(n).known) == truth[n]
    assert list(session.entries) == [entry for entry, _ in truth]
    assert session.entries[5:-5:7] == [entry for entry, _ in truth][5:-5:7]
    assert session.entries[-1] == truth[-1][0]
    assert session.moment().known == truth[-1][1]
    with pytest.raises(IndexError):
        session.entries[len(truth)]
    with pytest.raises(IndexError):
        session.moment(len(truth))


def test_a_game_is_folded_again_once_for_all_that_is_asked_in_order(long, monkeypatch):
    session, begun = open_log(long), []
    begin = log_walker.LogWalker.__iter__
    monkeypatch.setattr(log_walker.LogWalker, "__iter__", lambda self: begun.append(1) or begin(self))
    for n in range(len(session.entries)):
        session.moment(n)
        session.in_force(n)
    assert len(begun) == 1


def test_a_log_that_was_piped_in_has_a_past_too(long):
    with long.open("rb") as file:
        session = open_stream(file)
    assert (session.entries[3], session.moment(3).known) == list(replay(long))[3]


def test_takebacks_go_back_to_any_entry_and_on_again(tmp_path):
    """Across all that is not kept; the line of play is folded again, and an audit agrees with it."""
    path = write_long_log(tmp_path / "single.jsonl", MAX_KEPT + 50, "sheboygan")
    session, states = open_log(path), known(path)
    line, said = session.in_force(), sum(1 for _ in list_spoken_with_previous(session))
    assert said > MAX_KEPT
    undo(session, said, agreed=session.reducer.seats)
    assert (session.in_force(), session.moment().state) == (line[:1], states[0].truth)
    redo(session, agreed=session.reducer.seats)
    assert (session.in_force(), session.moment().state) == (line, states[-1].truth)
    assert list(open_log(path).entries) == list(session.entries)
    assert open_log(path).moment().state == session.moment().state
    report = audit(path)
    assert (report.fault, report.entries) == (None, len(session.entries))


def test_a_takeback_to_a_game_that_was_given_up_long_ago(long):
    session = open_log(long)
    lost = next(entry.n - 1 for entry in session.entries if isinstance(entry, TakebackEntry))
    line, state = session.in_force(lost), known(long)[lost].truth
    go_back(session, lost, session.reducer.seats[0], session.reducer.seats)
    assert (session.in_force(), session.moment().state) == (line, state)
    assert audit(long).fault is None


def test_a_takeback_that_somebody_records_while_the_log_is_read(long, monkeypatch):
    """What was not to be seen when looking ahead is folded again; it is no fault of the log."""
    due = open_log(long)
    monkeypatch.setattr(log_walker, "prescan_log", lambda file: Prescan({}, {}))
    session = open_log(long)
    assert (session.in_force(), session.moment().state) == (due.in_force(), due.moment().state)


@pytest.mark.parametrize("what", ["another entry", "other bytes", "nothing"])
def test_a_log_that_changes_while_it_is_looked_at(what, long):
    session = open_log(long)
    first, second, *others = long.read_bytes().splitlines(keepends=True)
    swapped = {"another entry": [first, others[0], *others], "other bytes": [first, b"x" * len(second), *others]}
    long.write_bytes(b"".join(swapped.get(what, [])))
    with pytest.raises(FaultError, match="the log was changed while it was being read"):
        session.entries[1]


def test_memory_hardly_grows_with_a_log(long, tmp_path):
    """Beyond the latest entries and moments, and a little for each one in force, a log costs next to nothing."""
    longer = write_long_log(tmp_path / "longer.jsonl", 5 * PLAYS)
    held = []
    for path in (long, long, longer):  # what is worked out once counts for the first one
        tracemalloc.start()
        session = open_log(path)
        held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        count = len(session.entries)
    assert held[2] - held[1] < SPARE * (count - len(open_log(long).entries))


def test_a_name_is_held_once_for_all_entries_of_a_seat(long):
    line = open_log(long).reducer.line
    assert line is not None
    names = [step.by for step in line.walk_back()]
    assert len({id(name) for name in names}) == len({*names}) == 3
