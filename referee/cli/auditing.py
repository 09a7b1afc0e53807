"""Auditing logs, and comparing two of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import asdict
from typer import Argument

from referee.cli.answer import NO, OK, UNREADABLE, Answer, Shown, Text
from referee.cli.screen import progress
from referee.cli.typed import path_of
from referee.engine.text import begin_sentence, count_of, listing
from referee.record.audit import Report, audit_stream
from referee.record.audit import audit as audit_log
from referee.record.faults import Fault

if TYPE_CHECKING:
    from referee.record.diff import Difference, Side


Logs = Annotated[list[str] | None, Argument(metavar="[LOG...]", help="Logs to audit; - is stdin.")]
Compared = Annotated[Path, Argument(metavar="LOG")]


def audit(ctx: typer.Context, logs: Logs = None) -> Answer:
    """Judge every play again from its action and dice: form, hashes, dice, legality, events. Names the first fault.

    \b
      referee audit                 referee audit mail/*.jsonl
    """
    return together([report_on(name, _audited(name)) for name in logs or [str(ctx.obj.path())]])


def _audited(name: str) -> Report:
    if name == "-":
        return audit_stream(BytesIO(sys.stdin.buffer.read()), progress())
    return audit_log(path_of(name), progress())


def together(answers: list[Answer]) -> Answer:
    """Several verdicts in one, as bad as the worst."""
    lines = [line for answer in answers for line in answer.lines]
    facts = answers[0].facts if len(answers) == 1 else lambda: [answer.facts() for answer in answers]
    return Answer(lines, facts, max(answer.code for answer in answers))


def report_on(name: str, report: Report) -> Answer:
    """The verdict of an audit on one log."""
    facts = {"log": name, "clean": report.fault is None, **asdict(report)}
    return Answer(_told(name, report), lambda: facts, code_of(report.fault))


def code_of(fault: Fault | None) -> int:
    """The exit code of an audit that found this."""
    return OK if fault is None else UNREADABLE if fault.unreadable else NO


def verdict_on(name: str, fault: Fault | None, *, unjudged: bool = False) -> Iterator[Shown]:
    """What an audit found; `unjudged`: some plays cannot be judged yet."""
    if fault is None:
        yield Text(f"{'CLEAN SO FAR' if unjudged else 'CLEAN'}  {name}", "good")
        return
    yield Text(f"FAULT  {name}: entry {fault.n}, byte {fault.offset}", "refused")
    yield Text(f"{fault.rule or fault.code}  {fault.cause}", indent=2)
    for label, lines in (("recorded:", fault.recorded), ("under today's rules:", fault.expected)):
        if lines:
            yield Text(label, indent=2)
        yield from (Text(line, indent=4) for line in lines)


def _told(name: str, report: Report) -> Iterator[Shown]:
    fault = report.fault
    yield from verdict_on(name, fault, unjudged=bool(report.unjudged))
    if not report.game:
        return
    entries = count_of(report.entries, "entry", "entries")
    good, taken = " good" if fault else "", count_of(report.takebacks, "takeback")
    judged = f"{count_of(report.plays, 'play')} judged again, {count_of(report.draws, 'draw')} of dice checked"
    yield Text(f"{report.game}: {entries}{good}, {judged}, {taken}", indent=2)
    if report.unjudged:
        each = [f"{count_of(count, 'play')} of {seat}" for seat, count in report.unjudged.items()]
        why = "cannot be judged before every secret of theirs is revealed"
        yield Text(f"{listing(each)} {why}; their hashes and open dice are as they should be", indent=2)
    elif report.secrets:
        yield Text(f"{count_of(report.secrets, 'secret')} not revealed yet, judged from the vaults", indent=2)
    for amendment in report.amendments:
        yield Text(f"Entry {amendment.n} amends the position by agreement: {amendment.why}", indent=2)
    if report.outcome:
        yield Text(f"{begin_sentence(report.outcome.because)}.", indent=2)
    if fault and fault.n > 0:
        yield Text(f"Play on from the good part: referee -g {name} branch mended --at {fault.n - 1}", indent=2)


def diff(one: Compared, other: Compared) -> Answer:
    """Compare two logs: where they part, what each says there, and whether it is legal.

    \b
      referee diff mine.jsonl theirs.jsonl
    """
    from referee.record.diff import diff as compare

    found = compare(one, other)
    return Answer(_told_diff(found), lambda: found, OK if found.same else NO)


def _told_diff(found: Difference) -> Iterator[Shown]:
    common = count_of(found.common, "entry", "entries")
    if found.same:
        yield Text(f"The same: {common}.", "good")
        return
    if found.common:
        yield f"The same for {common}, up to entry {found.common - 1}. Then:"
    else:
        yield Text("Two different games: not even the first entry is the same.", "refused")
    for side in found.sides:
        yield from _told_side(side, found.common)


def _told_side(side: Side, common: int) -> Iterator[Shown]:
    if side.entry is None:
        yield Text(f"{side.name}: ends here", indent=2)
        return
    yield Text(f"{side.name}: entry {common}, {side.entry}", indent=2)
    if side.fault:
        yield Text(f"{side.fault.rule or side.fault.code}: {side.fault.cause}", "refused", indent=6)
    elif side.judged:
        yield Text("legal", "good", indent=6)
    else:
        yield Text("cannot be judged before every secret is revealed", indent=6)
    if side.after:
        yield Text(f"and {count_of(side.after, 'entry', 'entries')} after it", indent=6)
