"""The blocks of the README and the manual, and the commands in them."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import pytest
from support import PACKAGE, ROOT

from referee.cli.main import run

MANUAL = PACKAGE / "manual"


CHAPTERS = ("table", "mistakes", "record", "archive", "secrets", "mail", "dice", "chances", "python", "more")
"""The chapters with blocks to run, in reading order. Each goes on where the one before has ended."""


GAMES = ("manoover", "mutants", "sheboygan", "zombies")
"""The games that have a chapter."""


README = ROOT / "README.md"


@contextmanager
def settled(folder: str | Path) -> Iterator[None]:
    """Runs the block in this folder, on a terminal of 100 columns, without variables that change answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", "100")
        for name in ("REFEREE_GAME", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM"):
            patch.delenv(name, raising=False)
        yield


def answer(command: str) -> str:
    """Returns the output of a command. Its exit code follows as `[exit N]` unless it is 0."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(out), pytest.raises(SystemExit) as left:
        run(shlex.split(command)[1:])
    text = out.buffer.getvalue().decode()
    return text if not left.value.code else f"{text}[exit {left.value.code}]\n"


def steps_of(block: str) -> list[tuple[str, str]]:
    """Returns the commands of a console block, each with the output that the block shows."""
    steps = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(step.partition("\n")[0], step.partition("\n")[2]) for step in steps]


def shown(text: str, said: str) -> str:
    """Returns as much of an answer as a block shows. A block may leave out the end with `…`."""
    kept = said.strip("\n").splitlines()
    if kept[-1:] != ["…"]:
        return text
    return "\n".join([*text.splitlines()[: len(kept) - 1], "…"]) + "\n"
