"""Games that cannot be begun: nothing of them is left, unless nobody knows whether they were."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from referee.record.log import vault as vaults
from referee.record.log.log_errors import MovedOnError, NotAllowedError, NotRecordedError, UnconfirmedError
from referee.record.table import opening_logs as starting
from referee.record.table.opening_logs import branch, join, open_log, start
from referee.record.table.recording import record_note

REAL_WRITE = os.write
pytestmark = pytest.mark.usefixtures("ambush")


def left_in(folder):
    """What lies there, locks aside: an empty lock may stay for ever."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock")


@pytest.mark.parametrize("write", range(1, 6), ids="write-{}".format)
def test_a_disk_that_is_full_in_the_middle_leaves_nothing(tmp_path, monkeypatch, write):
    """Of the log, two vaults, what is sealed in each, and the entries of both: the fifth and last write is that one."""
    counted = iter(range(1, 100))

    def full(descriptor, data):
        is_note = not data.startswith(b"{")  # what remembers the last entry, without which nothing is lost
        if not is_note and next(counted) == write:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return REAL_WRITE(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(NotRecordedError, match=r"nothing was recorded.*No space left"):
            start("ambush", tmp_path / "game.jsonl")
    assert left_in(tmp_path) == []
    assert len(start("ambush", tmp_path / "game.jsonl").entries) == 3


def test_a_vault_that_cannot_be_begun_is_not_left_empty(laptop, tmp_path, monkeypatch):
    def full(descriptor, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(NotRecordedError):
        vaults.create_vault(tmp_path / "other.jsonl", "0" * 64, "red")
    assert not (tmp_path / "other.jsonl.red.vault").exists()


def test_somebody_elses_log_is_not_taken_away(tmp_path, monkeypatch):
    """He was faster by a moment."""
    path = tmp_path / "game.jsonl"
    with monkeypatch.context() as patch:

        def overtaken(*_):
            patch.undo()
            start("ambush", path)

        patch.setattr(starting, "check_path_is_free", overtaken)
        with pytest.raises((FileExistsError, NotAllowedError)):
            start("manoover", path)
    assert len(open_log(path).entries) == 3


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be opened")
def test_a_game_whose_folder_cannot_be_opened_is_unknown(tmp_path, monkeypatch):
    real = os.open

    def closed(path, flags, *mode):
        if stat.S_ISDIR(os.stat(path).st_mode) if os.path.exists(path) else False:  # noqa: PTH116, PTH110 - as it comes
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, *mode)

    monkeypatch.setattr(os, "open", closed)
    with pytest.raises(UnconfirmedError, match="nobody can tell whether"):
        start("manoover", tmp_path / "game.jsonl")
    monkeypatch.undo()
    assert len(open_log(tmp_path / "game.jsonl").entries) == 1


@pytest.mark.parametrize("failed", ["full", "overtaken"])
def test_who_could_not_join_has_no_vault_and_can_try_again(tmp_path, monkeypatch, failed):
    session = start("ambush", tmp_path / "game.jsonl", sitting=["red"])
    before = left_in(tmp_path)
    if failed == "full":
        counted = iter(range(1, 100))

        def full(descriptor, data):
            if next(counted) > 1:  # the vault begins, and then there is no more room
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return REAL_WRITE(descriptor, data)

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(NotRecordedError):
                join(session, "blue")
    else:
        record_note(open_log(session.path), "faster")
        with pytest.raises(MovedOnError):
            join(session, "blue")
    assert left_in(tmp_path) == before
    again = open_log(session.path)
    join(again, "blue")
    assert open_log(session.path).reducer.opener.vaults.keys() == {"red", "blue"}


# Names


@pytest.mark.parametrize("length", [200, 240, 250])
def test_names_that_are_too_long_for_what_lies_beside(tmp_path, length):
    path = tmp_path / f"{'x' * (length - 6)}.jsonl"
    session = None
    try:
        session = start("ambush", path)
    except NotAllowedError as refused:
        assert "too long" in str(refused)
        assert left_in(tmp_path) == []
    if session:
        session.do("hide cave")
        assert len(open_log(path).entries) == 4
        assert path.with_name(path.name + ".head").exists()


def test_a_branch_whose_name_is_too_long(tmp_path):
    session = start("manoover", tmp_path / f"{'x' * 235}.jsonl")
    with pytest.raises(NotAllowedError, match="too long"):
        branch(session, "a-long-name")
