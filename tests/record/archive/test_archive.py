"""Archives: the same reports wherever logs are judged, whatever lies in the folder."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from shutil import copy

import msgspec
import pytest
from support import FIXTURES

import referee
from referee.record.archive import archive
from referee.record.archive import process_pool as archive_workers
from referee.record.archive.archive import audit_all, find_logs, is_faster_with_workers
from referee.record.archive.match import start_match
from referee.record.archive.match_audit import MatchReport
from referee.record.archive.process_pool import WorkerDiedError, start_workers
from referee.record.table.deeds.amend import amend_position

GOOD = ["manoover/games/04-kadon", "manoover/games/10-crash", "sheboygan/games/learning", "zombies/games/solo"]
BAD = {
    "illegal-action": "illegal-action",
    "wrong-events": "wrong-events",
    "torn-tail": "torn-tail",
    "text-file": "not-a-log",
    "unknown-game": "unknown-game",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """An archive with good logs, bad ones, a match, and what lies beside logs."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "2026" / "spring").mkdir(parents=True)
    for name in GOOD:
        copy(FIXTURES / f"{name}.jsonl", folder / "2026" / "spring")
    for name in BAD:
        copy(FIXTURES / "corrupt" / f"{name}.jsonl", folder)
    start_match("manoover", folder / "cup.jsonl")
    game = referee.start("mutants", folder / "hidden.jsonl", options={"hidden-movement": "yes"})
    game.play(next(iter(game.legal())))
    for vault in folder.glob("*.vault"):
        vault.unlink()
    for ending in ("head", "torn", "lock", "red.vault"):
        (folder / f"04-kadon.jsonl.{ending}").write_text("beside a log")
    return folder


@pytest.fixture(scope="module")
def alone(shelf):
    """What is found without any executor."""
    return by_path(audit_all([shelf]))


def by_path(found):
    found = list(found)
    told = {audited.path: audited for audited in found}
    assert len(told) == len(found), "a log is told once"
    return told


def one(path):
    (audited,) = audit_all([path])
    return audited


# What is found


def test_each_log_in_a_folder_is_judged_as_by_itself(shelf, alone):
    for path, audited in alone.items():
        if path.name != "cup.jsonl":
            assert audited.report == referee.audit(path)
    faults = {path.stem: audited.fault.code for path, audited in alone.items() if audited.fault}
    assert faults == BAD
    assert {path.stem for path in alone} == {*BAD, "cup", "hidden", *(name.rpartition("/")[2] for name in GOOD)}
    hidden = alone[shelf / "hidden.jsonl"]
    assert (hidden.clean, hidden.unjudged) == (True, 1)


def test_a_match_is_judged_as_a_match(alone, shelf):
    assert isinstance(alone[shelf / "cup.jsonl"].report, MatchReport)
    assert alone[shelf / "cup.jsonl"].clean


def test_files_and_folders_come_as_they_are_named(shelf):
    names = [shelf / "wrong-events.jsonl", str(shelf / "2026"), shelf / "nowhere.jsonl"]
    found = [audited.path.stem for audited in audit_all(names)]
    assert found == ["wrong-events", "04-kadon", "10-crash", "learning", "solo", "nowhere"]


def test_progress_counts_entries_of_all_logs(shelf):
    told = []
    found = list(audit_all([shelf], progress=told.append))
    assert told == sorted(told)
    assert told[-1] == sum(audited.entries for audited in found)


# Wherever it is done


def test_the_same_from_threads(shelf, alone):
    with ThreadPoolExecutor(4) as executor:
        assert by_path(audit_all([shelf], executor)) == alone


def test_the_same_from_processes(shelf, alone):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert by_path(audit_all([shelf], executor)) == alone


def test_the_same_from_our_own_workers(shelf, alone):
    with start_workers(2) as executor:
        assert by_path(audit_all([shelf], executor)) == alone


def test_the_same_from_a_cluster(shelf, alone):
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=":0", worker_dashboard_address=None) as all,
        distributed.Client(all) as client,
        client.get_executor() as executor,
    ):
        assert by_path(audit_all([shelf], executor)) == alone


# What is handed out


class Remembering(Executor):
    """Does what is handed out when somebody asks, and remembers the most that waited."""

    def __init__(self, fails=()):
        self.waiting = self.most = 0
        self.sizes = []
        self.fails = set(fails)

    def submit(self, work, /, *args):
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        self.sizes.append(len(args[0]))
        future = Lazy(self)
        if self.fails.intersection(Path(path).stem for path in args[0]):
            future.set_exception(WorkerDiedError("signal 9"))
        else:
            future.set_result(work(*args))
        return future


class Lazy(Future):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner

    def exception(self, timeout=None):
        self.owner.waiting -= 1
        return super().exception(timeout)


@pytest.fixture
def many(tmp_path):
    """A folder of 300 short logs."""
    source = FIXTURES / "corrupt" / "wrong-events.jsonl"
    for number in range(300):
        copy(source, tmp_path / f"{number}.jsonl")
    return tmp_path


