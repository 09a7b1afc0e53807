"""Count keys, commands and lines of fixed turns as they are typed in `play`, and write the table in README.md.

    python tests/bench/keys.py            print the table
    python tests/bench/keys.py --write    and write it

A key is a character or Enter; lines are those that come back. The turns stand in turns.toml, and are really played: a
line that is refused or not understood ends it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import tables

from referee.cli.screen import Screen
from referee.cli.session.repl import Repl
from referee.engine.component import read_toml
from referee.engine.mode import TableDice
from referee.record.table.opening_logs import start

HERE = Path(__file__).parent
HEAD = ("turn", "keys", "of them dice", "commands", "lines back", "bar")


class Cost(NamedTuple):
    """What a turn costs who types it."""

    keys: int
    """Characters and Enters."""
    dice: int
    """Those of them in lines of nothing but faces."""
    commands: int
    """Lines typed."""
    lines: int
    """Lines that come back, 80 columns wide."""


def cost(turn: dict[str, Any], folder: Path) -> Cost:
    """What a turn costs, played on a table of its own."""
    log, position = folder / f"{len(list(folder.iterdir()))}.jsonl", turn.get("position")
    session = start(turn["game"], log, dice=TableDice(), position=position)
    talk = Repl(session, partial(Screen, colour="never", width=80), screened=False)
    for line in turn.get("setup", ()):
        _said(talk, line)
    back = [_said(talk, line) for line in turn["lines"]]
    keys = [len(line) + 1 for line in turn["lines"]]
    dice = [count for count, line in zip(keys, turn["lines"], strict=True) if line.replace(" ", "").isdigit()]
    return Cost(sum(keys), sum(dice), len(keys), sum(back))


def _said(talk: Repl, line: str) -> int:
    """How many lines come back; ValueError when it is not done, or waits for anything but dice."""
    reply = talk.say(line)
    if reply.answer.code and not talk.pending:
        raise ValueError("\n".join([line, *reply.rows()]))
    return len(reply.rows())


def rows() -> Iterator[tables.Cells]:
    """What each turn costs, as rows."""
    with TemporaryDirectory() as folder:
        for turn in read_toml(HERE / "turns.toml")["turn"]:
            yield turn["title"], *map(str, cost(turn, Path(folder))), turn.get("bar", "")


def main() -> None:
    """Count, print, and write if asked to."""
    told = [*rows()]
    print(tables.table(HEAD, told), end="")
    if "--write" in sys.argv:
        tables.write(HEAD, told)


if __name__ == "__main__":
    main()
