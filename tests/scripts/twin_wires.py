"""Compare all that comes over the wire from twin games: `python tests/scripts/twin_wires.py 20` tries so many seeds.

Two games differ in what a viewer may not know. They part anywhere in a game and are played on alike as long as that
goes. From there to the end, at several entries, a phone of each asks whatever can be asked, and a page is looked at.
Each pair of answers that differs is printed; exit code 1.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS), str(TESTS.parent / "examples" / "ambush")]

import msgspec
from batches import in_batches
from phone_twins import HIDDEN, answers
from third_party import installed
from twins import Twins, masked, twins

from referee.cli.log_file import WatchedLogFile
from referee.record.table.opening_logs import open_log
from referee.serve.live_view import LiveView

MINUTES = 8
BEFORE = (0, 2, 4, 8, 16, 30, 60, 120, 200, 300)
LATER = 200
"""Plays before and after the one in which the games differ."""
CUTS = 6
"""Entries at which the games are looked at."""


def news(folder: Path, viewer: str | None) -> str:
    """All entries and boards of a live page, as they are sent, without hashes."""
    view, served = LiveView(viewer), WatchedLogFile(open_log(folder / "g.jsonl"))
    view.update(served, served.last_reading)
    steps = [
        (step.n, step.headline, step.entry_text, step.event_texts, step.chances, step.rules)
        for step in view._story.steps
    ]
    return masked(msgspec.json.encode([steps, view._builder.last_boards.boards]).decode())


def cut_to(folder: Path, place: Path, count: int) -> Path:
    """A copy of a game that has so many entries."""
    place.mkdir(parents=True)
    for file in folder.iterdir():
        if file.suffix != ".head" and file.is_file():
            (place / file.name).write_bytes(file.read_bytes())
    lines = (folder / "g.jsonl").read_bytes().splitlines(keepends=True)
    (place / "g.jsonl").write_bytes(b"".join(lines[:count]))
    return place


def tried(job: tuple[str, dict[str, str], int]) -> tuple[int, list[str]] | None:
    """How many pairs of answers were compared, and those that differ; None: with this seed there is no pair."""
    name, options, seed = job
    with tempfile.TemporaryDirectory() as place, installed():
        pair = twins(name, options, Path(place), seed, BEFORE, LATER)
        if pair is None:
            return None
        found = [_compared(pair, count, Path(place) / f"cut-{count}") for count in _cuts(pair)]
    return sum(count for count, _ in found), [f"{job} {line}" for _, lines in found for line in lines]


def _cuts(pair: Twins) -> list[int]:
    """Numbers of entries from the one in which the games part to the last."""
    one, other = ((folder / "g.jsonl").read_bytes().splitlines() for folder in (pair.one, pair.other))
    parted = next(n for n, lines in enumerate(zip(one, other, strict=True)) if lines[0] != lines[1])
    return sorted({parted + 1 + (len(one) - parted - 1) * part // (CUTS - 1) for part in range(CUTS)})


def _compared(pair: Twins, count: int, place: Path) -> tuple[int, list[str]]:
    """The pairs of answers with so many entries, and those that differ."""
    compared, told = 0, []
    for viewer in pair.viewers:
        both = [cut_to(folder, place / f"{viewer}-{folder.name}" / "g", count) for folder in (pair.one, pair.other)]
        heard = [[news(folder, viewer), *(answers(folder, viewer) if viewer else ())] for folder in both]
        compared += len(heard[0])
        differ = [pair for pair in zip(*heard, strict=True) if pair[0] != pair[1]]
        told += [f"{viewer} after {count} entries: {one[:200]} | {other[:200]}" for one, other in differ]
    return compared, told


def main() -> None:
    """As many seeds as are asked for, or as there is time for."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    jobs = [(name, options, seed) for seed in range(seeds) for name, options in HIDDEN]
    pairs, compared, told = Counter[str](), Counter[str](), 0
    for (name, *_), found in in_batches(tried, jobs, 12, MINUTES):
        count, differ = found or (0, [])
        pairs[name] += found is not None
        compared[name] += count
        told += len(differ)
        print(*(f"{line}\n" for line in differ), sep="", end="", flush=True)
    print(f"{pairs.total()} pairs of games {dict(pairs)}, pairs of answers {dict(compared)}: {told} differ")
    sys.exit(bool(told))


if __name__ == "__main__":
    main()
