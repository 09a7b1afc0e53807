"""`referee dice`: are our dice fair?"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.chances.fair import UNFAIR, Dice, Tally, TypedFace
from referee.chances.stats import typed_in
from referee.cli.answer import NO, OK, Answer, Drawn, Shown, Text
from referee.cli.logs import check_picture, write_out
from referee.cli.many import Folders, Jobs, Many
from referee.cli.typed import Force, Output
from referee.engine.text import count_of, figure

BAR = 24
"""Columns of the longest bar."""
LISTED = 20
"""Dice with more sides are counted, and not drawn."""
LARGE = 1_000_000
"""From here on an e-value says nothing more by its digits."""


def dice(folders: Folders = None, jobs: Jobs = None, output: Output = None, force: Force = False) -> Answer:
    """Are our dice fair? The faces of all dice that were typed in, by number of sides and by who typed them.

    \b
      referee dice                  referee dice evenings/
      referee dice evenings/ -o dice.svg
    """
    if output:
        check_picture(output, force=force)
    tally, logs = Tally(), Many(folders, typed_in, jobs)
    for found in logs:
        tally.add(found)
    rows = tally.dice()
    code = NO if logs.code == OK and any(row.is_unfair for row in rows) else logs.code
    lines = list(_told(rows, logs))
    if output and not rows:
        lines.append("There are no faces to draw.")
        code = code or NO
    elif output:
        write_out(output, _picture(rows), force=force)
        lines.append(f"Written to {output}.")
    return Answer(lines, lambda: _facts(rows, logs), code)


def _picture(rows: list[Dice]) -> str:
    """The faces of all dice, by number of sides, as SVG."""
    from referee.show.chart import Bars, bars_svg

    charts = [
        Bars(
            f"Dice with {row.sides} sides, all together: {row.thrown:,} thrown",
            {str(face): count for face, count in enumerate(row.counts, 1)},
            row.thrown / row.sides,
            f"Dashed: what had to be expected. {_verdict(row)}",
        )
        for row in rows
        if not row.by and row.sides <= LISTED
    ]
    return bars_svg(charts, "Faces of table dice")


def _told(rows: list[Dice], logs: Many[list[TypedFace]]) -> Iterator[Shown]:
    if logs.logs and not rows:
        yield f"No table dice in {count_of(logs.logs, 'log')}: only dice that were typed in can be told fair or not."
    for row in rows:
        whose = f"typed by {row.by}" if row.by else "all together"
        yield Text(f"Dice with {row.sides} sides, {whose}: {row.thrown} thrown", "refused" if row.is_unfair else "good")
        if not row.by and row.sides <= LISTED:
            yield from _bars(row)
        yield Text(_verdict(row), indent=2)
    if rows:
        yield (
            "An e-value can be looked at after every game. Honest dice reach 20 in one group of twenty at most; below "
            "it nothing is concluded: neither that dice are fair, nor that they are not."
        )
    yield from logs.shown_complaints()


def _bars(row: Dice) -> Iterator[Shown]:
    most = max(row.counts)
    for face, count in enumerate(row.counts, 1):
        told = f"{count:>{len(str(most))}} ({100 * count / row.thrown:4.1f} %)"
        yield Drawn(f"{face:>3}", partial(_bar, count / most), told, indent=2)


def _bar(part: float, columns: int) -> str:
    """A part of the longest bar, in a row of its own width."""
    longest = min(BAR, columns)
    return f"{'█' * round(longest * part):<{longest}}"


def _verdict(row: Dice) -> str:
    e = figure(row.e) if row.e < LARGE else f"over {LARGE:,}"
    if row.is_unfair:
        return f"e-value {e}, {UNFAIR:g} or more: these faces are hardly those of fair dice."
    return f"e-value {e}: nothing speaks clearly against them."


def _facts(rows: list[Dice], logs: Many[list[TypedFace]]) -> dict[str, Any]:
    told = [
        {"sides": row.sides, "by": row.by or None, "counts": row.counts, "e": row.e, "unfair": row.is_unfair}
        for row in rows
    ]
    return {"dice": told, **logs.facts()}
