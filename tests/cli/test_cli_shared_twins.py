"""Twins in folders that others get: nothing that lies there, or that Git keeps, differs by a secret."""

from __future__ import annotations

import re
import subprocess
from functools import partial
from pathlib import Path

import pytest
from hidden_lines import BASIC, SECRET_FROM, play

HASHES = re.compile(rb"\b(?:[0-9a-f]{32}){1,2}\b")


def syncthing():
    """A folder as Syncthing marks it."""
    Path(".stfolder").mkdir()


def git(*words):
    """Calls Git as somebody with a name, at a time that stands still."""
    who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
    return subprocess.run(["git", *who, *words], capture_output=True, check=True).stdout


def folder_bytes():
    """All that a synced folder gives away: names and bytes, but for hashes."""
    files = sorted(path for path in Path().rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path): HASHES.sub(b"<hex>", path.read_bytes()) for path in files}


def history_bytes():
    """All that a clone gets: the files of every commit, the unreachable ones too, but for hashes."""
    objects = git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").decode().split("\n")
    blobs = [line.split()[0] for line in objects if line.endswith(" blob")]
    return sorted(HASHES.sub(b"<hex>", git("cat-file", "blob", blob)) for blob in blobs)


def shared_bytes(cli, lines):
    """All that others get of a game: what lies in the folder in the end, and what was ever committed."""
    syncthing()
    git("init", "-q")
    assert cli("git setup").code == 0
    play(cli, [])
    for number, words in enumerate(lines):
        assert cli(words).code == 0, words
        if number % 9 == 0:
            commit_all()
    commit_all()
    return folder_bytes(), history_bytes()


def commit_all():
    """Commits all that lies there, what Git should leave alone too."""
    git("add", "-A", "--force")
    git("commit", "-qm", "more")


@pytest.mark.parametrize("changed", SECRET_FROM)
def test_a_synced_folder_and_a_history_tell_nothing(cli_in, tmp_path, monkeypatch, changed):
    seen, secrets = [], []
    for name in ("one", "other"):
        cli = partial(cli_in, f"{changed}-{name}")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))
        cli("--version")  # from here on in its folder
        lines = [said if name == "one" else instead.get(changed, said) for said, instead in BASIC]
        seen.append(shared_bytes(cli, lines))
        secrets.append([path.read_bytes() for path in sorted((tmp_path / name).rglob("*.vault"))])
    assert seen[0] == seen[1]
    assert len(seen[0][1]) > len(BASIC) // 9
    assert len(secrets[0]) == len(secrets[1]) == 2 and secrets[0] != secrets[1]
