"""Mail of many games: whose move it is, and mail that is opened as it comes, through a real post office."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial

import pytest
from manglings import LOSSES
from penfriends import Person, seated
from post_office import PostOffice

from referee.engine.dice_mode import LATEST_DERIVATION
from referee.engine.plugin_errors import GameError
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

PATIENCE = 20
"""Seconds that something is waited for."""
SINCE = "since 2026-01-02 03:04"


BO_AND_CARLA_BEGIN = pytest.mark.parametrize("luck", ["luck 8"])
"""With this Bo begins where three play, and Carla where she and Anna do; both in older games."""


@pytest.fixture
def people(cli, tmp_path, monkeypatch, told, luck):
    """People who play games of today, or with "luck 8" older ones."""
    derivation = 1 if luck == "luck 8" else LATEST_DERIVATION
    return lambda name: Person(name, tmp_path, cli, monkeypatch, told, luck, derivation)


@pytest.fixture
def table(pair):
    seated(*pair)
    return pair


# Whose move it is


def test_all_games_here_tell_whom_they_wait_for(table, tmp_path):
    anna, bo = table
    anna.does("new zombies --seats Dora,Emil --seed " + "0" * 64 + " -o logs/solo.jsonl", "use logs/solo.jsonl")
    (anna.folder / "logs/bad.jsonl").write_bytes(
        (anna.folder / "logs/solo.jsonl").read_bytes()[:-40] + b"x" * 39 + b"\n"
    )
    told = anna("mail").out.splitlines()
    assert told[0].startswith("logs/manoover-2026-01-02.jsonl  manoover, turn 1, red (Anna)")
    assert told[1] == f"    waits for you (red), {SINCE}"
    assert told[2].startswith("logs/solo.jsonl  zombies, turn 1")
    assert told[3] == f"    waits for red, {SINCE}"
    assert told[4].startswith("logs/bad.jsonl  cannot be read:")
    games = anna("--json mail").facts["games"]
    assert [game.get("waits_for") for game in games] == ["red", "red", None]
    assert games[0].pop("id") in (anna.folder / "logs/manoover-2026-01-02.jsonl").read_text("utf-8").splitlines()[0]
    assert games[0] | {"when": ""} == {
        "log": "logs/manoover-2026-01-02.jsonl",
        "game": "manoover",
        "when": "",
        "waits_for": "red",
        "since": "2026-01-02T03:04:05Z",
        "you": "red",
        "by_mail": True,
        "player": "Anna",
        "wait": None,
        "to_sign": False,
    }
    assert bo(f"mail {anna.folder}").out.count("waits for") == 2
    assert bo("mail nowhere").code == 2
    assert bo("mail", str(tmp_path)).code == 4


def test_a_game_whose_rules_break_stops_no_other(table, monkeypatch):
    anna, _ = table
    anna.does("new zombies --seats Dora,Emil --seed " + "0" * 64 + " -o logs/solo.jsonl")
    monkeypatch.setattr("referee.cli.mail.waiting_games.open_log", partial(_breaking, "solo.jsonl"))
    told = anna("mail logs").out.splitlines()
    assert told[0].startswith("logs/manoover-2026-01-02.jsonl  manoover")
    assert told[2].startswith("logs/solo.jsonl  cannot be read: the game zombies is faulty at setup: it divides")


def _breaking(broken, path):
    if path.name == broken:
        raise GameError("zombies", "setup", "it divides by zero")
    return open_log(path)


def test_the_chosen_game_comes_first_in_full(table):
    anna, _ = table
    anna.does("new manoover --dice table --seats Cem,Dora -o other.jsonl", "use logs/manoover-2026-01-02.jsonl")
    answer = anna("mail")
    assert answer.out.index("has the pen") < answer.out.index("Other games here:") < answer.out.index("other.jsonl")
    assert [game["log"] for game in anna("--json mail").facts["others"]] == ["other.jsonl"]
    assert max(map(len, anna("mail", width=60).out.splitlines())) <= 60


def test_a_game_that_was_handed_over_waits_for_the_other(table):
    anna, _ = table
    anna.does("done!")
    anna.mails()
    assert anna("mail logs").out.splitlines()[1] == f"    waits for blue, {SINCE}"


# Mail that is opened as it comes


class Watcher:
    """`referee mail --watch` in a process of its own."""

    def __init__(self, person, folder, *front, sends=None, run=None):
        home = {"XDG_CONFIG_HOME": str(person.home), "COLUMNS": "80", "PYTHONUNBUFFERED": "1"}
        self.seen = person.folder / "seen.txt"
        self.out = self.seen.open("wb")
        back = [*(["-o", str(sends)] if sends else []), *(["--run", run] if run else [])]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", *front, "mail", "--watch", str(folder), *back],
            cwd=person.folder,
            env={**os.environ, **home},
            stdout=self.out,
            stderr=subprocess.STDOUT,
        )

    @property
    def said(self):
        return self.seen.read_text("utf-8")

    def until(self, words):
        """Wait till it says so, wherever it breaks the line: that depends on how long the folder's name is."""
        end = time.monotonic() + PATIENCE
        while words not in " ".join(self.said.split()):
            assert time.monotonic() < end and self.process.poll() is None, self.said
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@contextmanager
def watching(person, folder, *front, sends=None, run=None):
    watcher = Watcher(person, folder, *front, sends=sends, run=run)
    try:
        watcher.until("Watching" if not front else "watching")
        yield watcher
    finally:
        watcher.process.kill()
        watcher.process.wait()
        watcher.out.close()


