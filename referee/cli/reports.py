"""What an audit found, in words for players first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from referee.record.log.outline import Outline

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
LOST_THROW, BEGINNING = "CLEAN BUT FOR A THROW", "CLEAN BUT FOR ITS BEGINNING"
"""Verdicts on a log without a fault, those by mail where another key plays for a seat than the one that joined, where a
throw was begun and never made, and where it begins as nobody could begin it.
"""
BUT_FOR = (OTHER_KEY, LOST_THROW, BEGINNING)
"""Those after which something is left to be settled by the players, the worst first."""
UNDER, DIFFERS = "CLEAN UNDER RULES", "DIFFERS FROM TODAY'S RULES"
"""Verdicts on a log without a fault that was played under older rules: the game keeps these rules and every play holds
by them, or it does not keep them and today's rules judge some plays otherwise.
"""


def match_report_on(name: str, report: MatchReport) -> Answer:
    """The verdict of an audit on a match."""
    games, plays = len(report.games), sum(game.plays for game in report.games)
    counted = Text(f"{count_of(games, 'finished game')}, {count_of(plays, 'play')} judged again", indent=2)
    doubt = [Text(sentence(report.forgotten), indent=2)] if report.forgotten else []
    so_far = [Text(begin_sentence(f"{withheld(game)}."), indent=2) for game in report.games if game.unjudged]
    played = filter(None, dict.fromkeys(map(other_rules, report.games)))
    rules = [Text(sentence(begin_sentence(told)), indent=2) for told in played]
    verdict = verdict_on(name, report.fault, worst(report.games))
    told = [*verdict, *so_far, counted, *rules, *doubt, *detail_of(report.fault)]
    return Answer(told, lambda: match_facts_on(name, report), code_of(report.fault))


def clean(report: Report) -> str:
    """Which of them a log gets."""
    if report.heirs:
        return OTHER_KEY
    if report.dropped:
        return LOST_THROW
    if report.signed and report.special and report.special.refused:
        return BEGINNING
    if report.differing:
        return DIFFERS
    return SO_FAR if report.unjudged or report.parent else UNDER if report.under else CLEAN


def worst(reports: Sequence[Report]) -> str:
    """The verdict on several logs without a fault: that of the one of which the least can be said."""
    verdicts = set(map(clean, reports))
    return next((verdict for verdict in (*BUT_FOR, DIFFERS, SO_FAR, UNDER) if verdict in verdicts), CLEAN)


def clean_words(report: Report) -> str:
    """The same with the version of the rules, where it speaks of one."""
    verdict = clean(report)
    return f"{verdict} {report.under}" if verdict == UNDER else verdict


def verdict_on(name: str, fault: Fault | None, clean: str = CLEAN) -> Iterator[Shown]:
    """What an audit found; `clean`: the word for no fault."""
    if fault is None:
        yield Text(f"{clean}  {name}", "refused" if clean in (*BUT_FOR, DIFFERS) else "good")
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
    yield from verdict_on(name, fault, clean_words(report))
    if report.game:
        yield from _counted(name, report)
    elif report.undone:
        yield Text(f"Mail had changed it: {listing(report.undone)}.", indent=2)
    if report.outline:
        yield from outlined(report.outline)
    if report.forgotten:
        yield Text(sentence(report.forgotten), indent=2)
    if fault and fault.n > 0 and report.game:
        yield Text(f"Play on from the good part: referee -g {quote(name)} branch mended --at {fault.n - 1}", indent=2)
    yield from detail_of(fault)


def other_rules(report: Report) -> str:
    """Under which rules a log was played and what today's say to it, as a clause; empty where both are the same."""
    then, today = report.rules
    if then == today:
        return ""
    played = f"played under rules {then} of {report.game}"
    if report.under:
        return f"{played} and judged by them; today's are rules {today}"
    if not report.differing:
        return f"{played}; rules {today}, which are today's, judge every play alike"
    return (
        f"{played}; rules {today}, which are today's, judge {count_of(report.differing, 'play')} otherwise. "
        "That is no fault: nobody here can tell what the older rules said"
    )


