"""Holds refusals to the rules they cite: `python -m referee.testing.cite GAME FILE [--games N]`.

FILE is a Python file with `CITES`: claims as `obey(GAME, cites=CITES)` takes them. For each cited rule
three numbers are printed: the refusals, those that a claim was asked about, and those whose reason another position
took away. The first breach of each rule is printed for each kind of action. Exit code 1 means that there are some.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from referee.engine.registry import find_game
from referee.testing.claims import CitationCheck
from referee.testing.compare import MAX_ACTIONS, load_definitions
from referee.testing.game_parser import make_game_parser
from referee.testing.trial import Trial


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks the refusals of random games: a rule may be cited only under the condition that its claim states.

    Prints the breaches and the counts.

    Returns the exit code: 1 if there is a breach, otherwise 0.
    """
    parser = make_game_parser("cite", __doc__)
    parser.add_argument("file", metavar="FILE", help="the Python file with CITES")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which random games are played (0)")
    parser.add_argument("--games", type=int, default=0, metavar="N", help="games at the least")
    said = parser.parse_args(arguments)
    trial = Trial(find_game(said.game), said.games, said.seed, MAX_ACTIONS)
    cited = CitationCheck(trial.game, load_definitions(said.file).CITES)
    found: dict[tuple[str, type], str] = {}
    for spot in trial.sample_spots():
        for breach in cited.find_breaches(spot):
            found.setdefault((breach.rule, type(breach.action)), f"{breach} {spot}")
    print(*found.values(), *describe_coverage(cited), sep="\n")
    return int(bool(found))


def describe_coverage(cited: CitationCheck) -> list[str]:
    """Returns a line for each cited rule, the most cited first, and a line about all of them."""
    lines = [
        f"{rule}: cited {count:,}, checked {cited.checked[rule]:,}, removed {cited.removed[rule]:,}"
        for rule, count in cited.cited.most_common()
    ]
    total, checked = cited.cited.total(), cited.checked.total()
    share = f"{100 * checked / max(1, total):.1f} % of {total:,} refusals"
    return [*lines, f"{cited.game.name}: {len(+cited.checked)} of {len(cited.cited)} cited rules are checked, {share}"]


if __name__ == "__main__":
    sys.exit(main())
