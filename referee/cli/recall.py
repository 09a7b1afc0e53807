"""Looking back: the entries of a log, turn by turn, and the game told again from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.entries import describe, is_shut, told
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.typed import Eyes
from referee.cli.when import parse_when
from referee.engine.secret import blinded
from referee.record.log.entry import AmendEntry, GameEntry, PlayEntry

Span = Annotated[str | None, Argument(metavar="[A..B]", help="Only these entries.")]
Since = Annotated[str | None, Option("--from", metavar="WHEN", help="Begin there: entry 9, turn 7, or 7.blue.")]
Until = Annotated[str | None, Option("--to", metavar="WHEN", help="Stop there.")]
Stepping = Annotated[bool, Option("--step", help="Show the board after each entry, and wait for Enter.")]


def log(ctx: typer.Context, span: Span = None, by: Eyes = None) -> Answer:
    """List the entries, numbered, turn by turn; what was taken back is marked.

    \b
      referee log 10..20            referee log --by SEAT
    """
    look: Look = ctx.obj.look(by)
    low, high = _span(span, look.entry)
    in_force = set(look.session.in_force(look.entry))
    lines: list[Shown] = [look.heading]
    facts, turn = [], 0
    for one in look.entries[low : high + 1]:
        stands, text, then = one.n in in_force, describe(look, one), _before(look, one.n)
        gone = isinstance(one, GameEntry | PlayEntry | AmendEntry) and not stands
        seen = told(look, one) if is_shut(one) else []
        if one.n and then.turn != turn:
            turn = then.turn
            lines.append(Text(then.when, "bold"))
        line = f"{one.n:>4}{'-' if gone else ' '} {'  '.join([text, *seen])}"
        lines.append(Text(line, "faint" if gone else None, hanging=8))
        # an entry for programs is as everybody has it, its text for these eyes
        facts.append({"entry": blinded(one, None), "in_force": stands, "turn": then.turn, "text": text})
    return Answer(lines, lambda: facts)


def _before(look: Look, n: int) -> Look:
    """The moment in which an entry was made; for the first one, the moment after it."""
    at = max(0, n - 1)
    return look.then(at)


def _span(text: str | None, last: int) -> tuple[int, int]:
    read = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text or "0..")
    if read is None or not (read[1] or read[3]):
        raise MisuseError(f"{text!r} is no span of entries; type like 10..20, 10.. or 10")
    first = int(read[1] or 0)
    until = min(last, int(read[3] or last) if read[2] else first)
    if first > until:
        raise MisuseError(f"there are no entries {text}; the log has entries 0 to {last}")
    return first, until


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
