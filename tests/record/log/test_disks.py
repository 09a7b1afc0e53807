"""Disks that fail: what was not recorded is said not to be, and what nobody knows is called unknown."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import stat

import pytest
from logfiles import beside, files_of

from referee.record.archive.audit import audit
from referee.record.log import store
from referee.record.log.log_errors import MovedOnError, NotRecordedError, UnconfirmedError
from referee.record.log.safe_files import UnsureError, open_user_file, replace_file
from referee.record.table import history
from referee.record.table.opening_logs import open_log, start
from referee.record.table.recording import record_note


@pytest.fixture
def tmp_path(disk):
    return disk


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
        with pytest.raises(UnconfirmedError, match="nobody can tell whether") as unknown:
            record_note(control, "perhaps")
    assert "nothing was recorded" not in str(unknown.value)
    assert audit(control.path).fault is None
    assert len(control.entries) == 3
    with pytest.raises(MovedOnError):  # never twice
        record_note(control, "perhaps")


def test_the_command_line_words_it_as_unknown(control, cli, monkeypatch):
    monkeypatch.setattr(os, "fsync", failing("fsync", errno.EIO))
    answer = cli("-g", control.path, "note", "perhaps")
    assert (answer.code, answer.out) == (3, b"")
    assert b"obody can tell whether" in answer.err


def test_a_new_log_whose_folder_cannot_be_synchronised_is_unknown_too(tmp_path, monkeypatch):
    a_folder = failing("fsync", errno.EINVAL, lambda descriptor: stat.S_ISDIR(os.fstat(descriptor).st_mode))
    monkeypatch.setattr(os, "fsync", a_folder)
    told = r"^nobody can tell whether this was recorded \(Invalid argument\); look at the log first$"
    with pytest.raises(UnconfirmedError, match=told):
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
        record_note(session, "no room")
    assert files_of(control.path) == before


@bad_disks
def test_a_full_disk_loses_no_torn_bytes(write, control, monkeypatch):
    whole = control.path.read_bytes()
    control.path.write_bytes(whole + b"torn")
    session = open_log(control.path)
    monkeypatch.setattr(os, "write", write)
    with pytest.raises(NotRecordedError):
        record_note(session, "no room")
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
    record_note(control, "slowly")
    assert seen == [(control.path.read_bytes(), remembered, 3)]


def test_several_actions_are_one_write(control, monkeypatch):
    sizes = []
    monkeypatch.setattr(os, "write", lambda fd, data: sizes.append(len(data)) or REAL_WRITE(fd, data))
    note = len(store.find_head_path(control.path).read_bytes())
    before = control.path.stat().st_size
    control.do("2 turn ne, 2 turn n, 6 turn n")
    assert sizes == [control.path.stat().st_size - before, note]


@pytest.mark.parametrize("call", ["close", "flock"])
def test_what_fails_after_the_disk_has_it_is_recorded_all_the_same(control, cli, monkeypatch, call):
    """Whoever is told of a failure says it once more."""
    import fcntl

    log = os.stat(control.path).st_ino  # noqa: PTH116 - by its number, as a descriptor knows it
    if call == "close":
        monkeypatch.setattr(os, "close", failing("close", errno.EIO, lambda descriptor: is_file(descriptor, log)))
    else:
        real = fcntl.flock

        def flock(descriptor, operation):
            if operation == fcntl.LOCK_UN:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            real(descriptor, operation)

        monkeypatch.setattr(fcntl, "flock", flock)
    answer = cli("-g", control.path, "note", "recorded")
    monkeypatch.undo()
    assert (answer.code, answer.err) == (0, b"")
    assert open_log(control.path).entries[-1].text == "recorded"


def is_file(descriptor, number):
    try:
        return os.fstat(descriptor).st_ino == number
    except OSError:
        return False


@bad_disks
def test_torn_bytes_that_cannot_be_set_aside_stay_where_they_are(write, control, cli, monkeypatch):
    whole = control.path.read_bytes()
    control.path.write_bytes(whole + b"torn")
    monkeypatch.setattr(os, "write", write)
    answer = cli("-g", control.path, "note", "no room")
    monkeypatch.undo()
    assert (answer.code, answer.out) == (3, b"")
    assert b"Nothing was recorded" in answer.err
    assert control.path.read_bytes() == whole + b"torn"


def test_what_remembers_the_end_is_whole_or_not_there(control, monkeypatch):
    """A full disk leaves the last memory, and no half of a new one."""
    memory = beside(control.path, ".head")
    before = memory.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", failing_replace)
        record_note(control, "recorded")
    assert memory.read_bytes() == before
    assert not beside(control.path, ".head.new").exists()
    assert audit(control.path).fault is None


def failing_replace(self, target):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# What is made of several files is there as a whole, or not at all

SECRET = "new mutants --option hidden-movement=yes --seats Ann,Bo -o a.jsonl"
MADE = {
    "a hidden game": ((), SECRET),
    "a branch of one": ((SECRET, "do wall C3-C4"), "branch other --agreed-by all"),
    "a match": ((), "match new manoover --seats Anna,Bo --dice table -o m.jsonl"),
    "its next game": (
        ("match new manoover --seats Anna,Bo --dice table -o m.jsonl", "match undo --agreed-by all"),
        "match next",
    ),
}


def is_note(data=b"", *_):
    """Whether it is what remembers the last acknowledged entry: without it nothing is lost."""
    return re.fullmatch(rb"[0-9]+ [0-9a-f]{64}\n", data) is not None


def nth(kind, number, fault):
    """A call that fails once, as the `number`th of its kind."""
    real, calls = getattr(os, kind), itertools.count(1)

    def call(*given):
        if not is_note(*given[1:]) and next(calls) == number:
            raise OSError(fault, os.strerror(fault))
        return real(*given)

    return call


@pytest.mark.parametrize("what", MADE)
def test_a_write_that_fails_leaves_nothing_of_what_was_begun(what, cli, tmp_path, monkeypatch):
    """And once the disk has room, the same command works."""
    before, words = MADE[what]
    for said in before:
        assert cli(*said.split()).code == 0
    begun = files_in(tmp_path)
    for number in itertools.count(1):
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", nth("write", number, errno.ENOSPC))
            answer = cli(*words.split())
        if answer.code == 0:
            break
        assert (answer.code, answer.out) == (3, b"")
        assert answer.err.count(b"\n") == 1
        assert files_in(tmp_path) == begun
    assert number > 2
    for log in tmp_path.glob("*.jsonl"):
        assert cli(*(["match"] if log.name == "m.jsonl" else []), "audit", log).code == 0


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "words", [SECRET, "match new manoover --seats Anna,Bo -o a.jsonl", "-g b.jsonl branch x -o a.jsonl"]
)
def test_a_folder_that_cannot_remember_its_current_game(words, cli, tmp_path, monkeypatch):
    """What was begun is there all the same, and a note says how to name it."""
    assert cli("new", "manoover", "-o", "b.jsonl").code == 0
    before = (tmp_path / ".referee").read_bytes()
    monkeypatch.setattr("pathlib.Path.replace", failing_replace)
    answer = cli(*words.split())
    assert answer.code == 0
    assert b"it is the current" not in answer.out
    assert answer.err.startswith(b"Note: a")
    assert b"type: referee -g a" in answer.err
    assert (tmp_path / "a.jsonl").exists()
    assert (tmp_path / ".referee").read_bytes() == before


def test_a_result_stays_where_the_next_game_cannot_be_begun(cli, tmp_path, monkeypatch):
    for said in (*MADE["a match"][1:], "roll 5 2", "finish Anna --agreed-by all"):
        assert cli(*said.split()).code == 0
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", nth("write", 2, errno.ENOSPC))
        answer = cli("match", "next")
    assert (answer.code, answer.err) == (1, b"")
    assert b"The result was recorded, but the next game could not start: No space left" in answer.out
    assert not (tmp_path / "m-2.jsonl").exists()
    assert b"Game 2 of match m" in cli("match", "next").out
    assert cli("match", "audit").code == 0


def test_what_was_recorded_but_cannot_be_shown_is_told_as_such(control, cli, monkeypatch):
    """The log is gone between writing and telling: a stick that is pulled out, a network folder."""
    real = store.append_lines

    def pulled_out(path, *rest):
        done = real(path, *rest)
        shutil.move(path, path.with_name("elsewhere.jsonl"))
        return done

    monkeypatch.setattr(store, "append_lines", pulled_out)
    monkeypatch.setattr(history, "MAX_KEPT", 1)  # of a long game not all is kept
    answer = cli("-g", control.path, "undo", "--agreed-by", "all")
    assert (answer.code, answer.out) == (3, b"")
    assert answer.err.startswith(b"Your action was recorded, but it cannot be shown: There is no file")
    assert open_log(control.path.with_name("elsewhere.jsonl")).entries[-1].to == 1


def test_a_file_that_was_read_is_read_whatever_closing_it_comes_to(control):
    file = open_user_file(control.path)
    data = file.read()
    os.close(file.fileno())  # so that closing it fails
    file.close()
    assert data == control.path.read_bytes()


def test_a_file_that_the_disk_does_not_confirm_takes_no_place(tmp_path, monkeypatch):
    path = tmp_path / ".referee"
    path.write_bytes(b"logs/old.jsonl\n")
    monkeypatch.setattr(os, "fsync", failing("fsync", errno.EIO))
    with pytest.raises(OSError, match="Input/output error") as failed:
        replace_file(path, b"logs/new.jsonl\n")
    assert not isinstance(failed.value, UnsureError)
    assert path.read_bytes() == b"logs/old.jsonl\n"
    assert [file.name for file in tmp_path.iterdir()] == [".referee"]
