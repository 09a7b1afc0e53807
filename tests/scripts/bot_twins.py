"""What no bot may know changes nothing of what it chooses: pairs of truths that its seat cannot tell apart.

    python tests/scripts/bot_twins.py --pairs 10000
    python tests/scripts/bot_twins.py --first 3000 --pairs 7000     the same pairs, but for the first 3,000

Goes through games with secrets by random play. At each moment the truth is put beside another that the seat to act
cannot tell from it; every bot chooses on both, with the same dice. Prints how many pairs there were, and each that
differs with game, seed and entry; exit code 1 where one does. `strong` thinks for a number of playouts, not for a time.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import NamedTuple

import referee
from referee.bots.bot import Observation
from referee.bots.roster import find_bot

SECRETS: tuple[tuple[str, dict[str, str]], ...] = (("mutants", {"hidden-movement": "yes"}), ("sheboygan", {}))
BOTS = {"random": 1, "steady": 1, "strong": 7}
"""Bots, and at every how manieth moment each is asked."""
PLAYOUTS = 3
LONGEST = 400
"""Moments of a game that are looked at."""


class Pair(NamedTuple):
    """Two truths that differ, and that the seat to act cannot tell apart; and the bot that is to choose on both."""

    game: referee.Table
    other: referee.Table
    bot: str
    seed: int
    number: int

    def told(self) -> tuple[str, bool]:
        """What was asked and chosen, and whether the choices are alike."""
        one, another = (_choice(self.bot, each, self.number) for each in (self.game, self.other))
        where = f"{self.game.game.name}, seed {self.seed}, moment {self.number}, {self.game.to_act}, {self.bot}"
        return f"{where}: {one}, {another}", one == another


def pairs() -> Iterator[Pair]:
    """All there are, in an order that is always the same."""
    for seed in count():
        for name, options in SECRETS:
            yield from _in_game(name, options, seed)


def _in_game(name: str, options: dict[str, str], seed: int) -> Iterator[Pair]:
    game, random = referee.table(name, options, seed=f"{seed:064x}"), Random(seed)
    for number in range(LONGEST):
        if game.result or game.to_act is None:
            return
        other = game.guess(game.to_act, f"{seed} {number}".encode().hex().ljust(64, "0"))
        if other.state != game.state:
            for bot in (bot for bot, every in BOTS.items() if number % every == 0):
                yield Pair(game.copy(), other, bot, seed, number)
        game.do(game.legal().pick(random))


def _choice(bot: str, game: referee.Table, seed: int) -> object:
    assert game.to_act, "somebody is to act"
    seen = Observation(game.game, game.view(game.to_act), game.to_act, Random(seed), playouts=PLAYOUTS)
    return find_bot(bot).choose(seen)


def main() -> int:
    """Try so many pairs, or as many as there is time for; 1 where a choice differs."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="pairs that are passed over")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    wanted = parser.parse_args()
    end, tried, different = time.monotonic() + wanted.seconds, 0, 0
    for told, alike in (pair.told() for pair in islice(pairs(), wanted.first, wanted.first + wanted.pairs)):
        tried, different = tried + 1, different + (not alike)
        if not alike:
            print(told)
        if time.monotonic() > end:
            break
    print(f"{tried} pairs, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
