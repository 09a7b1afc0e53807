"""The size of pages, and the time of one step in a real browser: boards exchanged and laid out anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).parents[1]))

from browsers import chromium

from referee.cli.html_page import make_story
from referee.page.document import render_page
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

FIXTURES = Path(__file__).parents[2] / "fixtures"
LOGS = {
    "manoover": "manoover/games/11-plus.jsonl",
    "mutants": "mutants/games/all-options.jsonl",
    "sheboygan": "sheboygan/games/learning.jsonl",
    "zombies": "zombies/games/teams.jsonl",
}
"""The longest shipped log of each game."""
STEPS = """() => {
  const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  const slider = document.getElementById("slider"), found = [];
  for (const [first, on] of [["Home", "ArrowRight"], ["End", "ArrowLeft"]]) {
    key(first);
    for (let step = 0; step < slider.max; step++) {
      const since = performance.now();
      key(on);
      document.body.getBoundingClientRect();
      found.push(performance.now() - since);
    }
  }
  return found;
}"""
"""The script that steps forward through the whole page, and back."""


STEP, BAR = "a step of the page of {}, 95th percentile, ms", "16"
"""The name of the row about the time of a step, and its bar."""


def page_rows() -> Iterator[tuple[str, str, str]]:
    """Yields the size of the longest page, and for each game the 95th percentile of a step, with their bars.

    Without a browser, the rows say so.
    """
    yield from _size_rows()
    try:
        yield from _step_rows()
    except LookupError:
        yield from ((STEP.format(name), "not measured: no browser here", BAR) for name in LOGS)


def _step_rows() -> Iterator[tuple[str, str, str]]:
    with chromium() as browser, TemporaryDirectory() as folder:
        for name, shipped in LOGS.items():
            page = Path(folder) / f"{name}.html"
            page.write_text(render_page(make_story(SeatView(open_log(FIXTURES / shipped)))), "utf-8")
            tab = browser.new_page()
            tab.goto(f"file://{page}")
            tab.locator("#verdict[class]").wait_for()
            tab.locator("#slider").wait_for(state="attached")
            took = sorted(tab.evaluate(STEPS))
            tab.close()
            yield STEP.format(name), f"{took[len(took) * 95 // 100]:.1f}", BAR


def _size_rows() -> Iterator[tuple[str, str, str]]:
    logs = sorted(FIXTURES.glob("*/games/*.jsonl"))
    sizes = {log: len(render_page(make_story(SeatView(open_log(log)))).encode()) for log in logs}
    times = {log: size / log.stat().st_size for log, size in sizes.items()}
    longest, most = max(sizes, key=sizes.__getitem__), max(times, key=times.__getitem__)
    yield f"longest page of {len(logs)} shipped games, kB ({longest.stem})", f"{sizes[longest] / 1000:.0f}", "600"
    yield f"a page in lengths of its log, at most ({most.stem})", f"{times[most]:.2f}", "3"


if __name__ == "__main__":
    for row in page_rows():
        print(*row, sep=" | ")
