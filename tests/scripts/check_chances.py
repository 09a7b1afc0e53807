"""Checks chances against what is worked out the plain way, and fair dice against a test that accuses.

    python tests/scripts/check_chances.py odds [GAME...] [--positions 1000] [--seconds 3600]
    python tests/scripts/check_chances.py chains [GAME...] [--positions 1000] [--seconds 3600]
    python tests/scripts/check_chances.py fair [--groups 10000]

`odds` takes positions of random games with an action each that throws dice: what `ways` tells has to be what full
products over the faces of all dice tell (`tests/chances/enumerating.py`). `chains` compares the states after all rolls
that must follow, such as a second roll, with products over whole chains. `fair` looks at the e-value of honest groups
after each of their games: 5 % of them may be accused at most; and after how many games a die is found that shows one
face a quarter of the time.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from math import log
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "chances")]

from enumerating import by_faces, left_by_chains, told_of

import referee
from referee.chances.dice_fairness import UNFAIR_E_VALUE, compute_log_e_value
from referee.chances.outcome_enumeration import enumerate_outcomes
from referee.engine.adjudication import LegalVerdict

GAMES = ("manoover", "mutants", "sheboygan", "zombies")
EVENINGS, THROWN = 200, 40
"""Games of a group, and dice with six sides thrown in each."""
ROUND = 1 / 1000
"""The most that is left of a circle of rolls where the plain enumeration stops."""
WEIGHTED = 0.25
"""How often an unfair die shows its face."""


def throwing(name: str, random: Random) -> Iterator[tuple[Any, Any]]:
    """Positions of random games, with an action each that throws dice."""
    while True:
        game = referee.table(name, seed=f"{random.getrandbits(256):064x}")
        while not game.result:
            action = game.legal().pick(random)
            before = game.copy()
            verdict = game.do(action)
            if isinstance(verdict, LegalVerdict) and verdict.rolls:
                yield before, action


def odds_are_right(name: str, positions: int, seconds: float) -> int:
    """Compare so many positions of a game; how many differ."""
    random, compared, skipped, wrong, began = Random(name), 0, 0, 0, time.monotonic()
    for game, action in throwing(name, random):
        plain = by_faces(game.game, game.state, game.to_act, action, most=3_000)
        if plain is None:
            skipped += 1
            continue
        told: Counter = Counter()
        for chance, played in enumerate_outcomes(game.game, game.state, game.to_act, action):
            told[tuple(sorted(told_of(game.game, played)))] += chance
        compared += 1
        if told != plain:
            wrong += 1
            print(f"{name}: {game.text(action)}: {sum(told.values())} against {sum(plain.values())}")
        if compared == positions or time.monotonic() - began > seconds:
            break
    took = time.monotonic() - began
    print(f"{name}: {compared} compared, {skipped} with more ways left out, {wrong} differ; {took:.0f} s", flush=True)
    return wrong


def chains_are_right(name: str, positions: int, seconds: float) -> int:
    """Compare so many chains of rolls of a game; how many differ."""
    random, compared, skipped, followed, wrong, began = Random(name), 0, 0, 0, 0, time.monotonic()
    for game, action in throwing(name, random):
        left = left_by_chains(game, action)
        if left is None:
            skipped += 1
            continue
        missing, rolls_again = left
        compared += 1
        followed += rolls_again
        if missing and not (rolls_again and missing < ROUND):
            wrong += 1
            print(f"{name}: {game.text(action)}: {missing} of all chances elsewhere")
        if compared == positions or time.monotonic() - began > seconds:
            break
    took = time.monotonic() - began
    told = f"{compared} compared, {followed} with rolls that follow, {skipped} with more ways left out"
    print(f"{name}: {told}, {wrong} differ; {took:.0f} s", flush=True)
    return wrong


def accused_after(random: Random, weights: tuple[float, ...]) -> int | None:
    """After how many games dice that fall so are called unfair, looked at after each; None: never."""
    counts = [0] * 6
    for evening in range(EVENINGS):
        for face in random.choices(range(6), weights, k=THROWN):
            counts[face] += 1
        if compute_log_e_value(counts) >= log(UNFAIR_E_VALUE):
            return evening + 1
    return None


def dice_are_judged_fairly(groups: int) -> int:
    """Honest groups that are accused, told with its part of all; 1 where that is more than 5 %."""
    random = Random(2011)
    accused = sum(accused_after(random, (1,) * 6) is not None for _ in range(groups))
    print(f"honest: {accused} of {groups} groups accused within {EVENINGS} games ({100 * accused / groups:.2f} %)")
    unfair = (WEIGHTED, *[(1 - WEIGHTED) / 5] * 5)
    found = sorted(accused_after(random, unfair) or EVENINGS + 1 for _ in range(groups // 10))
    print(f"a face that falls {WEIGHTED:.0%} of the time: found after {found[len(found) // 2]} games (median)")
    return int(accused > 0.05 * groups)


def main() -> int:
    """0: as it should be."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("odds", "chains", "fair"))
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=3600.0, help="at the most for each game")
    parser.add_argument("--groups", type=int, default=10_000)
    chosen = parser.parse_args()
    if chosen.what == "fair":
        return dice_are_judged_fairly(chosen.groups)
    judge = odds_are_right if chosen.what == "odds" else chains_are_right
    return int(sum(judge(name, chosen.positions, chosen.seconds) for name in chosen.games) > 0)


if __name__ == "__main__":
    sys.exit(main())
