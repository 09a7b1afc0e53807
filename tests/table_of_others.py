"""A table at which people have games that somebody else has written, good ones and faulty ones."""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from calling import called
from third_party import EXAMPLES

FAULTY = {
    "broken": "import nothing_of_this_name\n",
    "misnamed": "from ambush import Ambush\n\nclass Other(Ambush):\n    name = 'other'\n\nGAME = Other()\n",
    "lawless": (
        "from ambush import Ambush\nfrom referee.engine import Refusal\n\n"
        "class Lawless(Ambush):\n    name = 'lawless'\n\n"
        "    def check(self, view, seat, action):\n"
        "        return (Refusal('7.7', found.because) for found in super().check(view, seat, action))\n\n"
        "GAME = Lawless()\n"
    ),
    "crashing": (
        "from ambush import Ambush\n\n"
        "class Crashing(Ambush):\n    name = 'crashing'\n\n"
        "    def tell(self, event):\n        return event.weather\n\n"
        "GAME = Crashing()\n"
    ),
    "nothing": "GAME = None\n",
    "leaving": "raise SystemExit(0)\n",
    "interrupting": "raise KeyboardInterrupt\n",
    "bare": "from referee.engine import Game\n\nclass Bare(Game):\n    name = 'bare'\n\nGAME = Bare()\n",
}


def install(folder: Path, *games: str) -> Path:
    """Makes a folder that declares games in the same way as pip does, and returns it."""
    about = folder / "others-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    points = "".join(f"{name} = {name}:GAME\n" for name in games)
    (about / "entry_points.txt").write_text(f"[referee.games]\n{points}")
    return folder


class Done(NamedTuple):
    """The output of a command and its exit code."""

    told: str
    code: int


class Table:
    """The command line in a folder, with games that others have installed."""

    def __init__(self, folder: Path, site: Path) -> None:
        self.folder = folder
        self.site = site
        self.path = [*map(str, EXAMPLES.values()), str(site)]
        self.environment = os.environ | {"PYTHONPATH": os.pathsep.join(self.path), "NO_COLOR": "1"}

    def run(self, *arguments: str, code: int = 0) -> str:
        """Runs a command in this process and returns its output. Fails if its exit code is not `code`."""
        done = self.tried(*arguments)
        assert done.code == code, (arguments, done)
        return done.told

    def tried(self, *arguments: str) -> Done:
        with self._installed():
            done = called(arguments)
        return Done(" ".join((done.out + b" " + done.err).decode().split()), done.code)

    @contextmanager
    def _installed(self) -> Iterator[None]:
        """Makes the games known for the block, then forgets their modules.

        So the next command reads their code again, as a new process would.
        """
        importlib.invalidate_caches()
        with (
            contextlib.chdir(self.folder),
            patch.object(sys, "path", [*self.path, *sys.path]),
            patch.dict(os.environ, self.environment),
        ):
            try:
                yield
            finally:
                for name in [*FAULTY, "wrong", "mine"]:
                    sys.modules.pop(name, None)

    def run_apart(self, *arguments: str, code: int = 0) -> str:
        """Runs a command in a process of its own and returns its output. Fails if its exit code is not `code`."""
        command = [sys.executable, "-B", "-m", "referee", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, (arguments, done)
        return " ".join(f"{done.stdout} {done.stderr}".split())


def table_in(folder: Path) -> Table:
    """Returns a table in a folder, with the examples and the faulty games installed."""
    site = install(folder / "site", *EXAMPLES, *FAULTY, "wrong")
    for name, code in FAULTY.items():
        (site / f"{name}.py").write_text(code)
    return Table(folder, site)
