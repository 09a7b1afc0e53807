"""A game of Mutants with hidden movement, as it is typed; and the same with other secrets."""

from __future__ import annotations

from calling import tell

NEW = "new mutants --option hidden-movement=yes --dice table --seats Anna,Bo -o g.jsonl"


def glow(victim):
    """Glow and Go in which one of the 24 Radioactive Mutants dies."""
    return "do glow --dice " + ",".join("6" if number == victim else "1" for number in range(1, 25))


BASIC = [
    ("do wall D2-D3", {"human": "do wall B5-B6"}),
    ("do wall E5-E6", {"human": "do wall F2-F3"}),
    ("do put prof penny in D4", {}),
    ("do put buck b1 in D1", {}),
    ("do put mack in C4", {"human": "do put mack in F6"}),
    ("do put otis b2 in G7", {"human": "do put otis b2 in A7"}),
    ("do put rest", {}),
    ("do ready", {}),
    ("do put l1 n1 n2 r1 in xN4", {}),
    ("do put l2 r2 in xE1", {"mutant": "do put l2 n9 in xE3"}),
    ("do put rest", {}),
    ("do ready", {}),
    ("do smash xN4-D1 n1 n2 r1 --dice 1", {}),
    ("do smash xE1-G1 r2 --dice 6", {"mutant": "do smash xE3-G3 n9 --dice 5"}),
    ("do end!", {}),
    ("do end!", {}),
    ("do move n1 to D1", {}),
    ("do move l2 to xE2", {"mutant": "do move l2 to xE4"}),
    ("do end!", {}),
    ("do fight D1", {}),
    ("do lay n1", {}),
    ("do pair buck", {}),
    ("do resolve --dice 1,6", {}),
    ("do hide buck", {}),
    ("do move mack to C5", {"human": "do move mack to F7"}),
    ("do end!", {}),
    (glow(5), {"mutant": glow(9)}),
    ("do record", {}),
    ("do end!", {}),
]
"""A game to its second Turn: each line as it is said, and what is said instead in the twin of a seat."""


SECRET_FROM = {"human": "mutant", "mutant": "human"}
"""Whose secrets a twin has changed, and who must not notice."""


def play(cli, lines, **options):
    """Start a game and say these lines; each must be done."""
    chosen = "".join(f" --option {name}={value}" for name, value in options.items())
    tell(cli, NEW + chosen, *lines)
