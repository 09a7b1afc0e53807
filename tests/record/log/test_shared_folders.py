"""Folders that a program shares: one that is moved away while it is searched stops nobody."""

import os

import pytest

from referee.cli.log_file import WatchedLogFile
from referee.engine.dice_mode import OpenDice
from referee.record.log.shared_folders import find_sharing_program
from referee.record.table.opening_logs import start


@pytest.fixture
def moved_away(monkeypatch):
    """Moves a folder away as soon as somebody lists what is in it."""

    def move(folder):
        def listed(path=".", whole=os.scandir):
            if path == folder and folder.exists():
                folder.rename(folder.with_name("elsewhere"))
            return whole(path)

        monkeypatch.setattr(os, "scandir", listed)

    return move


def test_those_above_a_folder_that_is_moved_away_still_count(tmp_path, moved_away):
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "evening"
    folder.mkdir()
    moved_away(folder)
    assert find_sharing_program(folder) == "Git"
    assert not folder.exists()


def test_a_served_log_whose_folder_is_moved_away_has_a_stamp(tmp_path, moved_away):
    folder = tmp_path / "evening"
    folder.mkdir()
    served = WatchedLogFile(start("manoover", folder / "g.jsonl", dice=OpenDice("5c" * 32)))
    find_sharing_program.__globals__["_find_program"].cache_clear()
    moved_away(folder)
    assert set(served.read_change_stamp()) == {None}
    assert not folder.exists()
