"""`referee audit`: is this what happened?"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer
from referee.cli.logs import are_many, log_named
from referee.cli.reports import match_report_on, report_on
from referee.cli.screen import progress
from referee.cli.typed import piped
from referee.record.archive.audit import Report, audit_stream
from referee.record.archive.judging import audit_any
from referee.record.log import kinds
from referee.record.log.kinds import kind_of

Logs = Annotated[list[str] | None, Argument(metavar="[LOG|FOLDER...]", help="Logs, folders of logs; - is stdin.")]


Jobs = Annotated[int | None, Option("-j", "--jobs", metavar="N", min=1, help="Processes; one a core if not given.")]


def audit(ctx: typer.Context, logs: Logs = None, jobs: Jobs = None) -> Answer:
    """Judge every play again from its action and dice: form, hashes, dice, legality, events. Names the first fault.

    Several logs are told a line each as they are judged, on all cores, in no order; then what it comes to. In a folder,
    and in those within, all *.jsonl are logs; links are not followed. With --json: a value a line, the summary last.

    \b
      referee audit                 referee audit mail/*.jsonl
      referee audit archive/        referee audit --json archive/
      referee audit proof.json      is it a proof that somebody signed two entries with one number?
      referee audit game.html       is the log in the page good, and does the page show what it gives?
    """
    if logs and are_many(logs):
        from referee.cli.archive import audit_archive

        return audit_archive(ctx.obj, [name if name == "-" else str(log_named(name)) for name in logs], jobs)
    name = logs[0] if logs else str(ctx.obj.path())
    if name == "-":
        return report_on(name, audit_stream(BytesIO(piped("a log")), progress()))
    path = log_named(name)
    return _verdict(path) or _judged(name, path)


def _verdict(path: Path) -> Answer | None:
    """The verdict on what is no log, but can be judged; None: it is one, or is to be told for none."""
    match kind_of(path):
        case kinds.PROOF:
            from referee.cli.mail.proving import proof_in

            return proof_in(path)
        case kinds.PAGE:
            from referee.cli.paged import audited

            return audited(path)
        case _:
            return None


def _judged(name: str, path: Path) -> Answer:
    """The verdict on a log; `name`: as it was named."""
    report = audit_any(path, progress())
    return report_on(name, report) if isinstance(report, Report) else match_report_on(name, report)
