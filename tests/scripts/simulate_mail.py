"""Honest players over bad mail, many games: all come to one head, nobody is accused, no game gets stuck.

    python tests/scripts/simulate_mail.py                           2,000 games for two, 500 for three, 300 with secrets
    python tests/scripts/simulate_mail.py two=50 secrets=10         so many of these kinds
    python tests/scripts/simulate_mail.py --seconds 600             as many of them as fit, in turn
    python tests/scripts/simulate_mail.py --quarrels                the same with liars and keys on two computers

Mail is lost, repeated, reordered and mangled, and computers die in the middle of a write (`tests/mail/simulation.py`).
One seed a game: a game that fails is named by its kind and seed, and fails again. Ends with 1 if any does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "mail"))

from quarrels import quarrelled
from simulation import GAMES, simulated

WANTED = {"two": 2000, "three": 500, "secrets": 300}


def main() -> int:
    """Play them, and tell what came of them."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="*", metavar="KIND=COUNT", help=f"kinds: {', '.join(GAMES)}")
    asked.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    asked.add_argument("--seed", type=int, default=0, help="the first seed")
    asked.add_argument("--quarrels", action="store_true", help="one plays honestly, one lies, one has two computers")
    given = asked.parse_args()
    game = quarrelled if given.quarrels else simulated
    wanted = {kind: int(count) for kind, count in (one.split("=") for one in given.games)} or WANTED
    began, played, failed, told = time.monotonic(), Counter[str](), Counter[str](), Counter[str]()
    for kind, seed in in_turn(wanted):
        if time.monotonic() - began > given.seconds:
            break
        problem = play(game, kind, given.seed + seed, told)
        played[kind] += 1
        if problem:
            failed[kind] += 1
            print(f"{kind} {given.seed + seed}: {problem}", flush=True)
        if sum(played.values()) % 50 == 0:
            report(played, failed, told, time.monotonic() - began)
    report(played, failed, told, time.monotonic() - began)
    return 1 if failed else 0


def in_turn(wanted: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Kinds and seeds, so that at any time about the same part of each kind is done."""
    order = sorted(((seed + 1) / count, kind, seed) for kind, count in wanted.items() for seed in range(count))
    return ((kind, seed) for _, kind, seed in order)


def play(game: Callable[..., Counter[str]], kind: str, seed: int, told: Counter[str]) -> str:
    """One game; what is wrong with how it went, "" for nothing."""
    with tempfile.TemporaryDirectory() as place:
        try:
            told.update(game(seed, Path(place), kind))
        except Exception as error:  # whatever it is, the others are to be played
            return f"{type(error).__name__}: {error}"
    return ""


def report(played: Counter[str], failed: Counter[str], told: Counter[str], seconds: float) -> None:
    """The counts so far, in a line."""
    each = ", ".join(f"{count} {kind} ({failed[kind]} failed)" for kind, count in played.items())
    kinds = ("new", "known", "ahead", "early", "killed", "offered", "replied", "entries")
    kinds += ("forged", "faulty", "forked", "one head", "proof") if told["proof"] else ()
    mails = ", ".join(f"{kind} {told[kind]}" for kind in kinds)
    print(f"{each} in {seconds:.0f} s; {mails}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
