"""Tables in README.md that are measured row by row. A row that is not measured stays as it is in the table."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

README = Path(__file__).with_name("README.md")


class Row(Protocol):
    """What is measured."""

    @property
    def words(self) -> str:
        """What stands in its first column."""


R = TypeVar("R", bound=Row)


def parser(told: str | None) -> ArgumentParser:
    """Which rows are measured, and whether they are written."""
    asked = ArgumentParser(description=told, formatter_class=RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true")
    asked.add_argument("--row", default="", metavar="WORDS")
    return asked


def measure(head: str, rows: Sequence[R], line_of: Callable[[R], str], *, begin: str, write: bool) -> None:
    """Print the lines of the rows whose words begin so, and write them if asked to, each as soon as it is known; `head`
    is the first line of their table.
    """
    for row in rows:
        if row.words.startswith(begin):
            line = line_of(row)
            print(line, flush=True)
            if write:
                above, _, below = README.read_text("utf-8").partition(head)
                old, _, rest = below.partition("\n\n")
                README.write_text(f"{above}{_table(head, rows, old, {row.words: line})}\n\n{rest}", "utf-8")


def _table(head: str, rows: Sequence[Row], old: str, new: Mapping[str, str]) -> str:
    """The table with new lines, by their words, among those that stand in the old one."""
    known = {line.split(" | ")[0].removeprefix("| ").strip("`"): line for line in old.splitlines()} | dict(new)
    return "\n".join([head, "| --- | --- | --- |", *(known[row.words] for row in rows if row.words in known)])
