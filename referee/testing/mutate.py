"""Finds the lines of a game that nothing notices: `python -m referee.testing.mutate GAME [--tests "PATHS..."]`.

One small thing in the code of the game is changed at a time, such as `<` to `<=`; then the laws are tried, and your own
tests where you name them. What nobody notices is printed, with its line. Exit code 1: there is something.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from random import Random
from time import monotonic
from types import ModuleType
from typing import Any, NamedTuple

from msgspec import Struct, json

from referee.engine.registry import find_game
from referee.testing import obey
from referee.testing.changes import Mutant, mutants_of
from referee.testing.cited import modules_of

MOST = 100
"""Mutants that are tried unless somebody says how many."""
LONGEST = 20_000
"""Actions in which a random game has to end."""
PATIENCE = 5
"""How many times as long as unchanged rules take a mutant may: one that goes on for ever is noticed."""
CHILD = "from referee.testing.mutate import try_one; import sys; sys.exit(try_one(sys.stdin.buffer.read()))"
SENTENCE = re.compile(r"""-> ['"].* .*x['"]( \([0-9]+\))?$""")
"""The end of the name of a mutant that only changes words for people."""


class Task(Struct, frozen=True):
    """What a process of its own is to try."""

    game: str
    tests: tuple[str, ...]
    """Arguments for pytest; none: the laws alone."""
    module: str = ""
    """The module that is changed; "": none is."""
    file: str = ""
    source: str = ""


class Change(NamedTuple):
    """A mutant of one module."""

    module: ModuleType
    mutant: Mutant

    def __str__(self) -> str:
        return f"{Path(str(self.module.__file__)).name}:{self.mutant.line}: {self.mutant.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries changes to a game, and prints those that nobody notices."""
    parser = argparse.ArgumentParser(
        prog="python -m referee.testing.mutate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--tests", default="", metavar="ARGUMENTS", help='for pytest, such as "tests -k rules"')
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help=f"changes at the most ({MOST})")
    parser.add_argument("--seed", default="0", metavar="WORD", help="which ones are drawn, if there are more")
    parser.add_argument("--only", default="", metavar="TEXT", help="those with this in their file, line or words")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="changes at the same time")
    said = parser.parse_args(arguments)
    task = Task(said.game, tuple(shlex.split(said.tests)))
    began = monotonic()
    amiss = _noticed(task, None)
    if amiss:
        print(f"{said.game} as it stands breaks a law or fails a test; mend that first: {amiss}")
        return 1
    changes = _drawn([one for one in changes_of(said.game) if said.only in str(one)], said.most, said.seed)
    patience = 10 + PATIENCE * (monotonic() - began)
    with ThreadPoolExecutor(said.jobs) as threads:
        return _told(changes, threads.map(partial(_of_change, task, patience), changes))


def changes_of(game: str) -> Iterator[Change]:
    """Every mutant of every module of a game, but those that only change a sentence."""
    for module in modules_of(type(find_game(game))):
        for mutant in mutants_of(Path(str(module.__file__)).read_text("utf-8")):
            if not SENTENCE.search(mutant.name):
                yield Change(module, mutant)


def _drawn(changes: list[Change], most: int, seed: str) -> list[Change]:
    """Some of these at random, in their order."""
    taken = sorted(Random(seed).sample(range(len(changes)), min(most, len(changes))))
    return [changes[at] for at in taken]


def _of_change(task: Task, patience: float, change: Change) -> str:
    module = change.module
    return _noticed(Task(task.game, task.tests, module.__name__, str(module.__file__), change.mutant.source), patience)


def _told(changes: Sequence[Change], noticed: Iterator[str]) -> int:
    """Prints the changes that were not noticed; the exit code."""
    left = 0
    for change, what in zip(changes, noticed, strict=True):
        if not what:
            left += 1
            print(change, flush=True)
    print(f"{len(changes) - left} of {len(changes)} changes were noticed.")
    return int(left > 0)


def _noticed(task: Task, patience: float | None) -> str:
    """What a process of its own notices, in a line; "": nothing."""
    command = [sys.executable, "-c", CHILD]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, input=json.encode(task), env=environment, capture_output=True, timeout=patience, check=False
        )
    except subprocess.TimeoutExpired:
        return "it goes on for ever"
    said = (done.stderr or done.stdout).decode(errors="replace").split("\n")
    return next(filter(None, reversed(said)), "it dies") if done.returncode else ""


def try_one(said: bytes) -> int:
    """Tries the laws and tests of a task in this process; 0: nothing was noticed."""
    task = json.decode(said, type=Task)
    if task.module:
        sys.meta_path.insert(0, _Changed(task))
    obey(find_game(task.game), longest=LONGEST)
    if not task.tests:
        return 0
    import pytest

    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *task.tests]))


class _Changed:
    """Finds the module that is changed, and loads it with its other source."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """How the changed module is loaded; None for all others."""
        if name != self._task.module:
            return None
        file = Path(self._task.file)
        return spec_from_loader(name, self, origin=self._task.file, is_package=file.stem == "__init__")  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """As modules are mostly made."""

    def exec_module(self, module: Any) -> None:
        """Runs the changed source."""
        module.__file__ = self._task.file
        if hasattr(module, "__path__"):
            module.__path__.append(str(Path(self._task.file).parent))
        exec(compile(self._task.source, self._task.file, "exec"), vars(module))


if __name__ == "__main__":
    sys.exit(main())
