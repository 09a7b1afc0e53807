"""A game that does not come about leaves nothing behind, whatever stands in its way and whenever Ctrl-C is pressed."""

from __future__ import annotations

import itertools
import os
import shutil
from pathlib import Path
from unittest.mock import patch

import pytest

from referee.games import manoover

CALLS = ("write", "fsync", "replace", "unlink")
"""How a program touches its files; Ctrl-C may come before each, and after each."""


def lies_in(*folders):
    """All files and folders, locks aside."""
    found = (path for folder in folders if folder.exists() for path in folder.rglob("*"))
    return sorted(path for path in found if path.suffix != ".lock" and path.name != "lock")


class Pressed:
    """Ctrl-C at one step, of which each call has two."""

    def __init__(self, step):
        self.step, self.steps, self.is_over = step, itertools.count(), False

    def wrapped(self, real):
        def call(*given, **named):
            self._step()
            done = real(*given, **named)
            self._step()
            return done

        return call

    def _step(self):
        if next(self.steps) == self.step:
            self.is_over = True
            raise KeyboardInterrupt


def own_board(folder):
    """A board of the players' own, so big that it lies beside the log."""
    shipped = (Path(manoover.__file__).parent / "shipped" / "base.toml").read_text("utf-8")
    path = folder / "ours.toml"
    path.write_text(shipped + "# a remark\n", "utf-8")
    return path


WAYS = {
    "a board of one's own": "new manoover --dice open --board ours.toml",
    "secrets": "new ambush --dice open",
    "by mail": "new manoover --mail red --seats Anna,Bo",
    "secrets by mail": "new ambush --mail red --seats Anna,Bo",
}


@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_leaves_a_whole_game_or_nothing(cli, place, home, ambush, monkeypatch, way):
    monkeypatch.setattr("referee.record.log.game_files.MAX_INLINE_BYTES", 16)
    own_board(place)
    cli("key --make")
    before = lies_in(place, home)
    for step in range(10_000):
        pressed = Pressed(step)
        with patch.multiple(os, **{name: pressed.wrapped(getattr(os, name)) for name in CALLS}):
            answer = cli(WAYS[way])
        if not pressed.is_over:
            break
        left = lies_in(place, home)
        logs = [path for path in left if path.suffix == ".jsonl"]
        if logs:  # it came to its end, and was just not the current game yet
            log = logs[0].relative_to(place)
            assert cli(f"audit {log}").out.startswith("CLEAN"), step
            assert "by mail" not in way or "You sit at red" in cli(f"-g {log} mail").out, step
            for path in {*left} - {*before}:
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        else:
            assert left == before, step
    else:
        pytest.fail("it has no end")
    assert answer.code == 0
    assert step > 4


UNUSABLE = {
    "no key": lambda home: (home / "key").write_text("nonsense"),
    "no secret": lambda home: (home / "secret").unlink(),
    "another's secret": lambda home: (home / "secret").write_text("nonsense"),
    "a folder in its place": lambda home: ((home / "key").unlink(), (home / "key").mkdir()),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_key_that_cannot_be_used_leaves_no_game(cli, place, home, name):
    cli("key --make")
    UNUSABLE[name](home / "referee")
    before = lies_in(place, home)
    answer = cli("new manoover --mail red --seats Anna,Bo")
    assert answer.code == 3, answer.shown
    assert lies_in(place, home) == before


def test_where_no_key_can_be_made_no_game_is_left(cli, place, home):
    home.mkdir(parents=True)
    (home / "referee").write_text("a file where a folder should be")
    answer = cli("new manoover --mail red --seats Anna,Bo")
    assert answer.code == 3, answer.shown
    assert lies_in(place) == []
