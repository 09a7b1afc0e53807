"""What was ever written is read for ever: the archive is as it was put there, and every log is told as what it is."""

import shutil
from collections import Counter
from hashlib import sha256
from random import Random

import pytest
from support import FIXTURES, load_toml

from referee.engine.registry import find_game, find_game_by_rules
from referee.record.archive.audit import audit
from referee.record.log.field_types import LOG_FORMAT
from referee.record.table.deeds.upgrade import upgrade_game
from referee.record.table.opening_logs import open_log, replay
from referee.record.table.recording import record_forced_answers, record_note

ARCHIVE = FIXTURES / "archive"
GAMES = sorted(path.parent.name for path in FIXTURES.glob("*/schema"))
FOLDERS = sorted(path.parent for path in ARCHIVE.glob("*/index.toml"))
WORDS = {"clean", "differs", "fault", "older"}
OLDER = {"old-form"}
"""Faults that only say that no program of today reads the log. They accuse nobody."""


def listed(folder):
    return load_toml(folder / "index.toml")["file"]


def logs_in(*kinds):
    """Returns all logs of these kinds, each with its line in the index."""
    for folder in FOLDERS:
        for item in listed(folder):
            if item["file"].startswith(kinds) and item["file"].endswith(".jsonl"):
                yield folder / item["file"], item


def named(path):
    return f"{path.parents[1].name}-{path.stem}"


LOGS = [pytest.param(path, item, id=named(path)) for path, item in logs_in("logs/", "bad/")]
READABLE = [
    param
    for param in LOGS
    if param.values[0].parent.name == "logs" and param.values[1]["wanted"] in {"clean", "differs"}
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_file_is_the_one_that_was_put_there(folder):
    for item in listed(folder):
        assert sha256((folder / item["file"]).read_bytes()).hexdigest() == item["sha256"], item["file"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_index_lists_just_what_lies_there(folder):
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert Counter(item["file"] for item in listed(folder)) == Counter(there - {"index.toml"})


def test_every_folder_says_what_lies_in_it():
    tables = {path.parent for path in ARCHIVE.glob("*/*.toml")}
    assert {path for path in ARCHIVE.iterdir() if path.is_dir()} == tables
    assert FOLDERS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_index_says_what_an_audit_has_to_say(folder):
    for item in listed(folder):
        assert item["wanted"] in WORDS, item["file"]
        assert ("at" in item) == (item["wanted"] in {"differs", "fault"}), item["file"]
        assert ("fault" in item) == (item["wanted"] == "fault"), item["file"]


def test_all_logs_of_the_first_days_are_kept_and_all_but_one_are_read():
    first = [item for _, item in logs_in("logs/") if item.get("was", "").startswith(("fixtures/", "logs/"))]
    assert len(first) == 87
    assert [item["file"] for item in first if item["wanted"] == "older"] == ["logs/mutants-all-options-c098dc43.jsonl"]


@pytest.mark.parametrize(("path", "item"), LOGS)
def test_an_audit_says_what_each_log_is(path, item):
    report = audit(path)
    match item["wanted"]:
        case "clean":
            assert (report.fault, report.differences) == (None, ())
        case "differs":
            assert (report.fault, report.differences[0].n) == (None, item["at"])
        case "older":
            assert report.fault is not None
            assert report.fault.code in OLDER
        case "fault":
            assert report.fault is not None
            assert (report.fault.code, report.fault.n) == (item["fault"], item["at"])


@pytest.mark.parametrize(("path", "item"), READABLE)
def test_each_log_that_is_read_replays_to_its_end(path, item):
    *_, (entry, known) = replay(path)
    session = open_log(path)
    assert (entry.n, known.ended) == (session.head.n - 1, session.reducer.known.ended)
    assert item.get("entries", session.head.n) == session.head.n


@pytest.mark.parametrize(("path", "item"), [param for param in READABLE if "was" not in param.values[1]])
def test_a_game_that_was_not_over_is_played_on(path, item, tmp_path):
    log = tmp_path / path.name
    for file in path.parent.glob(f"{path.name}*"):
        (shutil.copytree if file.is_dir() else shutil.copyfile)(file, tmp_path / file.name)
    session, random = open_log(log), Random(path.name)
    if find_game_by_rules(find_game(item["game"]), session.reducer.rules) is None:
        upgrade_game(session, session.reducer.seats)  # by rules that are kept no longer nobody plays on
    record_forced_answers(session)
    vaults_here = set(session.reducer.keepers) <= session.reducer.opener.vaults.keys()
    for _ in range(3 if vaults_here else 0):
        if session.moment().to_act is None:
            break
        action, faces = session.legal().pick(random), []
        line = session.play(action)
        while line.awaiting and (need := line.awaiting.need):
            faces += [random.randint(1, need.sides) for _ in range(need.count - line.awaiting.typed_count)]
            line = session.play(action, faces=faces)
        assert not line.refused, line.said
    record_note(session, "played on")
    assert log.read_bytes().startswith(path.read_bytes())
    assert audit(log).fault is None


@pytest.mark.parametrize("name", GAMES)
def test_what_each_game_writes_today_is_archived(name):
    """So logs of every version that ever landed are read by all later ones."""
    shelf = f"{LOG_FORMAT}-{find_game(name).rules_version}"
    assert any(item.get("game") == name for item in listed(ARCHIVE / shelf)), "run tests/scripts/archive_today.py"
