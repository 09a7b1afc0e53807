"""`referee replay`: the game told again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from typer import Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.entries import describe, told
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.typed import Eyes
from referee.cli.when import parse_when

Since = Annotated[str | None, Option("--from", metavar="WHEN", help="Begin there: entry 9, turn 7, or 7.blue.")]


Until = Annotated[str | None, Option("--to", metavar="WHEN", help="Stop there.")]


Stepping = Annotated[bool, Option("--step", help="Show the board after each entry, and wait for Enter.")]


def replay(
    ctx: typer.Context, since: Since = None, until: Until = None, step: Stepping = False, by: Eyes = None
) -> Answer:
    """Tell the game again from its log, as things to do with the pieces. Runs no rules.

    \b
      referee replay --from turn 7 --step
      referee replay --by SEAT --to 12
    """
    context: Context = ctx.obj
    if until is not None:
        context.when = parse_when(until)
    look = context.look(by)
    first = _first(look, since)
    if step:
        return _stepped(context, look, first)
    facts, lines = [], list[Shown]()
    for entry in look.entries[first : look.entry + 1]:
        text, happened = describe(look, entry), told(look, entry)
        facts.append({"n": entry.n, "by": entry.by, "text": text, "told": happened})
        lines += _told(look, entry.n)
    heading, *standing = look.summary()
    return Answer(
        [heading, *lines, *standing, look.picture()],
        lambda: {"entries": facts, "position": look.position},
    )


def _first(look: Look, since: str | None) -> int:
    """The first entry to tell: the one named, or the first of a turn; MisuseError when it comes too late."""
    if since is None:
        return 0
    when = parse_when(since)
    first = when.entry(lambda: look.session) + when.is_turn
    if first > look.entry + when.is_turn:
        raise MisuseError(f"there is nothing to tell from entry {first} to entry {look.entry}")
    return first


def _told(look: Look, n: int) -> Iterator[Shown]:
    """An entry and what happened in it."""
    entry = look.entries[n]
    yield Text(f"{n:>4}  {describe(look, entry)}", "bold")
    yield from (Text(line, indent=6) for line in told(look, entry))


def _stepped(context: Context, look: Look, first: int) -> Answer:
    """Entry by entry with the board after it, for somebody who moves the counters along."""
    if context.screen.json:
        raise MisuseError("--step waits for Enter and so is for people; leave it out with --json")
    for n in range(first, look.entry):
        if not context.pause(_page(look, n)):
            return Answer([Text(f"Go on with: referee replay --step --from {n + 1}", indent=2)], dict)
    return Answer(_page(look, look.entry), dict)


def _page(look: Look, n: int) -> list[Shown]:
    """An entry, and the game as it stood after it."""
    then = look.then(n)
    heading, *standing = then.summary()
    return [heading, *_told(look, n), *standing, then.picture()]
