"""Make the finished games in fixtures/<game>/games and logs/, the same bytes every time.

    python tests/scripts/make_games.py

Each game has its options, a seed for its dice and one for the players' choices. They choose the action after which
their own lead in captured robots is greatest, at random among equals: not well, but as people do, towards the goals.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "bench"))

from long_log import AT, Writer

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import OpenDice, OpenSource
from referee.engine.game import Game, Seat
from referee.record import session as sessions
from referee.record.entry import NoteEntry, PlayEntry, TakebackEntry

GAMES: dict[str, dict[str, str]] = {
    "01-base": {},
    "02-base-red-first": {"first": "red"},
    "03-third-goals": {"goal-cells": "third"},
    "04-kadon": {"edition": "kadon"},
    "05-survivor-ties": {"ties": "survivor"},
    "06-right-to-left": {"numbering": "right-to-left"},
    "07-all-dice-spent": {"decline-die": "forbidden"},
    "08-true-turns": {"null-rotation": "refused"},
    "09-alternate": {"order": "alternate"},
    "10-crash": {"edition": "crash"},
    "11-plus": {"form": "plus"},
    "12-plus-alternate": {"form": "plus", "order": "alternate"},
    "13-three": {"form": "three"},
    "14-three-void": {"form": "three", "eliminated-goal": "void", "three-result": "match-points"},
}
SAMPLES: dict[str, dict[str, str]] = {"sample-robot-attack": {}, "sample-crash": {"edition": "crash"}}


class Player:
    """Plays a game to its end."""

    def __init__(self, name: str, path: Path, options: dict[str, str]) -> None:
        self.seed = sha256(f"referee sample {name}".encode()).hexdigest()
        sessions.now = lambda: AT  # type: ignore[assignment]
        session = sessions.start("manoover", path, options=options, dice=OpenDice(self.seed), seats=_names(options))
        self.game, self.state = session.game, session.state
        self.writer = Writer(session)
        self.rng = random.Random(self.seed)
        self.draws = 0

    def play(self) -> bytes:
        """The whole log."""
        while seat := self.game.to_act(self.state):
            self._act(seat)
        return b"".join(self.writer.lines)

    def _act(self, seat: Seat) -> None:
        before, n = self.state, self.writer.n - 1
        action, played = max(self._weighed(seat), key=lambda item: item[0])[1:]
        self.writer.add(PlayEntry, by=seat, action=action, rolls=played.rolls, events=played.events)
        self.state = played.state
        self.draws += len(played.rolls)
        if not played.rolls and played.state.phase == "control" and self.rng.random() < 0.04:
            self.writer.add(TakebackEntry, by=seat, to=n, agreed=())
            self.writer.add(NoteEntry, by=seat, text="Touched the wrong robot.")
            self.state = before

    def _weighed(self, seat: Seat) -> Iterator[tuple[tuple[int, float], Any, Played]]:
        for action in self.game.legal(self.state, seat):
            played = adjudicate(self.game, self.state, seat, action, OpenSource(self.seed, self.draws))
            assert isinstance(played, Played)
            yield (_lead(self.game, played.state, seat), self.rng.random()), action, played


def _lead(game: Game, state: Any, seat: Seat) -> int:
    """Captured robots of a seat beyond those of the others, after the automatic phase if it comes next."""
    if state.phase == "auto" and game.to_act(state) == seat:
        verdict = adjudicate(game, state, seat, next(iter(game.legal(state, seat))), OpenSource("00" * 32, 0))
        assert isinstance(verdict, Played)
        state = verdict.state
    points = {name: len(robots) for name, robots in state.captured.items()}
    return 2 * points[seat] - sum(points.values())


def _names(options: dict[str, str]) -> dict[Seat, str]:
    names = {"red": "Anna", "blue": "Bo", "green": "Cem"}
    return names if options.get("form") == "three" else {seat: names[seat] for seat in ("red", "blue")}


def make(name: str, options: dict[str, str]) -> bytes:
    """The bytes of one game's log."""
    with TemporaryDirectory() as folder:
        return Player(name, Path(folder) / f"{name}.jsonl", options).play()


def made() -> Iterator[tuple[Path, bytes]]:
    """Every file with its bytes."""
    for name, options in GAMES.items():
        yield ROOT / "fixtures" / "manoover" / "games" / f"{name}.jsonl", make(name, options)
    for name, options in SAMPLES.items():
        yield ROOT / "logs" / f"{name}.jsonl", make(name, options)


if __name__ == "__main__":
    for path, data in made():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
