"""Play whole games by taps alone, at random among what is offered; and reach a legal action by chips at every step."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "serve"), *(str(it) for it in TESTS.parent.glob("examples/*"))]

from phone_games import GAMES, of
from tappers import by_taps, plays, reached


def main() -> None:
    """Play so many games of each, and say what was done and how long a step took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="which games")
    parser.add_argument("--number", type=int, default=3, help="games of each")
    parser.add_argument("--longest", type=int, default=3_000, help="actions of a game, at most")
    asked = parser.parse_args()
    for name in asked.games:
        kinds, slowest = Counter[str](), 0.0
        for play in plays(of(name), asked.number, asked.longest):
            for tapping, legal in by_taps(play, asked.longest):
                action, begun = legal.pick(play.random), time.perf_counter()
                reached(tapping, action)
                slowest = max(slowest, time.perf_counter() - begun)
                kinds[type(action).__name__] += 1
        told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        print(f"{name}: {kinds.total()} actions reached, the slowest in {slowest:.2f} s: {told}", flush=True)


if __name__ == "__main__":
    main()
