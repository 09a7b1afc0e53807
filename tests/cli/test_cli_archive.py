"""Auditing an archive from the command line: a line a log, a summary, the exit code, and how it ends."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from shutil import copy

import pytest
from conversation import Table
from support import FIXTURES
from terminal import Terminal

import referee
from referee.cli import archive_audit
from referee.cli.archive_audit import answer_for_log
from referee.cli.context import Context

MAIN = [sys.executable, "-c", "from referee.__main__ import main; main()"]
SHORT = FIXTURES / "manoover" / "games" / "05-survivor-ties.jsonl"


@pytest.fixture
def shelf(place):
    """An archive with two good logs, two bad ones, one that nobody can judge yet, and one that was amended."""
    folder = place / "shelf"
    (folder / "deep").mkdir(parents=True)
    copy(SHORT, folder / "deep" / "good.jsonl")
    for name in ("illegal-action", "torn-tail", "wrong-events"):
        copy(FIXTURES / "corrupt" / f"{name}.jsonl", folder)
    game = referee.start("mutants", folder / "hidden.jsonl", options={"hidden-movement": "yes"})
    game.play(next(iter(game.legal())))
    for vault in folder.glob("*.vault"):
        vault.unlink()
    return folder


def fill(folder, count):
    """Many logs, without many files."""
    folder.mkdir()
    copy(SHORT, folder / "0.jsonl")
    for number in range(1, count):
        os.link(folder / "0.jsonl", folder / f"{number}.jsonl")
    return folder


# What is told


@pytest.mark.parametrize("width", [80, 40])
def test_a_line_a_log_details_of_faults_and_a_summary(cli, shelf, snapshot, width):
    (shelf / "round").symlink_to(shelf, target_is_directory=True)
    assert cli("audit shelf", width=width).shown == snapshot


def test_a_log_stays_one_line_however_long_its_name_is(cli, place):
    (place / ("a folder " * 10)).mkdir()
    copy(SHORT, place / ("a folder " * 10))
    assert cli("audit", "a folder " * 10, width=40).out.splitlines() == [
        f"CLEAN  {'a folder ' * 10}/{SHORT.name}",
        "1 log: 1 clean.",
    ]


def test_json_is_a_value_a_log_and_the_summary_last(cli, shelf):
    *logs, last = cli("--json audit shelf").facts
    told = {Path(log["log"]).stem: log for log in logs}
    assert {name: (log["clean"], log["judged"]) for name, log in told.items()} == {
        "good": (True, True),
        "hidden": (True, False),
        "illegal-action": (False, True),
        "torn-tail": (False, True),
        "wrong-events": (False, True),
    }
    assert told["hidden"]["unjudged"] == {"human": 1}
    assert told["good"] == cli("--json audit shelf/deep/good.jsonl").facts | {"left_out": 0}
    assert last == {
        "summary": {
            "logs": 5,
            "clean": 1,
            "clean_under_older_rules": 0,
            "differs_from_todays_rules": 0,
            "clean_so_far": 1,
            "clean_but_for_a_key": 0,
            "clean_but_for_a_ruling": 0,
            "clean_but_for_a_throw": 0,
            "clean_but_for_its_beginning": 0,
            "faults": 2,
            "unreadable": 1,
            "bugs": 0,
            "not_judged": 0,
            "not_clean": {
                "faults": ["shelf/illegal-action.jsonl", "shelf/wrong-events.jsonl"],
                "unreadable": ["shelf/torn-tail.jsonl"],
            },
            "links": 0,
            "stopped": False,
            "exit": 3,
        }
    }


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("audit shelf/deep", 0),
        ("audit shelf/deep shelf/hidden.jsonl", 0),
        ("audit shelf/deep shelf/wrong-events.jsonl", 1),
        ("audit shelf/wrong-events.jsonl shelf/torn-tail.jsonl", 3),
        ("audit shelf/deep nowhere.jsonl", 3),
        ("audit shelf/deep -", 3),
        ("audit empty", 3),
        ("audit -j 0 shelf", 2),
        ("audit shelf ''", 2),
    ],
)
def test_the_exit_code_is_as_bad_as_the_worst(cli, shelf, words, code):
    (shelf.parent / "empty").mkdir()
    assert cli(words).code == code


def test_an_empty_folder_is_no_clean_archive(cli, place):
    (place / "empty").mkdir()
    answer = cli("audit empty")
    assert (answer.out, answer.err) == ("There are no logs here. In a folder, the names of logs end in .jsonl.\n", "")


def test_one_log_is_told_in_full_as_ever(cli, shelf):
    assert "judged again" in cli("audit shelf/deep/good.jsonl").out
    assert "To play on from the good part" in cli("audit shelf/illegal-action.jsonl").out


def test_what_is_piped_in_is_one_of_several(cli, shelf):
    assert cli("audit - shelf/deep", stdin=SHORT.read_bytes()).out.splitlines() == [
        "CLEAN  -",
        "CLEAN  shelf/deep/good.jsonl",
        "2 logs: 2 clean.",
    ]


def test_names_are_shown_safely_and_written_in_json(cli, place):
    names = [b"\xff.jsonl", b"\x1b[31m.jsonl", b"a\nb.jsonl", b"n" * 244 + b".jsonl"]
    (place / "odd").mkdir()
    for name in names:
        copy(SHORT, os.fsencode(place / "odd") + b"/" + name)
    told = cli("audit odd").out
    assert told.endswith("4 logs: 4 clean.\n")
    assert "\x1b" not in told
    assert "odd/\\xff.jsonl" in told
    assert {log["log"] for log in cli("--json audit odd").facts[:-1]} == {
        "odd/\\xff.jsonl",
        "odd/\x1b[31m.jsonl",
        "odd/a\nb.jsonl",
        f"odd/{'n' * 244}.jsonl",
    }


def test_the_summary_names_ten_logs_and_counts_the_others(cli, place):
    (place / "bad").mkdir()
    for number in range(1_013):
        (place / "bad" / f"{number:04}.jsonl").touch()
    last = cli("audit -j 1 bad", width=2_000).out.splitlines()[-2:]
    assert last[0] == "1,013 logs: 1,013 that could not be read."
    assert last[1].endswith("bad/0009.jsonl and 1,003 more")


def test_what_is_named_twice_or_by_a_link_counts_once(cli, shelf):
    (shelf / "link").symlink_to("deep")
    (shelf / "again.jsonl").symlink_to("deep/good.jsonl")
    alone = cli("audit shelf").out.splitlines()[-4:]
    assert alone[0] == "5 logs: 1 clean, 1 clean so far, 2 with a fault, 1 that could not be read."
    for more in ("shelf", "shelf/deep", "shelf/deep/good.jsonl shelf/link", "shelf/again.jsonl"):
        named = f"{more} shelf"
        assert cli(f"audit {named}").out.splitlines()[-4:-1] == alone[:3], named
    assert "2 logs: " in cli("audit shelf/deep/good.jsonl shelf/again.jsonl shelf/link shelf/torn-tail.jsonl").out
    assert "Left out: everything behind 3 symbolic links" in cli("audit shelf shelf/link").out


@pytest.mark.parametrize("name", ["good", "torn-tail", "wrong-events", "empty-file", "text-file", "newer-format"])
def test_a_log_gets_the_same_word_alone_and_among_others(cli, shelf, name):
    log = shelf / "deep" / "good.jsonl" if name == "good" else copy(FIXTURES / "corrupt" / f"{name}.jsonl", shelf)
    alone, among = cli(f"audit {log}"), cli(f"audit {log} shelf/hidden.jsonl")
    assert alone.out.split()[0] == among.out.split()[0]
    assert alone.code == among.code


def test_the_log_of_a_match_is_judged_as_one_alone_too(cli, place):
    cli("match new manoover --dice table --seats Anna,Bo -o m.jsonl")
    alone = cli("audit m.jsonl")
    assert alone.out == cli("match audit m.jsonl").out
    assert (alone.code, alone.out.split()[0]) == (0, "CLEAN")
    assert cli("--json audit m.jsonl").facts | {"left_out": 0} == cli("--json audit m.jsonl m-1.jsonl").facts[0]
    (place / "m-1.jsonl").unlink()
    alone, among = cli("audit m.jsonl"), cli("audit m.jsonl .")
    assert (alone.code, alone.out.split()[0]) == (among.code, among.out.split()[0]) == (1, "FAULT")


BAD = (None, 3, "", b"", "nowhere.jsonl", b"nowhere.jsonl", "x\0y", b"\xff", object())


def test_one_bad_path_does_not_end_it(shelf):
    found = list(referee.audit_all([*BAD, shelf / "deep", str(shelf / "deep").encode()]))
    assert [one.clean for one in found] == [False] * len(BAD) + [True] * 2
    assert {(one.why, one.bug) for one in found[: len(BAD)]} == {
        ("there is no such file", False),
        ("this is not a file name", False),
    }


def test_a_bug_is_told_for_its_log_and_the_rest_goes_on(shelf, monkeypatch):
    def stumble(path, progress=None):
        if path.stem == "good":
            raise KeyError("x")
        return judged(path)

    judged = referee.audit
    monkeypatch.setattr("referee.record.archive.audit_dispatch.audit", stumble)
    found = {audited.path.stem: audited for audited in referee.audit_all([shelf])}
    assert len(found) == 5
    answer = answer_for_log(found["good"])
    assert (answer.code, answer.facts()["message"]) == (70, "KeyError: 'x'")


def test_in_a_session_it_is_one_answer(shelf, evening):
    table = Table(evening)
    told = table.say("audit shelf/deep shelf/wrong-events.jsonl").splitlines()
    assert (told[0], told[-2], table.code) == ("CLEAN  shelf/deep/good.jsonl", "2 logs: 1 clean, 1 with a fault.", 1)
    programs = json.loads(table.say("--json audit shelf/deep shelf/wrong-events.jsonl").splitlines()[-1])
    assert [next(iter(value)) for value in programs] == ["log", "log", "summary"]


# How it is done


def test_one_log_starts_no_processes(process, shelf):
    code = "import sys; from referee.cli.main import run\ntry: run()\nfinally: print(*sys.modules, file=sys.stderr)"
    alone = process("audit shelf/deep/good.jsonl", code=code)
    assert not {"concurrent.futures", "pickle", "referee.cli.archive_audit"} & {*alone.err.split()}
    assert "concurrent.futures" in process("audit shelf", code=code).err.split()


def test_many_logs_are_judged_by_processes(process, place):
    fill(place / "many", 300)
    copy(FIXTURES / "corrupt" / "illegal-action.jsonl", place / "many")
    answers = [process(f"audit -j {jobs} many") for jobs in (1, 2)]
    one, two = (sorted(answer.out.splitlines()) for answer in answers)
    assert one == two
    assert "301 logs: 300 clean, 1 with a fault." in one
    assert [(answer.code, answer.err) for answer in answers] == [(1, "")] * 2


def test_a_script_needs_no_guard(place):
    fill(place / "many", 300)
    Path("script.py").write_text("from referee.cli.main import run\nrun(['audit', '-j', '2', 'many'])\n")
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr) == (0, "300 logs: 300 clean.", "")


def test_nothing_in_the_folder_is_imported(process, place):
    fill(place / "many", 300)
    for name in ("msgspec", "pickle", "referee"):
        Path(f"{name}.py").write_text("open('ran', 'w')\n")
    code = "import sys; sys.path.remove(''); from referee.cli.main import run; run()"
    assert process("audit -j 2 many", code=code).code == 0
    assert not Path("ran").exists()


# How it ends


class Running:
    """An audit of many logs by two workers, in a process group of its own, as a shell starts it."""

    def __init__(self, folder, *words):
        command = [*MAIN, *words, "audit", "-j", "2", str(folder)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
        )
        self.first = self.process.stdout.readline()
        self.workers = self.children()

    def children(self):
        found = Path("/proc").glob("[0-9]*/stat")
        parents = {}
        for stat in found:
            try:
                parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
        return [pid for pid, parent in parents.items() if parent == self.process.pid]

    def left(self):
        with self.process as process:
            told = [self.first, *process.stdout]
            err = process.stderr.read()
        return process.returncode, [line.rstrip("\n") for line in told], err

    def workers_are_gone(self):
        due = time.monotonic() + 30
        while time.monotonic() < due:
            if not any(Path(f"/proc/{pid}").exists() for pid in self.workers):
                return True
            time.sleep(0.05)
        return False


def test_ctrl_c_leaves_with_what_was_found(place):
    running = Running(fill(place / "many", 5_000))
    os.killpg(running.process.pid, signal.SIGINT)
    code, out, err = running.left()
    assert (code, err) == (130, "")
    judged = next(at for at, line in enumerate(out) if line.startswith("STOPPED"))
    told = " ".join(" ".join(out[judged:]).split())
    left = 5_000 - judged
    logs = f"{judged:,} log{'' if judged == 1 else 's'}"
    assert told.startswith(f"STOPPED after {logs}: {judged:,} clean, {left:,} not judged yet.")
    assert f"and {left - 10:,} more" in told
    assert 0 < judged < 5_000
    assert len(running.workers) == 2
    assert running.workers_are_gone()


def test_ctrl_c_while_one_process_judges(place):
    folder = fill(place / "many", 5_000)
    with subprocess.Popen([*MAIN, "--json", "audit", "-j", "1", str(folder)], stdout=subprocess.PIPE) as running:
        assert running.stdout.readline()
        running.send_signal(signal.SIGINT)
        told = running.stdout.read().splitlines()
    assert running.returncode == 130
    summary = json.loads(told[-1])["summary"]
    assert summary["stopped"]
    assert summary["clean"] + summary["not_judged"] == 5_000
    assert len(summary["not_clean"]["not_judged"]) == 10


class Pressing:
    """Ctrl-C when a line of the code that counts is reached: the n-th of all."""

    def __init__(self, n):
        self.left = n

    def __call__(self, frame, event, _arg):
        if not frame.f_code.co_filename.endswith(
            ("cli/archive_audit.py", "archive/archive.py", "cli/deferred_interrupt.py")
        ):
            return None
        if event == "line" and frame.f_code.co_name != "stop":
            self.left -= 1
            if not self.left:
                sys.settrace(None)
                signal.raise_signal(signal.SIGINT)
        return self


def test_ctrl_c_at_any_moment_leaves_no_log_uncounted(place, monkeypatch, capsys):
    monkeypatch.setattr(
        archive_audit, "start_workers", lambda _count: nullcontext()
    )  # judged in this process, where we can press
    fill(place / "many", 3)
    for n in itertools.count(1):
        sys.settrace(Pressing(n))
        try:
            summary = archive_audit.audit_archive(Context(), ["many"], 1).facts()["summary"]
        except KeyboardInterrupt:  # before the first log was looked for, or after the last was told
            assert len(capsys.readouterr().out.splitlines()) in (0, 3)
            continue
        finally:
            sys.settrace(None)
        told = capsys.readouterr().out.splitlines()
        assert (len(told), summary["clean"] + summary["not_judged"]) == (summary["clean"], 3), n
        if not summary["stopped"]:
            break
    assert n > 50


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_do_not_outlive_whoever_started_them(place, how):
    running = Running(fill(place / "many", 5_000))
    running.process.send_signal(how)
    code, _, err = running.left()
    assert (code, err) == (-how, "")
    assert running.workers_are_gone()


def test_a_worker_that_is_killed_stops_nothing(place):
    running = Running(fill(place / "many", 400))
    os.kill(running.workers[0], signal.SIGKILL)
    code, out, err = running.left()
    assert (code, err, out[-1]) == (0, "", "400 logs: 400 clean.")
    assert len(set(out)) == 401


def test_a_reader_that_leaves_ends_it(place):
    folder = fill(place / "many", 5_000)
    done = subprocess.run(
        f"{MAIN[0]} -c '{MAIN[2]}' audit -j 2 {folder} | head -1", shell=True, capture_output=True, check=False
    )
    assert done.stdout.startswith(b"CLEAN")
    assert done.stderr == b""


def test_people_who_wait_see_a_count(place):
    folder = fill(place / "many", 600)
    with Terminal("audit", "-j", "2", str(folder), columns=60) as terminal:
        assert terminal.left() == 0
        assert terminal.text.endswith("600 logs: 600 clean.")
        assert b" of 600 logs, " in terminal.shown
        assert " a second" not in terminal.text + terminal.scrolled_away