def test_few_pieces_wait_however_many_logs_there_are(many):
    executor = Remembering()
    assert len(by_path(audit_all([many], executor, ahead=3))) == 300
    assert executor.most <= 3
    assert sum(executor.sizes) == 300
    assert len(executor.sizes) < 300 / 10, "short logs go together"


def test_what_was_not_asked_for_is_not_read(many):
    executor = Remembering()
    assert len(list(islice(audit_all([many], executor, ahead=2), 1))) == 1
    assert sum(executor.sizes) < 100


def test_a_long_log_goes_alone(tmp_path, many, monkeypatch):
    monkeypatch.setattr(archive, "TASK_WEIGHT", 2 * archive.MIN_LOG_WEIGHT)
    executor = Remembering()
    (tmp_path / "150.jsonl").write_bytes(b"x" * 10 * archive.MIN_LOG_WEIGHT)
    list(audit_all([many], executor))
    assert set(executor.sizes) == {1, 2}


def test_workers_are_worth_it_for_many_logs_or_long_ones(many, tmp_path):
    assert is_faster_with_workers(find_logs([many]))
    assert not is_faster_with_workers(islice(find_logs([many]), 20))
    with (tmp_path / "0.jsonl").open("r+b") as file:
        file.truncate(100 * 2**20)
    assert is_faster_with_workers([str(tmp_path / "0.jsonl")])
    assert not is_faster_with_workers(["nowhere.jsonl", "a\0b"])


# What dies


def test_only_the_log_is_told_whose_worker_dies(many):
    found = by_path(audit_all([many], Remembering(fails=["7", "8"])))
    dead = {path.stem: audited.why for path, audited in found.items() if audited.report is None}
    assert dead == dict.fromkeys(("7", "8"), "the process that judged it has died (signal 9)")
    assert len(found) == 300


def test_an_executor_that_is_broken_says_so(many):
    class Broken(Executor):
        def submit(self, work, /, *args):
            future = Future()
            future.set_exception(BrokenExecutor("all workers are gone"))
            return future

    with pytest.raises(BrokenExecutor, match="gone"):
        list(audit_all([many], Broken()))


def die(_path):
    os.kill(os.getpid(), signal.SIGKILL)


def say(words):
    print("what a game prints")
    return words, os.getpid()


def fail(words):
    raise LookupError(words)


def sleep(seconds):
    time.sleep(seconds)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_a_worker_that_dies_takes_only_its_own_work_with_it():
    with start_workers(2) as executor:
        first = executor.submit(say, "one").result()
        with pytest.raises(WorkerDiedError, match="signal 9"):
            executor.submit(die, "two").result()
        assert executor.submit(say, "three").result()[0] == "three"
        with pytest.raises(LookupError, match="four"):
            executor.submit(fail, "four").result()
    assert first[1] != os.getpid()
    assert not is_alive(first[1])


class Unreadable:
    """What can be sent, but not be read."""

    def __reduce__(self):
        return int, ("one",)


def test_work_that_a_worker_cannot_read_is_not_waited_for():
    with start_workers(1) as executor:
        with pytest.raises(WorkerDiedError, match="exit 1"):
            executor.submit(say, Unreadable()).result(timeout=30)
        assert executor.submit(say, "two").result()[0] == "two"


def test_workers_end_at_once_whatever_they_are_at():
    since = time.monotonic()
    with pytest.raises(KeyboardInterrupt), start_workers(2) as executor:
        pid = executor.submit(say, "here").result()[1]
        futures = [executor.submit(sleep, 60) for _ in range(5)]
        raise KeyboardInterrupt
    assert time.monotonic() - since < 30
    assert all(future.done() for future in futures)
    assert not is_alive(pid)


def test_a_thread_that_nobody_knows_of_hinders_no_end(monkeypatch):
    """As where Ctrl-C comes while one is being started: what it does when its process ends is not waited for."""
    closed = archive_workers._close

    def close_slowly(process):
        time.sleep(0.2)
        closed(process)

    with start_workers(2) as executor:
        futures = [executor.submit(sleep, 60) for _ in range(2)]
        while len(executor._processes) < 2:
            time.sleep(0.01)
        executor._threads.clear()
        monkeypatch.setattr(archive_workers, "_close", close_slowly)
    assert all(isinstance(future.exception(), WorkerDiedError) for future in futures)


