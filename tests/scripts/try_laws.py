"""Try the laws of a game on more random games than the suite plays: `python tests/scripts/try_laws.py mutants 200 7`.

The game, how many games at the least (100), and their seed (0). A folder as the last word keeps rare spots for the next
run. Each law is named as it is tried; the first breach of each is told in the sentence that tests tell it in. Exit code
1: a law is broken.
"""

from __future__ import annotations

import sys

from referee.engine.registry import find_game
from referee.testing import laws

LONGEST = 20_000


def tried(game: str, games: int = 100, seed: int = 0, kept: str | None = None) -> bool:
    """Whether all laws hold."""
    holds = True
    for law in laws(find_game(game), games=games, seed=seed, longest=LONGEST, kept=kept):
        try:
            law()
        except AssertionError as breach:
            holds = False
            print(breach)
        else:
            print(f"holds: {law}", flush=True)
    return holds


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    raise SystemExit(not tried(sys.argv[1], *map(int, sys.argv[2:4]), *sys.argv[4:5]))
