"""Bad logs: each is understood for what it is, at once, without harm to it or to the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from functools import cache

import make_corrupt
import pytest
from third_party import installed

from referee.record.archive.audit import audit
from referee.record.log.line_format import BODY_OFFSET, format_entry_line
from referee.record.log.log_errors import UNREADABLE_CODES, FaultError
from referee.record.table.opening_logs import branch, open_log

CHAPTERS = tomllib.loads((make_corrupt.FOLDER / "faults.toml").read_text("utf-8"))
FAULTS = {name: due for chapter in CHAPTERS.values() for name, due in chapter.items()}
FAULTY = [name for name, due in FAULTS.items() if due["fault"]]
GOOD_PART = [name for name in FAULTY if FAULTS[name]["entry"]]
MAKERS = make_corrupt.SMALL | make_corrupt.LARGE
HANG = 60.0
"""Seconds after which something has gone quadratic; all this takes milliseconds."""

every_log = pytest.mark.parametrize("name", FAULTS)


@pytest.fixture
def log(name, tmp_path):
    kept = make_corrupt.FOLDER / f"{name}.jsonl"
    path = tmp_path / kept.name
    path.write_bytes(kept.read_bytes() if kept.exists() else made(name))
    return path


@cache
def made(name):
    """A log that is too large to be kept."""
    return MAKERS[name]()


@pytest.fixture(scope="module", autouse=True)
def ambush_is_installed():
    """Secrets are those of a game that is installed beside ours."""
    with installed():
        yield


@pytest.fixture(autouse=True)
def in_time():
    began = time.monotonic()
    yield
    assert time.monotonic() - began < HANG


def test_every_log_is_described():
    assert set(FAULTS) == set(MAKERS)
    assert {name for name, due in FAULTS.items() if due.get("large")} == set(make_corrupt.LARGE)
    assert len(FAULTS) >= 250


def test_the_files_are_what_the_script_makes():
    kept = {path.stem: path.read_bytes() for path in make_corrupt.FOLDER.glob("*.jsonl")}
    made = {name: make() for name, make in make_corrupt.SMALL.items()}
    assert sorted(kept) == sorted(made)
    assert [name for name in made if made[name] != kept[name]] == []


def test_the_log_they_are_made_from_is_good(tmp_path):
    path = tmp_path / "good.jsonl"
    path.write_bytes(b"".join(make_corrupt.lines()))
    report = audit(path)
    assert (report.fault, report.entries, report.takebacks, len(report.amendments)) == (None, 10, 1, 1)


@every_log
def test_audit_finds_the_fault(name, log, snapshot):
    due, report = FAULTS[name], audit(log)
    fault = report.fault
    if not due["fault"]:
        assert (fault, report.entries, report.unjudged) == (None, due["entry"], due.get("unjudged", {}))
        return
    assert (fault.code, fault.n) == (due["fault"], due["entry"])
    assert fault.offset == len(b"".join(log.read_bytes().splitlines(keepends=True)[: fault.n]))
    assert fault.rule == due.get("rule", fault.rule)
    assert fault.cause == snapshot
    assert fault.is_unreadable == (due["fault"] in UNREADABLE_CODES) == (due["audit"] == 3)


@every_log
def test_opening_stops_at_it(name, log):
    due = FAULTS[name]
    if due["show"] == 0:
        open_log(log)
        return
    with pytest.raises(FaultError) as stopped:
        open_log(log)
    assert stopped.value.fault.n == due["entry"]


@pytest.mark.parametrize("name", GOOD_PART)
def test_the_good_part_can_be_played_on(name, log, tmp_path):
    before = log.read_bytes()
    last = FAULTS[name]["entry"] - 1
    mended = branch(open_log(log, upto=last), "mended", path=tmp_path / "mended.jsonl")
    assert audit(mended.path).fault is None
    assert len(mended.entries) == last + 2
    assert log.read_bytes() == before


def codes_of(name):
    """`show`, and of the other commands one in turn, each with the exit codes it may have.

    What the words of events say may end before the board does.
    """
    due = FAULTS[name]
    others = [
        (("--json", "show"), {due["show"]}),
        (("log",), {0, due["show"]}),
        (("--json", "log"), {0, due["show"]}),
        (
            (
                "log",
                "--full",
            ),
            {0, 3} if due["fault"] == "wrong-events" else {due["show"]},
        ),
    ]
    return [(("show",), {due["show"]}), others[list(FAULTS).index(name) % len(others)]]


@pytest.mark.parametrize("way", ["file", "pipe"])
@every_log
def test_showing_says_one_sentence(name, way, log, cli):
    due, data = FAULTS[name], log.read_bytes()
    for words, codes in codes_of(name):
        answer = cli("-g", "-" if way == "pipe" else log, *words, stdin=data if way == "pipe" else b"")
        assert answer.code in codes, (words, answer)
        assert_printable(answer)
        if answer.code:
            told, silent = (answer.out, answer.err) if "--json" in words else (answer.err, answer.out)
            assert (told.count(b"\n"), silent) == (1, b"")
            assert due.get("told", due["fault"]).encode() in told or due["fault"] == "wrong-events"
        else:
            assert b"bug" not in answer.err
    assert_untouched(log, data)


@pytest.mark.parametrize("way", ["file", "pipe"])
@every_log
def test_auditing_names_it(name, way, log, cli):
    due, data = FAULTS[name], log.read_bytes()
    for words in (("audit",), ("--json", "audit")):
        answer = cli(*words, "-" if way == "pipe" else log, stdin=data if way == "pipe" else b"")
        assert answer.code == due["audit"], answer
        assert answer.err == b""
        assert_printable(answer)
    assert due["fault"].encode() in answer.out
    assert_untouched(log, data)


@every_log
def test_comparing_with_the_good_log(name, log, cli, tmp_path):
    data, good = log.read_bytes(), tmp_path / "other" / "good.jsonl"
    good.parent.mkdir()
    good.write_bytes(b"".join(make_corrupt.lines()))
    answer = cli("diff", good, log)
    if FAULTS[name]["entry"] == 0 and FAULTS[name]["audit"] == 3:  # nothing there to compare
        assert (answer.code, answer.err.count(b"\n")) == (3, 1)
    else:
        harmless = {"missing-newline-only", "note-with-invisible-letters"}
        same = name in harmless or (name in CHAPTERS["mail"] and not FAULTS[name]["fault"])
        assert (answer.code, answer.err) == (0 if same else 1, b"")
    assert_printable(answer)
    assert log.read_bytes() == data


def assert_printable(answer):
    """Nothing but line feeds controls the terminal: no escape, no C1 character, nothing that reorders text."""
    text = (answer.out + answer.err).decode()
    assert [char for char in text if not char.isprintable() and char != "\n"] == []


def assert_untouched(log, data):
    assert log.read_bytes() == data
    assert [path.name for path in log.parent.iterdir()] == [log.name]


@pytest.mark.parametrize("words", [("-g", "{}", "show"), ("-g", "{}", "audit"), ("-g", "{}", "log")])
def test_a_folder_is_no_log(words, cli, tmp_path):
    answer = cli(*(word.format(tmp_path) for word in words))
    assert (answer.code, answer.out) == (3, b"")
    assert answer.err.count(b"\n") == 1


@pytest.mark.parametrize("name", ["torn-tail", "terminal-escape-in-name", "brackets-60000-never-closed"])
def test_in_a_process_of_its_own(name, log):
    program = "from referee.cli.main import run; run()"
    env = {**os.environ, "REFEREE_DEBUG": "1"}  # a bug would show its traceback
    done = subprocess.run([sys.executable, "-c", program, "-g", log, "show"], capture_output=True, env=env, check=False)
    assert done.returncode == FAULTS[name]["show"]
    assert b"Traceback" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr


def test_a_fault_can_be_told_from_every_other():
    """The committed logs reach every fault that needs no second file."""
    needs_more = {"lost-tail", "bad-vault", "missing-game", "wrong-game", "wrong-score", "bad-beginning"}
    assert {due["fault"] for due in FAULTS.values()} >= reachable_codes() - needs_more


def reachable_codes():
    from typing import get_args

    from referee.record.log.log_errors import FaultCode

    return set(get_args(FaultCode))


def test_forged_logs_have_right_hashes():
    """Otherwise the checks behind the hash would not be tested at all."""
    for name in ("forged-dice", "illegal-action", "wrong-events", "takeback-without-agreement"):
        for line in make_corrupt.SMALL[name]().splitlines(keepends=True):
            assert line == format_entry_line(line[BODY_OFFSET:-2])
