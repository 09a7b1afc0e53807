"""`referee diff`: compares two logs: the first difference, and which log is valid."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from typer import Argument

from referee.cli.answer import NO, OK, Answer, AnswerLine, Text
from referee.cli.audit_report import describe_fault
from referee.cli.effects_text import describe_events
from referee.cli.entry_text import describe_entry
from referee.cli.game_view import describe_turn
from referee.cli.log_paths import find_log
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.engine.text import count_of, listing
from referee.record.archive.diff import DiffSide, LogDifference
from referee.record.archive.diff import compare_logs as compare
from referee.record.log.entry import PlayEntry
from referee.record.log.file_kinds import FOLDER, NO_FILE, find_path_kind
from referee.record.log.safe_files import create_file
from referee.record.table.merging import find_ends_of_files
from referee.record.table.seat_view import SeatView

FirstLogArgument = Annotated[str, Argument(metavar="LOG", help="A log, or a mail that you received.")]
SecondLogArgument = Annotated[str | None, Argument(metavar="[LOG]", help="The other log; default: the current game.")]

DIFFERENCE_TEXTS = {
    "end": "Then one of them ends.",
    "unreadable": "Then one of them is unreadable.",
    "dice": "Then the same move with other dice: {dice}.",
    "events": "Then the same move with the same dice, but with another result.",
    "play": "Then:",
}
HEADER_FIELDS = {
    "game": "the game",
    "rules": "the version of the rules",
    "options": "the options",
    "rulings": "the rulings",
    "seats": "the players",
    "dice": "the source of the dice",
    "files": "the board",
    "position": "the starting position",
}


def diff(ctx: typer.Context, one: FirstLogArgument, other: SecondLogArgument = None) -> Answer:
    """Compare two logs: find the first move that differs, and which log is valid.

    A mail counts as the log it would make. A log with two ends, as a merge leaves it, is compared with itself.

    \b
      referee diff mine.jsonl theirs.jsonl
      referee diff mail.txt         compare with the current game
    """
    with TemporaryDirectory() as folder, ctx.obj.attribute_errors_to_logs():
        mine = find_log(one) if other else ctx.obj.find_log_path()
        theirs = find_log(other or one)
        ends = None if other else _write_ends(theirs, Path(folder))
        return _answer_comparison(compare(*(ends or _find_logs(mine, theirs, Path(folder)))))


def _write_ends(log: Path, folder: Path) -> tuple[Path, Path] | None:
    """Writes the first two ends of a log as logs into `folder`, and returns their paths.

    Returns None if the log has only one end, or if it cannot be read.
    """
    try:
        ends = find_ends_of_files(log) if find_path_kind(log) not in (FOLDER, NO_FILE) else None
    except OSError:  # the comparison says why
        return None
    if ends is None or len(ends.tails) == 1:
        return None
    made = [folder / f"end {number} of {log.name}" for number in (1, 2)]
    for at, path in enumerate(made):
        create_file(path, ends.get_lines_of_end(at))
    return made[0], made[1]


def _find_logs(one: Path, other: Path, folder: Path) -> tuple[Path, Path]:
    """Returns the paths of two logs.

    If one file is a mail, writes the log that this mail would make from the other file.
    """
    is_log = find_path_kind(one).is_log
    if is_log == find_path_kind(other).is_log:
        return one, other
    from referee.mail.continued_log import read_packets_from_mail, write_continued_log

    mail, log = (other, one) if is_log else (one, other)
    packets = read_packets_from_mail(mail) if find_path_kind(mail) not in (FOLDER, NO_FILE) else []
    made = write_continued_log(packets, mail, log, folder) if packets else mail
    return (log, made) if mail is other else (made, log)


def _answer_comparison(found: LogDifference) -> Answer:
    """Returns the answer with the comparison, worked out at once, since the logs may be temporary."""
    sound = not any(side.fault for side in found.sides)
    told, facts = list(_describe_comparison(found)), _collect_facts(found)
    return Answer(told, lambda: facts, OK if found.has_same_plays and sound else NO)


def _collect_facts(found: LogDifference) -> dict[str, Any]:
    return {
        "same": found.has_same_plays,
        "what": found.what,
        "common": found.common,
        "fields": found.fields,
        "verdict": describe_diff_verdict(found),
        "signed_both": found.fork.seat if found.fork else None,
        "sides": [_collect_side_facts(side) for side in found.sides],
    }


def _collect_side_facts(side: DiffSide) -> dict[str, Any]:
    look, entry = _open_common_view(side), side.first_own_entry
    return {
        "log": side.name,
        "entry": side.first_own,
        "text": describe_entry(look, entry) if look and entry else None,
        "told": describe_events(look, entry) if look and entry else [],
        "dice": _list_faces(side),
        "after": side.later_own_entry_count,
        "sound": side.report.is_complete,
        "fault": side.fault,
        "unjudged": side.report.unjudged,
        "undone": side.report.undone,
    }


def _open_common_view(side: DiffSide) -> SeatView | None:
    """Returns the game after the last common entry, in the public view; None if the log cannot be read at all."""
    if side.session is None:
        return None
    at = max(0, side.last)
    return SeatView(side.session, at=at)


def _list_faces(side: DiffSide) -> list[list[int | str]]:
    """Returns the faces of each roll in the first entry that differs."""
    rolls = side.first_own_entry.rolls if isinstance(side.first_own_entry, PlayEntry) else ()
    return [list(roll.names or roll.faces) for roll in rolls if roll.purpose != LOT_SEED_PURPOSE]


def _describe_comparison(found: LogDifference) -> Iterator[AnswerLine]:
    one, other = found.sides
    look = _open_common_view(one) or _open_common_view(other)
    yield (
        f"{look.facts.game.name}, {describe_turn(look.facts)}: {one.name} and {other.name}"
        if look
        else f"{one.name} and {other.name}"
    )
    yield Text(_describe_difference(found), "good" if found.has_same_plays else "bold")
    for side in found.sides:
        if not found.has_same_plays or side.fault or side.report.undone:
            yield from _describe_side(side)
    yield Text(
        f"VERDICT  {describe_diff_verdict(found)}",
        "good" if all(side.report.is_complete for side in found.sides) else "refused",
    )
    for side in found.sides:
        if side.fault:
            yield Text(f"({side.name}: {side.fault.detail})", "faint", indent=2)


def _describe_difference(found: LogDifference) -> str:
    """Returns a sentence about the common part and the kind of difference."""
    if found.what == "game":
        differ = listing([HEADER_FIELDS.get(name, name) for name in found.fields])
        return f"These are two different games. They differ in {differ}."
    if found.has_same_plays:
        return f"Both have the same moves up to {_describe_last_entry(found)}."
    dice = " and ".join(", ".join(" ".join(map(str, roll)) for roll in _list_faces(side)) for side in found.sides)
    common = f"Both have the same moves up to {_describe_last_entry(found)}. " if found.common else ""
    return common + DIFFERENCE_TEXTS[found.what].format(dice=dice)


def _describe_last_entry(found: LogDifference) -> str:
    """Returns the number of the last common entry in words; both numbers if the two logs differ in it."""
    one, other = found.sides
    same = one.last == other.last
    return f"entry {one.last}" if same else f"entry {one.last} of {one.name}, entry {other.last} of {other.name}"


def _describe_side(side: DiffSide) -> Iterator[AnswerLine]:
    look, entry, fault = _open_common_view(side), side.first_own_entry, side.fault
    yield Text(side.name, "bold", indent=2)
    if side.report.undone:
        yield Text(
            f"Mail had changed this log, and the referee reads it as it was: {listing(side.report.undone)}.", indent=4
        )
    if look and entry:
        yield Text(f"{entry.n:>4}  {describe_entry(look, entry)}", indent=2, hanging=8)
        yield from (Text(line, indent=8) for line in describe_events(look, entry))
        if side.later_own_entry_count:
            yield Text(f"and {count_of(side.later_own_entry_count, 'entry', 'entries')} after it", indent=8)
    if fault:
        yield from describe_fault(fault, within=True, indent=4)
    elif side.report.unjudged:
        yield Text("It has no fault so far. Some moves can be judged only when every secret is revealed.", indent=4)
    else:
        yield Text(f"It follows the rules to its end, entry {side.report.entries - 1}.", indent=4)


def describe_diff_verdict(found: LogDifference) -> str:
    """Returns a line that says which of the logs is valid."""
    one, other = found.sides
    if one.fault and other.fault:
        return "Neither is valid."
    if one.fault or other.fault:
        good, bad = (other, one) if one.fault else (one, other)
        far = " as far as it can be judged" if good.report.unjudged else ""
        return f"{good.name} is valid{far}; {bad.name} is not."
    far = " as far as they can be judged" if one.report.unjudged or other.report.unjudged else ""
    return f"Both are valid{far}.{_describe_true_log(found)}"


def _describe_true_log(found: LogDifference) -> str:
    """Returns a further sentence about two valid logs: a seat lied, or the rules cannot tell which log is true.

    Returns "" if neither is the case.
    """
    if found.fork:
        return f" But {found.fork.seat} signed two versions of entry {found.fork.n}, so {found.fork.seat} has lied."
    return " The rules allow both. They cannot tell which one happened." if found.what in ("dice", "play") else ""
