"""The file under a log: what was acknowledged stays, what was not is told apart, and nobody writes over anybody."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from functools import partial

import pytest

import referee.record.session
from referee.engine.dice import DiceError, TableDice
from referee.engine.text import NotUnderstoodError
from referee.record import store
from referee.record.audit import audit
from referee.record.faults import FaultError, LogError, MovedOnError, NotRecordedError, UnknownError
from referee.record.session import NotAllowedError, open_log, start


def beside(path, ending):
    return path.with_name(path.name + ending)


def files_of(path):
    """Every file of the folder with its bytes; the lock is empty and may come at any time."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"}


def restored(path, data, head):
    """The log as a machine leaves it that stopped before it could acknowledge."""
    path.write_bytes(data)
    beside(path, ".head").write_bytes(head)
    beside(path, ".torn").unlink(missing_ok=True)


# Writes cut short


def one_note(session):
    session.note("Anna came late; é 龍")


def two_plays(session):
    session.do("2 turn ne, 2 turn n")


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("append", [one_note, two_plays])
def test_an_append_cut_at_every_byte_loses_nothing_acknowledged(append, part, control):
    path, head = control.path, beside(control.path, ".head").read_bytes()
    before, acknowledged = path.read_bytes(), list(control.entries)
    append(control)
    after, entries = path.read_bytes(), list(control.entries)
    for size in range(len(before) + part, len(after) + 1, 4):
        restored(path, after[:size], head)
        session = open_log(path)
        kept = len(session.entries)
        assert kept >= len(acknowledged)
        assert list(session.entries) == entries[:kept]
        check_recovery(session, after[:size])


def check_recovery(session, data):
    """What is torn is reported, and moved aside by the next append; a whole entry without line feed is no tear."""
    path, torn = session.path, session.head.torn
    assert data.endswith(torn)
    assert (torn == b"") == (data.endswith(b"\n") or session.head.unterminated)
    kept = data[: len(data) - len(torn)]
    assert kept.count(b"\n") + session.head.unterminated == len(session.entries)
    session.note("after the tear")
    assert audit(path).fault is None
    assert path.read_bytes().startswith(kept)
    aside = beside(path, ".torn")
    assert (aside.read_bytes() if aside.exists() else b"") == torn
    assert open_log(path).state == session.state


def test_looking_at_a_torn_log_changes_nothing(control):
    path = control.path
    path.write_bytes(path.read_bytes() + b'{"hash":"00')
    before = files_of(path)
    assert open_log(path).head.torn == b'{"hash":"00'
    assert audit(path).fault.code == "torn-tail"
    assert files_of(path) == before


def test_torn_writes_are_collected(control):
    for torn in (b"first", b"second"):
        control.path.write_bytes(control.path.read_bytes() + torn)
        open_log(control.path).note("goes on")
    assert beside(control.path, ".torn").read_bytes() == b"firstsecond"


def test_an_entry_that_lacks_only_its_newline_is_kept_and_continued(control):
    path, whole = control.path, control.path.read_bytes()
    path.write_bytes(whole[:-1])
    session = open_log(path)
    assert (len(session.entries), session.head.torn, session.head.unterminated) == (3, b"", True)
    session.note("goes on")
    assert path.read_bytes().startswith(whole + b'{"hash":"')
    assert audit(path).fault is None
    assert not beside(path, ".torn").exists()


def test_a_game_entry_that_lacks_only_its_newline_is_kept_and_continued(table):
    whole = table.path.read_bytes()
    table.path.write_bytes(whole[:-1])
    open_log(table.path).note("goes on")
    assert table.path.read_bytes().startswith(whole + b'{"hash":"')
    assert audit(table.path).entries == 2


def test_a_log_without_newline_can_be_branched(control, tmp_path):
    whole = control.path.read_bytes()
    control.path.write_bytes(whole[:-1])
    branch = open_log(control.path).branch("b", path=tmp_path / "b.jsonl")
    assert branch.path.read_bytes().startswith(whole)
    assert audit(branch.path).fault is None


