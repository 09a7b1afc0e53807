"""Compare pages of twin games byte for byte: `python tests/scripts/twin_pages.py 200` tries so many seeds a game;
`twin_pages.py 200 5000` those from 5,000 on.

Two games differ in what a viewer may not know: his page of the one is that of the other, but for hashes, which hide
what they stand for. What the page packs is compared unpacked. Each pair that differs is printed; exit code 1.
"""

from __future__ import annotations

import difflib
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "cli"), str(ROOT / "tests"), str(ROOT / "examples" / "ambush")]

from batches import in_batches
from third_party import installed
from twins import masked, twins
from typed_twins import HIDDEN

from referee.cli.html_page import make_story
from referee.page.compression import unpack_page
from referee.page.document import render_page
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

MINUTES = 8


def page_at(folder: Path, viewer: str | None) -> list[str]:
    """Lines of the page of a game for a viewer, without hashes."""
    page = render_page(make_story(SeatView(open_log(folder / "g.jsonl"), eyes=viewer)))
    return masked(unpack_page(page)).split("\n")


def tried(job: tuple[str, dict[str, str], int]) -> list[str] | None:
    """For each viewer of a pair what tells its pages apart, empty where nothing does; None: with this seed no pair."""
    name, options, seed = job
    with tempfile.TemporaryDirectory() as folder, installed():
        pair = twins(name, options, Path(folder), seed)
        if pair is None:
            return None
        found = []
        for viewer in pair.viewers:
            one, other = page_at(pair.one, viewer), page_at(pair.other, viewer)
            lines = (line for line in difflib.unified_diff(one, other, n=0, lineterm="") if line[3:] != "")
            found.append("" if one == other else f"{job} {viewer}: {next(filter(None, lines), '')[:200]}")
        return found


def main() -> None:
    """As many seeds as are asked for, or as there is time for."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    jobs = [(name, options, seed) for seed in range(first, first + seeds) for name, options, _ in HIDDEN]
    pairs, pages, told = Counter[str](), 0, 0
    for (name, *_), found in in_batches(tried, jobs, 20, MINUTES):
        pairs[name] += found is not None
        pages += 2 * len(found or ())
        told += sum(map(bool, found or ()))
        print(*(f"{line}\n" for line in found or () if line), sep="", end="", flush=True)
    print(f"{pairs.total()} pairs {dict(pairs)}, {pages} pages: {told} told two games apart")
    sys.exit(bool(told))


if __name__ == "__main__":
    main()
