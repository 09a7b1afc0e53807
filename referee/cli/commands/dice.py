"""`referee stats dice`: tests if dice are fair."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.chances.dice_fairness import UNFAIR_E_VALUE, FaceCounts, FaceTally, TypedFace
from referee.chances.stats import list_typed_faces
from referee.cli.answer import NO, OK, Answer, AnswerLine, DrawnRow, Text
from referee.cli.arguments import ForceOption, OutputOption
from referee.cli.log_batch import FoldersArgument, JobsOption, LogResults, describe_similar_names
from referee.cli.log_paths import check_picture_path, write_output
from referee.engine.text import count_of, format_number

MAX_BAR_COLUMNS = 24
"""The length of the longest bar, in columns."""
MAX_DRAWN_SIDES = 20
"""The most sides of dice whose faces are drawn as bars. For other dice, only the verdict is shown."""
MAX_SHOWN_VALUE = 1_000_000
"""The e-value from which on no digits are shown, since they would say nothing more."""


def dice(
    folders: FoldersArgument = None, jobs: JobsOption = None, output: OutputOption = None, force: ForceOption = False
) -> Answer:
    """Test if your dice are fair. It counts the typed faces of all dice, by number of sides and by player.

    \b
      referee stats dice                  referee stats dice evenings/
      referee stats dice evenings/ -o dice.svg
    """
    if output:
        check_picture_path(output, force=force)
    tally, logs = FaceTally(), LogResults(folders, list_typed_faces, jobs)
    for found in logs:
        tally.add(found)
    rows = tally.list_counts()
    code = NO if logs.exit_code == OK and any(row.is_unfair for row in rows) else logs.exit_code
    lines = list(_describe_dice(rows, logs))
    if output and not rows:
        lines.append("No picture was written: nobody typed dice.")
        code = code or NO
    elif output:
        write_output(output, _draw_picture(rows), force=force)
        lines.append(f"Written to {output}.")
    return Answer(lines, lambda: _collect_facts(rows, logs), code)


def _draw_picture(rows: list[FaceCounts]) -> str:
    """Returns the faces of all dice as an SVG chart, by number of sides."""
    from referee.show.chart import BarChart, draw_bar_charts

    charts = [
        BarChart(
            f"Dice with {row.sides} sides, all together: {row.count:,} rolled",
            {str(face): count for face, count in enumerate(row.counts, 1)},
            row.count / row.sides,
            f"Dashed: the expected number. {_describe_verdict(row)}",
        )
        for row in rows
        if not row.by and row.sides <= MAX_DRAWN_SIDES
    ]
    return draw_bar_charts(charts, "Faces of table dice")


def _describe_dice(rows: list[FaceCounts], logs: LogResults[list[TypedFace]]) -> Iterator[AnswerLine]:
    if logs.logs and not rows:
        yield f"There are no table dice in {count_of(logs.logs, 'log')}. The test needs dice that were typed in."
    for row in rows:
        whose = f"typed by {row.by}" if row.by else "all together"
        yield Text(f"Dice with {row.sides} sides, {whose}: {row.count} rolled", "refused" if row.is_unfair else "good")
        if not row.by and row.sides <= MAX_DRAWN_SIDES:
            yield from _draw_bars(row)
        yield Text(_describe_verdict(row), indent=2)
    yield from (Text(line, indent=2) for line in describe_similar_names(row.by for row in rows if row.by))
    if rows:
        yield (
            "You may look at an e-value after every game. Of twenty groups of honest dice, on average at most one "
            "reaches 20. A smaller value proves nothing: neither that dice are fair, nor that they are not."
        )
    yield from logs.format_complaints()


def _draw_bars(row: FaceCounts) -> Iterator[AnswerLine]:
    most = max(row.counts)
    for face, count in enumerate(row.counts, 1):
        told = f"{count:>{len(str(most))}} ({100 * count / row.count:4.1f} %)"
        yield DrawnRow(f"{face:>3}", partial(_draw_bar, count / most), told, indent=2)


def _draw_bar(part: float, columns: int) -> str:
    """Returns a bar whose length is `part` of the longest one, filled up with spaces."""
    longest = min(MAX_BAR_COLUMNS, columns)
    return f"{'█' * round(longest * part):<{longest}}"


def _describe_verdict(row: FaceCounts) -> str:
    e = format_number(row.e_value) if row.e_value < MAX_SHOWN_VALUE else f"over {MAX_SHOWN_VALUE:,}"
    if row.is_unfair:
        return f"e-value {e}: fair dice hardly ever fall like this ({UNFAIR_E_VALUE:g} or more is suspicious)."
    return f"e-value {e}: no clear sign of unfair dice."


def _collect_facts(rows: list[FaceCounts], logs: LogResults[list[TypedFace]]) -> dict[str, Any]:
    told = [
        {"sides": row.sides, "by": row.by or None, "counts": row.counts, "e": row.e_value, "unfair": row.is_unfair}
        for row in rows
    ]
    return {"dice": told, **logs.collect_facts()}