# Somebody else was faster


def test_what_was_judged_on_an_old_head_is_not_recorded(control):
    other = open_log(control.path)
    other.do("2 turn ne")
    before = files_of(control.path)
    for record in (partial(control.do, "2 turn n"), partial(control.note, "late"), partial(control.undo, by="red")):
        with pytest.raises((MovedOnError, NotAllowedError)):
            record()
    with pytest.raises(MovedOnError, match="moved on"):
        control.do("2 turn n")
    assert files_of(control.path) == before
    assert len(control.entries) == 3


def test_reopening_is_enough_to_go_on(control):
    open_log(control.path).do("2 turn ne")
    with pytest.raises(MovedOnError):
        control.do("2 turn n")
    again = open_log(control.path)
    again.do("2 turn n")
    assert audit(control.path).entries == 5


def test_a_log_of_the_same_size_that_is_another_counts_as_moved_on(control):
    line = len(control.path.read_bytes().splitlines(keepends=True)[-1])
    data = control.path.read_bytes()
    hash_at = len(data) - line + 9
    control.path.write_bytes(data[:hash_at] + bytes([data[hash_at] ^ 1]) + data[hash_at + 1 :])
    with pytest.raises(MovedOnError):
        control.note("late")


def test_a_torn_write_that_came_since_counts_as_moved_on(control):
    control.path.write_bytes(control.path.read_bytes() + b"half an ent")
    with pytest.raises(MovedOnError):
        control.note("late")
    assert control.path.read_bytes().endswith(b"half an ent")


@pytest.mark.parametrize("words", [("note", "late"), ("do", "2 turn n"), ("undo", "--by", "red")])
def test_the_command_line_says_so_with_exit_5(words, control, cli, monkeypatch):
    control.do("2 turn ne")
    real = store.append

    def overtaken(path, entries, head):
        monkeypatch.setattr(referee.record.session.store, "append", real)
        open_log(path).note("faster")
        return real(path, entries, head)

    monkeypatch.setattr(referee.record.session.store, "append", overtaken)
    answer = cli("-g", control.path, *words)
    assert (answer.code, answer.out) == (5, b"")
    assert b"moved on" in answer.err
    assert open_log(control.path).entries[-1].text == "faster"


def test_nothing_can_be_added_to_a_part_of_a_log(control):
    before = files_of(control.path)
    with pytest.raises(MovedOnError):
        open_log(control.path, upto=1).note("in the past")
    assert files_of(control.path) == before


# The last acknowledged entry is remembered


def without_last(path, count=1):
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-count]))


@pytest.mark.parametrize("count", [1, 2])
def test_a_lost_tail_is_noticed(count, control):
    without_last(control.path, count)
    with pytest.raises(FaultError) as stopped:
        open_log(control.path)
    fault = stopped.value.fault
    assert (fault.code, fault.n, fault.offset) == ("lost-tail", 3 - count, control.path.stat().st_size)
    assert len(open_log(control.path, upto=0).entries) == 1


def test_a_torn_acknowledged_entry_is_a_lost_tail(control):
    control.path.write_bytes(control.path.read_bytes()[:-20])
    with pytest.raises(FaultError, match="lost-tail"):
        open_log(control.path)


def test_another_tail_of_the_same_length_is_noticed(control):
    without_last(control.path)
    beside(control.path, ".head").unlink()
    open_log(control.path).do("throw", faces=[1, 2, 3])
    beside(control.path, ".head").write_text(f"3 {control.head.hash}\n")
    with pytest.raises(FaultError, match="lost-tail"):
        open_log(control.path)


def test_the_command_line_reports_a_lost_tail(control, cli):
    without_last(control.path)
    answer = cli("-g", control.path, "show")
    assert answer.code == 3
    assert b"lost-tail" in answer.err


