"""`referee branch`: plays on from an earlier entry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.arguments import AgreedByOption, OutputOption, reserve_log_path
from referee.cli.consent import list_consenting_seats
from referee.cli.context import Context
from referee.cli.game_view import answer_with_summary, describe_turn, make_heading
from referee.cli.log_paths import is_current_log, list_logs, list_related_logs
from referee.record.table.opening_logs import branch as branch_off
from referee.record.table.opening_logs import open_good_part
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.record.table.session import Session


BranchNameArgument = Annotated[str | None, Argument(metavar="[NAME]", help="The name of the branch.")]


def branch(
    ctx: typer.Context, name: BranchNameArgument = None, output: OutputOption = None, agreed: AgreedByOption = None
) -> Answer:
    """Play on from an earlier entry in a new log, and make it the current game.

    The old log stays as it is. Without a name, list the branches of the current game. While a game with secrets goes
    on, all
    must agree.

    \b
      referee branch what-if --at 9
      referee branch again --at turn 7
    """
    context: Context = ctx.obj
    look = context.open_view()
    if name is None and output is None and context.when is None:
        return _list_branches(look)
    named = name or f"at-{look.log.entry_number}"
    with reserve_log_path(output, "") if output else nullcontext() as path:
        branched = branch_off(look.session, named, look.log.entry_number, path, list_consenting_seats(look, agreed))
    current = "; it is the current game" if context.set_current_log(branched.file_path) else ""
    now = SeatView(branched)
    return answer_with_summary(
        now, f"Branch {named} in {branched.file_path}{current}.", *_describe_terms(now, look.log.path)
    )


def _describe_terms(look: SeatView, parent: Path | None) -> Iterator[AnswerLine]:
    """Yields everything that a player accepts by joining a new branch by mail; nothing for another branch.

    `parent` is the log that the branch leaves.
    """
    if look.protocol is None:
        return
    from referee.cli.mail.nearby_logs import list_nearby_logs  # few branches are made by mail
    from referee.cli.treaty_text import describe_treaty
    from referee.mail.game_treaty import make_treaty_before_joining

    yield from describe_treaty(make_treaty_before_joining(look, list_nearby_logs(parent)))


def _list_branches(look: SeatView) -> Answer:
    """Lists the logs of the current game here or beside its log: the game itself, then branches by their start."""
    beside = sorted(look.log.path.parent.glob("*.jsonl")) if look.log.path else ()
    found = [
        _collect_branch_facts(open_good_part(path)[0])
        for path in list_related_logs(look.session.public.id, [*beside, *list_logs()])
    ]
    found.sort(key=lambda fact: -1 if fact["branch"] is None else fact["left_at"])
    lines = [_describe_branch(fact) for fact in found]
    how = Text("To make a branch: referee branch NAME --at WHEN. To use a branch: referee use NAME", indent=2)
    return Answer([make_heading(look), *lines, how], lambda: found)


def _collect_branch_facts(session: Session) -> dict[str, Any]:
    last, look = session.public.branched, SeatView(session)
    return {
        "log": str(session.file_path),
        "branch": last.name if last else None,
        "parent": last.parent if last else None,
        "left_at": last.n - 1 if last else None,
        "entries": len(session.entries),
        "when": describe_turn(look.facts),
        "current": is_current_log(session.file_path),
    }


def _describe_branch(fact: dict[str, Any]) -> AnswerLine:
    left = f"goes on from {fact['parent']}, entry {fact['left_at']}" if fact["branch"] else "the game itself"
    mark = "*" if fact["current"] else " "
    return Text(
        f"{mark} {fact['branch'] or Path(fact['log']).stem}: {left}; {fact['when']}; in {fact['log']}", hanging=4
    )
