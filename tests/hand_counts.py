"""Counts of a game made by hand from the lines of its log, to be compared with those of `stats`.

Only the places of pieces come from the program, where players change their seats.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from referee.chances.stats import list_roll_rows, list_typed_faces, make_stats_row, map_logs
from referee.record.table.opening_logs import open_log


class HandCount:
    """The counts of one log."""

    def __init__(self, log: Path) -> None:
        self._session = open_log(log)
        self.entries = [json.loads(line)["entry"] for line in log.read_text().splitlines()]
        self.seats: list[str] = [one["seat"] for one in self.entries[0]["seats"]]

    @cached_property
    def line(self) -> list[int]:
        """The entries that count: from the last one back, and from a takeback to the entry that it names."""
        found, n = [], len(self.entries) - 1
        while n >= 0:
            found.append(n)
            n = self.entries[n]["to"] if self.entries[n]["type"] == "takeback" else n - 1
        return found[::-1]

    @cached_property
    def names(self) -> list[dict[str, str]]:
        """The name at each seat before each entry and after the last one; the seat for a player without one."""
        at_start = {one["seat"]: one["name"] for one in self.entries[0]["seats"]}
        found = [self._seated(0, at_start)]
        for n, entry in enumerate(self.entries):
            seat, name = self._newcomer(entry)
            if seat:
                there = self._seated(n, {one: one for one in self.seats})[seat]
                at_start = {**at_start, there: name}
            found.append(self._seated(n, at_start))
        return found

    def _seated(self, n: int, at_start: dict[str, str]) -> dict[str, str]:
        """Returns each seat's player after an entry. In some games players change their seats."""
        return dict(self._session.game.find_current_names(self._session.moment(n).state, at_start))

    @staticmethod
    def _newcomer(entry: dict[str, Any]) -> tuple[str, str]:
        """Returns the seat that has another player after an entry, and the name; two empty words for none."""
        match entry["type"]:
            case "sits":
                return entry["seat"], entry["name"]
            case "leaves":
                return entry["by"], entry.get("bot") or ""
            case "join" if entry.get("name"):
                return entry["by"], entry["name"]
        return "", ""

    @property
    def has_secrets(self) -> bool:
        """True if a play is secret, at least in part. Only those who have its vault can judge it."""
        return any(entry.get("secret") for entry in self.entries)

    @property
    def rolls(self) -> Counter[tuple[str, str, int, tuple[str, ...]]]:
        """The rolls that count and that everybody sees: player, purpose, sides and faces."""
        return Counter(
            (player, roll["purpose"], roll["sides"], tuple(map(str, roll["names"] or roll["faces"])))
            for player, roll in self._rolls()
        )

    @property
    def typed_faces(self) -> Counter[tuple[int, str, int]]:
        """The faces of dice that players rolled on the table: sides, player and face."""
        return Counter(
            (roll["sides"], player, face)
            for player, roll in self._rolls()
            for face in roll["faces"]
            if roll["origin"] == "table" and not roll["names"]
        )

    def _rolls(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for n in self.line:
            entry = self.entries[n]
            for roll in entry["rolls"] if entry["type"] == "play" else ():
                if roll["to"] is None:
                    yield self.names[n][entry["by"]] or entry["by"], roll

    @property
    def players(self) -> dict[str, str]:
        """Everybody who has sat at each seat, in the words of `stats`."""
        found: dict[str, list[str]] = {seat: [] for seat in self.seats}
        came = {n for n, entry in enumerate(self.entries) if self._newcomer(entry)[0]}
        for n in sorted(came.union(self.line)):
            for seat, name in self.names[n + 1].items():
                if name and name not in found[seat][-1:]:
                    found[seat].append(name)
        return {seat: ", then ".join(names) for seat, names in found.items()}

    def count_entries(self, kind: str) -> int:
        """Returns the number of entries of one kind, those that were taken back among them."""
        return sum(entry["type"] == kind for entry in self.entries)


def check_statistics(log: Path, copies: Iterable[Path] = ()) -> int:
    """Checks that `stats` over a log and its copies says what is counted by hand. Returns the number of rolls."""
    by_hand, paths = HandCount(log), [str(log), *map(str, copies)]
    rows = [row for read in map_logs(paths, list_roll_rows) for row in read.found or ()]
    assert Counter((row.player, row.purpose, row.sides, row.faces) for row in rows) == by_hand.rolls
    faces = Counter(face for read in map_logs(paths, list_typed_faces) for face in read.found or ())
    assert faces == by_hand.typed_faces
    (game,) = [read.found for read in map_logs(paths, make_stats_row, games=True) if read.found]
    assert game.names == by_hand.players
    assert game.takebacks == by_hand.count_entries("takeback")
    assert game.plays == by_hand.count_entries("play") or by_hand.has_secrets
    assert game.clean
    return by_hand.rolls.total()
