"""Sample games written anew, with the same bytes every time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from long_log import always_same

from referee.engine.dice_mode import OpenDice
from referee.record.table.opening_logs import start
from referee.record.table.session import Session


def write_sample(
    path: Path, game: str, options: Mapping[str, str], dice: int, seed: int, play: Callable[[Session, Random], None]
) -> None:
    """Write one game in place of what stood there, and leave no file beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(f"{path.name}*"):
        old.unlink()
    with always_same(seed):
        play(start(game, path, options=options, dice=OpenDice(f"{dice:064x}")), Random(seed))
    for beside in path.parent.glob(f"{path.name}.*"):
        beside.unlink()
