"""Ask twin games everything that can be typed: `python tests/scripts/twin_games.py 40` tries so many pairs a game.

`twin_games.py 200 10` types ten lines of them for each viewer, drawn at random: many pairs, each of them briefly.
`twin_games.py 200 10 5000` tries the pairs of the seeds from 5,000 on. It ends after nine minutes.

Each line that is answered in two ways, in the shell or in `play`, though who types it cannot tell the two games apart,
is printed; exit code 1.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest

MINUTES = 9
ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "cli"), str(ROOT / "tests"), str(ROOT / "examples" / "ambush")]

from batches import in_batches
from conftest import caller, settle
from third_party import installed
from twins import twins
from typed_twins import HIDDEN, differences

from referee.engine.registry import find_game


def tried(job: tuple[str, dict[str, str], int, int | None]) -> list[str] | None:
    """What tells a pair apart; None: with this seed there is none."""
    name, options, seed, lines = job
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
        installed(),
    ):
        pair = twins(name, options, Path(folder) / "pair", seed)
        if pair is None:
            return None
        settle(Path(folder), patch)
        found = [
            f"{name} {options} {seed}: {words}"
            for words, _ in differences(caller(patch), pair, find_game(name), patch, lines)
        ]
        patch.chdir("/")
        return found


def main() -> None:
    """Try them all, or as many as there is time for."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else None
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    jobs = [(name, options, seed, lines) for seed in range(first, first + pairs) for name, options, _ in HIDDEN]
    tally, told = Counter[str](), 0
    for (name, *_), found in in_batches(tried, jobs, 12, MINUTES):
        tally[name] += found is not None
        told += len(found or ())
        print(*(f"{line}\n" for line in found or ()), sep="", end="", flush=True)
    print(f"{dict(tally)} pairs, {told} lines told two games apart")
    sys.exit(bool(told))


if __name__ == "__main__":
    main()