def test_a_longer_log_that_holds_the_remembered_entry_is_fine(control):
    remembered = beside(control.path, ".head").read_bytes()
    control.note("came by mail")
    beside(control.path, ".head").write_bytes(remembered)
    assert len(open_log(control.path).entries) == 4


@pytest.mark.parametrize("said", [b"", b"x", b"\xff", b"three abc\n", b"3"])
def test_an_unreadable_memory_does_not_stop_a_game(said, control):
    beside(control.path, ".head").write_bytes(said)
    if said == b"3":  # a number without its hash does not fit
        with pytest.raises(FaultError):
            open_log(control.path)
    else:
        assert len(open_log(control.path).entries) == 3


def test_a_log_without_memory_opens(control):
    beside(control.path, ".head").unlink()
    assert len(open_log(control.path).entries) == 3


def test_the_memory_follows_every_append(control):
    control.note("one")
    assert beside(control.path, ".head").read_text() == f"4 {control.head.hash}\n"
    assert open_log(control.path).head == control.head


def test_an_entry_is_recorded_even_if_it_cannot_be_remembered(control):
    beside(control.path, ".head.new").mkdir()
    control.note("recorded")
    control.note("and so is this")
    assert audit(control.path).entries == 5


# Disks that fail


def failing(kind, number, wanted=lambda descriptor: True):
    real = getattr(os, kind)

    def fail(descriptor, *rest):
        if wanted(descriptor):
            raise OSError(number, os.strerror(number))
        return real(descriptor, *rest)

    return fail


def test_a_failed_fsync_is_reported_as_unknown(control, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing("fsync", errno.EIO))
        with pytest.raises(UnknownError, match="not known whether") as unknown:
            control.note("perhaps")
    assert "nothing was recorded" not in str(unknown.value)
    assert audit(control.path).fault is None
    assert len(control.entries) == 3
    with pytest.raises(MovedOnError):  # never twice
        control.note("perhaps")


def test_the_command_line_words_it_as_unknown(control, cli, monkeypatch):
    monkeypatch.setattr(os, "fsync", failing("fsync", errno.EIO))
    answer = cli("-g", control.path, "note", "perhaps")
    assert (answer.code, answer.out) == (3, b"")
    assert b"not known whether" in answer.err


def test_a_new_log_whose_folder_cannot_be_synchronised_is_unknown_too(tmp_path, monkeypatch):
    a_folder = failing("fsync", errno.EINVAL, lambda descriptor: stat.S_ISDIR(os.fstat(descriptor).st_mode))
    monkeypatch.setattr(os, "fsync", a_folder)
    with pytest.raises(UnknownError):
        start("manoover", tmp_path / "new.jsonl")


