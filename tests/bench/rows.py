"""Tables in README.md that are measured row by row. A row that is not measured stays as it is in the table."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import tables
from tables import Cells


class Row(Protocol):
    """A row of a table that can be measured alone."""

    @property
    def words(self) -> str:
        """The content of its first column."""


R = TypeVar("R", bound=Row)


def parser(told: str | None) -> ArgumentParser:
    """Returns the parser of the options: which rows are measured, and whether they are written."""
    asked = ArgumentParser(description=told, formatter_class=RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true")
    asked.add_argument("--row", default="", metavar="WORDS")
    return asked


def measure(head: Cells, rows: Sequence[R], cells_of: Callable[[R], Cells], *, begin: str, write: bool) -> None:
    """Measures the rows whose words begin with `begin`, and prints each as soon as it is known.

    With `write`, writes it into the table, too. `head` is the head of that table.
    """
    for row in rows:
        if row.words.startswith(begin):
            cells = cells_of(row)
            print(tables.row(cells), flush=True)
            if write:
                tables.write(head, _merged(rows, tables.standing(head), cells))


def _merged(rows: Sequence[Row], old: Sequence[Cells], new: Cells) -> list[Cells]:
    """Returns the rows of a table in order, with the new row in its place. Rows without a measure yet are left out."""
    known = {cells[0].strip("`"): cells for cells in (*old, new)}
    return [known[row.words] for row in rows if row.words in known]
