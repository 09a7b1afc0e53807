"""`referee audit` for many logs: a line for each log as it is judged, details of faults, and a summary."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from io import BytesIO
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import BUG, OK, STOPPED, UNREADABLE, Answer, AnswerLine, Text
from referee.cli.arguments import read_stdin
from referee.cli.audit_report import (
    BAD_BEGINNING,
    CLEAN,
    CLEAN_EXCEPT_RULING,
    FAULT,
    LOST_THROW,
    OTHER_KEY,
    RULES_DIFFER,
    SO_FAR,
    UNDER_OLD_RULES,
    UNREAD,
    choose_exit_code,
    choose_least_clean_status,
    collect_match_report_facts,
    collect_report_facts,
    compare_recorded_events,
    describe_fault_detail,
    describe_rules_versions,
    describe_unjudged_plays,
    join_answers,
    list_mail_doubts,
)
from referee.cli.deferred_interrupt import defer_interrupt
from referee.cli.screen import PROGRESS_SECONDS, make_line_overwriter, silence_stdout, wipe_progress
from referee.engine.text import count_of, listing
from referee.record.archive.archive import (
    AuditedLog,
    audit_all,
    find_logs,
    is_faster_with_workers,
    make_failed_audit,
    remove_redundant_paths,
)
from referee.record.archive.audit import AuditReport, audit_stream
from referee.record.archive.process_pool import count_cores, start_workers
from referee.record.log.log_errors import Fault

if TYPE_CHECKING:
    from referee.cli.context import Context

STDIN_NAME = "-"
MAX_NAMED = 10
"""The number of logs that the summary names for each verdict."""

BUG_STATUS, UNJUDGED_STATUS = "BUG", "NOT JUDGED"
COUNT_WORDS = {
    CLEAN: "clean",
    UNDER_OLD_RULES: "clean under older rules",
    RULES_DIFFER: "different from today's rules",
    SO_FAR: "clean so far",
    OTHER_KEY: "clean except for a key",
    CLEAN_EXCEPT_RULING: "clean except for a ruling",
    LOST_THROW: "clean except for a roll",
    BAD_BEGINNING: "clean except for its beginning",
    FAULT: "with a fault",
    UNREAD: "that could not be read",
    BUG_STATUS: "on which the referee failed",
    UNJUDGED_STATUS: "not judged yet",
}
"""The words for each verdict in the summary's counts."""
COUNT_KEYS = {
    CLEAN: "clean",
    UNDER_OLD_RULES: "clean_under_older_rules",
    RULES_DIFFER: "differs_from_todays_rules",
    SO_FAR: "clean_so_far",
    OTHER_KEY: "clean_but_for_a_key",
    CLEAN_EXCEPT_RULING: "clean_but_for_a_ruling",
    LOST_THROW: "clean_but_for_a_throw",
    BAD_BEGINNING: "clean_but_for_its_beginning",
    FAULT: "faults",
    UNREAD: "unreadable",
    BUG_STATUS: "bugs",
    UNJUDGED_STATUS: "not_judged",
}
NAMED_STATUSES = {
    RULES_DIFFER: "Different from today's rules",
    OTHER_KEY: "Clean except for a key",
    CLEAN_EXCEPT_RULING: "Clean except for a ruling",
    LOST_THROW: "Clean except for a roll",
    BAD_BEGINNING: "Clean except for its beginning",
    FAULT: "With a fault",
    UNREAD: "Not read",
    BUG_STATUS: "The referee failed on",
    UNJUDGED_STATUS: "Not judged yet",
}
"""The verdicts whose logs the summary names, each with its heading."""


def audit_archive(context: Context, names: Sequence[str], jobs: int | None) -> Answer:
    """Audits logs and folders of logs, and shows each result as soon as it is known.

    Returns the summary. In a session the answer holds the result of every log, too.
    """
    tally = ArchiveTally(names)
    told: list[Answer] = []
    count = LogCounter(tally)
    try:
        with closing(_audit_logs(tally, jobs or count_cores())) as found:
            for audited in found:
                with defer_interrupt():  # Ctrl-C never comes between counting a log and showing it
                    answer = tally.count_log(audited, for_programs=context.screen.json)
                    wipe_progress()
                    if context.live_log:
                        told.append(answer)
                    else:
                        context.show_part(answer)
                count.show_count(tally.log_count)
    except KeyboardInterrupt:
        tally.stop_and_count_unjudged()
    except BrokenPipeError:  # the reader has closed the pipe
        silence_stdout()
        return Answer((), dict)
    wipe_progress()
    return join_answers([*told, tally.make_summary()])


