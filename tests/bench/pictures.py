"""Pictures of the live page, to be looked at: four games, on phones and on the wall, light and dark.

Run it with a folder: `python tests/bench/pictures.py FOLDER`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "serve")]

from browsers import chromium
from phone_games import Table
from phone_players import played_on
from rooms import served

GAMES: dict[str, dict[str, str]] = {
    "manoover": {},
    "mutants": {},
    "sheboygan": {},
    "zombies": {},
}
SIZES = {"phone-small": (360, 640), "phone": (412, 915), "wall": (1280, 800), "wall-big": (1920, 1080)}
PLAYED = 24
"""The entries that are played at random before the pictures are taken."""


def take_pictures(folder: Path) -> None:
    """Takes all pictures into a folder, each named by its game, size and colours."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser, TemporaryDirectory() as temporary:
        for game, options in GAMES.items():
            begun = Table(Path(temporary), game, **options)
            played_on(begun, PLAYED, seed=6)
            with served(begun.log, play=True) as table:
                for size, (width, height) in SIZES.items():
                    for colours in ("light", "dark"):
                        is_phone = size.startswith("phone")
                        given: dict[str, Any] = {
                            "viewport": {"width": width, "height": height},
                            "color_scheme": colours,
                        }
                        if is_phone:
                            given |= {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
                        context = browser.new_context(**given)
                        tab = context.new_page()
                        tab.goto(table.url(begun.mover if is_phone else None))
                        tab.locator("#line.on").wait_for()
                        tab.wait_for_timeout(900)  # what has just appeared settles
                        tab.screenshot(path=folder / f"{game}-{size}-{colours}.png")
                        context.close()


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]))
