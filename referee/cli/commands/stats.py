"""`referee stats games` and `stats rolls`: write one row per game, or per roll."""

import csv
from collections.abc import Iterable, Iterator
from functools import partial
from io import StringIO
from itertools import chain
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct
from msgspec.structs import asdict
from typer import Option

from referee.chances.stats import RollRow, StatsRow, list_roll_rows, make_stats_row
from referee.cli.answer import Answer, FixedRows
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.log_batch import FoldersArgument, JobsOption, LogResults
from referee.cli.screen import silence_stdout
from referee.engine.text import listing

FORMS = ("csv", "jsonl")
FormOption = Annotated[str, Option("--as", metavar="FORM", help="Write csv or jsonl.")]


def stats(
    ctx: typer.Context, folders: FoldersArgument = None, form: FormOption = "csv", jobs: JobsOption = None
) -> Answer:
    """Write one row per game: log, options, names, ranks, scores, moves, dice, takebacks, luck, head, clean and more.

    Dropped counts rolls by mail that a player could know and that gave no dice. A log is clean if it has no fault.
    except_for names what an audit excepts all the same, such as a key or a roll. Of copies and branches of a game, only
    the longest log gets a row. Each row appears as soon as it is known. With --json, the summary comes last.

    \b
      referee stats evenings/ > evenings.csv
      referee stats evenings/ --as jsonl
    """
    logs = LogResults(folders, make_stats_row, jobs, games=True)
    return _answer_rows(ctx.obj, logs, logs, StatsRow, form)


def rolls(
    ctx: typer.Context, folders: FoldersArgument = None, form: FormOption = "csv", jobs: JobsOption = None
) -> Answer:
    """Write one row per roll: log, game, entry, time, seat, player, purpose, sides, faces, origin.

    A roll that several logs hold gets one row. Rolls that were taken back and secret rolls get none. Each row appears
    as soon as its log is read. With --json, the summary comes last.

    \b
      referee stats rolls evenings/ > rolls.csv
      referee stats rolls friday.jsonl --as jsonl
    """
    logs = LogResults(folders, list_roll_rows, jobs)
    return _answer_rows(ctx.obj, logs, chain.from_iterable(logs), RollRow, form)


def _answer_rows(
    context: Context, logs: LogResults[Any], rows: Iterable[Struct], kind: type[Struct], form: str
) -> Answer:
    """Writes rows of one kind that come from logs, and returns the summary. In a session, returns all rows."""
    if form not in FORMS:
        raise MisuseError(f"--as takes {listing(FORMS, 'or')}, not {form!r}")
    try:
        if not context.live_log:
            _write_rows(context, rows, kind, form)
            return Answer((), logs.collect_facts, logs.exit_code, tuple(logs.list_complaints()))
    except BrokenPipeError:  # the reader has closed the pipe
        silence_stdout()
        return Answer((), dict)
    found = list(rows)
    told = [FixedRows(_format_csv(found, kind) if form == "csv" else _format_lines(found))]
    return Answer(told, lambda: {"rows": found, **logs.collect_facts()}, logs.exit_code, tuple(logs.list_complaints()))


def _write_rows(context: Context, rows: Iterable[Struct], kind: type[Struct], form: str) -> None:
    """Writes each row as soon as it is known and forgets it: memory does not grow with the number of logs."""
    if context.screen.json:
        for row in rows:
            context.show_part(Answer((), partial(_itself, row)))
        return
    for line in _format_csv(rows, kind) if form == "csv" else _format_lines(rows):
        context.show_part(Answer([FixedRows([line])], dict))


def _itself(row: Struct) -> Struct:
    return row


def _format_lines(rows: Iterable[Struct]) -> Iterator[str]:
    return (msgspec.json.encode(row).decode() for row in rows)


def _format_csv(rows: Iterable[Struct], kind: type[Struct]) -> Iterator[str]:
    """Yields the rows as CSV. A cell with several values looks like "red=3; blue=5"."""
    yield _format_csv_line(list(kind.__struct_fields__))
    for row in rows:
        yield _format_csv_line([_format_cell(value) for value in asdict(row).values()])


def _format_csv_line(cells: list[str]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    return out.getvalue()


def _format_cell(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}={_format_cell(one)}" for key, one in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(value)
    return f"{value:.2f}" if isinstance(value, float) else _defuse_formula(str(value))


def _defuse_formula(text: str) -> str:
    """Returns text that a spreadsheet does not run as a formula, since names come from other people's files."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
