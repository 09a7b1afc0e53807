"""`referee branch`: play on from an earlier entry."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from referee.cli.answer import Answer, Shown, Text
from referee.cli.consent import agreed_by
from referee.cli.context import Context
from referee.cli.logs import is_current, kin_of, logs_here
from referee.cli.look import answered, heading, turn_told
from referee.cli.typed import Agreed, Output, new_log
from referee.record.table.sitting import Sitting
from referee.record.table.start import branch as branch_off
from referee.record.table.start import open_good

if TYPE_CHECKING:
    from referee.record.table.session import Session


BranchName = Annotated[str | None, Argument(metavar="[NAME]", help="Name of the branch.")]


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
    named = name or f"at-{look.log.entry}"
    with new_log(output, "") if output else nullcontext() as path:
        branched = branch_off(look.session, named, look.log.entry, path, agreed_by(look, agreed))
    assert branched.path is not None, "a branch is a file"
    current = "; it is the current game" if context.choose(branched.path) else ""
    now = Sitting(branched)
    return answered(now, f"Branch {named} in {branched.path}{current}.")


def _branches(look: Sitting) -> Answer:
    """Every log of the current game that lies beside it or here: the game itself, then branches as they leave."""
    beside = sorted(look.log.path.parent.glob("*.jsonl")) if look.log.path else ()
    found = [_branch_facts(open_good(path)[0]) for path in kin_of(look.session.id, [*beside, *logs_here()])]
    found.sort(key=lambda fact: -1 if fact["branch"] is None else fact["left_at"])
    lines = [_branch_line(fact) for fact in found]
    how = Text("A new one: referee branch NAME --at WHEN; to go to one: referee use NAME", indent=2)
    return Answer([heading(look), *lines, how], lambda: found)


def _branch_facts(session: Session) -> dict[str, Any]:
    assert session.path is not None, "it was found as a file"
    last, look = session.branched, Sitting(session)
    return {
        "log": str(session.path),
        "branch": last.name if last else None,
        "parent": last.parent if last else None,
        "left_at": last.n - 1 if last else None,
        "entries": len(session.entries),
        "when": turn_told(look.facts),
        "current": is_current(session.path),
    }


def _branch_line(fact: dict[str, Any]) -> Shown:
    left = f"leaves {fact['parent']} after entry {fact['left_at']}" if fact["branch"] else "the game itself"
    mark = "*" if fact["current"] else " "
    return Text(
        f"{mark} {fact['branch'] or Path(fact['log']).stem}: {left}; {fact['when']}; in {fact['log']}", hanging=4
    )
