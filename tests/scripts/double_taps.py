"""Tap every button of every panel twice: `python tests/scripts/double_taps.py` tries all games with all spacings.

A panel is that of a phone of any seat after some entries. At most one thing is recorded, and nothing that nobody takes
back. Each breach ends the script with an AssertionError.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "serve")]

from browsers import chromium
from phone_games import Table
from phone_players import played_on
from rooms import served
from slipping_taps import SPACINGS, check_taps, spread
from tapping_players import PHONE

from referee.engine.dice_mode import OpenDice, TableDice

GAMES = ("manoover", "mutants", "sheboygan", "zombies")
PLAYED = (0, 3, 12, 30)
"""The numbers of entries after which the panels are tried."""


def main() -> None:
    """Tries the games, and prints a line for each panel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="which games")
    parser.add_argument("--part", type=int, default=1, help="each N-th button alone")
    asked = parser.parse_args()
    with chromium() as browser:
        for game in asked.games:
            for dice in (OpenDice("7" * 64), TableDice()):
                with TemporaryDirectory() as folder:
                    try_game(browser, Table(Path(folder), game, dice), asked.part)


def try_game(browser: Any, table: Table, part: int) -> None:
    """Tries the panels of all seats of a game, at several of its entries."""
    played = 0
    for entries in PLAYED:
        played += played_on(table, entries - played, seed=entries + 1)
        if table.mover is None:
            break
        for seat in table.session.reducer.seats:
            with served(table.log, play=True) as here:
                tab = browser.new_context(**PHONE).new_page()
                tab.goto(here.url(seat))
                words = spread(tab)
                taps = [(number, spacing) for number in range(0, len(words), part) for spacing in SPACINGS]
                check_taps(here, seat, tab, taps)
                tab.context.close()
            print(f"{table.log.stem}, {played} entries, {seat}: {len(words)} buttons, {len(taps)} taps", flush=True)


if __name__ == "__main__":
    main()