def outlined(outline: Outline) -> Iterator[Shown]:
    """What can be told of a log that cannot be read here."""
    by = f", by referee {outline.program}" if outline.program else ""
    yield Text(f"It is a game of {outline.game}, rules {outline.rules}, log format {outline.format}{by}", indent=2)
    yield Text(f"of {listing(outline.players)}, from {outline.first} to {outline.last}.", indent=2)
    entries = count_of(outline.entries, "entry", "entries")
    fits = "every hash fits" if outline.whole else "what follows does not hang together with them"
    yield Text(f"It holds {entries}; {fits}.", indent=2)


def differences(report: Report) -> Iterator[Shown]:
    """The plays that today's rules judge otherwise."""
    for one in report.differences:
        rule = f"{one.rule}  " if one.rule else ""
        yield Text(f"Entry {one.n}: {rule}{sentence(one.cause)}", indent=2, hanging=2)
    more = report.differing - len(report.differences)
    if more:
        yield Text(f"and {count_of(more, 'play')} more", indent=2)


def _end_told(name: str, report: Report) -> str:
    """Says what is known of the end of a log that mail has changed, as a clause."""
    from referee.cli.ends import NOBODY_KNOWS, end_told

    path = None if name == "-" else Path(name)
    return end_told(path, report.id, report.entries, report.head) if report.id else NOBODY_KNOWS


def _counted(name: str, report: Report) -> Iterator[Shown]:
    """Where the good part has come to, and what was judged in it."""
    yield from (Text(begin_sentence(one), "refused", indent=2) for one in told_by_mail(report))
    if report.undone:
        yield Text(
            f"Mail had changed it: {listing(report.undone)}. Every hash fits, and {_end_told(name, report)}.", indent=2
        )
    if report.unjudged:
        yield Text(f"{begin_sentence(withheld(report))}; their hashes and open dice are as they should be", indent=2)
    yield from _judged(report)
    if report.special:
        yield from told_special(report.special)
    if report.secrets and not report.unjudged:
        yield Text(f"{count_of(report.secrets, 'secret')} not revealed yet, judged from the vaults", indent=2)
    if report.signed:
        yield Text(f"{_signed(report)}; {count_of(report.throws, 'throw')} made by all of them together", indent=2)
    yield from _changed_and_won(report)


def _judged(report: Report) -> Iterator[Shown]:
    """What was judged, and where today's rules say something else."""
    when = "game over" if report.to_act is None else f"turn {report.turn}, {_player(report, report.to_act)}"
    entries = count_of(report.entries, "entry", "entries")
    good, taken = " good" if report.fault else "", count_of(report.takebacks, "takeback")
    judged = f"{count_of(report.plays, 'play')} judged again, {count_of(report.draws, 'draw')} of dice checked"
    yield Text(f"{report.game}, {when}: {entries}{good}, {judged}, {taken}", indent=2)
    if told := other_rules(report):
        yield Text(sentence(begin_sentence(told)), indent=2)
        yield from differences(report)


def _changed_and_won(report: Report) -> Iterator[Shown]:
    """What was amended, and how the game ended."""
    for amendment in report.amendments:
        yield Text(f"Entry {amendment.n} amends the position by agreement: {amendment.why}", indent=2)
        yield from (Text(change, indent=4) for change in amendment.changes)
    if report.outcome:
        claimed = "Claimed, though not all of it could be judged: " if report.claimed else ""
        because = report.outcome.because
        yield Text(f"{claimed}{because}." if claimed else f"{begin_sentence(because)}.", indent=2)


def told_by_mail(report: Report) -> list[str]:
    """What keeps a log by mail from being plain clean, as clauses: keys, throws that were dropped, a parent that is not
    here.
    """
    if not (report.heirs or report.dropped or report.parent):
        return []
    from referee.cli.mail.mailed import told_dropped, told_heirs, without_parent  # games by mail alone have them

    player = partial(_player, report)
    parent = [without_parent(report.parent)] if report.parent else []
    return [*told_heirs(report.heirs, player), *told_dropped(report.dropped, player), *parent]


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
