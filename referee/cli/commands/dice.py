"""`referee dice`: are our dice fair?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from typer import Argument

from referee.chances.fair import UNFAIR, Dice, Tally
from referee.chances.stats import Unread, each_log, typed_in
from referee.cli.answer import NO, OK, UNREADABLE, Answer, Shown, Text
from referee.engine.text import count_of

Folders = Annotated[list[str] | None, Argument(metavar="FOLDER...", help="Logs, or folders of logs; bare: this one.")]
BAR = 24
"""Columns of the longest bar."""
LISTED = 20
"""Dice with more sides are counted, and not drawn."""


def dice(folders: Folders = None) -> Answer:
    """Are our dice fair? The faces of all dice that were typed in, by number of sides and by who typed them.

    \b
      referee dice                  referee dice evenings/
    """
    tally, unread, logs = Tally(), [], 0
    for found in each_log(folders or ["."], typed_in):
        if isinstance(found, Unread):
            unread.append(found)
        else:
            logs += 1
            tally.add(found)
    rows = tally.dice()
    code = NO if any(row.is_unfair for row in rows) else OK if logs else UNREADABLE
    return Answer(list(_told(rows, logs, unread)), lambda: _facts(rows, logs, unread), code)


def _told(rows: list[Dice], logs: int, unread: list[Unread]) -> Iterator[Shown]:
    if not rows:
        yield f"No table dice in {count_of(logs, 'log')}: only dice that were typed in can be told fair or not."
    for row in rows:
        whose = f"typed by {row.by}" if row.by else "all together"
        yield Text(f"Dice with {row.sides} sides, {whose}: {row.thrown} thrown", "refused" if row.is_unfair else "good")
        if not row.by and row.sides <= LISTED:
            yield from _bars(row)
        yield Text(_verdict(row), indent=2)
    if rows:
        yield "An e-value can be looked at after every game. Honest dice reach 20 in one group of twenty at most;"
        yield "below it nothing is concluded: neither that dice are fair, nor that they are not."
    yield from (f"Not read: {one.log}: {one.why}" for one in unread)


def _bars(row: Dice) -> Iterator[Shown]:
    most = max(row.counts)
    for face, count in enumerate(row.counts, 1):
        yield Text(
            f"{face:>3} {'█' * round(BAR * count / most):<{BAR}} {count} ({100 * count / row.thrown:.1f} %)", indent=2
        )


def _verdict(row: Dice) -> str:
    if row.is_unfair:
        return f"e-value {row.e:.3g}, {UNFAIR:g} or more: these faces are hardly those of fair dice."
    return f"e-value {row.e:.3g}: nothing speaks clearly against them."


def _facts(rows: list[Dice], logs: int, unread: list[Unread]) -> dict[str, Any]:
    told = [
        {"sides": row.sides, "by": row.by or None, "counts": row.counts, "e": row.e, "unfair": row.is_unfair}
        for row in rows
    ]
    return {"logs": logs, "dice": told, "unread": unread}
