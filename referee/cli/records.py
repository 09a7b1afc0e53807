"""The record: listing it, telling it again, opening its secrets, branching off, and what players settle in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context, point_at
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.typed import Agreed, By, Eyes, Output, new_log, read_document, seats_of
from referee.engine.event import REFEREE
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

Span = Annotated[str | None, Argument(metavar="[A..B]", help="Only these entries.")]
Until = Annotated[int | None, Option("--to", metavar="N", help="Stop after entry N.")]
BranchName = Annotated[str | None, Argument(metavar="[NAME]", help="Name of the branch.")]
Plays = Annotated[int, Argument(metavar="[N]", help="How many plays.")]
Remark = Annotated[list[str], Argument(metavar="TEXT...", help="The remark.")]
Mended = Annotated[Path, Option("--from", metavar="FILE", help="The position as it should be: TOML or JSON.")]
Why = Annotated[str, Option("--why", metavar="TEXT", help="What went wrong.")]
AllAgreed = Annotated[str, Option("--agreed-by", metavar="SEATS", help="All seats, with commas.")]
Numbers = Annotated[list[int] | None, Argument(metavar="[N...]", help="Only these entries.")]


def log(ctx: typer.Context, span: Span = None, by: Eyes = None) -> Answer:
    """List the entries, numbered; what was taken back is marked.

    \b
      referee log 10..20            referee log --by SEAT
    """
    look: Look = ctx.obj.look(by)
    low, high = _span(span, look.entry)
    in_force = set(look.session.in_force(look.entry))
    entries = [(one, one.n in in_force, describe(look, one)) for one in look.session.entries[low : high + 1]]
    lines: list[Shown] = [look.heading]
    for one, stands, text in entries:
        gone = isinstance(one, GameEntry | PlayEntry | AmendEntry) and not stands
        seen = told(look, one) if is_shut(look, one) else []
        line = f"{one.n:>4}{'-' if gone else ' '} {'  '.join([text, *seen])}"
        lines.append(Text(line, "faint" if gone else None, hanging=8))
    return Answer(
        lines,  # an entry for programs is as everybody has it, its text for these eyes
        lambda: [{"entry": blinded(one, None), "in_force": stands, "text": text} for one, stands, text in entries],
    )


def _span(text: str | None, last: int) -> tuple[int, int]:
    read = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text or "0..")
    if read is None or not (read[1] or read[3]):
        raise MisuseError(f"{text!r} is no span of entries; type like 10..20, 10.. or 10")
    first = int(read[1] or 0)
    until = min(last, int(read[3] or last) if read[2] else first)
    if first > until:
        raise MisuseError(f"there are no entries {text}; the log has entries 0 to {last}")
    return first, until


def replay(ctx: typer.Context, to: Until = None, by: Eyes = None) -> Answer:
    """Tell the game again from its log, as things to do with the pieces. Runs no rules.

    \b
      referee replay --to 12        referee replay --by SEAT
    """
    context: Context = ctx.obj
    context.at = context.at if to is None else to
    look = context.look(by)
    facts, lines = [], list[Shown]()
    for entry in look.session.entries[: look.entry + 1]:
        text, happened = describe(look, entry), told(look, entry)
        facts.append({"n": entry.n, "by": entry.by, "text": text, "told": happened})
        lines.append(Text(f"{entry.n:>4}  {text}", "bold"))
        lines += [Text(line, indent=6) for line in happened]
    return Answer(
        [*lines, *look.standing(), look.game.draw(look.view)],
        lambda: {"entries": facts, "position": look.game.position_of(look.view)},
    )


def branch(ctx: typer.Context, name: BranchName = None, output: Output = None) -> Answer:
    """Play on from an earlier entry in a new log, and make it the current game. The old log stays as it is.

    \b
      referee branch what-if --at 9
    """
    from referee.record.start import branch as branch_off

    look: Look = ctx.obj.look()
    named = name or f"at-{look.entry}"
    branched = branch_off(look.session, named, look.entry, new_log(output, "") if output else None)
    assert branched.path is not None, "a branch is a file"
    point_at(branched.path)
    now = Look(branched, branched.moment())
    return now.answer(f"Branch {named} in {branched.path}; it is the current game.")


def reveal(ctx: typer.Context, entries: Numbers = None, agreed: Agreed = None) -> Answer:
    """Open secrets for everybody, so that any audit can judge every play. They cannot be closed again.

    The log holds a secret as a hash, and a vault what it is a hash of. A reveal copies that into the log, from the
    vaults that are here.

    \b
      referee reveal 12 --agreed-by SEAT,SEAT
    """
    look: Look = ctx.obj.recording("reveal")
    opened = look.session.reveal(entries or (), agreed=seats_of(agreed, look.names))
    now = look.now()
    lines = [Text(f"{n:>4}  {describe(now, now.session.entries[n])}", hanging=6) for n in opened]
    done = Text(f"{count_of(len(opened), 'secret')} revealed. Next: referee audit", "good")
    return Answer([now.heading, *lines, done], lambda: {"revealed": opened, "after": now.facts()})


def undo(ctx: typer.Context, count: Plays = 1, by: By = None, agreed: Agreed = None) -> Answer:
    """Take back the last plays. Needs the others' agreement once a die or a secret was seen or another seat has played.

    \b
      referee undo 3 --agreed-by SEAT
    """
    look: Look = ctx.obj.recording("undo", by)
    look.session.undo(count, look.eyes, seats_of(agreed, look.names))
    return _recorded(look, f"Taken back: {count_of(count, 'play')}. The record keeps them; dice stay used.")


def note(ctx: typer.Context, words: Remark, by: By = None) -> Answer:
    """Put a remark in the record.

    \b
      referee note Anna came late
    """
    look: Look = ctx.obj.recording("note", by)
    look.session.note(" ".join(words), look.eyes or REFEREE)
    return _recorded(look, "Noted.")


def amend(ctx: typer.Context, source: Mended, why: Why, agreed: AllAgreed) -> Answer:
    """Correct the position by agreement of everybody. The record says for ever that it was done, and why.

    \b
      referee amend --from now.json --why "the cat" --agreed-by SEAT,SEAT

    In a game with secrets write it with: show --by referee. The log shows it to everybody.
    """
    look: Look = ctx.obj.recording("amend")
    document = read_document(source)
    document.pop("options", None)
    look.session.amend(document, why, seats_of(agreed, look.names))
    open_now = " It stands in the log for everybody to read." if look.moment.keepers else ""
    return _recorded(look, f"Position amended by agreement.{open_now}")


def _recorded(look: Look, what: str) -> Answer:
    """What was recorded; as everybody may know it, since nobody has played."""
    now = look.now().through(None)
    lines = [now.heading, f"Entry {now.entry}. {what}", *now.come_to()]
    return Answer(lines, lambda: {"recorded": now.session.entries[-1], "after": now.facts()})


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
            of = look.session.entries[entry.of]
            what = _said(look, of) if isinstance(of, PlayEntry) else "the seed of dice thrown in secret"
            return f"entry {entry.of} revealed: {what}"
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
