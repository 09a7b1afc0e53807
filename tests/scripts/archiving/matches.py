"""A match of two games, the second begun; the result of the first was taken back and entered again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from random import Random

from calling import called
from long_log import Writer, always_same

from archiving.random_games import Made
from referee.engine.game import AnyGame
from referee.record.table.opening_logs import open_log


def matches(game: AnyGame, folder: Path) -> Iterator[Made]:
    """A match, and its games, where a game is played in matches."""
    if game.match_rules is None:
        return
    cup = folder / f"{game.name}-cup.jsonl"
    with always_same(11), chdir(folder):
        _done(f"match new {game.name} --seats Anna,Bo -o {cup.name}")
        _play_out(folder / f"{cup.stem}-1.jsonl")
        _done("match next")
        _done("match undo --agreed-by all")
        _done("match next")
    for path in (cup, *sorted(folder.glob(f"{cup.stem}-?.jsonl"))):
        yield Made(path.stem, path)


def _done(words: str) -> None:
    answer = called(words.split())
    assert answer.code == 0, (words, answer)


def _play_out(path: Path) -> None:
    """Play a game that was begun at random to its end."""
    writer, random = Writer(open_log(path)), Random(5)
    while writer.moment.to_act:
        writer.play(writer.moment.legal().pick(random))
    writer.write()
