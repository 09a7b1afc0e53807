"""Compares lists with slow definitions of them: `python -m referee.testing.compare GAME FILE [--states N]`.

FILE is a Python file with `MEANS`: definitions as `obey(GAME, means=MEANS)` takes them. It may have `OWN`: other boards
to play on, as decoded files by component. For each definition the states that were compared are counted. Differences
are printed as commands that show them. Exit code 1 means that there are some, or that no state was compared.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from referee.engine.choice import find_action_tag
from referee.engine.registry import find_game
from referee.testing.comparison import Comparison
from referee.testing.definitions import Definition
from referee.testing.game_parser import make_game_parser
from referee.testing.trial import Trial

DEFAULT_STATES = 10_000
"""The default number of states for each definition."""
MAX_ACTIONS = 20_000
"""The number of actions within which a random game has to end."""
MAX_PRINTED_DIFFERENCES = 3
"""The most differences from one definition that are printed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares a game with its definitions, and prints the differences and the counts.

    Returns the exit code: 0 if states were compared for every definition and none differs, otherwise 1.
    """
    parser = make_game_parser("compare", __doc__)
    parser.add_argument("file", metavar="FILE", help="the Python file with MEANS")
    parser.add_argument(
        "--states", type=int, default=DEFAULT_STATES, metavar="N", help=f"for each definition ({DEFAULT_STATES:,})"
    )
    parser.add_argument("--seconds", type=float, default=3600.0, metavar="N", help="at the most for each definition")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which random games are played (0)")
    parser.add_argument("--games", type=int, default=0, metavar="N", help="games at the least")
    parser.add_argument("--only", default="", metavar="WORD", help="only the definition of this kind of action")
    said = parser.parse_args(arguments)
    file = load_definitions(said.file)
    means = [each for each in file.MEANS if said.only in ("", find_action_tag(each.kind))]
    trial = Trial(find_game(said.game), said.games, said.seed, MAX_ACTIONS)
    comparison = Comparison(trial, means, getattr(file, "OWN", ()), own_games=4)
    doubtful = [each for each in means if not _check_definition(comparison, each, said.states, said.seconds)]
    return int(bool(doubtful))


def load_definitions(path: str) -> ModuleType:
    """Returns the module in a Python file. It may import its neighbours in the same folder."""
    file = Path(path)
    sys.path.insert(0, str(file.parent.absolute()))
    return import_module(file.stem)


def _check_definition(comparison: Comparison, definition: Definition, states: int, seconds: float) -> bool:
    """Prints the counts and the first differences of a definition.

    Returns True if states were compared and none differs.
    """
    found = 0
    for finding in comparison.find_differences(definition, states, seconds):
        found += 1
        print(finding, flush=True)
        if found >= MAX_PRINTED_DIFFERENCES:
            break
    parts = ", ".join(f"{count:,} {origin}" for origin, count in sorted(comparison.counts.items()))
    total = comparison.counts.total()
    print(f"{definition}: {total:,} states ({parts or 'play more with --games'}), {found} differ", flush=True)
    return total > 0 and not found


if __name__ == "__main__":
    sys.exit(main())