def test_where_no_process_can_be_started_the_thread_does_it(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with start_workers(1) as executor:
        assert executor.submit(say, "here").result()[1] == os.getpid()


# What lies in a folder


def found_in(folder):
    passed = []
    return sorted(os.path.relpath(path, folder) for path in find_logs([folder], passed.append)), sorted(
        os.path.relpath(path, folder) for path in passed
    )


def test_links_are_not_followed(tmp_path, shelf):
    here = tmp_path / "here"
    (here / "deep").mkdir(parents=True)
    copy(shelf / "wrong-events.jsonl", here / "deep" / "a.jsonl")
    (here / "deep" / "round").symlink_to(here, target_is_directory=True)
    (here / "out").symlink_to(shelf, target_is_directory=True)
    (here / "zero.jsonl").symlink_to("/dev/zero")
    (here / "nowhere.jsonl").symlink_to("nowhere")
    (here / "text").symlink_to(shelf / "text-file.jsonl")
    assert found_in(here) == (["deep/a.jsonl"], ["deep/round", "nowhere.jsonl", "out", "zero.jsonl"])


def test_a_link_that_is_named_is_followed(tmp_path, shelf):
    (tmp_path / "link").symlink_to(shelf, target_is_directory=True)
    assert len(list(find_logs([tmp_path / "link"]))) == len(list(find_logs([shelf])))


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "fifo.jsonl", "hall.jsonl"])
def test_what_is_no_file_is_told(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo.jsonl")
    Path("hall.jsonl").mkdir()
    told = [audited.why for audited in audit_all([name])]
    assert told == ([] if name == "hall.jsonl" else ["it is not a regular file"])


def test_names_that_are_long_or_no_text(tmp_path, shelf):
    names = [b"\xff\xfe.jsonl", b"n" * 244 + b".jsonl", b" .jsonl", b"a\nb.jsonl", b".jsonl"]
    for name in names:
        copy(shelf / "wrong-events.jsonl", os.fsencode(tmp_path) + b"/" + name)
    found = by_path(audit_all([tmp_path]))
    assert sorted(os.fsencode(path.name) for path in found) == sorted(names)
    assert {audited.fault.code for audited in found.values()} == {"wrong-events"}
    with start_workers(2) as executor:
        assert by_path(audit_all([tmp_path], executor)) == found


def test_what_vanishes_meanwhile_is_told(tmp_path, shelf):
    for name in "ab":
        copy(shelf / "wrong-events.jsonl", tmp_path / f"{name}.jsonl")
    told = audit_all([tmp_path])
    assert next(told).fault
    (tmp_path / "b.jsonl").unlink()
    assert [audited.why for audited in told] == ["there is no such file"]


def test_folders_that_cannot_be_read_are_told(tmp_path, monkeypatch):
    scan = os.scandir
    (tmp_path / "shut").mkdir()
    (tmp_path / "open").mkdir()

    def refuse(path):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert [(audited.path.name, audited.why) for audited in audit_all([tmp_path])] == [
        ("shut", "the folder cannot be read")
    ]


def test_files_that_cannot_be_read_are_told(tmp_path, shelf, monkeypatch):
    def refuse(path, progress=None):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(archive, "audit_game_or_match", refuse)
    assert one(shelf / "wrong-events.jsonl").why == "Permission denied"


def test_a_bug_stops_no_archive(shelf, monkeypatch):
    def stumble(path, progress=None):
        raise KeyError("x")

    monkeypatch.setattr(archive, "audit_game_or_match", stumble)
    found = list(audit_all([shelf]))
    assert len(found) > 5
    assert {(audited.bug, audited.why) for audited in found} == {(True, "KeyError: 'x'")}


def test_an_empty_folder_holds_nothing(tmp_path):
    assert list(audit_all([tmp_path])) == []


def test_a_name_that_is_none(tmp_path):
    assert one("a\0b").report is None


def test_a_folder_is_read_in_order_as_far_as_it_fits(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_SORTED_AT_ONCE", 4)
    for number in range(10):
        (tmp_path / f"{number}.jsonl").touch()
    names = [Path(path).stem for path in find_logs([tmp_path])]
    assert sorted(names) == list("0123456789")
    assert all(names[at : at + 4] == sorted(names[at : at + 4]) for at in (0, 4, 8))


# How much is told


def test_a_report_is_small_whatever_stands_in_the_log(tmp_path):
    game = referee.start("manoover", tmp_path / "long.jsonl", options={"first": "red"})
    position = msgspec.to_builtins(game.game.position_from(game.moment().state))
    for number in range(60):
        changed = position | {"taken": {"red": 1 - number % 2, "blue": 1 - number % 2}}
        amend_position(game, changed, "x" * 3_000, game.reducer.seats)
    audited = one(tmp_path / "long.jsonl")
    assert audited.clean
    assert len(referee.audit(tmp_path / "long.jsonl").amendments) == 60
    assert len(audited.report.amendments) == archive.MAX_LISTED
    assert audited.left_out == 40
    assert len(pickle.dumps(audited)) < 50_000
    assert pickle.loads(pickle.dumps(audited)) == audited


def test_a_fault_is_told_in_a_few_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_LISTED", 1)
    monkeypatch.setattr(archive, "MAX_CHARACTERS", 10)
    copy(FIXTURES / "corrupt" / "events-too-many.jsonl", tmp_path / "a.jsonl")
    fault = one(tmp_path / "a.jsonl").fault
    assert (len(fault.recorded), len(fault.cause)) == (1, 13)
    assert one(tmp_path / "a.jsonl").left_out >= 1


def test_reports_go_over_whole(alone):
    for audited in alone.values():
        again = pickle.loads(pickle.dumps(audited))
        assert again == audited
        assert len(pickle.dumps(audited)) < 3_000
