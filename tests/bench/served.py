"""The time until eight viewers receive an entry that was written to the disk."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from statistics import median

sys.path.append(str(Path(__file__).parents[1] / "serve"))

from rooms import add, cut, served

FIXTURES = Path(__file__).parents[2] / "fixtures"
LOGS = {
    "manoover": "manoover/games/01-base.jsonl",
    "mutants": "mutants/games/basic.jsonl",
    "sheboygan": "sheboygan/games/learning.jsonl",
    "zombies": "zombies/games/teams.jsonl",
}
VIEWERS, ENTRIES = 8, 12


def serve_rows(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yields the median and the longest time, in milliseconds, until all viewers have an entry; each with its bar."""
    folder.mkdir()
    for name, shipped in LOGS.items():
        waits = sorted(_waits(FIXTURES / shipped, folder / f"{name}.jsonl"))
        told = f"{median(waits):.0f} (at worst {waits[-1]:.0f})"
        yield f"an entry of {name} on the disk, told to {VIEWERS} viewers, ms", told, "300"
    rmtree(folder)


def _waits(shipped: Path, log: Path) -> Iterator[float]:
    entries = len(shipped.read_bytes().splitlines())
    later = cut(shipped, entries * 2 // 3, log)[:ENTRIES]
    with served(log) as table:
        viewers = [table.watch() for _ in range(VIEWERS)]
        for line in later:
            since = time.perf_counter()
            add(log, line)
            for viewer in viewers:
                viewer.until("entry")
            yield 1000 * (time.perf_counter() - since)


if __name__ == "__main__":
    for row in serve_rows(Path(sys.argv[1])):
        print(*row, sep=" | ")
