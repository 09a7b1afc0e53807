"""The record: listing it, telling it again, opening its secrets, branching off."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context, point_at
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.typed import Agreed, Eyes, Output, new_log, seats_of
from referee.engine.secret import blinded
from referee.engine.text import count_of, listing
from referee.record.entry import (
    AmendEntry,
    AnyEntry,
    BranchEntry,
    GameEntry,
    JoinEntry,
    NoteEntry,
    PlayEntry,
    RevealEntry,
    TakebackEntry,
)


def log(
    ctx: typer.Context,
    span: Annotated[str | None, Argument(metavar="[A..B]", help="Only these entries.")] = None,
    by: Eyes = None,
) -> Answer:
    """List the entries, numbered; what was taken back is marked.

    \b
      referee log 10..20            referee log --by SEAT
    """
    context: Context = ctx.obj
    look = context.look(by)
    low, high = _span(span, look.entry)
    in_force = set(look.session.in_force(look.entry))
    entries = look.session.entries[low : high + 1]
    lines = [_listed(look, entry, taken_back=_is_gone(entry, in_force)) for entry in entries]
    return Answer([look.heading, *lines], lambda: [_facts(look, entry, in_force) for entry in entries])


def _span(text: str | None, last: int) -> tuple[int, int]:
    read = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text or "0..")
    if read is None or not (read[1] or read[3]):
        raise MisuseError(f"{text!r} is no span of entries; type like 10..20, 10.. or 10")
    first = int(read[1] or 0)
    until = min(last, int(read[3] or last) if read[2] else first)
    if first > until:
        raise MisuseError(f"there are no entries {text}; the log has entries 0 to {last}")
    return first, until


def _is_gone(entry: AnyEntry, in_force: set[int]) -> bool:
    return isinstance(entry, GameEntry | PlayEntry | AmendEntry) and entry.n not in in_force


def _listed(look: Look, entry: AnyEntry, *, taken_back: bool) -> Text:
    seen = told(look, entry) if is_shut(look, entry) else []
    line = f"{entry.n:>4}{'-' if taken_back else ' '} {'  '.join([describe(look, entry), *seen])}"
    return Text(line, "faint" if taken_back else None, hanging=8)


def _facts(look: Look, entry: AnyEntry, in_force: set[int]) -> dict[str, Any]:
    """An entry as everybody has it, and in the words for these eyes."""
    return {"entry": blinded(entry, None), "in_force": entry.n in in_force, "text": describe(look, entry)}


def replay(
    ctx: typer.Context,
    to: Annotated[int | None, Option("--to", metavar="N", help="Stop after entry N.")] = None,
    by: Eyes = None,
) -> Answer:
    """Tell the game again from its log, as things to do with the pieces. Runs no rules.

    \b
      referee replay --to 12        referee replay --by SEAT
    """
    context: Context = ctx.obj
    context.at = context.at if to is None else to
    look = context.look(by)
    entries = look.session.entries[: look.entry + 1]
    lines: list[Shown] = []
    for entry in entries:
        lines.append(Text(f"{entry.n:>4}  {describe(look, entry)}", "bold"))
        lines += [Text(line, indent=6) for line in told(look, entry)]
    return Answer(
        [*lines, *look.standing(), look.game.draw(look.view)],
        lambda: {
            "entries": [
                {"n": one.n, "by": one.by, "text": describe(look, one), "told": told(look, one)} for one in entries
            ],
            "position": look.game.position_of(look.view),
        },
    )


def branch(
    ctx: typer.Context,
    name: Annotated[str | None, Argument(metavar="[NAME]", help="Name of the branch.")] = None,
    output: Output = None,
) -> Answer:
    """Play on from an earlier entry in a new log, and make it the current game. The old log stays as it is.

    \b
      referee branch what-if --at 9
    """
    from referee.record.start import branch as branch_off

    context: Context = ctx.obj
    look = context.look()
    named = name or f"at-{look.entry}"
    branched = branch_off(look.session, named, look.entry, new_log(output, "") if output else None)
    assert branched.path is not None, "a branch is a file"
    point_at(branched.path)
    now = Look(branched, branched.moment())
    told = f"Branch {named} in {branched.path}; it is the current game."
    return Answer([told, *now.standing(), *now.next()], now.facts)


def reveal(
    ctx: typer.Context,
    entries: Annotated[list[int] | None, Argument(metavar="[N...]", help="Only these entries.")] = None,
    agreed: Agreed = None,
) -> Answer:
    """Open secrets for everybody, so that any audit can judge every play. They cannot be closed again.

    The log holds a secret as a hash, and a vault what it is a hash of. A reveal copies that into the log, from the
    vaults that are here.

    \b
      referee reveal 12 --agreed-by SEAT,SEAT
    """
    context: Context = ctx.obj
    look = context.recording("reveal")
    opened = look.session.reveal(entries or (), agreed=seats_of(agreed, look.names))
    now = look.now()
    told = [Text(f"{n:>4}  {describe(now, now.session.entries[n])}", hanging=6) for n in opened]
    done = Text(f"{count_of(len(opened), 'secret')} revealed. Next: referee audit", "good")
    return Answer([now.heading, *told, done], lambda: {"revealed": opened, "after": now.facts()})


def describe(look: Look, entry: AnyEntry) -> str:
    """An entry in one line."""
    match entry:
        case GameEntry():
            return f"{look.game.title}: {', '.join(map(look.player, look.session.seats))}"
        case JoinEntry():
            return f"{entry.by} keeps secrets from here on"
        case PlayEntry():
            return f"{entry.by}: {_said(look, entry)}"
        case RevealEntry():
            return f"entry {entry.of} revealed: {_revealed(look, look.session.entries[entry.of])}"
        case TakebackEntry():
            agreed = f", agreed by {listing(entry.agreed)}" if entry.agreed else ""
            return f"{entry.by} takes back to entry {entry.to}{agreed}"
        case AmendEntry():
            return f"position amended, agreed by {listing(entry.agreed)}: {entry.why}"
        case NoteEntry():
            return f"note by {entry.by}: {entry.text}"
        case BranchEntry():
            return f"branch {entry.name}"


def told(look: Look, entry: AnyEntry) -> list[str]:
    """What happened in an entry, as things to do with the pieces."""
    if not isinstance(entry, PlayEntry):
        return []
    events = entry.all_events if _sees(look, entry) else entry.events
    return [look.game.tell(_shut(look, entry, event)) for event in events]


def is_shut(look: Look, entry: AnyEntry) -> bool:
    """Whether the very deed is a secret that these eyes do not see."""
    return isinstance(entry, PlayEntry) and entry.action is None and not _sees(look, entry)


def _sees(look: Look, entry: PlayEntry[Any, Any]) -> bool:
    """Whether these eyes see all of a play: their own, or one that is revealed, if it can be opened here."""
    if entry.secret is None or not entry.secret.known:
        return entry.secret is None
    return look.sees(entry.by) or _is_revealed(look, entry)


def _is_revealed(look: Look, entry: PlayEntry[Any, Any]) -> bool:
    return entry.secret is not None and entry.secret.leaf not in look.session.fold.sealed


def _shut(look: Look, entry: PlayEntry[Any, Any], value: Any) -> Any:
    """A part of a play without what these eyes may not see; once no secret is left, there is nothing to hide."""
    return look.blinded(value) if look.session.fold.sealed and not look.sees(entry.by) else value


def _said(look: Look, entry: PlayEntry[Any, Any]) -> str:
    if is_shut(look, entry):
        return "a secret, sealed"
    deed = entry.deed if _sees(look, entry) else None
    action, rolls = (deed.action, deed.rolls) if deed else (entry.action, entry.rolls)
    hidden = entry.secret is not None and deed is not None and not _is_revealed(look, entry)
    thrown = "".join(f"  [{' '.join(map(str, roll.names or roll.faces))}]" for roll in rolls)
    return f"{look.game.format(_shut(look, entry, action))}{thrown}{' (a secret)' if hidden else ''}"


def _revealed(look: Look, entry: AnyEntry) -> str:
    return _said(look, entry) if isinstance(entry, PlayEntry) else "the seed of dice thrown in secret"
