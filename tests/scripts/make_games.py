"""Write the finished games in fixtures/<game>/games and logs/ anew, from their own options, dice and actions.

    python tests/scripts/make_games.py

Run this when the log format or the rules change; a test compares the files with what is made here. Games stay what
they are: the same actions with the same dice. With dice from a table they also do so when the rules ask for them in
other draws than before.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.record.table.deeds.reveal import reveal_secrets

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "bench"), str(Path(__file__).parent)]

from long_log import Writer, always_same
from mailed_games import played_by_mail

from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.registry import find_game
from referee.record.log.entry import NoteEntry
from referee.record.table.action_batch import ActionBatch
from referee.record.table.opening_logs import open_log, start

LOGS = sorted([*ROOT.glob("fixtures/*/games/*.jsonl"), *ROOT.glob("logs/sample-*.jsonl")])

Document = dict[str, Any]


class Replayer:
    """Plays a game once more."""

    def __init__(self, header: Document, path: Path) -> None:
        self.game = find_game(header["game"])
        dice = msgspec.convert(header["dice"], OpenDice | TableDice)
        options = {option.name: header["options"].get(option.name, option.default) for option in self.game.options}
        seats = {seated["seat"]: seated["name"] for seated in header["seats"]}
        session = start(self.game.name, path, options=options, dice=dice, seats=seats, position=header["position"])
        self.writer = Writer(session)
        self.writer.moment = replace(self.writer.moment, draws_lots=False)  # they have been drawn
        self.typed = isinstance(dice, TableDice)
        self.entries = {0: 0}
        """Where each entry of the old log ends in the new one."""
        self.moments = {0: self.writer.moment}
        self.answers: list[tuple[str, Any]] = []
        """Answers that were given without being asked for, and may stand in the old log too."""

    def add(self, entry: Document) -> None:
        """Add what an entry records."""
        match entry["type"]:
            case "play":
                self._play(entry)
            case "takeback":
                to = entry["to"]
                self.writer.take_back(self.entries[to], entry["by"], self.moments[to], tuple(entry["agreed"]))
            case "note":
                self.writer.add(partial(NoteEntry, by=entry["by"], text=entry["text"]))
        self.entries[entry["n"]] = self.writer.n - 1
        self.moments[entry["n"]] = self.writer.moment

    def _play(self, entry: Document) -> None:
        """An action with its dice. What the game asks for besides is thrown while dice are left."""
        action = msgspec.convert(entry["action"], self.game.action_types)
        if self.answers and self.answers.pop(0) == (entry["by"], action):
            return  # an answer that went without saying was given already
        faces = [face for roll in entry["rolls"] for face in roll["faces"]] if self.typed else []
        line = ActionBatch(self.writer.moment, [action], entry["by"], faces, use_spare_faces=True)
        assert not line.refused, (entry["n"], line.said[-1].refusals)
        assert not line.awaiting, (entry["n"], line.awaiting)
        self.writer.take(line.said)
        self.answers = [(said.seat, said.action) for said in line.said if said.forced]


def opened(entries: list[Document]) -> Iterator[Document]:
    """Entries with what was done in secret put in its place: it stands in the reveals."""
    reveals = {entry["of"]: entry["value"] for entry in entries if entry["type"] == "reveal"}
    for entry in entries:
        deed = reveals.get(entry["n"]) if entry["type"] == "play" else None
        if deed:
            yield entry | {"action": entry["action"] or deed["action"], "rolls": entry["rolls"] + deed["rolls"]}
        else:
            yield entry


def made_anew(name: str, old: bytes) -> bytes:
    """The log of the same game."""
    header, *entries = (json.loads(line)["entry"] for line in old.splitlines())
    if header["dice"]["mode"] == "pact":
        with TemporaryDirectory() as folder:
            return played_by_mail(Path(folder), name)
    with TemporaryDirectory() as folder, always_same(int.from_bytes(sha256(name.encode()).digest()[:4], "big")):
        path = Path(folder) / f"{name}.jsonl"
        replayer = Replayer(header, path)
        for entry in opened(entries):
            replayer.add(entry)
        replayer.writer.write()
        if replayer.writer.moment.keepers:
            reveal_secrets(open_log(path))
        return path.read_bytes()


def made() -> Iterator[tuple[Path, bytes]]:
    """Every file with the bytes that it should have."""
    for path in LOGS:
        yield path, made_anew(path.stem, path.read_bytes())


if __name__ == "__main__":
    for path, data in made():
        path.write_bytes(data)
