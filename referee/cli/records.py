"""The record: listing it, telling it again, auditing, comparing, branching."""

from __future__ import annotations

import sys
import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.answers import show_board, show_fault, show_standing, standing_json
from referee.cli.context import Context, Eyes, path_of, player_of, point_at, seats_of
from referee.cli.errors import NO, UNREADABLE, MisuseError
from referee.cli.files import log_path
from referee.cli.screen import Screen
from referee.engine.dice import Roll
from referee.engine.game import Seat
from referee.engine.text import count_of, listing
from referee.record.entry import (
    AmendEntry,
    AnyEntry,
    BranchEntry,
    GameEntry,
    NoteEntry,
    PlayEntry,
    RevealEntry,
    SealedDice,
    SealedEntry,
    SealedPlay,
    Secret,
    TakebackEntry,
)
from referee.record.timeline import sets_a_state

if TYPE_CHECKING:
    from referee.record.audit import Report
    from referee.record.session import Session


def log_command(
    ctx: typer.Context,
    span: Annotated[str | None, typer.Argument(metavar="[A..B]", help="Only these entries.")] = None,
    by: Eyes = None,
) -> None:
    """List the entries, numbered; what was taken back is marked.

    \b
      referee log                   referee log 10..20

    What a seat did in secret is told to it alone, until it is revealed.

    \b
      referee log --by mutant       with that seat's secrets
    """
    context: Context = ctx.obj
    session = context.session()
    last = context.check_at(session)
    low, high = _span(span, last)
    in_force, seat = set(session.history.line(last)), context.eyes(session, by)
    if context.screen.json:
        context.screen.data(
            [
                {"entry": entry, "in_force": entry.n in in_force, "text": describe(session, entry, seat)}
                for entry in session.entries[low : high + 1]
            ]
        )
        return
    context.screen.say(context.heading(session, context.state(session)))
    for entry in session.entries[low : high + 1]:
        gone = sets_a_state(entry) and entry.n not in in_force
        mark = "-" if gone else " "
        told = [session.game.tell(event) for event in entry.events] if isinstance(entry, SealedEntry) else []
        line = f"{entry.n:>4}{mark} {'  '.join([describe(session, entry, seat), *told])}"
        context.screen.say(line, "faint" if gone else None, hanging=8)


def _span(text: str | None, last: int) -> tuple[int, int]:
    if text is None:
        return 0, last
    low, dots, high = text.partition("..")
    if not all(part == "" or _is_number(part) for part in (low, high)) or not (low or high):
        raise MisuseError(f"{text!r} is no span of entries; type like 10..20, 10.. or 10")
    first = int(low or 0)
    until = min(last, int(high) if high else (last if dots else first))
    if first > until:
        raise MisuseError(f"there are no entries {text}; the log has entries 0 to {last}")
    return first, until


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def describe(session: Session, entry: AnyEntry, seat: Seat | None = None) -> str:
    """An entry in one line; a secret only to whoever may know it."""
    match entry:
        case GameEntry():
            return f"{session.game.title}: {', '.join(player_of(session, seat) for seat in session.seats)}"
        case PlayEntry():
            return f"{entry.by}: {said(session, entry)}"
        case SealedEntry():
            secret = session.secret_of(entry, seat)
            return f"{entry.by}: {said(session, secret)} (a secret)" if secret else f"{entry.by}: a secret, sealed"
        case RevealEntry():
            return f"entry {entry.of} revealed: {said(session, entry.secret)}"
        case TakebackEntry():
            agreed = f", agreed by {listing(entry.agreed)}" if entry.agreed else ""
            return f"{entry.by} takes back to entry {entry.to}{agreed}"
        case AmendEntry():
            return f"position amended, agreed by {listing(entry.agreed)}: {entry.why}"
        case NoteEntry():
            return f"note by {entry.by}: {entry.text}"
        case BranchEntry():
            return f"branch {entry.name}"


def said(session: Session, play: PlayEntry[Any, Any] | Secret) -> str:
    """An action and what was thrown for it."""
    if isinstance(play, SealedDice):
        return "the seed of dice thrown in secret"
    return session.game.format(play.action) + "".join(f"  [{faces(roll)}]" for roll in play.rolls)


def faces(roll: Roll) -> str:
    """The faces of a roll as typed."""
    return " ".join(map(str, roll.faces))


