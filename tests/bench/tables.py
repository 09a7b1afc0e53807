"""Tables of README.md, in Markdown. Each is known by its head; it ends where no row follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path

README = Path(__file__).with_name("README.md")
Cells = Sequence[str]
"""A row; the first cell says what is measured."""


def row(cells: Cells) -> str:
    """Returns a row as a line of Markdown."""
    return f"| {' | '.join(cells)} |"


def table(head: Cells, body: Iterable[Cells]) -> str:
    """Returns a whole table in Markdown, with a line feed at its end."""
    return "".join(f"{row(cells)}\n" for cells in (head, ["---"] * len(head), *body))


def standing(head: Cells, readme: Path = README) -> list[Cells]:
    """Returns the rows of the table with this head, as README.md has them."""
    _, lines, _ = _parted(head, readme)
    return [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines[1:]]


def write(head: Cells, body: Iterable[Cells], readme: Path = README) -> None:
    """Puts a table in place of the one with the same head. Raises ValueError if there is none."""
    above, _, below = _parted(head, readme)
    readme.write_text(f"{above}{table(head, body)}{below}", "utf-8")


def _parted(head: Cells, readme: Path) -> tuple[str, list[str], str]:
    """Returns the text above the table, its lines below the head, and the text below the table."""
    above, below = readme.read_text("utf-8").split(f"{row(head)}\n", 1)
    lines = [*takewhile(lambda line: line.startswith("|"), below.splitlines())]
    return above, lines, below.removeprefix("".join(f"{line}\n" for line in lines))
