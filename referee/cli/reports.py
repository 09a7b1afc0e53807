"""What an audit found, in words for players first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from referee.cli.answer import NO, OK, UNREADABLE, Answer, Shown, Text
from referee.cli.errors import sentence
from referee.cli.special import told_special
from referee.engine.text import begin_sentence, count_of, listing
from referee.record.archive.audit import Report
from referee.record.log.faults import Fault

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.archive.match_audit import MatchReport


def together(answers: list[Answer]) -> Answer:
    """Several verdicts in one, as bad as the worst."""
    lines = [line for answer in answers for line in answer.lines]
    facts = answers[0].facts if len(answers) == 1 else lambda: [answer.facts() for answer in answers]
    return Answer(lines, facts, max(answer.code for answer in answers))


def report_on(name: str, report: Report) -> Answer:
    """The verdict of an audit on one log."""
    return Answer(_told(name, report), lambda: facts_on(name, report), code_of(report.fault))


def facts_on(name: str, report: Report) -> dict[str, Any]:
    """What an audit of one log found, for programs. `judged`: no play was left that could not be judged; `claimed`: the
    outcome is only what the log says.
    """
    verdict = {"clean": report.fault is None, "judged": not report.unjudged, "claimed": report.claimed}
    end = {"end": _end_told(name, report)} if report.undone else {}
    return {"log": name, **verdict, **asdict(report), **end}


def match_facts_on(name: str, report: MatchReport) -> dict[str, Any]:
    """The same of a match."""
    judged = not any(game.unjudged for game in report.games)
    return {"log": name, "clean": report.fault is None, "judged": judged, "report": report}


def code_of(fault: Fault | None) -> int:
    """The exit code of an audit that found this."""
    return OK if fault is None else UNREADABLE if fault.unreadable else NO


FAULT, UNREAD = "FAULT", "UNREADABLE"
CLEAN, SO_FAR, OTHER_KEY = "CLEAN", "CLEAN SO FAR", "CLEAN BUT FOR A KEY"
"""Verdicts on a log without a fault; the last where another key plays for a seat than the one that joined."""


def match_report_on(name: str, report: MatchReport) -> Answer:
    """The verdict of an audit on a match."""
    games, plays = len(report.games), sum(game.plays for game in report.games)
    counted = Text(f"{count_of(games, 'finished game')}, {count_of(plays, 'play')} judged again", indent=2)
    doubt = [Text(sentence(report.forgotten), indent=2)] if report.forgotten else []
    so_far = [Text(begin_sentence(f"{withheld(game)}."), indent=2) for game in report.games if game.unjudged]
    word = SO_FAR if so_far else CLEAN
    told = [*verdict_on(name, report.fault, word), *so_far, counted, *doubt, *detail_of(report.fault)]
    return Answer(told, lambda: match_facts_on(name, report), code_of(report.fault))


def clean(report: Report) -> str:
    """Which of them a log gets."""
    return OTHER_KEY if report.heirs else SO_FAR if report.unjudged else CLEAN


def verdict_on(name: str, fault: Fault | None, clean: str = CLEAN) -> Iterator[Shown]:
    """What an audit found; `clean`: the word for no fault."""
    if fault is None:
        yield Text(f"{clean}  {name}", "good" if clean != OTHER_KEY else "refused")
    else:
        yield Text(f"{UNREAD if fault.unreadable else FAULT}  {name}, entry {fault.n}", "refused")
        yield from told_fault(fault)


def told_fault(fault: Fault, *, within: bool = False, indent: int = 2) -> Iterator[Shown]:
    """What is wrong, in words for players. `within`: the entry is named."""
    if within:
        what = (
            f"Entry {fault.n} breaks {fault.rule}: {fault.words}." if fault.rule else f"Entry {fault.n}: {fault.words}."
        )
    else:
        what = f"{fault.rule}  {fault.words}." if fault.rule else sentence(fault.words)
    yield Text(what, "refused", indent=indent)
    yield from versions(fault, indent)


def versions(fault: Fault, indent: int) -> Iterator[Shown]:
    """What the log says happened, and what happens under today's rules, where they differ."""
    for label, lines in (("recorded:", fault.recorded), ("under today's rules:", fault.expected)):
        if lines:
            yield Text(label, indent=indent)
        yield from (Text(line, indent=indent + 2) for line in lines)


