"""Bots that others wrote: what one does wrong is its own fault by name, and the game goes on."""

import importlib
import re
import signal
import sys
import time
from pathlib import Path

import odd_bots
import pytest
from bots_of_others import install_bots

from referee.bots import foreign_bot

SEED = "0" * 64
NEW = ("new", "manoover", "--seed", SEED, "--option", "first=red", "--bots")
THEIRS = Path(odd_bots.__file__).read_text()
BOTS = re.findall(r"^class (?!.*Error)(\w+)", THEIRS, re.MULTILINE)


@pytest.fixture(autouse=True)
def site(tmp_path, monkeypatch):
    """The folder in which the bots are installed."""
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    importlib.invalidate_caches()
    return install_bots(tmp_path / "site", THEIRS, BOTS)


AT = r"at theirs\.py:\d+"
FAULTS = [
    ("raises", rf"The bot raises from others 1\.0 has failed {AT} \(RuntimeError: out of ideas\)\."),
    ("leaves", rf"The bot leaves from others 1\.0 has failed {AT} \(SystemExit: 3\)\."),
    ("interrupts", rf"The bot interrupts from others 1\.0 has failed {AT} \(KeyboardInterrupt\)\."),
    ("quits", rf"The bot quits from others 1\.0 has failed {AT} \(GeneratorExit\)\."),
    ("ends", rf"The bot ends from others 1\.0 has failed {AT} \(SystemExit: 0\)\."),
    ("mute", rf"The bot mute from others 1\.0 has failed {AT} \(SpeechlessError\)\."),
    ("wordy", rf"The bot wordy from others 1\.0 has failed {AT} \(ValueError: a line and another\)\."),
    ("shapeless", rf"The bot shapeless from others 1\.0 has failed {AT} \(KeyError: 'no shape'\)\."),
    ("illegal", r"The bot illegal from others 1\.0 has chosen an illegal action: done\."),
    ("nothing", r"The bot nothing from others 1\.0 has chosen something that is not an action: None\."),
    ("words", r"The bot words from others 1\.0 has chosen something that is not an action: 'throw'\."),
]


@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_a_fault_is_named_and_the_game_goes_on(cli, name, fault):
    cli(*NEW, f"blue={name}")
    told = cli("do", "throw, done!")
    assert (told.code, told.err) == (0, "")
    assert "red: done" in told.out
    assert re.search(fault, " ".join(told.out.split()))
    assert f"{name} plays blue" in told.out
    assert cli("do").code == 1
    assert cli("audit", "logs/manoover-2026-01-02.jsonl").code == 0
    assert cli("throw").code == 0


def test_one_that_leaves_when_it_is_made_begins_no_game(cli, place):
    told = cli(*NEW, "blue=unmade")
    assert told.code == 1
    assert re.search(
        rf"the bot unmade from others 1\.0 cannot be used: it is faulty {AT} \(SystemExit: 0\)",
        " ".join(told.out.split()),
    )
    assert not list(place.glob("logs/*"))


def test_it_breaks_at_once(cli):
    told = cli("new", "manoover", "--seed", SEED, "--option", "first=blue", "--bots", "blue=raises")
    assert told.code == 0
    assert "New game in" in told.out
    assert "The bot raises from others 1.0 has failed" in told.out


def test_a_match_of_bots_names_it(cli):
    told = cli("bots", "rank", "manoover", "random", "nothing", "--pairs", "1", "--jobs", "1")
    said = "Not done: the bot nothing from others 1.0 has chosen something that is not an action: None."
    assert (told.code, " ".join(told.out.split())) == (1, said)


def test_what_it_changes_of_what_it_sees_changes_no_game(cli):
    cli(*NEW, "blue=spoils")
    assert cli("do", "throw, done!").code == 0
    assert cli("audit", "logs/manoover-2026-01-02.jsonl").code == 0


def test_what_it_prints_is_no_part_of_an_answer(cli):
    cli(*NEW, "blue=chats")
    told = cli("--json", "do", "throw, done!")
    assert told.facts["recorded"]
    assert "I know!" in told.err


def test_stopped_the_game_waits_for_it(cli):
    cli(*NEW, "blue=stopped")
    told = cli("do", "throw, done!")
    assert told.code == 0
    assert "Stopped while stopped was thinking for blue." in told.out
    assert "Next: stopped plays blue; to let the bot move: referee do" in told.out
    assert cli("do").code == 130
    assert cli("legal").code == 0


def test_it_goes_on_where_it_is_asked_to(cli, site):
    cli(*NEW, "blue=stopped")
    cli("do", "throw, done!")
    install_bots(
        site, THEIRS.replace("class Stopped", "class Was").replace("class Chats", "class Stopped"), ["Stopped"]
    )
    told = cli("do")
    assert told.code == 0
    assert "blue: throw" in told.out
    assert "Now turn 3, red" in told.out


def test_one_that_hurries_after_ctrl_c_has_played(cli):
    cli(*NEW, "blue=hurried")
    told = cli("do", "throw, done!")
    assert told.code == 0
    assert "blue: throw" in told.out


def test_one_that_does_not_hear_ctrl_c_is_stopped(cli, monkeypatch):
    monkeypatch.setattr(foreign_bot, "HURRY_SECONDS", 0.2)
    cli(*NEW, "blue=deaf")
    began = time.monotonic()
    told = cli("do", "throw, done!")
    assert "Stopped while deaf was thinking for blue." in told.out
    assert time.monotonic() - began < 30


def test_ctrl_c_in_a_match_of_bots_stops_it(cli):
    before = signal.getsignal(signal.SIGINT)
    told = cli("bots", "rank", "manoover", "random", "stopped", "--pairs", "1", "--jobs", "1")
    assert (told.code, "Stopped before any game was over." in told.out) == (130, True)
    assert signal.getsignal(signal.SIGINT) is before


def test_it_finds_no_log_no_settings_and_no_vault_by_folder_or_environment(cli, home):
    for folder in (home, home / "referee", home / ".config" / "referee", home / ".local" / "share" / "referee"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "key").write_text("secret")
    cli(*NEW, "blue=seeks")
    told = cli("do", "throw, done!")
    assert "(ValueError: 0 files True False)" in " ".join(told.out.split())


@pytest.mark.parametrize("seats", ["manoover red blue", "mutants human mutant --option hidden-movement=yes"])
def test_bots_write_the_log_that_they_would_write_in_this_process(cli_in, monkeypatch, seats):
    game, one, other, *options = seats.split()
    words = ("new", game, *options, "--seed", SEED, "--bots", f"{one}=dicey,{other}=dicey", "-o", "m.jsonl")

    def play(folder):
        assert cli_in(f"{folder}-{game}", *words).code == 0
        return Path("m.jsonl").read_bytes()

    there = play("there")
    monkeypatch.setattr("referee.cli.bot_turns.find_bot", lambda _: odd_bots.Dicey())
    assert play("here") == there
    assert there.count(b"\n") > 30
