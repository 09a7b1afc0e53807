"""Random games of every form that two people play on in copies, merged by Git in every style, and settled.

    python tests/scripts/merge_games.py [COUNT]      300 by default

It prints a line for each form and style, and stops at the first merge that is told or settled wrongly.
"""

import sys
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT),
    str(ROOT / "tests"),
    str(ROOT / "tests" / "record"),
    str(ROOT / "tests" / "record" / "table"),
]

from settled_forks import CASES, check_fork


def main(count: int) -> None:
    for number, (form, style) in enumerate(islice(cycle(CASES), count)):
        with TemporaryDirectory() as folder:
            check_fork(Path(folder), form, style, Random(f"merge {number}"))
    print(f"{count} merges of {len(CASES)} kinds: both ends told, settled and clean")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
