"""`referee use`: choose the current game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.errors import MisuseError
from referee.cli.logs import is_current, kin_of, log_named, logs_here, point_at
from referee.cli.look import answered, heading
from referee.cli.typed import new_log
from referee.engine.blame import GameError
from referee.engine.text import listing
from referee.record.log.faults import FaultError
from referee.record.log.kinds import PAGE, kind_of
from referee.record.table.names import alike_in
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log, take_out

if TYPE_CHECKING:
    from referee.cli.paged import Paged
    from referee.record.table.session import Session

Log = Annotated[str | None, Argument(metavar="[LOG]", help="The log of the game, or its name, or a branch's.")]


Taken = Annotated[
    Path | None, Option("-o", "--output", metavar="FILE", help="Take the log out of a letter, or of a page.")
]


def use(ctx: typer.Context, log: Log = None, output: Taken = None) -> Answer:
    """Choose the current game; bare: list the games in `logs/` and in this folder.

    \b
      referee use friday            referee use what-if
      referee use mail.txt -o logs/friday.jsonl
      referee use game.html -o logs/friday.jsonl
    """
    if log is None:
        if output:
            raise MisuseError("say which letter the log is in: referee use FILE -o LOG")
        return _listed()
    path = log_named(log)
    paged = _page_at(path)
    if paged:
        return _taken_out_of(ctx, paged, output)
    session = open_log(path)
    if output:
        with new_log(output, "") as path:
            session = take_out(session, path)
        ctx.obj.choose(path)
    else:
        point_at(path)
    look = Sitting(session)
    alike = [look.facts.player(seat) for seat in alike_in(look.facts.names)]  # a log from elsewhere may have such names
    if alike:
        ctx.obj.notes.append(f"Note: the names of {listing(alike)} are easily mistaken; name them by their seats.")
    if look.pact:
        ctx.obj.notes += _further_on(session)
    return answered(look)


def _further_on(session: Session) -> Iterator[str]:
    """That another copy of a game by mail lies here which goes on further: who plays in both signs two histories."""
    from referee.mail.arrival import is_aside
    from referee.record.table.start import open_good

    for path in kin_of(session.id, logs_here()):
        with suppress(FaultError, OSError):
            other = open_good(path)[0]
            longer = len(other.entries) > len(session.entries)
            if longer and not is_aside(path) and other.branched == session.branched:
                where = f"play in that one: referee use {quote(str(path))}"
                yield f"Note: {path} is the same game, and goes on further; {where}"


def _page_at(path: Path) -> Paged | None:
    """The page in a file; None: it is none. MisuseError where it holds no log."""
    if kind_of(path) != PAGE:
        return None
    from referee.cli.paged import page_at
    from referee.page.taken import NoPageError

    try:
        return page_at(path)
    except NoPageError as error:
        raise MisuseError(f"no log can be taken out of {path}: {error}") from None


def _taken_out_of(ctx: typer.Context, paged: Paged, output: Path | None) -> Answer:
    """Play on with the log that a page carries."""
    from referee.cli.paged import laid_out
    from referee.record.table.start import keep

    if output is None:
        raise MisuseError("a page is to be looked at; take its log out to play on: referee use FILE -o LOG")
    with laid_out(paged) as log, new_log(output, "") as path:
        session = keep(paged.taken.log, open_log(log), path)
    ctx.obj.choose(path)
    return answered(Sitting(session))


def _listed() -> Answer:
    facts = [{"log": str(path), "current": is_current(path), "standing": _told(path)} for path in logs_here()]
    lines = [Text(f"{'*' if fact['current'] else ' '} {fact['standing']}", hanging=4) for fact in facts]
    return Answer(lines or ["No logs here or in logs/ yet; start a game with: referee new GAME"], lambda: facts)


def _told(path: Path) -> str:
    """A log in one line, also where it is none, or its game is faulty."""
    try:
        session = open_log(path)
    except FaultError as error:
        return f"{path.name}: {error.fault.words}"
    except (GameError, OSError) as error:
        return f"{path.name}: {error}"
    look = Sitting(session)
    return f"{heading(look)}: {look.sight.status}"
