"""Choosing the log that is played on: by its name, out of a letter, or as a branch of another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context, point_at, pointed_at
from referee.cli.errors import MisuseError
from referee.cli.logs import kin_of, log_named, logs_here
from referee.cli.look import Look
from referee.cli.typed import Agreed, Output, new_log, seats_of
from referee.engine.registry import GameError
from referee.record.log.faults import FaultError
from referee.record.table.start import branch as branch_off
from referee.record.table.start import open_log, take_out

if TYPE_CHECKING:
    from referee.record.table.session import Session

Log = Annotated[str | None, Argument(metavar="[LOG]", help="The log of the game, or its name, or a branch's.")]
Taken = Annotated[Path | None, Option("-o", "--output", metavar="FILE", help="Take the log out of a letter.")]
BranchName = Annotated[str | None, Argument(metavar="[NAME]", help="Name of the branch.")]


def use(ctx: typer.Context, log: Log = None, output: Taken = None) -> Answer:
    """Choose the current game; bare: list the games in `logs/` and in this folder.

    \b
      referee use friday            referee use what-if
      referee use mail.txt -o logs/friday.jsonl
    """
    if log is None:
        if output:
            raise MisuseError("say which letter the log is in: referee use FILE -o LOG")
        return _listed()
    path = log_named(log)
    session = open_log(path)
    if output:
        path = new_log(output, "")
        session = take_out(session, path)
        ctx.obj.choose(path)
    else:
        point_at(path)
    return Look(session).answer()


def _listed() -> Answer:
    facts = [{"log": str(path), "current": _is_current(path), "standing": _told(path)} for path in logs_here()]
    lines = [f"{'*' if fact['current'] else ' '} {fact['standing']}" for fact in facts]
    return Answer(lines or ["No logs here or in logs/ yet; start a game with: referee new GAME"], lambda: facts)


def _is_current(path: Path) -> bool:
    here = pointed_at()
    return here is not None and path.resolve() == here.resolve()


def _told(path: Path) -> str:
    """A log in one line, also where it is none, or its game is faulty."""
    try:
        session = open_log(path)
    except FaultError as error:
        return f"{path.name}: {error.fault.words}"
    except (GameError, OSError) as error:
        return f"{path.name}: {error}"
    look = Look(session)
    return f"{look.heading}: {look.status}"


def branch(ctx: typer.Context, name: BranchName = None, output: Output = None, agreed: Agreed = None) -> Answer:
    """Play on from an earlier entry in a new log, and make it the current game. The old log stays as it is. Bare: list
    the branches of the current game. Where secrets are kept here, all have to agree while the game goes on.

    \b
      referee branch what-if --at 9
      referee branch again --at turn 7
    """
    context: Context = ctx.obj
    look = context.look()
    if name is None and output is None and context.when is None:
        return _branches(look)
    named = name or f"at-{look.entry}"
    path = new_log(output, "") if output else None
    branched = branch_off(look.session, named, look.entry, path, seats_of(agreed, look.names))
    assert branched.path is not None, "a branch is a file"
    current = "; it is the current game" if context.choose(branched.path) else ""
    now = Look(branched)
    return now.answer(f"Branch {named} in {branched.path}{current}.")


def _branches(look: Look) -> Answer:
    """Every log of the current game that lies beside it or here."""
    beside = look.path.parent.glob("*.jsonl") if look.path else ()
    found = [_branch_facts(session) for session in kin_of(look.session.fold.opener.game_id, [*beside, *logs_here()])]
    lines = [_branch_line(fact) for fact in found]
    how = Text("A new one: referee branch NAME --at WHEN; to go to one: referee use NAME", indent=2)
    return Answer([look.heading, *lines, how], lambda: found)


def _branch_facts(session: Session) -> dict[str, Any]:
    assert session.path is not None, "it was found as a file"
    last, look = session.fold.branched, Look(session)
    return {
        "log": str(session.path),
        "branch": last.name if last else None,
        "parent": last.parent if last else None,
        "left_at": last.n - 1 if last else None,
        "entries": len(session.entries),
        "when": look.when,
        "current": _is_current(session.path),
    }


def _branch_line(fact: dict[str, Any]) -> Shown:
    left = f"leaves {fact['parent']} after entry {fact['left_at']}" if fact["branch"] else "the game itself"
    mark = "*" if fact["current"] else " "
    return Text(
        f"{mark} {fact['branch'] or Path(fact['log']).stem}: {left}; {fact['when']}; in {fact['log']}", hanging=4
    )
