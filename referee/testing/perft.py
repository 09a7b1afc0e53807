"""Counts the possible plays of a game: `python -m referee.testing.perft GAME [NAME=VALUE ...] [--plays N]`.

Each level shows the distinct states, the number of finished games among them, and the plays that lead on. Each possible
roll counts. Exit code 1 means that a play broke the rules; it is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from referee.engine.component import read_toml
from referee.engine.option_resolution import choose_options
from referee.engine.registry import find_game
from referee.testing.game_parser import make_game_parser
from referee.testing.state_walk import MAX_PLAYS, StateWalk


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the counts of a game under some options. Returns the exit code: 1 if a play broke the rules."""
    parser = make_game_parser("perft", __doc__)
    parser.add_argument("options", nargs="*", metavar="NAME=VALUE", help="options of the game")
    parser.add_argument(
        "--plays", type=int, default=MAX_PLAYS, metavar="N", help=f"the most plays to count ({MAX_PLAYS:,})"
    )
    said = parser.parse_args(arguments)
    walk = _walk(said.game, said.options, said.plays)
    breach = next(iter(walk), None)
    print(format_levels(walk))
    if breach:
        print(f"{said.game} breaks its rules {breach}")
    return int(breach is not None)


def _walk(name: str, options: Sequence[str], plays: int) -> StateWalk:
    game = find_game(name)
    settled = choose_options(game, dict(option.split("=", 1) for option in options))
    parts = {part.name: read_toml(part.shipped(settled)) for part in game.components}
    return StateWalk(game, game.setup(settled, game.build_board(parts, settled)), plays)


def format_levels(walk: StateWalk) -> str:
    """Returns a table of the levels of a walk, one on each line, and a last line about its end."""
    rows = [("level", "states", "over", "plays")]
    rows += [(f"{at}", f"{one.states:,}", f"{one.ended:,}", f"{one.plays:,}") for at, one in enumerate(walk.levels)]
    lines = ["".join(f"{cell:>12}" for cell in row) for row in rows]
    states = sum(level.states for level in walk.levels)
    end = f"The whole game was walked: {states:,} states." if walk.is_complete else "The last level is incomplete."
    return "\n".join([*lines, end])


if __name__ == "__main__":
    sys.exit(main())
