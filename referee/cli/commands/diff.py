"""Comparing two logs: where they part, and which of them holds."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from typer import Argument

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.entries import describe, told
from referee.cli.logs import log_named
from referee.cli.look import turn_told
from referee.cli.reports import told_fault
from referee.engine.source import LOTS
from referee.engine.text import count_of, listing
from referee.record.archive.diff import Difference, Side
from referee.record.archive.diff import diff as compare
from referee.record.log.entry import PlayEntry
from referee.record.log.kinds import FOLDER, NOTHING, kind_of
from referee.record.table.sitting import Sitting

Compared = Annotated[str, Argument(metavar="LOG", help="A log, or a mail that has come.")]
With = Annotated[str | None, Argument(metavar="[LOG]", help="The other; the current game, if none is named.")]

HOW = {
    "end": "Then one of them ends.",
    "unreadable": "Then one of them cannot be read.",
    "dice": "Then the same play with other dice: {dice}.",
    "events": "Then the same play with the same dice, and something else came of it.",
    "play": "Then:",
}
FIELDS = {
    "game": "the game",
    "rules": "the version of its rules",
    "options": "the options",
    "rulings": "the rulings",
    "seats": "who plays",
    "dice": "where dice come from",
    "files": "the board",
    "position": "the position it starts from",
}


def diff(ctx: typer.Context, one: Compared, other: With = None) -> Answer:
    """Compare two logs: the first play that differs, and which of them holds under the rules. A mail is compared as the
    log that it would make.

    \b
      referee diff mine.jsonl theirs.jsonl
      referee diff mail.txt         with the current game
    """
    with TemporaryDirectory() as folder:
        mine = log_named(one) if other else ctx.obj.path()
        theirs = log_named(other or one)
        return _compared(compare(*_logs(mine, theirs, Path(folder))))


def _logs(one: Path, other: Path, folder: Path) -> tuple[Path, Path]:
    """Two logs; what is a mail is made into the log that it goes on with."""
    is_log = kind_of(one).is_log
    if is_log == kind_of(other).is_log:
        return one, other
    from referee.mail.as_log import log_of, packets_in

    mail, log = (other, one) if is_log else (one, other)
    packets = packets_in(mail) if kind_of(mail) not in (FOLDER, NOTHING) else []
    made = log_of(packets, mail, log, folder) if packets else mail
    return (log, made) if mail is other else (made, log)


def _compared(found: Difference) -> Answer:
    """All there is to say, while both logs are there to be read."""
    sound = not any(side.fault for side in found.sides)
    told, facts = list(_told(found)), _facts(found)
    return Answer(told, lambda: facts, OK if found.same and sound else NO)


def _facts(found: Difference) -> dict[str, Any]:
    return {
        "same": found.same,
        "what": found.what,
        "common": found.common,
        "fields": found.fields,
        "verdict": verdict(found),
        "signed_both": found.fork.seat if found.fork else None,
        "sides": [_side_facts(side) for side in found.sides],
    }


def _side_facts(side: Side) -> dict[str, Any]:
    look, entry = _then(side), side.entry
    return {
        "log": side.name,
        "entry": side.parts,
        "text": describe(look, entry) if look and entry else None,
        "told": told(look, entry) if look and entry else [],
        "dice": _faces(side),
        "after": side.after,
        "sound": side.report.settled,
        "fault": side.fault,
        "unjudged": side.report.unjudged,
        "undone": side.report.undone,
    }


def _then(side: Side) -> Sitting | None:
    """The game where the two logs part, as everybody may see it; None for a log that cannot be read at all."""
    if side.session is None:
        return None
    at = max(0, side.last)
    return Sitting(side.session, at=at)


def _faces(side: Side) -> list[list[int | str]]:
    """What was thrown in the entry where they part, as it fell."""
    rolls = side.entry.rolls if isinstance(side.entry, PlayEntry) else ()
    return [list(roll.names or roll.faces) for roll in rolls if roll.purpose != LOTS]


def _told(found: Difference) -> Iterator[Shown]:
    one, other = found.sides
    look = _then(one) or _then(other)
    yield (
        f"{look.facts.game.name}, {turn_told(look.facts)}: {one.name} and {other.name}"
        if look
        else f"{one.name} and {other.name}"
    )
    yield Text(_parting(found), "good" if found.same else "bold")
    for side in found.sides:
        if not found.same or side.fault or side.report.undone:
            yield from _told_side(side)
    yield Text(f"VERDICT  {verdict(found)}", "good" if all(side.report.settled for side in found.sides) else "refused")
    for side in found.sides:
        if side.fault:
            yield Text(f"({side.name}: {side.fault.detail})", "faint", indent=2)


def _parting(found: Difference) -> str:
    """What the two have in common, and what comes then."""
    if found.what == "game":
        return f"Two different games; they differ in {listing([FIELDS.get(name, name) for name in found.fields])}."
    if found.same:
        return f"The same plays, to {_last(found)}."
    dice = " and ".join(", ".join(" ".join(map(str, roll)) for roll in _faces(side)) for side in found.sides)
    common = f"The same plays to {_last(found)}. " if found.common else ""
    return common + HOW[found.what].format(dice=dice)


def _last(found: Difference) -> str:
    """The last entry that both have."""
    one, other = found.sides
    same = one.last == other.last
    return f"entry {one.last}" if same else f"entry {one.last} of {one.name}, entry {other.last} of {other.name}"


def _told_side(side: Side) -> Iterator[Shown]:
    look, entry, fault = _then(side), side.entry, side.fault
    yield Text(side.name, "bold", indent=2)
    if side.report.undone:
        yield Text(f"Mail had changed it: {listing(side.report.undone)}.", indent=4)
    if look and entry:
        yield Text(f"{entry.n:>4}  {describe(look, entry)}", indent=2, hanging=8)
        yield from (Text(line, indent=8) for line in told(look, entry))
        if side.after:
            yield Text(f"and {count_of(side.after, 'entry', 'entries')} after it", indent=8)
    if fault:
        yield from told_fault(fault, within=True, indent=4)
    elif side.report.unjudged:
        yield Text("Nothing is wrong with it as far as it can be judged before every secret is revealed.", indent=4)
    else:
        yield Text(f"It holds under the rules to its end, entry {side.report.entries - 1}.", indent=4)


def verdict(found: Difference) -> str:
    """Which of the logs is sound, in one line."""
    one, other = found.sides
    if one.fault and other.fault:
        return "Neither is sound."
    if one.fault or other.fault:
        good, bad = (other, one) if one.fault else (one, other)
        far = " as far as it can be judged" if good.report.unjudged else ""
        return f"{good.name} is sound{far}; {bad.name} is not."
    far = " as far as they can be judged" if one.report.unjudged or other.report.unjudged else ""
    return f"Both are sound{far}.{_which(found)}"


def _which(found: Difference) -> str:
    """What tells which of two sound logs happened, as a sentence behind others; "": they do not differ."""
    if found.fork:
        return f" But {found.fork.seat} has signed two different entries {found.fork.n}, and so has lied."
    return " The rules allow both, and cannot tell which happened." if found.what in ("dice", "play") else ""
