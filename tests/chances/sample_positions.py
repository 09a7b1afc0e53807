"""Positions of random games in which an action rolls few dice."""

from __future__ import annotations

from random import Random

import referee


def positions(name, options, wanted):
    random, found = Random(f"{name} forced"), 0
    while found < wanted:
        table = referee.table(name, options, seed=f"{random.getrandbits(256):064x}")
        while not table.result and found < wanted:
            action = table.legal().pick(random)
            rolls = table.copy().do(action).rolls
            if rolls and len(rolls) < 4 and random.random() < 0.3:
                found += 1
                yield table.copy(), action
            table.do(action)
