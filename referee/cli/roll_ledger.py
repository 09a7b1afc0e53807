"""`referee audit --rolls`: the ledger of the joint rolls of a game by mail, over its branches and parents."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.log_paths import open_readable_part
from referee.cli.mail.ledger_text import describe_ledger
from referee.cli.mail.nearby_logs import list_nearby_logs
from referee.engine.text import count_of, listing
from referee.record.archive.roll_account import list_game_rolls
from referee.record.table.seat_view import SeatView


def add_roll_ledger(answer: Answer, path: Path) -> Answer:
    """Returns the verdict on a log with a sentence for each joint roll of its game, as far as the log is good.

    Rolls in branches and parents that lie here or beside the log count, too.
    """
    session = open_readable_part(path)
    if session is None:
        return answer
    rolls = list_game_rolls(path, list_nearby_logs(path))
    fates = Counter(roll.fate for roll in rolls)
    counts = listing([f"{fates[fate]} {fate}" for fate in ("made", "dropped", "given up", "waits") if fates[fate]])
    told = f"{count_of(len(rolls), 'joint roll')}{f': {counts}' if counts else ''}"
    players = SeatView(session).facts.format_seat
    lines: list[AnswerLine] = [told, *(Text(line, indent=2, hanging=2) for line in describe_ledger(rolls, players))]
    return replace(answer, lines=[*answer.lines, *lines], facts=lambda: {**answer.facts(), "rolls": rolls})
