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
from datetime import date
from pathlib import Path

import pytest
from calling import called
from penfriends import Person

import referee.cli.arguments
import referee.cli.mail.pace
import referee.record.archive.match
import referee.record.table.entry_encoder
import referee.record.table.opening_logs
from referee.record.log.entry import encode
from referee.record.log.line_format import BODY_AT, NO_PARENT, frame_entry, hash_entry

CLOCK = "2026-01-02T03:04:05Z"
SEED = "0" * 64
MAIN = "from referee.cli.main import run; run()"
OURS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "REFEREE_GAME", "REFEREE_DEBUG")
LOG = Path("logs/friday.jsonl")


@dataclass(frozen=True)
class Answer:
    """What came back."""

    words: tuple[str, ...]
    out: str
    err: str
    code: int

    @property
    def facts(self):
        """The answer as data, one value a line."""
        values = [json.loads(line) for line in self.out.splitlines()]
        return values[0] if len(values) == 1 else values

    @property
    def shown(self):
        """The exchange as a reader of a snapshot wants it: no hashes, no folders."""
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
    """A folder, an environment and a clock of our own."""
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
        patch.setattr(module, "current_time", lambda: CLOCK)
    patch.setattr(referee.cli.arguments, "date", Day)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder in which somebody plays."""
    here = tmp_path / "table" / "game"
    here.mkdir(parents=True)
    settle(here, monkeypatch)
    return here


def split(words):
    """Words as a shell would part them, where one string was given."""
    return tuple(shlex.split(words[0])) if len(words) == 1 else words


def caller(monkeypatch):
    """A function that runs the program here and now."""

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
def cli(place, monkeypatch):
    """Run the program: `cli("show --as words")`, or word by word."""
    return caller(monkeypatch)


@pytest.fixture
def process(place):
    """The same in a process of its own, where pipes and modules are real."""

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
    """Anna and Bo at a table, nobody has thrown yet."""
    cli(f"new manoover --dice table --seats Anna,Bo -o {LOG}")
    return LOG


@pytest.fixture
def control(cli, evening):
    """Anna's control phase with the dice 2 2 6."""
    cli("roll 5 2")
    cli("roll 2 2 6")
    return evening


@pytest.fixture
def solo(cli):
    """A game with dice from a seed, in Bo's control phase with 5 6 6."""
    cli(f"new manoover --seed {SEED} --seats Anna,Bo -o logs/solo.jsonl")
    cli("roll")
    cli("roll")
    return Path("logs/solo.jsonl")


@pytest.fixture
def forge():
    """Rewrite an entry of a log and all hashes after it, as somebody would who knows the format."""

    def rewrite(source, target, n, change):
        entries = [json.loads(line[BODY_AT:-2]) for line in source.read_bytes().splitlines(keepends=True)]
        change(entries[n])
        lines, prev = [], NO_PARENT
        for entry in entries:
            body = encode({**entry, "prev": prev})
            prev = hash_entry(body)
            lines.append(frame_entry(body))
        target.write_bytes(b"".join(lines))
        return target

    return rewrite


@pytest.fixture(scope="module")
def cli_anywhere(tmp_path_factory):
    """The program for a test that runs it many times, in one folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        here = tmp_path_factory.mktemp("anything")
        settle(here, patch)
        yield caller(patch)


@pytest.fixture(scope="module")
def cli_in(tmp_path_factory):
    """The program in folders of their own: `cli_in("one", "show")`. In each the same bytes are drawn at random."""
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
    """All that people who play by mail have typed and were answered, in order: what a snapshot shows."""
    return []


@pytest.fixture
def luck():
    """What all chance of people who play by mail is made of: with this red goes first in Manoover, and throws 1 5 6."""
    return "luck 26"


@pytest.fixture
def people(cli, tmp_path, monkeypatch, told, luck):
    """Makes somebody with a home and a folder of their own."""
    return lambda name: Person(name, tmp_path, cli, monkeypatch, told, luck)


@pytest.fixture
def pair(people):
    """Anna and Bo, who have nothing yet."""
    return [people("anna"), people("bo")]
