"""The README is executed: every `$` line of its console blocks is run and its output compared, its Python is run."""

from __future__ import annotations

import io
import re
import shlex
import sys
from contextlib import redirect_stdout

import pytest
from support import ROOT

from referee.cli.main import run

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
SEED = "5265616464652e6d64" + "00" * 23
"""Dice of every game that the README starts without saying which."""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("REFEREE_GAME", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def answer(command: str) -> str:
    """What a command prints; its exit code follows after `[exit N]` unless it is 0."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(out), pytest.raises(SystemExit) as left:
        run(shlex.split(command)[1:])
    text = out.buffer.getvalue().decode()
    return text if not left.value.code else f"{text}[exit {left.value.code}]\n"


def steps_of(block: str) -> list[tuple[str, str]]:
    """Commands of a console block, each with the output that it is said to have."""
    steps = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(step.partition("\n")[0], step.partition("\n")[2]) for step in steps]


def test_console_blocks(here):
    for kind, block in BLOCKS:
        if kind == "console":
            for command, said in steps_of(block):
                assert answer(command) == said.rstrip("\n") + "\n" * bool(said.strip()), command


def test_python_blocks(here):
    names, out = {}, io.StringIO()
    for code in (block for kind, block in BLOCKS if kind == "python"):
        assert len(code.strip().splitlines()) <= 10
        with redirect_stdout(out):
            exec(compile(code, "README.md", "exec"), names)
    assert "game.jsonl True None" in out.getvalue()
    assert "None\n" in out.getvalue()


def test_the_two_commands_are_the_ones_that_the_checks_run():
    commands = [block.strip() for kind, block in BLOCKS if kind == "sh"][:2]
    assert commands == [
        'python3 -m venv .venv && . .venv/bin/activate && pip install -q -e ".[test]" && referee demo',
        ".venv/bin/pytest",
    ]
    assert sys.version_info >= (3, 11)


def test_every_script_is_told_of():
    folder = ROOT / "tests" / "scripts"
    told = (folder / "README.md").read_text("utf-8")
    assert [path.name for path in sorted(folder.glob("*.py")) if f"`{path.name}`" not in told] == []
