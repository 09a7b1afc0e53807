"""Logs with several ends, in words: who played on from the common entries, and how the players go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.audit_report import (
    choose_exit_code,
    collect_report_facts,
    describe_clean_status,
    describe_fault,
    describe_fault_detail,
    describe_verdict,
)
from referee.cli.entry_text import describe_entry
from referee.engine.text import count_of, spell_number
from referee.record.archive.audit import AuditReport
from referee.record.log.conflict_copies import ConflictCopy
from referee.record.log.entry import AnyEntry, PlayEntry
from referee.record.log.log_ends import LogEnds
from referee.record.table.opening_logs import open_good_part
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session

SHARED_PART_SHOWN = "The referee shows the part that all ends share."


def make_ends_notes(session: Session, name: str) -> list[str]:
    """Returns two remarks about a log with several ends: what the ends are, and how to go on.

    Returns [] for a log with one end.
    """
    ends = session.ends
    if ends is None:
        return []
    told = "; ".join(f"{number}: {_describe_end(session, tail)}" for number, tail in enumerate(ends.tails, 1))
    many = spell_number(len(ends.tails))
    return [
        f"Note: {name} has {many} ends after entry {ends.common_entry_count - 1}: {told}.",
        f"{SHARED_PART_SHOWN} {suggest_merge_commands(Path(name))}",
    ]


def make_copies_notes(session: Session, copies: Sequence[ConflictCopy]) -> list[str]:
    """Returns two remarks on each of the copies: how it differs from the log, and how to go on."""
    notes: list[str] = []
    for copy in copies:
        named = quote(str(copy.path))
        if not copy.here:
            more = count_of(len(copy.there), "entry", "entries")
            notes.append(f"Note: {copy.path} goes on where this log ends, with {more}.")
            notes.append(f"To add these entries: referee -g {quote(str(session.path))} merge {named}")
            continue
        here, there = _describe_end(session, copy.here), _describe_end(session, copy.there)
        notes.append(f"Note: {copy.path} is a copy that goes on differently after entry {copy.common - 1}.")
        notes.append(
            f"Here: {here}. There: {there}. To choose one: referee -g {quote(str(session.path))} merge {named}"
        )
    return notes


def suggest_merge_commands(log: Path) -> str:
    """Returns a sentence about the commands that compare the ends of a log and choose one."""
    return f"To compare the ends: referee diff {quote(str(log))}. To choose one: referee -g {quote(str(log))} merge"


def describe_ends(session: Session, ends: LogEnds) -> Iterator[AnswerLine]:
    """Yields a line for each end, with its number."""
    for number, tail in enumerate(ends.tails, 1):
        yield Text(f"{number}  {_describe_end(session, tail)}", indent=2, hanging=3)


def collect_ends_facts(session: Session, ends: LogEnds) -> list[dict[str, Any]]:
    """Returns facts about each end, for programs: where it begins and ends, and its first play in words."""
    return [
        {
            "entries": ends.common_entry_count + len(tail),
            "first": ends.common_entry_count,
            "text": _describe_first_play(session, tail),
        }
        for tail in ends.tails
    ]


def _describe_end(session: Session, tail: Sequence[bytes]) -> str:
    told, more = _describe_first_play(session, tail), len(tail) - 1
    return f"{told}, and {count_of(more, 'entry', 'entries')} after it" if more > 0 else told


def _describe_first_play(session: Session, tail: Sequence[bytes]) -> str:
    """Returns the first play of an end in words, in the public view; without plays, its first entry."""
    decoded = (session.entries.decode_line(line, session.head.hash) for line in tail[:20])
    entries = [entry for entry in decoded if entry]
    first = next((entry for entry in entries if isinstance(entry, PlayEntry)), entries[0] if entries else None)
    return _describe_first_entry(session, first) if first else "an entry that cannot be read"


def _describe_first_entry(session: Session, entry: AnyEntry) -> str:
    return describe_entry(SeatView(session), entry)


def answer_on_ends(name: str, report: AuditReport, path: Path) -> Answer:
    """Returns the verdict of an audit on a log with several ends, with a verdict on each end."""
    shared = open_good_part(path)[0]
    ends = shared.ends
    told = list(describe_verdict(name, report.fault))
    for line, end in zip(describe_ends(shared, ends) if ends else (), report.ends, strict=False):
        told.append(line)
        if end.fault:
            told += describe_fault(end.fault, within=True, indent=5)
        else:
            told.append(Text(f"{describe_clean_status(end)} to its end, entry {end.entries - 1}", "good", indent=5))
    told += [Text(suggest_merge_commands(Path(name)), indent=2, hanging=2), *describe_fault_detail(report.fault)]
    return Answer(told, lambda: collect_report_facts(name, report), choose_exit_code(report.fault))
