"""`referee git`: makes Git understand logs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, AnswerLine, Text
from referee.cli.arguments import COMMAND_LINE_SETTINGS
from referee.cli.entry_text import describe_entry
from referee.cli.git_setup import WorkingTree
from referee.cli.output import write_messages
from referee.engine.text import make_printable
from referee.record.log.file_kinds import LOG, find_content_kind
from referee.record.log.log_ends import LogEnds, find_log_ends
from referee.record.log.log_errors import FaultError
from referee.record.log.recovery import find_only_end_to_keep
from referee.record.log.safe_files import MAX_SEARCHED_FILE_BYTES, read_user_file, replace_file
from referee.record.table.opening_logs import open_bytes
from referee.record.table.seat_view import SeatView

app = typer.Typer(
    help="""Make Git understand logs: differences in words, merges that lose nothing, no secrets in commits.

\b
  referee git setup
  referee git setup --undo
""",
    no_args_is_help=True,
    **COMMAND_LINE_SETTINGS,
)

UndoOption = Annotated[bool, Option("--undo", help="Take out everything that setup wrote.")]
FileArgument = Annotated[Path, Argument(metavar="FILE")]


@app.command("setup")
def set_up_git(*, undo: UndoOption = False) -> Answer:
    """Set this working tree up for logs, and say what was written where.

    Git then shows the moves of a log in words. A merge takes over what a copy has added, and keeps both ends if two
    people played on. Vaults are never committed by accident.

    \b
      referee git setup             referee git setup --undo
    """
    tree = WorkingTree(Path())
    steps = list(tree.remove_settings() if undo else tree.write_settings())
    told: list[AnswerLine] = [Text(step, indent=2, hanging=4) for step in steps] or ["Nothing was set up here."]
    done = "Git knows nothing of logs here any more." if undo else "Git understands the logs in this working tree."
    return Answer([done, *told], lambda: {"undone": undo, "steps": steps})


@app.command("words", hidden=True)
def print_words(file: FileArgument) -> Answer:
    """Print the entries of a log in words, as Git shows its differences. Any other file is printed as it is.

    \b
      referee git words g.jsonl     referee git words OLD-COPY
    """
    data = read_user_file(file, MAX_SEARCHED_FILE_BYTES)
    lines = list(_describe_entries(data, file))
    return Answer(lines, lambda: {"lines": lines})


def _describe_entries(data: bytes, file: Path) -> Iterator[str]:
    """Yields a line for each entry of a log, in the public view; the lines of any other file as they are."""
    if find_content_kind(data) == LOG:
        try:
            session = open_bytes(data, file)
        except FaultError:
            pass
        else:
            look = SeatView(session)
            yield from (f"{entry.n:>4}  {describe_entry(look, entry)}" for entry in session.entries)
            return
    yield from data.decode("utf-8", "replace").splitlines()


@app.command("merge-driver", hidden=True)
def merge_driver(
    base: FileArgument, ours: FileArgument, theirs: FileArgument, name: Annotated[str, Argument(metavar="[NAME]")] = ""
) -> Answer:
    """Merge two copies of a log for Git. The result replaces the second file.

    \b
      referee git merge-driver BASE OURS THEIRS
      referee git merge-driver BASE OURS THEIRS g.jsonl
    """
    data = read_user_file(ours, MAX_SEARCHED_FILE_BYTES) + b"\n" + read_user_file(theirs, MAX_SEARCHED_FILE_BYTES)
    ends = find_log_ends(data)
    if ends is None:
        done = subprocess.run(["git", "merge-file", str(ours), str(base), str(theirs)], check=False)
        return Answer((), dict, OK if done.returncode == 0 else NO)
    sole = find_only_end_to_keep(ends)
    replace_file(ours, ends.get_lines_of_end(sole) if sole is not None else _join_ends(ends))
    if sole is not None:
        return Answer((), dict)
    told = f"Two people played on in {name or ours}. Both ends are kept; to choose one: referee merge"
    write_messages([make_printable(told)])
    return Answer((), dict, NO)


def _join_ends(ends: LogEnds) -> bytes:
    return ends.common + b"".join(line for tail in ends.tails for line in tail)
