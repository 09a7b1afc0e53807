"""Measure how strong the bots are, and write the table in README.md.

    python tests/bench/bots.py                          print all rows, which takes hours
    python tests/bench/bots.py --row sheboygan --write  measure those whose words begin so, and write them

Every row is what `referee bots rank` says to the words in its first column: the same words give the same games on every
machine. A row that is not measured stays as it is in the table.
"""

from __future__ import annotations

import rows
from msgspec import Struct

from referee.bots.ranking import list_pairings, make_match_ups, play_pairings
from referee.engine.option_resolution import choose_options
from referee.engine.registry import find_game
from referee.record.archive.process_pool import start_workers

HEAD = ("referee bots rank", "won by the better", "bar")
BARS = {("steady", "random"): 0.9, ("strong", "steady"): 0.7}
"""The share of games that the better bot of each pair must win, with a draw as half a win."""


class Row(Struct, frozen=True):
    """One pair of bots in one game."""

    game: str
    bots: tuple[str, str]
    """The two bots, the better one first."""
    pairs: int
    playouts: int = 0
    options: dict[str, str] = {}

    @property
    def words(self) -> str:
        """The words to type after `referee bots rank`."""
        options = "".join(f" --option {name}={value}" for name, value in self.options.items())
        playouts = f" --playouts {self.playouts}" if self.playouts else ""
        return f"{self.game} {' '.join(self.bots)}{options} --pairs {self.pairs}{playouts}"

    def measured(self, jobs: int) -> rows.Cells:
        """Plays the games and returns the row of the table."""
        options = choose_options(find_game(self.game), self.options)
        games = list_pairings(self.game, options, self.bots, self.pairs, 0.5, playouts=self.playouts)
        with start_workers(jobs) as executor:
            (match,) = make_match_ups(play_pairings(games, executor))
        won = match.score if match.one == self.bots[0] else 1 - match.score
        return f"`{self.words}`", f"{won:.2f} ± {match.error:.2f}", f"{BARS[self.bots]:.2f}"


STEADY, STRONG = ("steady", "random"), ("strong", "steady")
SCENARIOS = ("learning", "basic", "advanced-a", "advanced-b", "city-eating")
ROWS = (
    Row("manoover", STEADY, 100),
    Row("mutants", STEADY, 10),
    *(Row("sheboygan", STEADY, 15, options={"scenario": name}) for name in SCENARIOS),
    Row("zombies", STEADY, 40),
    Row("manoover", STRONG, 12, 100),
    Row("mutants", STRONG, 6, 16),
    Row("sheboygan", STRONG, 8, 48, {"scenario": "learning"}),
    Row("zombies", STRONG, 3, 48),
)


def main() -> None:
    """Plays the games, prints the table, and writes it with `--write`."""
    parser = rows.parser(__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    rows.measure(HEAD, ROWS, lambda row: row.measured(asked.jobs), begin=asked.row, write=asked.write)


if __name__ == "__main__":
    main()
