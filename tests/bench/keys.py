"""Count keys, commands and lines of fixed turns as they are typed in `play`, and write the table in README.md.

    python tests/bench/keys.py            print the table
    python tests/bench/keys.py --write    and write it

A key is a character or Enter; lines are those that come back. The turns stand in turns.toml, and are really played: a
line that is refused or not understood ends it. A second table has the rows that come back for a line typed, on average
over whole games with table dice, played at random.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import tables

from referee.cli.screen import Screen
from referee.cli.session.repl import Repl
from referee.engine.component import read_toml
from referee.engine.dice_mode import TableDice
from referee.record.table.opening_logs import start

HERE = Path(__file__).parent
HEAD = ("turn", "keys", "of them dice", "commands", "lines back", "bar")
GLANCE = ("whole games, rows for a line typed", "before", "now", "goal")
GOALS = {"manoover": (6.6, 4), "mutants": (5.7, 5), "zombies": (5.3, 4), "sheboygan": (4.2, 6)}
"""The games, each with its rows per answer before the work on short answers, and the goal."""
SEEDS = range(4)


class Cost(NamedTuple):
    """The keys, commands and lines of a turn."""

    keys: int
    """The characters typed, Enter included."""
    dice: int
    """The keys in lines that hold nothing but faces."""
    commands: int
    """The lines typed."""
    lines: int
    """The lines of the answers, at a width of 80 columns."""


def cost(turn: dict[str, Any], folder: Path) -> Cost:
    """Returns the cost of a turn, played on a table of its own."""
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
    """Types a line and returns the number of lines in the answer.

    Raises ValueError if the line fails, or waits for anything but dice.
    """
    reply = talk.run_line(line)
    if reply.answer.code and not talk.pending:
        raise ValueError("\n".join([line, *reply.render_rows()]))
    return len(reply.render_rows())


def rows_of_games(name: str) -> float:
    """Returns the average rows of an answer over whole games that are played at random."""
    with TemporaryDirectory() as folder:
        told = [count for seed in SEEDS for count in _rows_of_game(name, Path(folder) / f"{seed}.jsonl", seed)]
    return sum(told) / len(told)


def _rows_of_game(name: str, log: Path, seed: int) -> Iterator[int]:
    """Yields the rows of each answer in a whole game."""
    random = Random(seed)
    talk = Repl(start(name, log, dice=TableDice()), partial(Screen, colour="never", width=80), screened=False)
    while (look := talk.look).facts.to_act is not None:
        need = talk.need
        if need and need.names:
            faces = [random.choice(need.names) for _ in range(need.count)]
        elif need:
            faces = [str(random.randint(1, need.sides)) for _ in range(need.count)]
        legal = look.with_eyes(look.facts.to_act).sight.legal
        yield _said(talk, " ".join(faces) if need else f"{look.facts.game.format(legal.pick(random))}!")


def glances() -> Iterator[tables.Cells]:
    """Yields a row for each game: the rows of an average answer."""
    for name, (before, goal) in GOALS.items():
        yield name, str(before), f"{rows_of_games(name):.1f}", str(goal)


def rows() -> Iterator[tables.Cells]:
    """Yields a row for each turn: its cost."""
    with TemporaryDirectory() as folder:
        for turn in read_toml(HERE / "turns.toml")["turn"]:
            yield turn["title"], *map(str, cost(turn, Path(folder))), turn.get("bar", "")


def main() -> None:
    """Counts, prints the tables, and writes them with `--write`."""
    for head, body in ((HEAD, [*rows()]), (GLANCE, [*glances()])):
        print(tables.table(head, body))
        if "--write" in sys.argv:
            tables.write(head, body)


if __name__ == "__main__":
    main()
