"""`referee audit`: checks that a log is genuine."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer
from referee.cli.arguments import read_stdin
from referee.cli.audit_report import answer_on_match_report, answer_on_report
from referee.cli.errors import MisuseError
from referee.cli.log_paths import find_log, names_many_logs
from referee.cli.screen import make_entry_progress
from referee.record.archive.audit import AuditReport, audit_stream
from referee.record.archive.audit_dispatch import audit_game_or_match
from referee.record.log import file_kinds
from referee.record.log.file_kinds import find_path_kind

LogsArgument = Annotated[
    list[str] | None, Argument(metavar="[LOG|FOLDER...]", help="Logs or folders of logs; - reads stdin.")
]


JobsOption = Annotated[
    int | None, Option("-j", "--jobs", metavar="N", min=1, help="Use N processes; default: one per core.")
]
WitnessOption = Annotated[
    list[str] | None,
    Option(
        "--witness",
        metavar="FILE",
        help="Compare the log with a page, a mail, a copy, a phone's file, a code or words.",
    ),
]


RollsOption = Annotated[bool, Option("--rolls", help="By mail: list every roll of all seats, and who could know it.")]


def audit(
    ctx: typer.Context,
    logs: LogsArgument = None,
    jobs: JobsOption = None,
    witness: WitnessOption = None,
    rolls: RollsOption = False,
) -> Answer:
    """Check every move again from its action and dice: form, hashes, dice, rules, results. Name the first fault.

    Several logs get one line each, in any order, then a summary. In folders, all *.jsonl files are logs. Links are not
    followed. With --json, the same as data.

    \b
      referee audit                 referee audit mail/*.jsonl
      referee audit archive/        referee audit --json archive/
      referee audit proof.json      check a proof that somebody signed two entries with one number
      referee audit game.html       check the log in a page, and whether the page shows it
      referee audit LOG --rolls     referee audit LOG --witness FILE
    """
    if witness or rolls:
        return _audit_with_details(logs or [str(ctx.obj.find_log_path())], witness or (), rolls=rolls)
    if logs and names_many_logs(logs):
        from referee.cli.archive_audit import audit_archive

        return audit_archive(ctx.obj, [name if name == "-" else str(find_log(name)) for name in logs], jobs)
    name = logs[0] if logs else str(ctx.obj.find_log_path())
    if name == "-":
        return answer_on_report(name, audit_stream(BytesIO(read_stdin("a log")), make_entry_progress()))
    path = find_log(name)
    return _audit_other_file(path) or _audit_log(name, path)


def _audit_with_details(logs: list[str], witnesses: Sequence[str], *, rolls: bool) -> Answer:
    """Returns the verdict on one log, with the report of each witness. With `rolls`, adds the ledger of its rolls."""
    path = find_log(logs[0])
    if names_many_logs(logs) or not find_path_kind(path).is_log:
        option = "--rolls" if rolls else "--witness FILE"
        raise MisuseError(f"{option.split(maxsplit=1)[0]} needs one log in a file: referee audit LOG {option}")
    answer = _audit_log(logs[0], path)
    if rolls:
        from referee.cli.roll_ledger import add_roll_ledger

        answer = add_roll_ledger(answer, path)
    if witnesses:
        from referee.cli.witnesses import add_testimonies

        answer = add_testimonies(answer, path, witnesses)
    return answer


def _audit_other_file(path: Path) -> Answer | None:
    """Returns the verdict on a proof or a page; None for any other file."""
    match find_path_kind(path):
        case file_kinds.PROOF:
            from referee.cli.mail.fork_proofs import answer_on_proof

            return answer_on_proof(path)
        case file_kinds.PAGE:
            from referee.cli.html_page import audit_page

            return audit_page(path)
        case _:
            return None


def _audit_log(name: str, path: Path) -> Answer:
    """Returns the verdict on a log under the name that was typed."""
    report = audit_game_or_match(path, make_entry_progress())
    if not isinstance(report, AuditReport):
        return answer_on_match_report(name, report)
    if report.ends:
        from referee.cli.ends_text import answer_on_ends  # hardly any log has several

        return answer_on_ends(name, report, path)
    answer = answer_on_report(name, report)
    if not report.signed:
        return answer
    from referee.cli.mail.fork_proofs import add_proofs  # games by mail alone have proofs

    return add_proofs(answer, path)