def short(descriptor, data):
    return REAL_WRITE(descriptor, data[: len(data) // 2])


REAL_WRITE = os.write
full = failing("write", errno.ENOSPC)
bad_disks = pytest.mark.parametrize("write", [full, short], ids=["full", "short"])


@bad_disks
def test_a_full_disk_leaves_the_log_as_it_was(write, control, monkeypatch):
    before = files_of(control.path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(NotRecordedError, match="nothing was recorded"):
            control.do("2 turn ne")
    assert files_of(control.path) == before
    assert len(control.entries) == 3
    control.do("2 turn ne")
    assert audit(control.path).entries == 4


@bad_disks
def test_a_full_disk_leaves_an_unterminated_log_as_it_was(write, control, monkeypatch):
    control.path.write_bytes(control.path.read_bytes()[:-1])
    session, before = open_log(control.path), files_of(control.path)
    monkeypatch.setattr(os, "write", write)
    with pytest.raises(NotRecordedError):
        session.note("no room")
    assert files_of(control.path) == before


@bad_disks
def test_a_full_disk_loses_no_torn_bytes(write, control, monkeypatch):
    whole = control.path.read_bytes()
    control.path.write_bytes(whole + b"torn")
    session = open_log(control.path)
    monkeypatch.setattr(os, "write", write)
    with pytest.raises(NotRecordedError):
        session.note("no room")
    found = files_of(control.path)
    assert found[control.path.name] + found.get(f"{control.path.name}.torn", b"") in (
        whole + b"torn",
        whole + b"torn" * 2,
    )


@bad_disks
def test_a_log_that_could_not_be_started_is_not_there(write, tmp_path, monkeypatch):
    path = tmp_path / "new.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(NotRecordedError):
            start("manoover", path)
    assert not path.exists()
    assert start("manoover", path).path == path


def test_the_command_line_says_that_nothing_was_recorded(control, cli, monkeypatch):
    monkeypatch.setattr(os, "write", full)
    answer = cli("-g", control.path, "note", "no room")
    assert (answer.code, answer.out) == (3, b"")
    assert b"Nothing was recorded: No space left" in answer.err


def test_nothing_is_acknowledged_before_the_disk_has_it(control, monkeypatch):
    """Fsync comes after the whole line is in the file, and before the entry is remembered or counted."""
    seen = []
    real = os.fsync

    def watch(descriptor):
        seen.append((control.path.read_bytes(), beside(control.path, ".head").read_text(), len(control.entries)))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", watch)
    remembered = beside(control.path, ".head").read_text()
    control.note("slowly")
    assert seen == [(control.path.read_bytes(), remembered, 3)]


def test_several_actions_are_one_write(control, monkeypatch):
    sizes = []
    monkeypatch.setattr(os, "write", lambda fd, data: sizes.append(len(data)) or REAL_WRITE(fd, data))
    before = control.path.stat().st_size
    control.do("2 turn ne, 2 turn n, 6 turn n")
    assert sizes == [control.path.stat().st_size - before]


# New files


def test_a_log_is_never_started_over_a_file(control, cli):
    before = files_of(control.path)
    with pytest.raises(FileExistsError):
        start("manoover", control.path)
    with pytest.raises(NotAllowedError, match="another name"):
        control.branch("again", path=control.path)
    answer = cli("new", "manoover", "-o", control.path)
    assert answer.code == 1
    assert answer.out.startswith(b"NO ")
    assert files_of(control.path).items() >= before.items()


def test_nor_over_an_empty_one(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.touch()
    with pytest.raises(FileExistsError):
        start("manoover", path)


@pytest.mark.parametrize("at", range(4))
def test_a_branch_begins_with_its_parent_byte_for_byte(at, control):
    control.do("2 turn ne")
    before = control.path.read_bytes()
    branch = control.branch("what-if", at)
    lines = before.splitlines(keepends=True)
    data = branch.path.read_bytes()
    assert data.startswith(b"".join(lines[: at + 1]))
    assert data.count(b"\n") == at + 2
    assert branch.state == control.history.state(at)
    assert (branch.entries[-1].name, branch.entries[-1].parent) == ("what-if", "game")
    assert audit(branch.path).fault is None
    assert control.path.read_bytes() == before


def test_a_branch_of_a_torn_log_leaves_the_tear_behind(control):
    control.path.write_bytes(control.path.read_bytes() + b"torn")
    branch = open_log(control.path).branch("b")
    assert b"torn" not in branch.path.read_bytes()
    assert audit(branch.path).fault is None


# One writer at a time

HOLD = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1], timeout=0):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path):
    command = [sys.executable, "-c", HOLD, str(beside(path, ".lock"))]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_nobody_writes_while_another_process_holds_the_lock(control, monkeypatch):
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.05)
    before = files_of(control.path)
    with holder(control.path) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(NotRecordedError, match="another program"):
            control.note("waiting")
        assert files_of(control.path) == before
        other.communicate()
    control.note("free again")
    assert audit(control.path).entries == 4