def test_mail_from_a_post_office_is_opened_as_it_comes(table, tmp_path):
    anna, bo = table
    (tmp_path / "post").mkdir()
    with PostOffice(tmp_path / "post") as post:
        post.send("bank", "bo", "Nothing of ours")
        with watching(bo, tmp_path / "post" / "bo") as watcher:
            anna.does("done!")
            mail = anna.mails().decode()
            post.send("anna", "bo", LOSSES["cut in the middle"](mail.encode()).decode())
            watcher.until("cut short")
            post.send("anna", "bo", mail)
            watcher.until("Next:")
            post.send("anna", "bo", mail)
            post.send("anna", "bo", "Bye")
            time.sleep(1.5)
            said = watcher.said
            assert said.count("Next:") == 1, said
            assert "Nothing of ours" not in said and "bank" not in said
            assert watcher.stop() == 0
            assert "No longer watching" in watcher.said
    assert len(open_log(bo.log).entries) >= len(open_log(anna.log).entries)


def test_files_in_a_folder_are_opened_once_they_are_whole(table, tmp_path):
    anna, bo = table
    drop = tmp_path / "drop"
    drop.mkdir()
    (drop / "noise.bin").write_bytes(bytes(range(256)) * 100)
    (drop / "folder").mkdir()
    with watching(bo, drop, "--json") as watcher:
        anna.does("done!", f"pack --eml {drop / 'turn.eml'}")
        watcher.until('"packets"')
        assert watcher.stop() == 0
        rows = [json.loads(row) for row in watcher.said.splitlines()]
    assert [packet["situation"] for row in rows for packet in row.get("packets", ())] == ["new"]
    assert rows[-1]["opened"] == 1


def test_watching_agrees_to_nothing(table, tmp_path):
    anna, bo = table
    drop = tmp_path / "drop"
    drop.mkdir()
    anna.does("finish draw", f"pack -o {drop}")
    with watching(bo, drop) as watcher:
        watcher.until("referee mail agree, or")
        time.sleep(1)
        assert watcher.stop() == 0
    log = open_log(bo.log)
    assert not any(type(entry).__name__ in ("AgreeEntry", "AgreedEndEntry") for entry in log.entries)
    assert SeatView(log).facts.outcome is None


def test_a_program_of_ones_own_is_told_whose_turn_it_is(table, tmp_path):
    anna, bo = table
    drop, rung = tmp_path / "drop", tmp_path / "rung.txt"
    drop.mkdir()
    code = f"import sys; open({str(rung)!r}, 'a').write(sys.stdin.read() + chr(10))"
    run = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    anna.does("done!", f"mail pack -o {drop}")
    with watching(bo, drop, run=run) as watcher:
        watcher.until("Next:")
        until(rung.exists, "that the program was run")
        until(lambda: rung.read_text("utf-8").endswith("\n"), "that it has written")
        assert watcher.stop() == 0
    told = json.loads(rung.read_text("utf-8"))
    assert (told["game"], told["to_act"], told["player"], told["yours"]) == ("manoover", "blue", "Bo", True)


def test_a_program_is_run_when_an_offer_comes_and_not_when_it_comes_again(table, drop):
    anna, bo = table
    rung = bo.folder / "rung.txt"
    code = f"import sys; open({str(rung)!r}, 'a').write(sys.stdin.read() + chr(10))"
    run = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    with watching(bo, drop, run=run) as watcher:
        anna.does("finish draw", f"mail pack -o {drop}")
        watcher.until("Next:")
        until(lambda: rung.exists() and rung.read_text("utf-8").endswith("\n"), "that the program was run")
        seen = rung.read_text("utf-8")
        shutil.copy(drop / packs(drop)[0], drop / "again.txt")
        time.sleep(2)
        assert watcher.stop() == 0
    assert rung.read_text("utf-8") == seen