def detail_of(fault: Fault | None, indent: int = 2) -> Iterator[Shown]:
    """The same for who knows the format; it comes after all else."""
    if fault:
        yield Text(f"({fault.detail})", "faint", indent=indent)


def _told(name: str, report: Report) -> Iterator[Shown]:
    fault = report.fault
    yield from verdict_on(name, fault, clean(report))
    if report.game:
        yield from _counted(name, report)
    if report.forgotten:
        yield Text(sentence(report.forgotten), indent=2)
    if fault and fault.n > 0 and report.game:
        yield Text(f"Play on from the good part: referee -g {quote(name)} branch mended --at {fault.n - 1}", indent=2)
    yield from detail_of(fault)


def _end_told(name: str, report: Report) -> str:
    """What is known of the end of a log that mail has changed."""
    from referee.cli.ends import end_told

    path = None if name == "-" else Path(name)
    return end_told(path, report.id, report.entries, report.head)


def _counted(name: str, report: Report) -> Iterator[Shown]:
    """Where the good part has come to, and what was judged in it."""
    yield from (Text(begin_sentence(one), "refused", indent=2) for one in told_keys(report))
    if report.undone:
        yield Text(
            f"Mail had changed it: {listing(report.undone)}. Every hash fits, and {_end_told(name, report)}.", indent=2
        )
    if report.unjudged:
        yield Text(f"{begin_sentence(withheld(report))}; their hashes and open dice are as they should be", indent=2)
    when = "game over" if report.to_act is None else f"turn {report.turn}, {_player(report, report.to_act)}"
    entries = count_of(report.entries, "entry", "entries")
    good, taken = " good" if report.fault else "", count_of(report.takebacks, "takeback")
    judged = f"{count_of(report.plays, 'play')} judged again, {count_of(report.draws, 'draw')} of dice checked"
    yield Text(f"{report.game}, {when}: {entries}{good}, {judged}, {taken}", indent=2)
    if report.special:
        yield from told_special(report.special)
    if report.secrets and not report.unjudged:
        yield Text(f"{count_of(report.secrets, 'secret')} not revealed yet, judged from the vaults", indent=2)
    if report.signed:
        yield Text(f"{_signed(report)}; {count_of(report.throws, 'throw')} made by all of them together", indent=2)
    for amendment in report.amendments:
        yield Text(f"Entry {amendment.n} amends the position by agreement: {amendment.why}", indent=2)
        yield from (Text(change, indent=4) for change in amendment.changes)
    if report.outcome:
        claimed = "Claimed, though not all of it could be judged: " if report.claimed else ""
        because = report.outcome.because
        yield Text(f"{claimed}{because}." if claimed else f"{begin_sentence(because)}.", indent=2)


def told_keys(report: Report) -> list[str]:
    """At which seats another key plays than the one that joined, as clauses."""
    if not report.heirs:
        return []
    from referee.cli.mail.mailed import told_heirs  # games by mail alone have them

    return [*told_heirs(report.heirs, partial(_player, report))]


def withheld(report: Report) -> str:
    """What could not be judged, and whose secrets are wanting."""
    plays = _of_seats("play", report.unjudged)
    keeping = {seat: count for seat, count in report.withheld.items() if seat in report.unjudged}
    secrets = _of_seats("secret", keeping)
    return f"{plays} cannot be judged before {secrets} {'is' if sum(keeping.values()) == 1 else 'are'} revealed"


def _of_seats(what: str, counts: dict[Seat, int]) -> str:
    return listing([f"{count_of(count, what)} of {seat}" for seat, count in counts.items()])


def _signed(report: Report) -> str:
    """Who has signed how much of a game by mail, as a clause."""
    each = []
    for seat, last in report.signed.items():
        upto = "nothing yet" if last < 0 else "all of it" if last >= report.entries - 2 else f"all up to entry {last}"
        each.append(f"{_player(report, seat)} {upto}")
    return f"signed by {listing(each)}"


def _player(report: Report, seat: Seat) -> str:
    """A seat with the name of who sits there."""
    name = report.names.get(seat, seat)
    return seat if name == seat else f"{seat} ({name})"
