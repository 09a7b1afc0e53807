"""Two homes with different versions of the program play whole games of Manoover by mail; either of them begins.

    python tests/scripts/two_versions.py

The newer program has an option more, a field more in an event, or a comment more in a board. The game is played under
the rules that both know; at its end both have one log, and both programs find it clean. Where a rule has changed, the
newer program says so and records nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from outlive import CHANGES, changed

import referee

TODAY = Path(referee.__file__).parents[1]
SEATS = ("red", "blue")
TURNS = 6
"""After these somebody resigns."""


class Home:
    """Somebody with a folder, a key and a version of the program."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.folder, self.program = folder, program
        folder.mkdir(parents=True)

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Type a command."""
        env = {**os.environ, "PYTHONPATH": str(self.program), "XDG_CONFIG_HOME": str(self.folder / "home")}
        typed = [sys.executable, "-P", "-m", "referee", *words]
        return subprocess.run(typed, check=False, cwd=self.folder, env=env, capture_output=True, text=True)

    def does(self, *words: str) -> str:
        """Type a command that has to be done."""
        done = self(*words)
        if done.returncode:
            raise SystemExit(f"{self.folder.name}$ referee {' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def mails(self, other: Home) -> None:
        """Send what is new."""
        (other.folder / "mail.txt").write_text(self.does("pack"), "utf-8")
        other.does("open", "mail.txt")

    @property
    def facts(self) -> dict[str, object]:
        """Where the game stands."""
        told: dict[str, object] = json.loads(self.does("--json"))
        return told

    @property
    def log(self) -> Path:
        """The game."""
        (path,) = (path for path in self.folder.glob("logs/*.jsonl"))
        return path


def whole_game(begins: Home, joins: Home, *options: str) -> int:
    """Play a game to its end, and return how many mails it took."""
    begins.does("new", "manoover", "--mail", "red", "--seats", "Anna,Bo", "-o", "logs/game.jsonl", *options)
    (begins.folder / "logs").mkdir(exist_ok=True)
    begins.mails(joins)
    joins.does("join", "blue")
    joins.mails(begins)
    homes, mails = dict(zip(SEATS, (begins, joins), strict=True)), 2
    while not (facts := begins.facts)["outcome"] and not joins.facts["outcome"]:
        mover = str(facts["to_act"])
        home, other = homes[mover], homes[SEATS[mover == "red"]]
        if json.loads(home("--json", "mail").stdout)["pen"] != mover:
            other.mails(home)
            mails += 1
        is_long = int(str(facts["turn"])) > TURNS
        for words in ("resign --yes",) if is_long else ("turn", "done!", "auto"):
            _does_one(home, words)
        if home("pack").returncode == 0:
            home.mails(other)
            mails += 1
    return mails


def _does_one(home: Home, words: str) -> None:
    """Do it, if it can be done: a turn is the first that is legal."""
    if words == "turn":
        legal = json.loads(home("--json", "legal", "turn").stdout or "{}")
        words = next(iter(legal.get("actions", ())), "") if isinstance(legal, dict) else ""
    if words.startswith("resign"):
        home.does(*words.split())
    elif words:
        home("do", *words.split())


def main() -> None:
    """Try each change in both directions."""
    for change, replaced in CHANGES.items():
        with TemporaryDirectory() as folder:
            newer = changed(Path(folder) / "newer", replaced)
            for name, (first, second) in {"today's begins": (TODAY, newer), "the newer begins": (newer, TODAY)}.items():
                begins, joins = Home(Path(folder) / name / "anna", first), Home(Path(folder) / name / "bo", second)
                print(f"{change}, {name}: {told(change, begins, joins)}", flush=True)


def told(change: str, begins: Home, joins: Home) -> str:
    """What came of a game."""
    older = ("--rules", "1") if begins.program != TODAY and change != "a comment in a board" else ()
    if change == "another rule":
        return refused(begins, joins, older)
    mails = whole_game(begins, joins, *older)
    if mails and begins.log.read_bytes() != joins.log.read_bytes():
        raise SystemExit("the two have different logs")
    for home in (begins, joins):
        home.does("audit")
    return f"a whole game in {mails} mails, one log, clean for both"


def refused(begins: Home, joins: Home, older: tuple[str, ...]) -> str:
    """What the newer program says to rules that it does not keep."""
    if older:
        done = begins("new", "manoover", "--mail", "red", "--seats", "Anna,Bo", *older)
        if done.returncode != 1:
            raise SystemExit(done.stdout + done.stderr)
        return " ".join((done.stdout or done.stderr).split())
    begins.does("new", "manoover", "--mail", "red", "--seats", "Anna,Bo", "-o", "logs/game.jsonl")
    begins.mails(joins)
    joins.does("join", "blue")
    joins.mails(begins)
    begins("do", "done!")
    begins("do", "auto")
    begins.mails(joins)
    done = joins("do", "done!")
    if done.returncode != 1 or "upgrade" not in done.stdout + done.stderr:
        raise SystemExit(done.stdout + done.stderr)
    return " ".join((done.stdout or done.stderr).split())


if __name__ == "__main__":
    main()