def _audit_logs(tally: ArchiveTally, jobs: int) -> Generator[AuditedLog, None, None]:
    if tally.is_piped:
        yield AuditedLog(Path(STDIN_NAME), audit_stream(BytesIO(read_stdin("a log"))))
    count = jobs if jobs > 1 and is_faster_with_workers(find_logs(tally.names)) else 1
    with start_workers(count) as executor:  # at least one process, since a log may crash it
        yield from audit_all(tally.hand_out_logs(), executor, ahead=4 * count)


class ArchiveTally:
    """The running totals of an audit of many logs. They take no more memory for more logs."""

    def __init__(self, named: Sequence[str]) -> None:
        self.is_piped = STDIN_NAME in named
        self.links = 0
        """The number of symbolic links that were not followed."""
        self.names = [name for name in remove_redundant_paths(named, self._count_link) if name != STDIN_NAME]
        """The files and folders to look through, each once."""
        self.counts = dict.fromkeys(COUNT_WORDS, 0)
        self.first: dict[str, list[str]] = {verdict: [] for verdict in COUNT_WORDS}
        """The names of the first logs with each verdict."""
        self.code = OK
        self.stopped = False
        """True if the audit was stopped before all logs were judged."""
        self._handed_out: dict[str, None] = {}
        self._further = find_logs(self.names, self._count_link)

    @property
    def log_count(self) -> int:
        """The number of logs judged so far."""
        return sum(count for verdict, count in self.counts.items() if verdict != UNJUDGED_STATUS)

    def hand_out_logs(self) -> Iterator[str]:
        """Yields the logs one by one as they are handed out to be judged."""
        while (log := self._take_next_log()) is not None:
            yield log

    def _take_next_log(self) -> str | None:
        """Returns the next log and notes that it is handed out; None after the last."""
        with defer_interrupt():
            log = next(self._further, None)
            if log is not None:
                self._handed_out[log] = None
        return log

    def stop_and_count_unjudged(self) -> None:
        """Stops the audit, then counts and names the logs that were not judged."""
        self.stopped = True
        for log in chain(list(self._handed_out), self._further):
            self._count(UNJUDGED_STATUS, format_path(log))

    def _count(self, verdict: str, name: str) -> None:
        self.counts[verdict] += 1
        if len(self.first[verdict]) < MAX_NAMED:
            self.first[verdict].append(name)

    def count_log(self, audited: AuditedLog, *, for_programs: bool = False) -> Answer:
        """Counts a log and returns the answer about it.

        `for_programs` also works out the facts of the answer. An error in the answer counts as a bug on this log only.
        """
        try:
            answer = answer_for_log(audited)
            if for_programs:
                facts = answer.facts()  # worked out here, so that an error stops no other log
                answer = replace(answer, facts=lambda: facts)
        except Exception as error:
            audited = make_failed_audit(audited.path, error)
            answer = answer_for_log(audited)
        verdict = choose_verdict_word(audited)
        self._handed_out.pop(str(audited.path), None)
        self._count(verdict, format_log_name(audited))
        self.code = max(self.code, answer.code)
        return answer

    def _count_link(self, _link: str) -> None:
        """Counts a link that is not followed."""
        self.links += 1

    def make_summary(self) -> Answer:
        """Returns the summary."""
        code = STOPPED if self.stopped else self.code if self.log_count else UNREADABLE
        facts = {
            "logs": self.log_count,
            **{key: self.counts[verdict] for verdict, key in COUNT_KEYS.items()},
            "not_clean": {
                COUNT_KEYS[verdict]: self.first[verdict] for verdict in NAMED_STATUSES if self.first[verdict]
            },
            "links": self.links,
            "stopped": self.stopped,
            "exit": code,
        }
        return Answer(list(self._describe_counts()), lambda: {"summary": facts}, code)

    def _describe_counts(self) -> Iterator[AnswerLine]:
        counted = [f"{count:,} {COUNT_WORDS[verdict]}" for verdict, count in self.counts.items() if count]
        logs = f"{self.log_count:,} {'log' if self.log_count == 1 else 'logs'}"
        result = (
            f"{logs}: {', '.join(counted)}."
            if counted
            else "There are no logs here. In a folder, the names of logs end in .jsonl."
        )
        worst = "good" if self.code == OK and self.log_count else "refused"
        yield Text(f"STOPPED after {result}" if self.stopped else result, worst)
        for verdict, told in NAMED_STATUSES.items():
            if self.first[verdict]:
                more = self.counts[verdict] - len(self.first[verdict])
                others = [f"{more:,} more"] if more else []
                yield Text(f"{told}: {listing([*self.first[verdict], *others])}", indent=2)
        if self.links:
            yield Text(f"Left out: everything behind {count_of(self.links, 'symbolic link')}", indent=2)


