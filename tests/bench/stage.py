"""How much of a screen the live page gives to the board, by the browser's own boxes. `--write` writes the table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "serve")]

from browsers import chromium
from phone_games import Table
from phone_players import played_on
from rooms import served
from stage_boxes import Boxes, height, least_side, measure
from tables import write

GAMES = ("manoover", "mutants", "sheboygan", "zombies")
PHONE, WALLS = (360, 640), ((1280, 800), (1920, 1080))
HEAD = ("the live page", "now", "bar")
PLAYED = (6, 18, 40)
"""The numbers of entries after which the pages are measured."""
TARGET = 24
"""The least side of a target, in pixels."""


def main() -> None:
    """Prints the table, or writes it."""
    rows = list(stage_rows())
    if "--write" in sys.argv:
        write(HEAD, rows)
    for row in rows:
        print(*row, sep=" | ")


def stage_rows() -> Iterator[tuple[str, str, str]]:
    """Yields each figure with its bar: the worst of all positions of a game."""
    with chromium() as browser, TemporaryDirectory() as temporary:
        for game in GAMES:
            phones, walls, small, after = _measure(browser, Path(temporary), game)
            name = f"{game} on a phone of {PHONE[0]} x {PHONE[1]}"
            yield f"{name}: line and panel, px", f"{_most(phones, 'bar')} and {_most(phones, 'phone')}", "40 and 146"
            yield f"{name}: the board's share of the height", f"{min(_share(one) for one in phones):.0%}", "55%"
            yield f"{name}: least letter, px", _least(phones), "11"
            yield f"{name}: targets under {TARGET} px, then after one zoom", f"{small}, {after}", ", 0"
            for size, found in walls.items():
                letters = f"{_least(found)} ({sum(one.hidden for one in found)} not drawn)"
                yield (
                    f"{game} on a wall of {size[0]} x {size[1]}: least letter, px",
                    letters,
                    "7" if size[0] < 1900 else "12",
                )


def _measure(browser: Any, folder: Path, game: str) -> tuple[list[Boxes], dict[tuple[int, int], list[Boxes]], int, int]:
    """Returns the measures of phones and of walls, and how many targets are too small, before and after one zoom."""
    phones: list[Boxes] = []
    walls: dict[tuple[int, int], list[Boxes]] = {size: [] for size in WALLS}
    small = after = 0
    table, played = Table(folder, game), 0
    for entries in PLAYED:
        played += played_on(table, entries - played, seed=entries)
        if table.mover is None:
            break
        with served(table.log, play=True) as room:
            tab = _open(browser, room.url(table.mover), PHONE, has_touch=True, is_mobile=True)
            phones.append(measure(tab))
            before, left = _zoom(tab)
            small, after = small + before, after + left
            tab.context.close()
            for size in WALLS:
                tab = _open(browser, room.url(None), size)
                walls[size].append(measure(tab))
                tab.context.close()
    return phones, walls, small, after


def _open(browser: Any, url: str, size: tuple[int, int], **more: Any) -> Any:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **more)
    tab = context.new_page()
    tab.goto(url)
    tab.locator("#line.on").wait_for()
    tab.wait_for_timeout(800)
    return tab


def _zoom(tab: Any) -> tuple[int, int]:
    """Taps each target that is too small. Returns the number of these targets, and how many of them stay too small."""
    small = [box for box in measure(tab).targets if least_side(box) < TARGET]
    left = 0
    for number, box in enumerate(measure(tab).targets):
        if least_side(box) >= TARGET:
            continue
        tab.touchscreen.tap((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        left += least_side(measure(tab).targets[number]) < TARGET
        tab.get_by_role("button", name="Whole board").tap()
        tab.wait_for_timeout(350)  # longer than two taps may be apart
    return len(small), left


def _most(found: list[Boxes], part: str) -> str:
    return f"{max(height(getattr(one, part)) for one in found):.0f}"


def _share(one: Boxes) -> float:
    return height(one.window) / PHONE[1]


def _least(found: list[Boxes]) -> str:
    letters = [letter for one in found for letter in one.labels]
    return f"{min(letters):.1f}" if letters else "none is drawn"


if __name__ == "__main__":
    main()
