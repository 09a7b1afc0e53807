"""Auditing an archive: a line a log as they come, more of those with a fault, and what it all comes to."""

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

from referee.cli.answer import BUG, OK, STOPPED, UNREADABLE, Answer, Shown, Text
from referee.cli.held import held
from referee.cli.reports import (
    BEGINNING,
    CLEAN,
    DIFFERS,
    FAULT,
    LOST_THROW,
    OTHER_KEY,
    SO_FAR,
    UNDER,
    UNREAD,
    code_of,
    detail_of,
    facts_on,
    match_facts_on,
    other_rules,
    together,
    told_by_mail,
    versions,
    withheld,
    worst,
)
from referee.cli.screen import EVERY, hush, overwriting, wipe
from referee.cli.typed import piped
from referee.engine.text import count_of, listing
from referee.record.archive.archive import Audited, audit_all, failed, is_worth_workers, logs_among, named_once
from referee.record.archive.audit import Report, audit_stream
from referee.record.archive.workers import cores, workers
from referee.record.log.faults import Fault

if TYPE_CHECKING:
    from referee.cli.context import Context

PIPED = "-"
NAMED = 10
"""Logs of each verdict that a summary names."""

BUGGY, LEFT = "BUG", "NOT JUDGED"
COUNTED = {
    CLEAN: "clean",
    UNDER: "clean under older rules",
    DIFFERS: "different from today's rules",
    SO_FAR: "clean so far",
    OTHER_KEY: "clean but for a key",
    LOST_THROW: "clean but for a throw",
    BEGINNING: "clean but for its beginning",
    FAULT: "with a fault",
    UNREAD: "that could not be read",
    BUGGY: "on which the referee failed",
    LEFT: "not judged yet",
}
"""What the verdicts are called where logs are counted."""
KEYS = {
    CLEAN: "clean",
    UNDER: "clean_under_older_rules",
    DIFFERS: "differs_from_todays_rules",
    SO_FAR: "clean_so_far",
    OTHER_KEY: "clean_but_for_a_key",
    LOST_THROW: "clean_but_for_a_throw",
    BEGINNING: "clean_but_for_its_beginning",
    FAULT: "faults",
    UNREAD: "unreadable",
    BUGGY: "bugs",
    LEFT: "not_judged",
}
REMARKABLE = {
    DIFFERS: "Different from today's rules",
    OTHER_KEY: "Clean but for a key",
    LOST_THROW: "Clean but for a throw",
    BEGINNING: "Clean but for its beginning",
    FAULT: "With a fault",
    UNREAD: "Not read",
    BUGGY: "The referee failed on",
    LEFT: "Not judged yet",
}
"""The verdicts whose logs a summary names, and under which words."""


def audit_archive(context: Context, names: Sequence[str], jobs: int | None) -> Answer:
    """Audit logs and folders of logs; each is told as soon as it is judged. The answer is what it all comes to; in a
    session it tells each log, too.
    """
    tally = Tally(names)
    told: list[Answer] = []
    count = Count(tally)
    try:
        with closing(_found(tally, jobs or cores())) as found:
            for audited in found:
                with held():  # what is counted is told, and what is told is counted
                    answer = tally.add(audited, for_programs=context.screen.json)
                    wipe()
                    if context.resident:
                        told.append(answer)
                    else:
                        context.tell(answer)
                count.tell(tally.logs)
    except KeyboardInterrupt:
        tally.stop()
    except BrokenPipeError:  # whoever reads has seen enough
        hush()
        return Answer((), dict)
    wipe()
    return together([*told, tally.answer()])


def _found(tally: Tally, jobs: int) -> Generator[Audited, None, None]:
    if tally.is_piped:
        yield Audited(Path(PIPED), audit_stream(BytesIO(piped("a log"))))
    count = jobs if jobs > 1 and is_worth_workers(logs_among(tally.names)) else 1
    with workers(count) as executor:  # one at the least: a log may kill whoever judges it
        yield from audit_all(tally.handed_out(), executor, ahead=4 * count)