class LogCounter:
    """A counter of judged logs for people who wait. It writes to stderr if that is a terminal."""

    def __init__(self, tally: ArchiveTally) -> None:
        self._since = time.monotonic()
        self._tell = make_line_overwriter(PROGRESS_SECONDS)
        self._wanted = sys.stderr.isatty()
        self._all = tally.is_piped + sum(1 for _ in find_logs(tally.names)) if self._wanted else 0

    def show_count(self, logs: int) -> None:
        """Shows how many logs are judged."""
        if self._wanted:
            rate = logs / (time.monotonic() - self._since)
            self._tell(f"{logs:,} of {self._all:,} logs, {rate:,.0f} a second")


def format_log_name(audited: AuditedLog) -> str:
    """Returns the printable name of an audited log."""
    return format_path(audited.path)


def format_path(path: str | Path) -> str:
    """Returns a path as text, in which bytes that are not UTF-8 are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def choose_verdict_word(audited: AuditedLog) -> str:
    """Returns the verdict on a log, one of the keys of `COUNT_WORDS`."""
    if audited.fault:
        return UNREAD if audited.fault.is_unreadable else FAULT
    if audited.clean:
        return choose_least_clean_status(audited.games)
    return BUG_STATUS if audited.bug else UNREAD


def answer_for_log(audited: AuditedLog) -> Answer:
    """Returns the findings on one log: one line if the log is good or could not be judged."""
    verdict, report, name = choose_verdict_word(audited), audited.report, format_log_name(audited)
    if report is None:
        code = BUG if audited.bug else UNREADABLE
        facts = {"log": name, "clean": False, "judged": False, "message": audited.why, "exit": code}
        return Answer([Text(f"{verdict}  {name}: {audited.why}", "refused", is_unwrapped=True)], lambda: facts, code)
    facts = (
        collect_report_facts(name, report)
        if isinstance(report, AuditReport)
        else collect_match_report_facts(name, report)
    )
    facts["left_out"] = audited.left_out
    return Answer(list(_describe_findings(audited, verdict, name)), lambda: facts, choose_exit_code(report.fault))


def _describe_findings(audited: AuditedLog, verdict: str, name: str) -> Iterator[AnswerLine]:
    fault = audited.fault
    if fault is None:
        yield Text(f"{verdict}  {name}{_describe_remarks(audited)}", "good", is_unwrapped=True)
        return
    yield Text(f"{verdict}  {name}, entry {fault.n}: {_describe_cause(fault)}", "refused", is_unwrapped=True)
    yield from compare_recorded_events(fault, 2)
    if audited.left_out:
        yield Text(f"To see the rest: referee audit {quote(name)}", indent=2)
    yield from describe_fault_detail(fault)


def _describe_cause(fault: Fault) -> str:
    return f"{fault.rule}  {fault.clause}." if fault.rule else f"{fault.clause}."


def _describe_remarks(audited: AuditedLog) -> str:
    """Returns remarks about a good log, as the end of its line; "" if there are none."""
    remarks = [describe_unjudged_plays(game) for game in audited.games if game.unjudged]
    remarks += filter(None, map(describe_rules_versions, audited.games))
    for game in audited.games:
        remarks += list_mail_doubts(game)
    amended = [str(amendment.n) for game in audited.games for amendment in game.amendments]
    if amended:
        remarks.append(f"amended by agreement at {'entry' if len(amended) == 1 else 'entries'} {listing(amended)}")
    return f": {'; '.join(remarks)}" if remarks else ""
