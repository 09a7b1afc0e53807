"""The file under a log: nobody writes over anybody, and what was acknowledged is missed when it is gone."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from logfiles import beside, files_of

from referee.engine.dice_mode import TableDice
from referee.record.archive.audit import audit
from referee.record.log import lock as file_lock
from referee.record.log import store
from referee.record.log.log_errors import FaultError, MovedOnError, NotAllowedError, NotRecordedError, UnconfirmedError
from referee.record.table.opening_logs import branch, open_log, start
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import undo


@pytest.fixture
def tmp_path(disk):
    return disk


# Somebody else was faster


def test_what_was_judged_on_an_old_head_is_not_recorded(control):
    other = open_log(control.path)
    other.do("2 turn ne")
    before = files_of(control.path)
    for record in (
        partial(control.do, "2 turn n"),
        partial(record_note, control, "late"),
        partial(undo, control, by="red"),
    ):
        with pytest.raises((MovedOnError, NotAllowedError)):
            record()
    with pytest.raises(MovedOnError, match="changed the log meanwhile"):
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
        record_note(control, "late")


def test_a_torn_write_that_came_since_counts_as_moved_on(control):
    control.path.write_bytes(control.path.read_bytes() + b"half an ent")
    with pytest.raises(MovedOnError):
        record_note(control, "late")
    assert control.path.read_bytes().endswith(b"half an ent")


@pytest.mark.parametrize("words", [("note", "late"), ("do", "2 turn n"), ("undo", "--by", "red")])
def test_the_command_line_says_so_with_exit_5(words, control, cli, monkeypatch):
    control.do("2 turn ne")
    real = store.append_lines

    def overtaken(path, *rest):
        monkeypatch.setattr(store, "append_lines", real)
        record_note(open_log(path), "faster")
        return real(path, *rest)

    monkeypatch.setattr(store, "append_lines", overtaken)
    answer = cli("-g", control.path, *words)
    assert (answer.code, answer.out) == (5, b"")
    assert b"changed the log meanwhile" in answer.err
    assert open_log(control.path).entries[-1].text == "faster"


def test_nothing_can_be_added_to_a_part_of_a_log(control):
    before, part = files_of(control.path), open_log(control.path, upto=1)
    assert part.head.n == len(part.entries) == 2
    with pytest.raises(MovedOnError):
        record_note(part, "in the past")
    assert files_of(control.path) == before


def test_somebody_records_while_the_log_is_being_read(control, monkeypatch):
    other, real = open_log(control.path), store.make_head

    def read_and_be_overtaken(reader, *, part=False):
        monkeypatch.setattr(store, "make_head", real)
        record_note(other, "meanwhile")
        return real(reader, part=part)

    monkeypatch.setattr(store, "make_head", read_and_be_overtaken)
    overtaken = open_log(control.path)
    with pytest.raises(MovedOnError):
        record_note(overtaken, "too late")
    assert audit(control.path).fault is None


def test_a_log_is_added_to_however_long_it_is(control):
    """Of a long one the end alone is compared: here 160 kB, and then bytes of an entry that was cut short."""
    for number in range(40):
        record_note(control, f"{number} " + "long " * 800)
    control.path.write_bytes(control.path.read_bytes() + b"torn")
    again = open_log(control.path)
    record_note(again, "after it")
    with pytest.raises(MovedOnError) as stopped:
        record_note(control, "late")
    told = "someone else changed the log meanwhile; look at the game, then try again"
    assert str(stopped.value) == told
    assert audit(control.path).entries == 44


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
    record_note(control, "came by mail")
    for known in (remembered, f"1 {control.entries[1].prev}\n".encode()):
        beside(control.path, ".head").write_bytes(known)
        assert len(open_log(control.path).entries) == 4


NO_MEMORY = [
    b"",
    b" ",
    b"\n",
    b"x",
    b"\xff",
    b"three abc\n",
    b"3",
    b"3 \n",
    b" 3 %b\n",
    b"3  %b\n",
    b"3 %b \n",
    b"3 %b\n3 %b\n",
    b"03 %b\n",
    b"+3 %b\n",
    b"3_0 %b\n",
    b"0 %b\n",
    b"-3 %b\n",
    b"3.0 %b\n",
    "\u0663 %b\n".encode(),
    b"%b %%b\n" % (b"9" * 5_000),
    b"3 ABC%b\n",
]


@pytest.mark.parametrize("said", NO_MEMORY)
def test_what_is_no_memory_is_told_and_taken_for_none(said, control, cli):
    """And not for one that a shortened log fits."""
    hash_ = control.head.hash.encode()
    beside(control.path, ".head").write_bytes(said.replace(b"%b", hash_).replace(b"%%", b"%"))
    assert len(open_log(control.path).entries) == 3
    assert store.read_head_file(control.path) is None
    assert audit(control.path).fault is None
    doubt = b"game.jsonl.head was changed, so nobody can tell"
    shown, audited = cli("-g", control.path, "show"), cli("audit", control.path)
    assert (shown.code, audited.code) == (0, 0)
    assert doubt in shown.err
    assert doubt in b" ".join(audited.out.split())
    assert b"forgotten" in cli("--json", "audit", control.path).out
    record_note(control, "remembered again")
    assert audit(control.path).forgotten is None


def test_a_log_without_memory_opens(control):
    beside(control.path, ".head").unlink()
    assert len(open_log(control.path).entries) == 3


def test_the_memory_follows_every_append(control):
    record_note(control, "one")
    assert beside(control.path, ".head").read_text() == f"4 {control.head.hash}\n"
    assert open_log(control.path).head == control.head


def test_an_entry_is_recorded_even_if_it_cannot_be_remembered(control):
    beside(control.path, ".head.new").mkdir()
    record_note(control, "recorded")
    record_note(control, "and so is this")
    assert audit(control.path).entries == 5


# New files


def test_a_log_is_never_started_over_a_file(control, cli):
    before = files_of(control.path)
    with pytest.raises(FileExistsError):
        start("manoover", control.path)
    with pytest.raises(NotAllowedError, match="another name"):
        branch(control, "again", path=control.path)
    answer = cli("new", "manoover", "-o", control.path)
    assert answer.code == 1
    assert answer.out.startswith(b"Not ")
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
    other = branch(control, "what-if", at)
    lines = before.splitlines(keepends=True)
    data = other.path.read_bytes()
    assert data.startswith(b"".join(lines[: at + 1]))
    assert data.count(b"\n") == at + 2
    assert other.moment().state == control.moment(at).state
    assert (other.entries[-1].name, other.entries[-1].parent) == ("what-if", "game")
    assert audit(other.path).fault is None
    assert control.path.read_bytes() == before


def test_a_branch_of_a_torn_log_leaves_the_tear_behind(control):
    control.path.write_bytes(control.path.read_bytes() + b"torn")
    other = branch(open_log(control.path), "b")
    assert b"torn" not in other.path.read_bytes()
    assert audit(other.path).fault is None


def test_a_copy_of_a_log_alone_is_the_whole_game(control, tmp_path):
    copy = tmp_path / "elsewhere" / "copy.jsonl"
    copy.parent.mkdir()
    shutil.copy(control.path, copy)
    assert open_log(copy).moment().state == control.moment().state
    assert isinstance(open_log(copy).reducer.header.dice, TableDice)


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
            record_note(control, "waiting")
        assert files_of(control.path) == before
        other.communicate()
    record_note(control, "free again")
    assert audit(control.path).entries == 4


def test_no_other_process_gets_the_lock_while_one_writes(control, monkeypatch):
    outcomes = []
    real = os.fsync

    def meanwhile(descriptor):
        with holder(control.path) as other:
            outcomes.append(b"Timeout" in other.communicate()[1])
        real(descriptor)

    monkeypatch.setattr(os, "fsync", meanwhile)
    record_note(control, "writing")
    assert outcomes == [True]


def test_a_waiting_process_gets_the_same_lock(control):
    """A lock file that was deleted and made anew would let two processes hold two locks."""
    lock = beside(control.path, ".lock")
    before = lock.stat()
    for text in ("one", "two"):
        record_note(control, text)
    with pytest.raises(MovedOnError):
        record_note(open_log(control.path, upto=0), "refused")
    assert (lock.stat().st_ino, lock.stat().st_dev) == (before.st_ino, before.st_dev)


@pytest.mark.parametrize("names", [(), ("--two-names",)], ids=["one-name", "two-names"])
def test_two_processes_lose_no_entry(script, tmp_path, names):
    """Nor where each knows the log by another name, beside which lies another lock."""
    said = script("two_writers.py", "--each", 100, "--folder", tmp_path, *names)
    assert "200 notes" in said
    assert "none lost" in said


def test_a_log_that_is_held_under_another_name_is_not_written(control, monkeypatch):
    """Beside a second name lies another lock, so that the log itself is locked, too."""
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.05)
    before = files_of(control.path)
    with control.path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(NotRecordedError, match=r"^nothing was recorded: another program .* try again$"):
            record_note(control, "waiting")
        assert files_of(control.path) == before
    record_note(control, "free again")
    assert audit(control.path).entries == 4


def test_who_is_held_up_for_a_moment_waits(control, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    with control.path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        monkeypatch.setattr(file_lock.time, "sleep", lambda _: fcntl.flock(other, fcntl.LOCK_UN))
        record_note(control, "after a while")
    assert audit(control.path).entries == 4


@pytest.mark.parametrize("thing", ["link", "folder"])
def test_a_lock_that_is_no_file_is_not_touched(control, thing, tmp_path):
    lock, other = beside(control.path, ".lock"), tmp_path / "other"
    lock.unlink()
    lock.symlink_to(other) if thing == "link" else lock.mkdir()
    with pytest.raises(NotRecordedError, match=r"^nothing was recorded: game.jsonl.lock: this is not a file but a"):
        record_note(control, "never")
    assert not other.exists()


def test_a_log_is_not_started_over_what_is_remembered_of_one(tmp_path):
    (tmp_path / "a.jsonl.head").write_text("3 " + "0" * 64)
    with pytest.raises(FileExistsError) as stopped:
        store.create_log(tmp_path / "a.jsonl", b"{}\n")
    assert (stopped.value.errno, stopped.value.filename) == (errno.EEXIST, str(tmp_path / "a.jsonl.head"))
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not tell which files are open")
def test_no_file_stays_open(control, tmp_path):
    start("manoover", tmp_path / "first.jsonl")
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - numbers, no paths
    session = start("manoover", tmp_path / "new.jsonl")
    for number in range(3):
        record_note(session, f"{number}")
    control.path.write_bytes(control.path.read_bytes() + b"torn")
    record_note(open_log(control.path), "after it")
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


# What is told


def test_a_lost_tail_is_told_with_what_was_there(control):
    known = control.head.hash
    without_last(control.path)
    fault = audit(control.path).fault
    told = f"entry 2 with hash {known[:8]}... was recorded here, but the log no longer holds it"
    assert fault.cause == f"{told}; if you meant that, delete the .head file beside it"


@pytest.mark.skipif(os.name == "nt", reason="files have other rights there")
def test_a_log_can_be_read_by_others_and_written_by_its_owner(tmp_path):
    before = os.umask(0o022)
    try:
        session = start("manoover", tmp_path / "new.jsonl")
    finally:
        os.umask(before)
    assert oct(session.path.stat().st_mode & 0o777) == oct(0o644)


def test_half_an_entry_that_cannot_be_taken_back_is_unknown(control, monkeypatch):
    """The disk takes a part of a line, and then does not let go of it."""
    real, whole = os.write, control.path.read_bytes()
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:40]))
    monkeypatch.setattr(os, "ftruncate", lambda descriptor, size: (_ for _ in ()).throw(OSError(5, "I/O error")))
    with pytest.raises(UnconfirmedError, match="part of an entry may have been written"):
        record_note(control, "perhaps")
    monkeypatch.undo()
    assert control.path.read_bytes()[:-40] == whole
    again = open_log(control.path)
    assert len(again.head.torn) == 40
    record_note(again, "after it")
    assert audit(control.path).entries == 4


def test_the_first_lines_of_a_log_that_lacks_its_last_line_feed(control):
    data = control.path.read_bytes()
    control.path.write_bytes(data[:-1])
    assert store.read_first_lines(control.path, 2) == b"".join(data.splitlines(keepends=True)[:2])
    assert store.read_first_lines(control.path, 3) == data


def test_what_the_disk_does_not_confirm_is_told_with_its_reason(control, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: (_ for _ in ()).throw(OSError(errno.EIO, "Input/output error")))
    with pytest.raises(UnconfirmedError) as unknown:
        record_note(control, "perhaps")
    told = "nobody can tell whether this was recorded (Input/output error); look at the log first"
    assert str(unknown.value) == told


def test_an_end_that_gave_way_lies_aside_and_the_other_is_remembered(control):
    before, aside = control.path.read_bytes(), control.path.with_name("aside.jsonl")
    theirs = store.read_first_lines(control.path, 2)
    head = store.replace_lines(control.path, theirs, control.head, aside)
    assert (control.path.read_bytes(), aside.read_bytes()) == (theirs, before)
    assert (head.n, head.size) == (2, len(theirs))
    assert store.read_head_file(control.path) == (2, head.hash)
    with pytest.raises(MovedOnError):
        store.replace_lines(control.path, before, control.head, control.path.with_name("again.jsonl"))
    assert control.path.read_bytes() == theirs
