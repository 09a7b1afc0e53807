"""A league by mail: many games of all four over bad mail, in two and three homes.

    python tests/scripts/play_mail_league.py                     300 games, of all kinds in turn
    python tests/scripts/play_mail_league.py 60 --kinds two zombies --seed 1000
    python tests/scripts/play_mail_league.py --seconds 600       as many as fit

Players leave and friends take over, moves are corrected, options switched, takebacks offered, and orders given and
carried out, all at random (`tests/mail/mail_league.py`). In the end all copies are one log that audits, nobody is
accused, and `stats` over the copies of everybody says what is counted by hand (`tests/hand_counts.py`). One seed a
game: a game that fails is named, and fails again. Ends with 1 if any does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "mail")]

from mail_league import KINDS, play_mail_league_game


def main() -> int:
    """Plays the games, and says what was done in them."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="?", type=int, default=300, help="so many games")
    asked.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, help="of these kinds, in turn")
    asked.add_argument("--seed", type=int, default=0, help="the first seed")
    asked.add_argument("--most", type=int, default=120, help="the most steps of a game before it is brought to an end")
    asked.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    given = asked.parse_args()
    began, told, failed, played = time.monotonic(), Counter[str](), 0, Counter[str]()
    for number in range(given.games):
        if time.monotonic() - began > given.seconds:
            break
        seed, kind = given.seed + number, given.kinds[number % len(given.kinds)]
        with tempfile.TemporaryDirectory() as place:
            try:
                told += play_mail_league_game(seed, Path(place), kind, given.most)
            except Exception as error:  # whatever it is, the others are to be played
                failed += 1
                print(f"{kind} {seed}: {type(error).__name__}: {error}", flush=True)
        played[kind] += 1
    games = ", ".join(f"{kind} {count}" for kind, count in sorted(played.items()))
    counts = ", ".join(f"{name} {count}" for name, count in sorted(told.items()))
    print(f"{played.total()} games ({games}), {failed} failed, in {time.monotonic() - began:.0f} s: {counts}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