class Tally:
    """What an archive comes to, in memory that does not grow with it."""

    def __init__(self, named: Sequence[str]) -> None:
        self.is_piped = PIPED in named
        self.links = 0
        """Links that were not followed."""
        self.names = [name for name in named_once(named, self._pass_over) if name != PIPED]
        """The files and folders to look through, each once."""
        self.counts = dict.fromkeys(COUNTED, 0)
        self.first: dict[str, list[str]] = {verdict: [] for verdict in COUNTED}
        """The first logs of each verdict."""
        self.code = OK
        self.stopped = False
        """Whether it was stopped before all were judged."""
        self._handed_out: dict[str, None] = {}
        self._further = logs_among(self.names, self._pass_over)

    @property
    def logs(self) -> int:
        """Logs so far."""
        return sum(count for verdict, count in self.counts.items() if verdict != LEFT)

    def handed_out(self) -> Iterator[str]:
        """The logs, as they are taken to be judged."""
        while (log := self._taken()) is not None:
            yield log

    def _taken(self) -> str | None:
        """The next log, which counts as handed out."""
        with held():
            log = next(self._further, None)
            if log is not None:
                self._handed_out[log] = None
        return log

    def stop(self) -> None:
        """No more are judged: count and name those that were not."""
        self.stopped = True
        for log in chain(list(self._handed_out), self._further):
            self._count(LEFT, shown_name(log))

    def _count(self, verdict: str, name: str) -> None:
        self.counts[verdict] += 1
        if len(self.first[verdict]) < NAMED:
            self.first[verdict].append(name)

    def add(self, audited: Audited, *, for_programs: bool = False) -> Answer:
        """Count a log, and tell what was found of it. Where telling fails, that is what is told of this log alone."""
        try:
            answer = answer_on(audited)
            if for_programs:
                facts = answer.facts()  # worked out here, where what fails stops no other log
                answer = replace(answer, facts=lambda: facts)
        except Exception as error:
            audited = failed(audited.path, error)
            answer = answer_on(audited)
        verdict = verdict_of(audited)
        self._handed_out.pop(str(audited.path), None)
        self._count(verdict, name_of(audited))
        self.code = max(self.code, answer.code)
        return answer

    def _pass_over(self, _link: str) -> None:
        """Count a link that is not followed."""
        self.links += 1

    def answer(self) -> Answer:
        """The summary."""
        code = STOPPED if self.stopped else self.code if self.logs else UNREADABLE
        facts = {
            "logs": self.logs,
            **{key: self.counts[verdict] for verdict, key in KEYS.items()},
            "not_clean": {KEYS[verdict]: self.first[verdict] for verdict in REMARKABLE if self.first[verdict]},
            "links": self.links,
            "stopped": self.stopped,
            "exit": code,
        }
        return Answer(list(self._lines()), lambda: {"summary": facts}, code)

    def _lines(self) -> Iterator[Shown]:
        counted = [f"{count:,} {COUNTED[verdict]}" for verdict, count in self.counts.items() if count]
        logs = f"{self.logs:,} {'log' if self.logs == 1 else 'logs'}"
        result = f"{logs}: {', '.join(counted)}." if counted else "No logs here; in a folder their names end in .jsonl."
        worst = "good" if self.code == OK and self.logs else "refused"
        yield Text(f"STOPPED after {result}" if self.stopped else result, worst)
        for verdict, told in REMARKABLE.items():
            if self.first[verdict]:
                more = self.counts[verdict] - len(self.first[verdict])
                others = [f"{more:,} more"] if more else []
                yield Text(f"{told}: {listing([*self.first[verdict], *others])}", indent=2)
        if self.links:
            yield Text(f"{count_of(self.links, 'link')} not followed", indent=2)


class Count:
    """Counts the logs for people who wait: on stderr, if that is a terminal."""

    def __init__(self, tally: Tally) -> None:
        self._since = time.monotonic()
        self._tell = overwriting(EVERY)
        self._wanted = sys.stderr.isatty()
        self._all = tally.is_piped + sum(1 for _ in logs_among(tally.names)) if self._wanted else 0

    def tell(self, logs: int) -> None:
        """So many are judged."""
        if self._wanted:
            rate = logs / (time.monotonic() - self._since)
            self._tell(f"{logs:,} of {self._all:,} logs, {rate:,.0f} a second")


def name_of(audited: Audited) -> str:
    """The name of a log that was judged, or could not be."""
    return shown_name(audited.path)


def shown_name(path: str | Path) -> str:
    """A log's name as it can be shown anywhere, whatever its bytes are."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def verdict_of(audited: Audited) -> str:
    """One of those that are counted."""
    if audited.fault:
        return UNREAD if audited.fault.unreadable else FAULT
    if audited.clean:
        return worst(audited.games)
    return BUGGY if audited.bug else UNREAD


def answer_on(audited: Audited) -> Answer:
    """What was found of one log: one line if it is good."""
    verdict, report, name = verdict_of(audited), audited.report, name_of(audited)
    if report is None:
        code = BUG if audited.bug else UNREADABLE
        facts = {"log": name, "clean": False, "judged": False, "message": audited.why, "exit": code}
        return Answer([Text(f"{verdict}  {name}: {audited.why}", "refused", whole=True)], lambda: facts, code)
    facts = facts_on(name, report) if isinstance(report, Report) else match_facts_on(name, report)
    facts["left_out"] = audited.left_out
    return Answer(list(_lines_on(audited, verdict, name)), lambda: facts, code_of(report.fault))


def _lines_on(audited: Audited, verdict: str, name: str) -> Iterator[Shown]:
    fault = audited.fault
    if fault is None:
        yield Text(f"{verdict}  {name}{_remarks(audited)}", "good", whole=True)
        return
    yield Text(f"{verdict}  {name}, entry {fault.n}: {_cause(fault)}", "refused", whole=True)
    yield from versions(fault, 2)
    if audited.left_out:
        yield Text(f"and more: referee audit {quote(name)}", indent=2)
    yield from detail_of(fault)


def _cause(fault: Fault) -> str:
    return f"{fault.rule}  {fault.words}." if fault.rule else f"{fault.words}."


def _remarks(audited: Audited) -> str:
    """What has to be known of a log beside that it is good."""
    remarks = [withheld(game) for game in audited.games if game.unjudged]
    remarks += filter(None, map(other_rules, audited.games))
    for game in audited.games:
        remarks += told_by_mail(game)
    amended = [str(amendment.n) for game in audited.games for amendment in game.amendments]
    if amended:
        remarks.append(f"amended by agreement at {'entry' if len(amended) == 1 else 'entries'} {listing(amended)}")
    return f": {'; '.join(remarks)}" if remarks else ""
