"""`referee merge`: settles a log with several ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, AnswerLine, Text
from referee.cli.arguments import ActingSeatOption, parse_seat
from referee.cli.context import Context
from referee.cli.ends_text import collect_ends_facts, describe_ends
from referee.cli.entry_text import describe_entry
from referee.cli.errors import MisuseError
from referee.cli.game_view import collect_summary_facts, describe_present_state, make_heading
from referee.cli.log_paths import find_log
from referee.engine.event import REFEREE, Seat
from referee.engine.text import count_of, listing, spell_number
from referee.record.log.log_ends import LogEnds
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.recovery import find_only_end_to_keep
from referee.record.log.shared_folders import find_sharing_program
from referee.record.table.merging import MergeResult, find_ends_of_files, keep_end
from referee.record.table.opening_logs import open_bytes
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session

CopiesArgument = Annotated[list[str] | None, Argument(metavar="[LOG...]", help="Other copies of the log.")]
KeepOption = Annotated[int | None, Option("--keep", metavar="N", min=1, help="The number of the end to keep.")]
AgainOption = Annotated[bool, Option("--again", help="Repeat the moves of the other end after the kept one.")]


def merge(
    ctx: typer.Context,
    copies: CopiesArgument = None,
    keep: KeepOption = None,
    by: ActingSeatOption = None,
    again: AgainOption = False,
) -> Answer:
    """Settle a log with several ends: two people played on from the same entry in a shared folder.

    Without --keep, list the ends. The end that you keep goes on as the log. The others become logs of their own beside
    it, and a note in the log names the seat that chose.

    \b
      referee merge                        list the ends of the current game
      referee merge "friday (1).jsonl"     list its ends and those of a copy
      referee merge --keep 1 --by red      keep the first end
      referee merge --keep 1 --by red --again
    """
    context: Context = ctx.obj
    log, others = context.find_log_path(), [find_log(name) for name in copies or ()]
    ends = find_ends_of_files(log, others)
    if ends is None:
        raise NotAllowedError(_explain_missing_ends(log, others))
    shared = open_bytes(ends.common, log)
    sole = find_only_end_to_keep(ends)
    if sole is not None:
        return _merge_without_choice(log, ends, sole, others)
    if keep is None:
        return _list_ends(shared, ends, log, others)
    if keep > len(ends.tails):
        raise MisuseError(f"there is no end {keep}; the log has {len(ends.tails)}")
    if by is None:
        raise MisuseError("say who chooses: add --by SEAT")
    context.records = True
    seat = parse_seat(by, SeatView(shared).facts.names) or REFEREE
    return _answer_settled(keep_end(log, ends, keep - 1, seat, copies=others, again=again), seat, keep)


def _merge_without_choice(log: Path, ends: LogEnds, sole: int, others: Sequence[Path]) -> Answer:
    """Keeps the end that nobody has to choose, since the other copies hold nothing else."""
    found = keep_end(log, ends, sole, REFEREE, copies=others)
    look = SeatView(found.session)
    lines: list[AnswerLine] = [
        make_heading(look),
        f"{log} has one end, entry {look.log.entry_number}.",
        *_describe_other_ends(found),
    ]
    return Answer(lines, lambda: _collect_facts(found, look, REFEREE))


def _explain_missing_ends(log: Path, others: Sequence[Path]) -> str:
    if others:
        return (
            f"{listing([str(log), *map(str, others)])} are not logs of one game, or a line in them was changed; "
            "to check each: referee audit LOG"
        )
    return f"{log} is not a log, or a line in it was changed; to check it: referee audit {quote(str(log))}"


def _list_ends(shared: Session, ends: LogEnds, log: Path, others: Sequence[Path]) -> Answer:
    """Lists the ends, with the command that chooses one."""
    names = " ".join(quote(str(path)) for path in others)
    command = f"referee -g {quote(str(log))} merge {names}".rstrip()
    lines: list[AnswerLine] = [
        make_heading(SeatView(shared)),
        Text(f"The log has {count_of(len(ends.tails), 'end')} after entry {ends.common_entry_count - 1}:", "bold"),
        *describe_ends(shared, ends),
        Text(f"To keep one: {command} --keep N --by SEAT", indent=2, hanging=2),
        Text("To repeat the moves of the other end after the kept one, add: --again", indent=2),
    ]
    facts = {"log": str(log), "common": ends.common_entry_count, "ends": collect_ends_facts(shared, ends)}
    return Answer(lines, lambda: facts, NO if len(ends.tails) > 1 else OK)


def _answer_settled(found: MergeResult, by: Seat, keep: int) -> Answer:
    look = SeatView(found.session)
    lines: list[AnswerLine] = [
        make_heading(look),
        f"{look.facts.format_seat(by)} chose end {keep}.",
        *_describe_other_ends(found),
    ]
    again = found.again
    for item in again.said:
        lines.append(Text(f"repeated:  {item.seat}: {look.facts.game.format(item.action)}", indent=2))
    if again.lost is not None:
        lines.append(
            Text(f"Entry {again.lost} of the other end no longer holds: {again.because}.", indent=2, hanging=2)
        )
    return Answer([*lines, *describe_present_state(look)], lambda: _collect_facts(found, look, by))


def _describe_other_ends(found: MergeResult) -> Iterator[AnswerLine]:
    many = "end is" if len(found.aside) == 1 else f"{spell_number(len(found.aside))} ends are"
    if found.aside:
        yield Text(f"The other {many} kept in {listing([str(path) for path in found.aside])}.", indent=2, hanging=2)
        if find_sharing_program(found.aside[0].parent) == "Git":
            both = " ".join(quote(str(path)) for path in (found.session.path, *found.aside))
            yield Text(f"To commit them: git add {both}, then git commit", indent=2, hanging=2)
    if found.removed:
        gone = listing([str(path) for path in found.removed])
        yield Text(f"Every entry of {gone} stands in these logs, so that file is removed.", indent=2, hanging=2)


def _collect_facts(found: MergeResult, look: SeatView, by: Seat) -> dict[str, Any]:
    again = found.again
    return {
        "by": by,
        "aside": [str(path) for path in found.aside],
        "removed": [str(path) for path in found.removed],
        "again": [describe_entry(look, entry) for entry in look.log.entries[-len(again.said) :]] if again.said else [],
        "lost": again.lost,
        "because": again.because,
        "after": collect_summary_facts(look),
    }
