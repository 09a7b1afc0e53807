"""`referee stats`: a row a log."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict
from typer import Argument, Option

from referee.chances.stats import Row, Unread, each_log, row_of
from referee.cli.answer import OK, UNREADABLE, Answer, Rows
from referee.record.archive.workers import cores, workers

Folders = Annotated[list[str] | None, Argument(metavar="FOLDER...", help="Logs, or folders of logs; bare: this one.")]
As = Annotated[str, Option("--as", metavar="FORM", help="csv or jsonl.")]
Jobs = Annotated[int | None, Option("--jobs", metavar="N", min=1, help="Processes that read at once.")]


def stats(folders: Folders = None, form: As = "csv", jobs: Jobs = None) -> Answer:
    """A row a log: game, options, names, ranks, scores, plays, dice, takebacks, luck, head, clean.

    \b
      referee stats evenings/ > evenings.csv
      referee stats evenings/ --as jsonl
    """
    from typer import BadParameter

    if form not in ("csv", "jsonl"):
        raise BadParameter("--as is csv or jsonl")
    with workers(jobs or cores()) as executor:
        found = list(each_log(folders or ["."], row_of, executor if jobs != 1 else None))
    rows = [row for row in found if isinstance(row, Row)]
    unread = [row for row in found if isinstance(row, Unread)]
    told = [Rows(list(_as_csv(rows) if form == "csv" else _as_lines(rows)))]
    complaint = "\n".join(f"Not read: {one.log}: {one.why}" for one in unread)
    return Answer(told, lambda: {"rows": rows, "unread": unread}, OK if rows else UNREADABLE, complaint)


def _as_lines(rows: list[Row]) -> Iterator[str]:
    return (msgspec.json.encode(row).decode() for row in rows)


def _as_csv(rows: list[Row]) -> Iterator[str]:
    """The rows as CSV; what holds several things is written as "red=3; blue=5"."""
    yield from _lines(
        [list(Row.__struct_fields__), *([_cell(value) for value in asdict(row).values()] for row in rows)]
    )


def _lines(rows: list[list[str]]) -> Iterator[str]:
    for row in rows:
        out = StringIO()
        csv.writer(out, lineterminator="").writerow(row)
        yield out.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}={_cell(one)}" for key, one in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(value)
    return f"{value:.2f}" if isinstance(value, float) else _harmless(str(value))


def _harmless(text: str) -> str:
    """Text that a spreadsheet takes for text: names come from other people's files."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
