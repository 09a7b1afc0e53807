"""Disks that fail: what was not recorded is said not to be, and what nobody knows is called unknown."""

from __future__ import annotations

import errno
import os
import stat

import pytest
from logfiles import beside, files_of

from referee.record.audit import audit
from referee.record.faults import MovedOnError, NotRecordedError, UnconfirmedError
from referee.record.start import open_log, start


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
        with pytest.raises(UnconfirmedError, match="not known whether") as unknown:
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
    with pytest.raises(UnconfirmedError):
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
        control.note("recorded")
    assert memory.read_bytes() == before
    assert not beside(control.path, ".head.new").exists()
    assert audit(control.path).fault is None


def failing_replace(self, target):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