def replay_command(
    ctx: typer.Context,
    to: Annotated[int | None, typer.Option("--to", metavar="N", help="Stop after entry N.")] = None,
    by: Eyes = None,
) -> None:
    """Tell the game again from its log, as things to do with the pieces. Runs no rules.

    \b
      referee replay                referee replay --to 12
      referee replay --by mutant    with that seat's secrets
    """
    context: Context = ctx.obj
    screen, session = context.screen, context.session()
    last = context.check_at(session) if to is None else to
    if not 0 <= last < len(session.entries):
        raise MisuseError(f"there is no entry {last}; the log has entries 0 to {len(session.entries) - 1}")
    state, seat = session.history.state(last), context.eyes(session, by)
    if screen.json:
        told = [_told(session, entry, seat) for entry in session.entries[: last + 1]]
        screen.data({"entries": told, "position": session.game.position_of(session.view(seat, last))})
        return
    for entry in session.entries[: last + 1]:
        facts = _told(session, entry, seat)
        screen.say(f"{entry.n:>4}  {facts['text']}", "bold")
        for line in facts["told"]:
            screen.say(line, indent=6)
    context.tell_standing(session, state, seat)
    show_board(context, session, state, seat)


def _told(session: Session, entry: AnyEntry, seat: Seat | None) -> dict[str, Any]:
    told = [session.game.tell(event) for event in _events_of(session, entry, seat)]
    return {"n": entry.n, "by": entry.by, "text": describe(session, entry, seat), "told": told}


def _events_of(session: Session, entry: AnyEntry, seat: Seat | None) -> tuple[Any, ...]:
    """What happened in an entry, as far as a seat may know."""
    if isinstance(entry, SealedEntry):
        secret = session.secret_of(entry, seat)
        return secret.events if isinstance(secret, SealedPlay) else entry.events
    return entry.events if isinstance(entry, PlayEntry) else ()


def audit_command(
    ctx: typer.Context,
    logs: Annotated[list[str] | None, typer.Argument(metavar="[LOG...]", help="Logs to audit; - is stdin.")] = None,
) -> None:
    """Judge every play again from its action and dice: form, hashes, dice, legality, events. Names the first fault.

    \b
      referee audit                 referee audit mail/*.jsonl
    """
    context: Context = ctx.obj
    code = 0
    for name in logs or [str(context.path())]:
        code = max(code, audit_and_tell(context, name, name))
    if code:
        raise typer.Exit(code)


def audit_and_tell(context: Context, name: str, shown: str) -> int:
    """Audit one log, tell what was found, return the exit code."""
    report = _audited(name)
    if context.screen.json:
        context.screen.data({"log": shown, **_report_json(report)})
    else:
        _tell_report(context, shown, report)
    if report.fault is None:
        return 0
    return UNREADABLE if report.fault.unreadable else NO


def _audited(name: str) -> Report:
    from referee.record.audit import audit, audit_stream

    progress = Progress()
    report = audit_stream(BytesIO(sys.stdin.buffer.read()), progress) if name == "-" else audit(path_of(name), progress)
    progress.done()
    return report


