"""Games at random under every value of every option, as far as each brings forms that no log before it has."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from long_log import Writer, always_same

from archiving.forms import Form, forms_by_entry
from referee.engine.dice_mode import OpenDice, TableDice
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.record.table.opening_logs import start
from referee.record.table.session import Session

GAMES = 24
"""Random games that are tried under each set of options."""
OPENING = 12
"""Entries of the beginning that is kept of a game under each set of options."""
BIGGEST = 60_000
"""Bytes of a random game that is worth keeping."""


class Made(NamedTuple):
    """A log as it is to be kept."""

    name: str
    path: Path
    """Where it lies, with its vaults and files."""


def rows_of(game: AnyGame) -> Iterator[dict[str, str]]:
    """Few sets of options in which each value of each option is in force once."""
    wanted = {option.name: list(option.values) for option in game.options}
    while any(wanted.values()):
        row: dict[str, str] = {}
        for name, values in wanted.items():
            for value in values:
                if not list(game.check_options(fill_options(game, {**row, name: value}))):
                    row[name] = value
                    break
        settled = fill_options(game, row)
        left = {name: [value for value in values if settled[name] != value] for name, values in wanted.items()}
        if left == wanted:
            return  # what is left goes with nothing
        wanted = left
        yield row


def openings(game: AnyGame, folder: Path, met: set[Form]) -> Iterator[Made]:
    """The beginning of a game under each set of options; what it brings is added to `met`."""
    for number, row in enumerate(rows_of(game), 1):
        path = folder / f"{game.name}-options-{number}.jsonl"
        _played(game, path, row, number, OPENING)
        met.update(*forms_by_entry(path.read_bytes()))
        yield Made(path.stem, path)


def random_games(game: AnyGame, folder: Path, met: set[Form]) -> Iterator[Made]:
    """Games that bring something new, cut after the last of it; what they bring is added to `met`."""
    for number, row in enumerate(rows_of(game), 1):
        for seed in range(GAMES):
            path = folder / f"{game.name}-random-{number}-{seed}.jsonl"
            _played(game, path, row, seed, sys.maxsize)
            if _bring(path, met):
                yield Made(path.stem, path)


def _played(game: AnyGame, path: Path, row: dict[str, str], seed: int, most: int) -> None:
    """Play so many entries of a game at random, its dice typed in every fourth time; no more than is worth keeping."""
    with always_same(seed):
        dice = TableDice() if seed % 4 == 3 else OpenDice(f"{seed:064x}")
        session, random = start(game.name, path, options=row, dice=dice), Random(seed)
        if isinstance(dice, TableDice):
            for _ in range(min(most, 40)):
                play_at_random(session, random)
            return
        writer = Writer(session)
        while writer.moment.to_act and writer.n < min(most, BIGGEST // 250):
            writer.play(writer.moment.legal().pick(random))
        writer.write()


def play_at_random(session: Session, random: Random) -> None:
    """Whatever is legal while the game goes on, its dice as they might fall where they are typed in."""
    if session.moment().to_act is None:
        return
    action, faces = session.legal().pick(random), list[int]()
    line = session.play(action)
    while line.awaiting and (need := line.awaiting.need):
        faces += [random.randint(1, need.sides) for _ in range(need.count - line.awaiting.typed_count)]
        line = session.play(action, faces=faces)


def _bring(path: Path, met: set[Form]) -> bool:
    """Whether a log has forms that were not met yet, and is small enough; it is cut after the last of them."""
    log = path.read_bytes()
    entries = forms_by_entry(log)
    fresh = [n for n, forms in enumerate(entries) if forms - met]
    kept = b"".join(log.splitlines(keepends=True)[: fresh[-1] + 1]) if fresh else b""
    if not 0 < len(kept) <= BIGGEST:
        return False
    path.write_bytes(kept)
    path.with_name(f"{path.name}.head").unlink(missing_ok=True)  # it remembers the end that was cut off
    met.update(*entries[: fresh[-1] + 1])
    return True