def until(is_so, what):
    """Waits for something of another process."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.02)


def packs(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def drop(tmp_path):
    """A folder that all share."""
    folder = tmp_path / "drop"
    folder.mkdir()
    return folder


@BO_AND_CARLA_BEGIN
def test_a_part_of_a_throw_goes_back_by_itself(people, drop):
    """Three play; who throws waits for Bo, who has gone to bed and left his computer on."""
    anna, bo, carla = (people(name) for name in ("anna", "bo", "carla"))
    anna.does("new zombies --option players=3 --mail red --seats Anna,Bo,Carla", f"pack -o {drop}")
    bo.does(f"mail open {drop}", "join Bo", f"pack -o {drop}")
    carla.does(f"mail open {drop}", "join Carla", f"pack -o {drop}")
    anna.does(f"mail open {drop}", f"pack -o {drop}")
    with watching(bo, drop, sends=drop) as watcher:
        watcher.until("Written to")
        anna.does(f"mail open {drop}")
        assert "turn 1" in anna("log").out  # the throw has fallen
        anna.does(f"mail pack -o {drop}")
        before = packs(drop)
        watcher.until("Next: referee legal")  # Bo has a choice now
        time.sleep(1.5)
        assert watcher.stop() == 0
    assert packs(drop) == before


@pytest.fixture
def answered(people, drop):
    """Carla has sat down and given her part: Anna's computer throws as it opens the mail, and Carla begins."""
    anna, carla = people("anna"), people("carla")
    anna.does("new zombies --option players=2 --mail red --seats Anna,Carla", f"pack -o {drop}")
    carla.does(f"mail open {drop}", "join Carla", f"pack -o {drop}")
    return anna, carla


@BO_AND_CARLA_BEGIN
def test_who_only_throws_hands_the_pen_on(answered, drop):
    anna, carla = answered
    with watching(anna, drop, sends=drop) as watcher:
        watcher.until("Written to")
        assert "turn 1, blue (Carla): choice of heroes" in carla.does(f"mail open {drop}").out
        time.sleep(1.5)
        assert watcher.stop() == 0
        assert watcher.said.count("Written to") == 1


@BO_AND_CARLA_BEGIN
def test_without_a_folder_to_write_into_nothing_goes_back(answered, drop):
    anna, _ = answered
    with watching(anna, drop) as watcher:
        watcher.until("Next: referee mail pack")
        assert watcher.stop() == 0
    assert len(packs(drop)) == 2


def test_orders_are_carried_out_and_their_mail_goes_back(table, drop):
    anna, bo = table
    anna.does("done!", "mail orders if any: done", f"mail pack -o {drop}")
    with watching(anna, drop, sends=drop) as watcher:
        bo.does(f"mail open {drop}", "done!", f"mail pack -o {drop}")
        watcher.until("By your orders: red: done")
        watcher.until("Written to")
        assert "turn 4, blue (Bo)" in bo.does(f"mail open {drop}").out
        assert watcher.stop() == 0


def test_what_cannot_be_watched_is_said(table):
    anna, _ = table
    assert anna("mail logs -o logs").code == 2
    assert anna("mail --watch logs -o nowhere").code == 2
    assert anna("mail --watch nowhere").code == 2
    assert anna("mail logs --watch logs").code == 2


# Strangers


def test_a_stranger_begins_no_game_and_a_friend_does(table, people, drop):
    """What comes from somebody unknown stays where it is, and is named again at the end."""
    anna, bo = table
    eve = people("eve")
    for number in range(3):
        eve.does(f"new manoover --mail red --seats Eve,Bo -o logs/g{number}.jsonl")
    flood = b"".join(eve(f"-g logs/g{number}.jsonl mail pack").out.encode() for number in range(3))
    with watching(bo, drop, "--json") as watcher:
        (drop / "eve.txt").write_bytes(flood)
        watcher.until('"stranger"')
        anna.does("new manoover --mail red --seats Anna,Bo -o logs/second.jsonl", f"mail pack -o {drop}")
        watcher.until('"situation":"new"')
        assert watcher.stop() == 0
        rows = [json.loads(row) for row in watcher.said.splitlines()]
    waits = [{"mail": str(drop / "eve.txt"), "why": "stranger", "games": 3}]
    assert [row["waiting"] for row in rows if row.get("waiting")] == [waits, [str(drop / "eve.txt")]]
    assert (rows[-1]["opened"], len(list(bo.folder.glob("logs/*.jsonl")))) == (1, 2)
    with watching(bo, drop) as watcher:
        watcher.until("3 games wait: you do not know who sent them. To take the first: referee mail open")
        assert watcher.stop() == 0
        assert "Mails from people you do not know:" in watcher.said
    assert bo(f"mail open {drop / 'eve.txt'}").code == 0
    assert len(list(bo.folder.glob("logs/*.jsonl"))) == 3
