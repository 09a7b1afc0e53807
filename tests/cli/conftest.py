"""The program as its users have it: words in, two streams and an exit code out, nothing from outside."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from calling import called
from forging import rewrite
from penfriends import Person

import referee.cli.arguments
import referee.cli.mail.pace
import referee.record.archive.match
import referee.record.table.entry_encoder
import referee.record.table.opening_logs

CLOCK = "2026-01-02T03:04:05Z"
SEED = "0" * 64
MAIN = "from referee.cli.main import run; run()"
OURS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "REFEREE_GAME", "REFEREE_DEBUG")
LOG = Path("logs/friday.jsonl")


@dataclass(frozen=True)
class Answer:
    """The output and the exit code of a command."""

    words: tuple[str, ...]
    out: str
    err: str
    code: int

    @property
    def facts(self):
        """The facts of the answer; a list if it has several lines."""
        values = [json.loads(line) for line in self.out.splitlines()]
        return values[0] if len(values) == 1 else values

    @property
    def shown(self):
        """The exchange for a snapshot, without hashes and folders."""
        parts = [f"$ referee {shlex.join(self.words)}", self.out]
        parts += [f"[stderr]\n{self.err}"] if self.err else []
        text = "\n".join([*parts, f"[exit {self.code}]"])
        text = re.sub(r"\b[0-9a-f]{32}\b", "<nonce>", text)
        return re.sub(r"\b[0-9a-f]{64}\b", "<hash>", text).replace(str(Path.cwd()), "<here>")


class Day(date):
    """A calendar that stands still."""

    @classmethod
    def today(cls):
        return cls(2026, 1, 2)


def settle(here, patch):
    """Sets up a folder, an environment and a clock for the tests."""
    patch.chdir(here)
    for name in OURS:
        patch.delenv(name, raising=False)
    patch.setenv("TERM", "xterm")
    for module in (
        referee.record.table.entry_encoder,
        referee.record.table.opening_logs,
        referee.record.archive.match,
        referee.cli.mail.pace,
    ):
        patch.setattr(module, "get_current_time", lambda: CLOCK)
    patch.setattr(referee.cli.arguments, "date", Day)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Returns the folder in which a test plays."""
    here = tmp_path / "table" / "game"
    here.mkdir(parents=True)
    settle(here, monkeypatch)
    return here


def split(words):
    """Returns the words of a line, split as a shell does, if a single string was given."""
    return tuple(shlex.split(words[0])) if len(words) == 1 else words


def caller(monkeypatch):
    """Returns a function that runs the program in this process."""

    def call(*words, stdin=b"", width=80, env=None):
        words = split(words)
        with monkeypatch.context() as patch:
            patch.setenv("COLUMNS", str(width))
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            done = called(words, stdin)
        return Answer(words, done.out.decode(), done.err.decode(), done.code)

    return call


@pytest.fixture
def later(monkeypatch):
    """A function that lets days pass; entries keep the time of the start."""

    def pass_days(days):
        now = (datetime.fromisoformat(CLOCK) + timedelta(days=days)).isoformat().replace("+00:00", "Z")
        monkeypatch.setattr(referee.cli.mail.pace, "get_current_time", lambda: now)

    return pass_days


@pytest.fixture
def cli(place, monkeypatch):
    """Runs the program in this process: `cli("show --as words")`, or word by word."""
    return caller(monkeypatch)


@pytest.fixture
def process(place):
    """Runs the program in a process of its own, with real pipes and modules."""

    def call(*words, stdin=b"", env=None, code=MAIN):
        words = split(words)
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            input=stdin,
            capture_output=True,
            env={**os.environ, "COLUMNS": "80", **(env or {})},
            check=False,
        )
        return Answer(words, done.stdout.decode(), done.stderr.decode(), done.returncode)

    return call


@pytest.fixture
def evening(cli):
    """A game of Anna and Bo at a table, in which nobody has rolled yet."""
    cli(f"new manoover --dice table --seats Anna,Bo -o {LOG}")
    return LOG


@pytest.fixture
def control(cli, evening):
    """The same game in Anna's control phase with the dice 2 2 6."""
    cli("roll 5 2")
    cli("roll 2 2 6")
    return evening


@pytest.fixture
def solo(cli):
    """A game with open dice, in Bo's control phase with 5 6 6."""
    cli(f"new manoover --seed {SEED} --seats Anna,Bo -o logs/solo.jsonl")
    cli("roll")
    cli("roll")
    return Path("logs/solo.jsonl")


@pytest.fixture
def forge():
    """Changes an entry of a log and makes all hashes after it fit, as anybody could who knows the format."""
    return rewrite


@pytest.fixture(scope="module")
def cli_anywhere(tmp_path_factory):
    """Runs the program in one folder, for a test that runs it many times."""
    with pytest.MonkeyPatch.context() as patch:
        here = tmp_path_factory.mktemp("anything")
        settle(here, patch)
        yield caller(patch)


@pytest.fixture(scope="module")
def cli_in(tmp_path_factory):
    """Runs the program in folders of their own: `cli_in("one", "show")`. Random bytes are the same in each."""
    with pytest.MonkeyPatch.context() as patch:
        root = tmp_path_factory.mktemp("folders")
        settle(root, patch)
        call = caller(patch)

        def run_in(name, *words, **more):
            here = root / name
            if not here.exists():
                here.mkdir()
                numbers = itertools.count(1)
                patch.setattr(os, "urandom", lambda count: bytes([next(numbers)]) * count)
            patch.chdir(here)
            return call(*words, **more)

        yield run_in


@pytest.fixture
def told():
    """Everything that people who play by mail have typed, with the answers, in order, for a snapshot."""
    return []


@pytest.fixture
def luck():
    """The seed of all random bytes of people who play by mail. With it red goes first in Manoover, and rolls 1 5 6."""
    return "luck 145"


@pytest.fixture
def people(cli, tmp_path, monkeypatch, told, luck):
    """Returns a function that makes a person with a home and a folder of their own."""
    return lambda name: Person(name, tmp_path, cli, monkeypatch, told, luck)


@pytest.fixture
def pair(people):
    """Anna and Bo, who have not begun yet."""
    return [people("anna"), people("bo")]


@pytest.fixture
def dee(people):
    """The director, who has a key."""
    dee = people("dee")
    dee.does("key --make")
    return dee
