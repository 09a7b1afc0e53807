"""Options of Mutants with hidden movement, at random and each kind of them."""

from __future__ import annotations

from random import Random

import pytest
from playing import random_options

KINDS = [
    {"scenario": scenario, "bugging_out": bugging_out, "wall_reveal": reveal}
    for scenario in ("basic", "alternate")
    for bugging_out in ("no", "yes")
    for reveal in ("either-room", "on-contact")
]


EACH_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(kind.values()))


def hidden_options(random: Random, kind: dict[str, str]) -> dict[str, str]:
    return random_options(random, hidden_movement="yes", **kind)
