"""What lies in the archive is what was put there: nothing was changed, nothing is missing, nothing came in unlisted."""

from collections import Counter
from hashlib import sha256

import pytest
from support import FIXTURES, load_toml

ARCHIVE = FIXTURES / "archive"
FOLDERS = sorted(path.parent for path in ARCHIVE.glob("*/index.toml"))
WORDS = {"clean", "differs", "fault", "older"}


def listed(folder):
    return load_toml(folder / "index.toml")["file"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_file_is_the_one_that_was_put_there(folder):
    for item in listed(folder):
        assert sha256((folder / item["file"]).read_bytes()).hexdigest() == item["sha256"], item["file"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_index_lists_just_what_lies_there(folder):
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert Counter(item["file"] for item in listed(folder)) == Counter(there - {"index.toml"})


def test_every_folder_has_an_index():
    assert [path for path in ARCHIVE.iterdir() if path.is_dir() and path not in FOLDERS] == []
    assert FOLDERS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_index_says_what_an_audit_has_to_say(folder):
    for item in listed(folder):
        assert item["wanted"] in WORDS, item["file"]
        assert ("at" in item) == (item["wanted"] in {"differs", "fault"}), item["file"]
        assert ("fault" in item) == (item["wanted"] == "fault"), item["file"]


def test_all_logs_of_the_first_days_are_kept():
    first = [item for name in ("1-1", "1-2") for item in listed(ARCHIVE / name) if item["file"].startswith("logs/")]
    assert len([item for item in first if item.get("was", "").startswith(("fixtures/", "logs/"))]) == 87
