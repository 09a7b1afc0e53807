"""Games with a log to test the record with, and the command line as its users have it."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from calling import called

from referee.engine.dice_mode import OpenDice, TableDice
from referee.record.table.opening_logs import start

TESTS = Path(__file__).parents[1]
sys.path += [str(TESTS / "scripts"), str(TESTS / "bench")]  # make_corrupt, flip_bits, long_log

SEED = "5a" * 32
SEALED_SEED = "6b" * 32
NAMES = {"red": "Anna", "blue": "Bo"}


@pytest.fixture
def table(tmp_path):
    """A game with table dice in which nobody has rolled yet."""
    return start("manoover", tmp_path / "game.jsonl", seats=NAMES, dice=TableDice())


@pytest.fixture
def control(table):
    """The same game in red's control phase with the dice 2 2 6, at entry 2."""
    table.do("throwoff", faces=[6, 1])
    table.do("throw", faces=[2, 2, 6])
    return table


@pytest.fixture
def solo(tmp_path):
    """A game with open dice in which nobody has rolled yet."""
    return start("manoover", tmp_path / "solo.jsonl", seats=NAMES, dice=OpenDice(SEED))


@pytest.fixture
def finished(solo):
    """The same game, played to its end at random."""
    rng = random.Random(1)
    while solo.moment().to_act:
        solo.play(rng.choice(list(solo.legal())))
    return solo


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.jsonl"


@pytest.fixture
def laptop(path, ambush):
    """A game with secrets of two players at one computer, in which nobody has done anything."""
    return start("ambush", path, dice=OpenDice(SEALED_SEED))


@pytest.fixture
def hidden(laptop):
    """The same game after both have hidden their chests, at entry 4."""
    laptop.do("hide cave, hide reef")
    return laptop


@pytest.fixture
def over(hidden):
    """The same game, played to its end."""
    rng = random.Random(1)
    while hidden.moment().to_act:
        hidden.play(hidden.legal().pick(rng))
    return hidden


@pytest.fixture
def cli(tmp_path, monkeypatch):
    """Runs the program in this process: `cli("audit", path)`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_GAME", raising=False)
    monkeypatch.delenv("REFEREE_DEBUG", raising=False)
    return lambda *words, stdin=b"": called(words, stdin)


@pytest.fixture
def script():
    """Runs one of the scripts in a process of its own. Fails with its output if it fails."""

    def call(name, *words):
        done = subprocess.run(
            [sys.executable, TESTS / "scripts" / name, *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    return call
