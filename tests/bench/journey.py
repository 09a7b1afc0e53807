"""How far one command travels through the house, counted in a process that runs it.

    python tests/bench/journey.py passages WORDS...       between files of ours
    python tests/bench/journey.py climbs WORDS...         from a floor of the house to a higher one
    python tests/bench/journey.py reads FILE WORDS...     of a file

Run it in a folder with `warm` and `watched`, two copies of the same game. The command first runs in `warm`, so that
everything is imported and cached. It is measured when it runs again, in `watched`.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

import referee
from referee.__main__ import main as say
from referee.engine import caching

OURS = str(Path(referee.__file__).parent) + os.sep


class Passages:
    """Counts the passages of execution between files of ours: the *journey*.

    A call from one file into another is two passages, there and back. Calls to a leaf are left out. A leaf runs in
    another file and comes back without calling our code in a third file. Code of other packages is skipped: a function
    that it calls counts as called by our file before it. Each step of a generator counts as a call.
    """

    def __init__(self) -> None:
        self.count = 0
        self._calls: list[tuple[str, bool]] = []
        """The files of the calls that are under way, and whether each has called another file."""

    def watch(self, frame: FrameType, event: str, _: Any) -> None:
        """Counts one event of the interpreter. `sys.setprofile` calls this."""
        file = frame.f_code.co_filename
        if file.startswith(OURS) and event == "call":
            self._calls.append((file, False))
        elif file.startswith(OURS) and event == "return" and self._calls:
            self._come_back()

    def _come_back(self) -> None:
        file, went_on = self._calls.pop()
        if not self._calls:
            return
        caller, caller_went_on = self._calls[-1]
        self.count += 2 * (went_on and caller != file)
        self._calls[-1] = caller, caller_went_on or went_on or caller != file


FLOORS = (
    ("engine",),
    ("record/log", "show"),
    ("record/table",),
    ("record/archive",),
    ("mail", "chances", "page", "web"),
    ("bots", "serve"),
    ("cli", "testing"),
)
"""The rooms of each floor, the lowest floor first."""
MEMORY = caching.__file__
"""Code that caches results. It calls functions on behalf of its own caller."""


def floor_of(file: str) -> int | None:
    """Returns the floor of a file of ours.

    None for files without a floor, such as the contract of games, which is called from everywhere.
    """
    room = Path(file.removeprefix(OURS)).parent.as_posix() + "/"
    return next((n for n, rooms in enumerate(FLOORS) if room.startswith(tuple(f"{name}/" for name in rooms))), None)


class Climbs:
    """Counts the calls from a floor of the house to a higher one.

    A function that was passed down and is called there counts, too.
    """

    def __init__(self) -> None:
        self.count = 0
        self._files: list[str] = []
        """The files of the calls that are under way."""

    def watch(self, frame: FrameType, event: str, _: Any) -> None:
        """Counts one event of the interpreter. `sys.setprofile` calls this."""
        file = frame.f_code.co_filename
        if not file.startswith(OURS) or file == MEMORY:
            return
        if event == "call":
            here, there = floor_of(self._files[-1]) if self._files else None, floor_of(file)
            self.count += here is not None and there is not None and here < there
            self._files.append(file)
        elif event == "return" and self._files:
            self._files.pop()


def passages(words: list[str]) -> int:
    """Returns the length of a command's journey."""
    return counted(Passages(), words)


def climbs(words: list[str]) -> int:
    """Returns how often a command calls a higher floor."""
    return counted(Climbs(), words)


def counted(counter: Passages | Climbs, words: list[str]) -> int:
    """Returns the count that a counter reaches while a command runs."""
    run("warm", words)
    sys.setprofile(counter.watch)
    run("watched", words)
    sys.setprofile(None)
    return counter.count


def reads(file: str, words: list[str]) -> int:
    """Returns how often a command opens a file to read it."""
    opened: list[str] = []

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
            opened.append(str(arguments[0]))

    sys.addaudithook(hear)
    run("watched", words)
    return sum(Path(name).name == file for name in opened)


def run(folder: str, words: list[str]) -> None:
    """Runs a command in a folder and drops its answer. Fails if the command fails."""
    here = Path.cwd()
    os.chdir(folder)
    sys.argv = ["referee", *words]
    try:
        with redirect_stdout(StringIO()):
            say()
    except SystemExit as done:
        if done.code:
            raise
    os.chdir(here)


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    counts = {"passages": passages, "climbs": climbs, "reads": lambda words: reads(words[0], words[1:])}
    print(counts[what](rest))
