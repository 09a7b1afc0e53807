"""Finds lines of a game that no test notices: `python -m referee.testing.mutate GAME [--tests "PATHS..."]`.

It changes one small thing in the game's code at a time, such as `<` to `<=`. Then it tries the laws, and your own tests
if you name them. It prints changes that nothing noticed, with their lines. Exit code 1 means that there are some.
"""

from __future__ import annotations

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
from referee.gate import read_json
from referee.testing import obey
from referee.testing.citations import list_game_modules
from referee.testing.game_parser import make_game_parser
from referee.testing.source_mutants import Mutant, make_mutants

DEFAULT_CHANGES = 100
"""The default number of changes."""
MAX_ACTIONS = 20_000
"""The number of actions within which a random game has to end."""
PATIENCE_FACTOR = 5
"""The most time for a mutant: ten seconds, and this many times the time for the unchanged rules.

A mutant that takes longer counts as noticed.
"""
CHILD_PROGRAM = (
    "from referee.testing.mutate import try_mutant; import sys; sys.exit(try_mutant(sys.stdin.buffer.read()))"
)
TEXT_CHANGE = re.compile(r"""-> ([a-z]+=)?['"].* .*x['"]( \([0-9]+\))?$""")
"""The end of the name of a mutant that only changes words for people."""
TAG_CHANGE = re.compile(r": tag='[^']*' -> tag=")
"""The name of a mutant that renames an action or event in records.

Laws write and read records with the same code, so they cannot notice such a change. A schema or an old log can.
"""

EQUIVALENT_CHANGE = re.compile(r"strict=True -> strict=False|: return False -> return None|\.__repr__: ")
"""The name of a mutant that plays the same game.

`strict` only stops a programmer who pairs lists of unequal length. The answer None means no, as False does. No rule
reads a `__repr__`.
"""


class ProcessTask(Struct, frozen=True):
    """The work of one process."""

    game: str
    tests: tuple[str, ...]
    """The arguments for pytest; empty for the laws alone."""
    module: str = ""
    """The changed module; "" for none."""
    file: str = ""
    source: str = ""


class ModuleMutant(NamedTuple):
    """A mutant of one module."""

    module: ModuleType
    mutant: Mutant

    def __str__(self) -> str:
        return f"{Path(str(self.module.__file__)).name}:{self.mutant.line}: {self.mutant.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Changes a game, and prints the changes that nothing noticed.

    Returns the exit code: 1 if there is such a change, or if the unchanged game breaks a law or fails a test; otherwise
    0.
    """
    parser = make_game_parser("mutate", __doc__)
    parser.add_argument("--tests", default="", metavar="ARGUMENTS", help='for pytest, such as "tests -k rules"')
    parser.add_argument(
        "--most", type=int, default=DEFAULT_CHANGES, metavar="N", help=f"the most changes to try ({DEFAULT_CHANGES})"
    )
    parser.add_argument(
        "--seed", default="0", metavar="WORD", help="the seed for the choice of changes, if there are more"
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="try only changes with this text in their file, line or description"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="changes at the same time")
    said = parser.parse_args(arguments)
    task = ProcessTask(said.game, tuple(shlex.split(said.tests)))
    began = monotonic()
    amiss = _try_in_process(task, None)
    if amiss:
        print(f"{said.game} breaks a law or fails a test without any change; mend that first: {amiss}")
        return 1
    changes = _sample_changes(
        [one for one in make_game_mutants(said.game) if said.only in str(one)], said.most, said.seed
    )
    patience = 10 + PATIENCE_FACTOR * (monotonic() - began)
    with ThreadPoolExecutor(said.jobs) as threads:
        return _print_unnoticed(changes, threads.map(partial(_try_change, task, patience), changes))


def make_game_mutants(game: str) -> Iterator[ModuleMutant]:
    """Yields every mutant of every module of a game. Leaves out changes whose names match `TEXT_CHANGE`, `TAG_CHANGE`
    or `EQUIVALENT_CHANGE`.
    """
    for module in list_game_modules(type(find_game(game))):
        for mutant in make_mutants(Path(str(module.__file__)).read_text("utf-8")):
            if not any(pattern.search(mutant.name) for pattern in (TEXT_CHANGE, TAG_CHANGE, EQUIVALENT_CHANGE)):
                yield ModuleMutant(module, mutant)


def _sample_changes(changes: list[ModuleMutant], most: int, seed: str) -> list[ModuleMutant]:
    """Returns at most `most` of the changes at random, in their order."""
    taken = sorted(Random(seed).sample(range(len(changes)), min(most, len(changes))))
    return [changes[at] for at in taken]


def _try_change(task: ProcessTask, patience: float, change: ModuleMutant) -> str:
    """Tries a change in a separate process for at most `patience` seconds. Returns one line about the law or test that
    noticed it; "" if none did.
    """
    module = change.module
    return _try_in_process(
        ProcessTask(task.game, task.tests, module.__name__, str(module.__file__), change.mutant.source), patience
    )


def _print_unnoticed(changes: Sequence[ModuleMutant], noticed: Iterator[str]) -> int:
    """Prints the unnoticed changes and returns the exit code."""
    left = 0
    for change, what in zip(changes, noticed, strict=True):
        if not what:
            left += 1
            print(change, flush=True)
    print(f"{len(changes) - left} of {len(changes)} changes were noticed.")
    return int(left > 0)


def _try_in_process(task: ProcessTask, patience: float | None) -> str:
    """Tries a task in a separate process for at most `patience` seconds.

    Returns one line about the law or test that fails; "" if none does.
    """
    command = [sys.executable, "-c", CHILD_PROGRAM]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, input=json.encode(task), env=environment, capture_output=True, timeout=patience, check=False
        )
    except subprocess.TimeoutExpired:
        return "it does not end in time"
    said = (done.stderr or done.stdout).decode(errors="replace").split("\n")
    return next(filter(None, reversed(said)), "it dies") if done.returncode else ""


def try_mutant(message: bytes) -> int:
    """Tries the laws and tests of a task, given as JSON, in this process.

    Returns 0 if nothing was noticed, and the exit code of the tests if one fails. Raises AssertionError if a law is
    broken.
    """
    task = read_json(message, ProcessTask)
    if task.module:
        sys.meta_path.insert(0, _Changed(task))
    obey(find_game(task.game), longest=MAX_ACTIONS)
    if not task.tests:
        return 0
    import pytest

    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *task.tests]))


class _Changed:
    """A finder that loads one module with its changed source."""

    def __init__(self, task: ProcessTask) -> None:
        self._task = task

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Returns the spec of the changed module; None for all others."""
        if name != self._task.module:
            return None
        file = Path(self._task.file)
        return spec_from_loader(name, self, origin=self._task.file, is_package=file.stem == "__init__")  # type: ignore[arg-type]

    def get_source(self, _name: str) -> str:
        """Returns the changed source, for laws that read it."""
        return self._task.source

    def create_module(self, spec: ModuleSpec) -> None:
        """Leaves the making of the module to Python."""

    def exec_module(self, module: Any) -> None:
        """Runs the changed source."""
        module.__file__ = self._task.file
        if hasattr(module, "__path__"):
            module.__path__.append(str(Path(self._task.file).parent))
        exec(compile(self._task.source, self._task.file, "exec"), vars(module))


if __name__ == "__main__":
    sys.exit(main())
