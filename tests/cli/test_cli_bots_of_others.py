"""Bots that others wrote: what one does wrong is its own fault by name, and the game goes on."""

import os
import re
import signal
import sys

import pytest

from referee.bots import bot

SEED = "0" * 64
NEW = ("new", "manoover", "--seed", SEED, "--option", "first=red", "--bots")


class Raises:
    def choose(self, seen):
        raise RuntimeError("out of ideas")


class Illegal:
    def choose(self, seen):
        return seen.game.parse("done", seen.view, seen.seat)


class Nothing:
    def choose(self, seen):
        return None


class Words:
    def choose(self, seen):
        return "throw"


class Leaves:
    def choose(self, seen):
        sys.exit(3)


class Interrupts:
    def choose(self, seen):
        raise KeyboardInterrupt


class Quits:
    def choose(self, seen):
        raise GeneratorExit


class Ends:
    def choose(self, seen):
        os._exit(0)


class SpeechlessError(Exception):
    def __str__(self):
        raise SystemExit(0)


class Mute:
    """Its error cannot say what is wrong."""

    def choose(self, seen):
        raise SpeechlessError


class Wordy:
    def choose(self, seen):
        raise ValueError("a line\nand another")


class Shapeless:
    """What it chooses cannot be shown."""

    def choose(self, seen):
        return self

    def __repr__(self):
        raise KeyError("no shape")


class Unmade:
    def __init__(self):
        sys.exit(0)


class Spoils:
    """Changes the position that it is shown."""

    def choose(self, seen):
        seen.view.cells.clear()
        return next(iter(seen.legal))


class Chats:
    def choose(self, seen):
        print("I know!")
        return next(iter(seen.legal))


class Stopped:
    """Somebody presses Ctrl-C while it thinks."""

    def choose(self, seen):
        signal.raise_signal(signal.SIGINT)
        return next(iter(seen.legal))


class Point:
    def __init__(self, made):
        self.name, self.value, self.load = made.__name__.lower(), f"{__name__}:{made.__name__}", lambda: made


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    made = (Raises, Illegal, Nothing, Words, Leaves, Spoils, Chats, Stopped)
    more = (Interrupts, Quits, Ends, Mute, Wordy, Shapeless, Unmade)
    monkeypatch.setattr(bot, "find_entry_points", lambda group: list(map(Point, (*made, *more))))


AT = r"at test_cli_bots_of_others\.py:\d+"
FAULTS = [
    ("raises", rf"The bot raises has broken {AT} \(RuntimeError: out of ideas\)\."),
    ("leaves", rf"The bot leaves has broken {AT} \(SystemExit: 3\)\."),
    ("interrupts", rf"The bot interrupts has broken {AT} \(KeyboardInterrupt\)\."),
    ("quits", rf"The bot quits has broken {AT} \(GeneratorExit\)\."),
    ("ends", rf"The bot ends has broken {AT} \(SystemExit: 0\)\."),
    ("mute", rf"The bot mute has broken {AT} \(SpeechlessError\)\."),
    ("wordy", rf"The bot wordy has broken {AT} \(ValueError: a line and another\)\."),
    ("shapeless", rf"The bot shapeless has broken {AT} \(KeyError: 'no shape'\)\."),
    ("illegal", r"The bot illegal has chosen an illegal action: done\."),
    ("nothing", r"The bot nothing has chosen something that is not an action: None\."),
    ("words", r"The bot words has chosen something that is not an action: 'throw'\."),
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
    assert re.search(rf"the bot unmade cannot be used: it is faulty {AT} \(SystemExit: 0\)", " ".join(told.out.split()))
    assert not list(place.glob("logs/*"))


def test_it_breaks_at_once(cli):
    told = cli("new", "manoover", "--seed", SEED, "--option", "first=blue", "--bots", "blue=raises")
    assert told.code == 0
    assert "New game in" in told.out
    assert "The bot raises has broken" in told.out


def test_a_match_of_bots_names_it(cli):
    told = cli("bots", "rank", "manoover", "random", "nothing", "--pairs", "1", "--jobs", "1")
    assert (told.code, told.out) == (1, "Not done: the bot nothing has chosen something that is not an action: None.\n")


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
    assert "Next: stopped plays blue; to let it: referee do" in told.out
    assert cli("do").code == 130
    assert cli("legal").code == 0


def test_it_goes_on_where_it_is_asked_to(cli, monkeypatch):
    cli(*NEW, "blue=stopped")
    cli("do", "throw, done!")
    monkeypatch.setattr(Stopped, "choose", lambda self, seen: next(iter(seen.legal)))
    told = cli("do")
    assert told.code == 0
    assert "blue: throw" in told.out
    assert "Now turn 3, red" in told.out