class Progress:
    """A counter on stderr, for people who wait longer than a second."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._shown = False

    def __call__(self, n: int) -> None:
        """Entry `n` is reached."""
        if sys.stderr.isatty() and time.monotonic() - self._since > 1:
            self._shown = True
            sys.stderr.write(f"\r{n} entries")
            sys.stderr.flush()

    def done(self) -> None:
        """Clear the counter."""
        if self._shown:
            sys.stderr.write("\r" + " " * 30 + "\r")


def _report_json(report: Report) -> dict[str, Any]:
    import msgspec

    return {"clean": report.fault is None, **msgspec.structs.asdict(report)}


def _tell_report(context: Context, name: str, report: Report) -> None:
    screen, fault = context.screen, report.fault
    show_fault(context, name, fault, unjudged=report.unjudged > 0)
    if fault:
        for label, lines in (("recorded:", fault.recorded), ("under today's rules:", fault.expected)):
            if lines:
                screen.say(label, indent=2)
            for line in lines:
                screen.say(line, indent=4)
    if not report.game:
        return
    good = (
        f"{count_of(report.entries, 'entry', 'entries')} good"
        if fault
        else count_of(report.entries, "entry", "entries")
    )
    screen.say(
        f"{report.game}: {good}, {count_of(report.plays, 'play')} judged again, "
        f"{count_of(report.draws, 'draw')} of dice checked, {count_of(report.takebacks, 'takeback')}",
        indent=2,
    )
    if report.unjudged:
        told = f"{count_of(report.unjudged, 'play')} cannot be judged before every secret is revealed"
        screen.say(f"{told}; their hashes and open dice are as they should be", indent=2)
    elif report.secrets:
        screen.say(f"{count_of(report.secrets, 'secret')} not revealed yet, judged from the vault", indent=2)
    for amendment in report.amendments:
        screen.say(f"Entry {amendment.n} amends the position by agreement: {amendment.why}", indent=2)
    if report.outcome:
        screen.say(f"{report.outcome.because[:1].upper()}{report.outcome.because[1:]}.", indent=2)
    if fault and fault.n > 0:
        screen.say(f"Play on from the good part: referee -g {name} branch mended --at {fault.n - 1}", indent=2)


def reveal_command(
    ctx: typer.Context,
    entries: Annotated[list[int] | None, typer.Argument(metavar="[N...]", help="Only these entries.")] = None,
    agreed: Annotated[
        str | None, typer.Option("--agreed-by", metavar="SEATS", help="All seats, while the game goes on.")
    ] = None,
) -> None:
    """Open the secrets of a game for everybody, so that any audit can judge every play. They cannot be closed again.

    The log holds a secret as a hash, and LOG.vault what it is a hash of. A reveal copies that into the log.

    \b
      referee reveal                all, once the game is over
      referee reveal 12 --agreed-by human,mutant
    """
    context: Context = ctx.obj
    context.only_now("reveal")
    session = context.session()
    opened = session.reveal(entries or (), agreed=seats_of(session, agreed))
    if context.screen.json:
        context.screen.data({"revealed": opened, "after": standing_json(context, session, session.state)})
        return
    context.screen.say(context.heading(session, session.state))
    for n in opened:
        context.screen.say(f"{n:>4}  {describe(session, session.entries[n])}", hanging=6)
    context.screen.say(f"{count_of(len(opened), 'secret')} revealed. Next: referee audit", "good")


def diff_command(
    ctx: typer.Context,
    one: Annotated[Path, typer.Argument(metavar="LOG")],
    other: Annotated[Path, typer.Argument(metavar="LOG")],
) -> None:
    """Compare two logs: where they part, what each says there, and whether it is legal.

    \b
      referee diff mine.jsonl theirs.jsonl
    """
    from referee.record.diff import diff

    context: Context = ctx.obj
    found = diff(one, other)
    if context.screen.json:
        context.screen.data(found)
    elif found.same:
        context.screen.say(f"The same: {count_of(found.common, 'entry', 'entries')}.", "good")
    else:
        _tell_diff(context, found)
    if not found.same:
        raise typer.Exit(NO)


def _tell_diff(context: Context, found: Any) -> None:
    screen = context.screen
    if not found.common:
        screen.say("Two different games: not even the first entry is the same.", "refused")
    else:
        screen.say(f"The same for {count_of(found.common, 'entry', 'entries')}, up to entry {found.common - 1}. Then:")
    for side in found.sides:
        if side.entry is None:
            screen.say(f"{side.name}: ends here", indent=2)
        else:
            screen.say(f"{side.name}: entry {found.common}, {side.entry}", indent=2)
        if side.entry is not None:
            _tell_verdict(screen, side)
        if side.after:
            screen.say(f"and {count_of(side.after, 'entry', 'entries')} after it", indent=6)


def _tell_verdict(screen: Screen, side: Any) -> None:
    """Whether the entry with which a log goes its own way is legal there."""
    if side.fault:
        screen.say(f"{side.fault.rule or side.fault.code}: {side.fault.cause}", "refused", indent=6)
    elif side.judged:
        screen.say("legal", "good", indent=6)
    else:
        screen.say("cannot be judged before every secret is revealed", indent=6)


def branch_command(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Name of the branch.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="LOG", help="The log to write.")] = None,
) -> None:
    """Play on from an earlier entry in a new log, and make it the current game. The old log stays as it is.

    \b
      referee branch what-if --at 9
    """
    context: Context = ctx.obj
    session = context.session()
    at = context.check_at(session)
    named = name or f"at-{at}"
    branched = session.branch(named, at, log_path(output) if output else None)
    context.at = None
    assert branched.path is not None
    point_at(branched.path)
    if context.screen.json:
        context.screen.data(standing_json(context, branched, branched.state))
    else:
        context.screen.say(f"Branch {named} in {branched.path}; it is the current game.")
        show_standing(context, branched, branched.state)
