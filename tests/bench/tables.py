"""Tables of README.md, in Markdown. Each is known by its head; it ends where no row follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path

README = Path(__file__).with_name("README.md")
Cells = Sequence[str]
"""A row; the first cell says what is measured."""


def row(cells: Cells) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def table(head: Cells, body: Iterable[Cells]) -> str:
    """A whole table, with the end of its last line."""
    return "".join(f"{row(cells)}\n" for cells in (head, ["---"] * len(head), *body))


def standing(head: Cells, readme: Path = README) -> list[Cells]:
    """The rows of the table as it is written."""
    _, lines, _ = _parted(head, readme)
    return [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines[1:]]


def write(head: Cells, body: Iterable[Cells], readme: Path = README) -> None:
    """Put a table in place of the one with its head; ValueError where there is none."""
    above, _, below = _parted(head, readme)
    readme.write_text(f"{above}{table(head, body)}{below}", "utf-8")


def _parted(head: Cells, readme: Path) -> tuple[str, list[str], str]:
    """What stands above the table, its lines below the head, and what stands below them."""
    above, below = readme.read_text("utf-8").split(f"{row(head)}\n", 1)
    lines = [*takewhile(lambda line: line.startswith("|"), below.splitlines())]
    return above, lines, below.removeprefix("".join(f"{line}\n" for line in lines))
