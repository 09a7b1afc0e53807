"""Measure how strong the bots are, and write the table in README.md.

    python tests/bench/bots.py                          print all rows, which takes hours
    python tests/bench/bots.py --row sheboygan --write  measure those whose words begin so, and write them

Every row is what `referee rank` says to the words in its first column: the same words give the same games on every
machine. A row that is not measured stays as it is in the table.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from msgspec import Struct

from referee.bots.rank import matches, pairings, results
from referee.engine.choosing import choose_options
from referee.engine.registry import find_game
from referee.record.archive.workers import workers

README = Path(__file__).with_name("README.md")
HEAD = "| referee rank | won by the better | bar |"
BARS = {("steady", "random"): 0.9, ("strong", "steady"): 0.7}
"""What the better bot of each pair is to win, draws counted half."""


class Row(Struct, frozen=True):
    """One match."""

    game: str
    bots: tuple[str, str]
    """The better one first."""
    pairs: int
    playouts: int = 0
    options: dict[str, str] = {}

    @property
    def words(self) -> str:
        """What is typed after `referee rank`."""
        options = "".join(f" --option {name}={value}" for name, value in self.options.items())
        playouts = f" --playouts {self.playouts}" if self.playouts else ""
        return f"{self.game} {' '.join(self.bots)}{options} --pairs {self.pairs}{playouts}"

    def measured(self, jobs: int) -> str:
        """Its line of the table."""
        options = choose_options(find_game(self.game), self.options)
        games = pairings(self.game, options, self.bots, self.pairs, 0.5, playouts=self.playouts)
        with workers(jobs) as executor:
            (match,) = matches(results(games, executor))
        won = match.score if match.one == self.bots[0] else 1 - match.score
        return f"| `{self.words}` | {won:.2f} ± {match.error:.2f} | {BARS[self.bots]:.2f} |"


STEADY, STRONG = ("steady", "random"), ("strong", "steady")
SCENARIOS = ("learning", "basic", "advanced-a", "advanced-b", "city-eating")
ROWS = (
    Row("manoover", STEADY, 100),
    Row("mutants", STEADY, 10),
    *(Row("sheboygan", STEADY, 15, options={"scenario": name}) for name in SCENARIOS),
    Row("zombies", STEADY, 40),
    Row("manoover", STRONG, 12, 100),
    Row("mutants", STRONG, 4, 50),
    Row("sheboygan", STRONG, 4, 100),
    Row("zombies", STRONG, 3, 48),
)


def table(old: str, new: dict[str, str]) -> str:
    """The table with new lines, by their words, among those that stand in the old one."""
    known = {line.split("`")[1]: line for line in old.splitlines() if line.startswith("| `")} | new
    return "\n".join([HEAD, "| --- | --- | --- |", *(known[row.words] for row in ROWS if row.words in known)])


def main() -> None:
    """Measure, print, and write if asked to: each line as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--row", default="", metavar="WORDS")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    for row in ROWS:
        if row.words.startswith(asked.row):
            line = row.measured(asked.jobs)
            print(line, flush=True)
            if asked.write:
                above, _, below = README.read_text("utf-8").partition(HEAD)
                old, _, rest = below.partition("\n\n")
                README.write_text(f"{above}{table(old, {row.words: line})}\n\n{rest}", "utf-8")


if __name__ == "__main__":
    main()
