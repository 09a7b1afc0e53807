"""`referee use`: chooses the current game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.arguments import reserve_log_path
from referee.cli.errors import MisuseError
from referee.cli.game_view import answer_with_summary, make_heading
from referee.cli.log_paths import (
    find_log,
    is_current_log,
    list_logs,
    list_related_logs,
    open_readable_part,
    write_pointer,
)
from referee.engine.text import listing
from referee.record.archive.log_boundary import UnreadableLog, run_on_log
from referee.record.log.file_kinds import PACKED, PAGE, find_path_kind
from referee.record.log.safe_files import open_user_file
from referee.record.table.opening_logs import extract_log, extract_mailed_log, open_log
from referee.record.table.player_names import list_seats_with_similar_names
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.cli.html_page import PageLog
    from referee.record.table.session import Session

LogArgument = Annotated[str | None, Argument(metavar="[LOG]", help="A log, its name, or the name of a branch.")]


OutputOption = Annotated[
    Path | None, Option("-o", "--output", metavar="FILE", help="Take the log out of a mail, a page or a ZIP.")
]


def use(ctx: typer.Context, log: LogArgument = None, output: OutputOption = None) -> Answer:
    """Choose the current game. Without a name, list the games in `logs/` and in this folder.

    \b
      referee use friday            referee use what-if
      referee use mail.txt -o logs/friday.jsonl
      referee use game.html -o logs/friday.jsonl
      referee use friday.jsonl.gz -o logs/friday.jsonl
    """
    if log is None:
        if output:
            raise MisuseError("name the file that holds the log: referee use FILE -o LOG")
        return _list_games()
    path = find_log(log)
    paged = _read_page_log(path)
    if paged:
        return _extract_from_page(ctx, paged, output)
    if find_path_kind(path) == PACKED:
        return _extract_from_packed(ctx, path, output)
    session = open_log(path)
    if output:
        with reserve_log_path(output, "") as path:
            session = extract_mailed_log(session, path)
        ctx.obj.set_current_log(path)
    else:
        write_pointer(path)
        ctx.obj.answered_log = path
    look = SeatView(session)
    people = {seat: name for seat, name in look.facts.names.items() if seat not in look.facts.bots}
    alike = [
        look.facts.format_seat(seat) for seat in list_seats_with_similar_names(people)
    ]  # a log from elsewhere may have such names
    if alike:
        ctx.obj.notes.append(f"Note: the names of {listing(alike)} are easy to confuse; use their seats instead.")
    if look.protocol:
        ctx.obj.notes += _describe_longer_copies(session)
    return answer_with_summary(look)


def _describe_longer_copies(session: Session) -> Iterator[str]:
    """Yields a note on each log here that is a longer copy of this game by mail.

    A player who signs in both copies would make two histories.
    """
    from referee.mail.packet_verdict import is_set_aside_log

    for path in list_related_logs(session.public.id, list_logs()):
        other = open_readable_part(path)
        longer = other is not None and len(other.entries) > len(session.entries)
        if other and longer and not is_set_aside_log(path) and other.public.branched == session.public.branched:
            where = f"to play in that one: referee use {quote(str(path))}"
            yield f"Note: {path} is a longer copy of this game; {where}"


def _read_page_log(path: Path) -> PageLog | None:
    """Returns the page in a file; None for any other file. Raises MisuseError if the page holds no log."""
    if find_path_kind(path) != PAGE:
        return None
    from referee.cli.html_page import read_page
    from referee.page.page_parsing import NoPageError

    try:
        return read_page(path)
    except NoPageError as error:
        raise MisuseError(f"{path} holds no log that can be taken out: {error}") from None


def _extract_from_page(ctx: typer.Context, paged: PageLog, output: Path | None) -> Answer:
    """Writes the log in a page to a file, and makes it the current game."""
    from referee.cli.html_page import extract_page_log

    if output is None:
        raise MisuseError("nobody can play on in a page; to take out its log: referee use FILE -o LOG")
    with extract_page_log(paged) as log:
        return _extract_log(ctx, paged.parsed_page.log, log, output)


def _extract_from_packed(ctx: typer.Context, packed: Path, output: Path | None) -> Answer:
    """Writes the log in a gzip or a ZIP to a file, and makes it the current game."""
    if output is None:
        raise MisuseError(f"{packed} is packed; to take out its log: referee use FILE -o LOG")
    with open_user_file(packed) as file, TemporaryDirectory() as folder:
        data, log = file.read(), Path(folder) / "game.jsonl"
        log.write_bytes(data)
        return _extract_log(ctx, data, log, output)


def _extract_log(ctx: typer.Context, data: bytes, log: Path, output: Path) -> Answer:
    """Writes a log to a file and makes it the current game. `log` is its copy in a temporary folder."""
    with reserve_log_path(output, "") as path:
        session = extract_log(data, open_log(log), path)
    ctx.obj.set_current_log(path)
    return answer_with_summary(SeatView(session))


def _list_games() -> Answer:
    facts = [
        {"log": str(path), "current": is_current_log(path), "standing": _describe_log(path)} for path in list_logs()
    ]
    lines = [Text(f"{'*' if fact['current'] else ' '} {fact['standing']}", hanging=4) for fact in facts]
    return Answer(lines or ["There are no logs here or in logs/ yet. To start a game: referee new GAME"], lambda: facts)


def _describe_log(path: Path) -> str:
    """Returns the state of a log in one line, or why it cannot be read."""
    found = run_on_log(path, lambda: _describe_state(SeatView(open_log(path))))
    return f"{path.name}: {found.why}" if isinstance(found, UnreadableLog) else found


def _describe_state(look: SeatView) -> str:
    return f"{make_heading(look)}: {look.sight.status}"
