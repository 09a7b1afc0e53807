"""A league at a table: many games of all four whose people leave, come, correct, switch options and take back.

    python tests/scripts/play_league.py                  300 games
    python tests/scripts/play_league.py 50 --seed 1000   so many, from this seed on

Every log must audit and be read again to the same game; nothing that is refused may be half done; each roll counts for
whoever made it, as counted by hand (`tests/record/table/league.py`). By mail `play_mail_league.py` does the same. Ends
with 1 if a game fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "record" / "table")]

from league import play_league_game


def main() -> int:
    """Plays the games, and says what was done in them."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="?", type=int, default=300, help="so many games")
    asked.add_argument("--seed", type=int, default=0, help="the first seed")
    given = asked.parse_args()
    began, told, failed = time.monotonic(), Counter[str](), 0
    for seed in range(given.seed, given.seed + given.games):
        with tempfile.TemporaryDirectory() as place:
            try:
                told += play_league_game(seed, Path(place))
            except Exception as error:  # whatever it is, the others are to be played
                failed += 1
                print(f"{seed}: {type(error).__name__}: {error}", flush=True)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(told.items()))
    print(f"{given.games} games, {failed} failed, in {time.monotonic() - began:.0f} s: {counts}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