def test_no_other_process_gets_the_lock_while_one_writes(control, monkeypatch):
    outcomes = []
    real = os.fsync

    def meanwhile(descriptor):
        with holder(control.path) as other:
            outcomes.append(b"Timeout" in other.communicate()[1])
        real(descriptor)

    monkeypatch.setattr(os, "fsync", meanwhile)
    control.note("writing")
    assert outcomes == [True]


def test_a_waiting_process_gets_the_same_lock(control):
    """A lock file that was deleted and made anew would let two processes hold two locks."""
    lock = beside(control.path, ".lock")
    before = lock.stat()
    for text in ("one", "two"):
        control.note(text)
    with pytest.raises(MovedOnError):
        open_log(control.path, upto=0).note("refused")
    assert (lock.stat().st_ino, lock.stat().st_dev) == (before.st_ino, before.st_dev)


def test_two_processes_lose_no_entry(script, tmp_path):
    said = script("two_writers.py", "--each", 1_000, "--folder", tmp_path)
    assert "2000 notes" in said
    assert "none lost" in said


# What was refused leaves no trace


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
        "undo without agreement": session.undo,
        "undo of too much": lambda: session.undo(9, agreed=["red", "blue"]),
        "undo of nothing": lambda: session.undo(0),
        "undo agreed by nobody": lambda: session.undo(agreed=["green"]),
        "amend without agreement": lambda: session.amend(position, "because", ["red"]),
        "amend to nonsense": lambda: session.amend(position, "because", ["red", "blue"]),
        "amend to no position": lambda: session.amend({"weather": "fine"}, "because", ["red", "blue"]),
        "empty note": lambda: session.note("  "),
        "note by nobody": lambda: session.note("hello", by="green"),
        "note with an escape": lambda: session.note("\x1b[2J"),
        "branch from nowhere": lambda: session.branch("b", 17),
        "branch with an odd name": lambda: session.branch("../b"),
    }


NAMES = ["illegal", "half legal", "out of turn", "nonsense", "half nonsense", "empty", "dice that nothing asks for"]
NAMES += ["undo without agreement", "undo of too much", "undo of nothing", "undo agreed by nobody"]
NAMES += ["amend without agreement", "amend to nonsense", "amend to no position"]
NAMES += ["empty note", "note by nobody", "note with an escape", "branch from nowhere", "branch with an odd name"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_refused_is_written(name, control):
    before, entries, state = files_of(control.path), list(control.entries), control.state
    try:
        judged = refusals(control)[name]()
        assert judged[-1].refusals, "this was to be refused"
    except (NotAllowedError, NotUnderstoodError, DiceError):
        pass
    assert files_of(control.path) == before
    assert (control.entries, control.state) == (entries, state)


def test_missing_dice_are_asked_for_and_nothing_is_written(table):
    before = files_of(table.path)
    with pytest.raises(DiceError, match="2 dice with 6 sides"):
        table.do("throwoff", faces=[6])
    assert files_of(table.path) == before


def test_a_log_that_is_gone_is_not_started_again(control):
    control.path.unlink()
    with pytest.raises((OSError, LogError)):
        control.note("where am I")
    assert not control.path.exists()


def test_a_copy_of_a_log_alone_is_the_whole_game(control, tmp_path):
    copy = tmp_path / "elsewhere" / "copy.jsonl"
    copy.parent.mkdir()
    shutil.copy(control.path, copy)
    assert open_log(copy).state == control.state
    assert isinstance(open_log(copy).header.dice, TableDice)


def test_somebody_records_while_the_log_is_being_read(control, monkeypatch):
    from referee.record import store

    other, read = open_log(control.path), store.read_file

    def read_and_be_overtaken(file, upto=None, log=None):
        found = read(file, upto, log)
        monkeypatch.setattr(store, "read_file", read)
        other.note("meanwhile")
        return found

    monkeypatch.setattr(store, "read_file", read_and_be_overtaken)
    overtaken = open_log(control.path)
    with pytest.raises(MovedOnError):
        overtaken.note("too late")
    assert audit(control.path).fault is None
