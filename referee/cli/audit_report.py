"""The report of an audit, in words for players first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from referee.cli.answer import NO, OK, UNREADABLE, Answer, AnswerLine, Text
from referee.cli.errors import format_sentence
from referee.cli.treaty_text import describe_treaty, list_treaty_doubts
from referee.engine.text import begin_sentence, count_of, listing
from referee.record.archive.audit import AuditReport
from referee.record.log.log_errors import Fault
from referee.record.log.log_outline import LogOutline
from referee.record.table.treaty import Treaty

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.archive.match_audit import MatchReport


def join_answers(answers: list[Answer]) -> Answer:
    """Joins several answers into one, with the highest of their exit codes."""
    lines = [line for answer in answers for line in answer.lines]
    facts = answers[0].facts if len(answers) == 1 else lambda: [answer.facts() for answer in answers]
    return Answer(lines, facts, max(answer.code for answer in answers))


def answer_on_report(name: str, report: AuditReport) -> Answer:
    """Returns the verdict of an audit on one log."""
    return Answer(
        _describe_report(name, report), lambda: collect_report_facts(name, report), choose_exit_code(report.fault)
    )


def collect_report_facts(name: str, report: AuditReport) -> dict[str, Any]:
    """Returns the findings of an audit of one log, for programs.

    `judged` is True if every move could be judged. `claimed` is True if the outcome is only the log's own claim.
    """
    verdict = {"clean": report.fault is None, "judged": not report.unjudged, "claimed": report.has_claimed_outcome}
    end = {"end": _describe_missing_end(name, report)} if report.undone else {}
    return {"log": name, **verdict, **asdict(report), **end}


def collect_match_report_facts(name: str, report: MatchReport) -> dict[str, Any]:
    """Returns the findings of an audit of a match, for programs."""
    judged = not any(game.unjudged for game in report.games)
    return {"log": name, "clean": report.fault is None, "judged": judged, "report": report}


def choose_exit_code(fault: Fault | None) -> int:
    """Returns the exit code of an audit; `fault` is None if it found no fault."""
    return OK if fault is None else UNREADABLE if fault.is_unreadable else NO


FAULT, UNREAD = "FAULT", "UNREADABLE"
CLEAN, SO_FAR, OTHER_KEY = "CLEAN", "CLEAN SO FAR", "CLEAN EXCEPT FOR A KEY"
LOST_THROW, BAD_BEGINNING = "CLEAN EXCEPT FOR A ROLL", "CLEAN EXCEPT FOR ITS BEGINNING"
CLEAN_EXCEPT_RULING = "CLEAN EXCEPT FOR A RULING"
"""Verdicts on a log without a fault.

The last four are for games by mail. OTHER_KEY: a new key plays for a seat. LOST_THROW: a roll was begun and never
made. RULED: the director agreed in place of a player. BAD_BEGINNING: the game begins as no game may begin.
"""
UNSETTLED_STATUSES = (OTHER_KEY, CLEAN_EXCEPT_RULING, LOST_THROW, BAD_BEGINNING)
"""The verdicts that leave the players something to settle, the worst first."""
UNDER_OLD_RULES, RULES_DIFFER = "CLEAN UNDER RULES", "DIFFERS FROM TODAY'S RULES"
"""Verdicts on a log without a fault that was played under older rules.

UNDER_OLD_RULES: the program still has these rules, and every move is legal under them. RULES_DIFFER: the program no
longer has them, and today's rules judge some moves otherwise.
"""


def answer_on_match_report(name: str, report: MatchReport) -> Answer:
    """Returns the verdict of an audit on a match."""
    games, plays = len(report.games), sum(game.plays for game in report.games)
    counted = Text(f"{count_of(games, 'finished game')}, {count_of(plays, 'play')} judged again", indent=2)
    doubt = [Text(format_sentence(report.forgotten), indent=2)] if report.forgotten else []
    so_far = [
        Text(begin_sentence(f"{describe_unjudged_plays(game)}."), indent=2) for game in report.games if game.unjudged
    ]
    played = filter(None, dict.fromkeys(map(describe_rules_versions, report.games)))
    rules = [Text(format_sentence(begin_sentence(told)), indent=2) for told in played]
    verdict = describe_verdict(name, report.fault, choose_least_clean_status(report.games))
    told = [*verdict, *so_far, counted, *rules, *doubt, *describe_fault_detail(report.fault)]
    return Answer(told, lambda: collect_match_report_facts(name, report), choose_exit_code(report.fault))


def choose_clean_status(report: AuditReport) -> str:
    """Returns the status word of a faultless log: the most doubtful one that applies."""
    if report.exceptions:
        return f"CLEAN EXCEPT FOR {report.exceptions[0].upper()}"
    if report.differing:
        return RULES_DIFFER
    return SO_FAR if report.unjudged or report.parent else UNDER_OLD_RULES if report.under else CLEAN


def choose_least_clean_status(reports: Sequence[AuditReport]) -> str:
    """Returns the most doubtful status word of several faultless logs."""
    verdicts = set(map(choose_clean_status, reports))
    return next(
        (verdict for verdict in (*UNSETTLED_STATUSES, RULES_DIFFER, SO_FAR, UNDER_OLD_RULES) if verdict in verdicts),
        CLEAN,
    )


def describe_clean_status(report: AuditReport) -> str:
    """Returns the status word of a faultless log, with the version of its rules where that matters."""
    verdict = choose_clean_status(report)
    return f"{verdict} {report.under}" if verdict == UNDER_OLD_RULES else verdict


def describe_verdict(name: str, fault: Fault | None, clean: str = CLEAN) -> Iterator[AnswerLine]:
    """Yields the verdict line and the fault. `clean` is the status word of a faultless log."""
    if fault is None:
        yield Text(f"{clean}  {name}", "refused" if clean in (*UNSETTLED_STATUSES, RULES_DIFFER) else "good")
    else:
        yield Text(f"{UNREAD if fault.is_unreadable else FAULT}  {name}, entry {fault.n}", "refused")
        yield from describe_fault(fault)


def describe_fault(fault: Fault, *, within: bool = False, indent: int = 2) -> Iterator[AnswerLine]:
    """Yields a fault in words for players. With `within`, the sentence also names the entry."""
    if within:
        what = (
            f"Entry {fault.n} breaks {fault.rule}: {fault.clause}."
            if fault.rule
            else f"Entry {fault.n}: {fault.clause}."
        )
    else:
        what = f"{fault.rule}  {fault.clause}." if fault.rule else format_sentence(fault.clause)
    yield Text(what, "refused", indent=indent)
    yield from compare_recorded_events(fault, indent)


def compare_recorded_events(fault: Fault, indent: int) -> Iterator[AnswerLine]:
    """Yields the recorded events and the events under today's rules, where the two differ."""
    for label, lines in (("recorded:", fault.recorded), ("under today's rules:", fault.expected)):
        if lines:
            yield Text(label, indent=indent)
        yield from (Text(line, indent=indent + 2) for line in lines)


def describe_fault_detail(fault: Fault | None, indent: int = 2) -> Iterator[AnswerLine]:
    """Yields the detail of a fault, for people who know the log format. It belongs at the end of an answer."""
    if fault:
        yield Text(f"({fault.detail})", "faint", indent=indent)


def _describe_report(name: str, report: AuditReport) -> Iterator[AnswerLine]:
    fault = report.fault
    yield from describe_verdict(name, fault, describe_clean_status(report))
    if report.game:
        yield from _describe_figures(name, report)
    elif report.undone:
        yield Text(f"Mail had changed this log: {listing(report.undone)}.", indent=2)
    if report.outline:
        yield from describe_unreadable_log(report.outline)
    if report.forgotten:
        yield Text(format_sentence(report.forgotten), indent=2)
    if fault and fault.n > 0 and report.game:
        yield Text(
            f"To play on from the good part: referee -g {quote(name)} branch mended --at {fault.n - 1}", indent=2
        )
    yield from describe_fault_detail(fault)


def describe_rules_versions(report: AuditReport) -> str:
    """Returns a clause about a log under other rules than today's, and how today's rules judge it; "" otherwise."""
    then, today = report.rules
    if then == today:
        return ""
    played = f"played under rules {then} of {report.game}"
    if report.under:
        return f"{played} and judged by them; today's rules are version {today}"
    if not report.differing:
        return f"{played}; today's rules (version {today}) judge every move the same"
    differing = count_of(report.differing, "entry", "entries")
    return (
        f"{played}; today's rules (version {today}) judge {differing} differently. "
        "That is not a fault: this referee no longer has the older rules"
    )


def describe_unreadable_log(outline: LogOutline) -> Iterator[AnswerLine]:
    """Yields what is known about a log that cannot be read here: its game, players, dates and size."""
    by = f", written by referee {outline.program}" if outline.program else ""
    yield Text(f"It is a game of {outline.game}, rules {outline.rules}, log format {outline.format}{by}.", indent=2)
    yield Text(f"Players: {listing(outline.players)}; from {outline.first} to {outline.last}.", indent=2)
    entries = count_of(outline.entries, "entry", "entries")
    fits = "every hash fits" if outline.is_fully_chained else "their hashes fit, but the lines after them do not"
    yield Text(f"It holds {entries}; {fits}.", indent=2)


def describe_entries_judged_otherwise(report: AuditReport) -> Iterator[AnswerLine]:
    """Yields the entries that today's rules judge otherwise."""
    for one in report.differences:
        rule = f"{one.rule}  " if one.rule else ""
        yield Text(f"Entry {one.n}: {rule}{format_sentence(one.cause)}", indent=2, hanging=2)
    more = report.differing - len(report.differences)
    if more:
        yield Text(f"and {count_of(more, 'entry', 'entries')} more", indent=2)


def _describe_missing_end(name: str, report: AuditReport) -> str:
    """Returns a clause that says if entries are missing at the end of a log that mail has changed."""
    from referee.cli.truncation_check import NOBODY_KNOWS, describe_truncation

    path = None if name == "-" else Path(name)
    return describe_truncation(path, report.id, report.entries, report.head) if report.id else NOBODY_KNOWS


def _describe_figures(name: str, report: AuditReport) -> Iterator[AnswerLine]:
    """Yields the state at the end of the good part, and the figures of the audit."""
    yield from describe_treaty(_select_doubtful_terms(report))
    if report.undone:
        yield Text(
            f"Mail had changed this log: {listing(report.undone)}. "
            f"Every hash fits, and {_describe_missing_end(name, report)}.",
            indent=2,
        )
    if report.unjudged:
        yield Text(
            f"{begin_sentence(describe_unjudged_plays(report))}; their hashes and open dice are correct", indent=2
        )
    yield from _describe_checks(report)
    yield from describe_treaty(Treaty(settings=report.special))
    if report.secrets and not report.unjudged:
        yield Text(f"{count_of(report.secrets, 'secret')} not revealed yet, checked with the vaults", indent=2)
    if report.signed:
        yield Text(
            f"{_describe_signatures(report)}; {count_of(report.throws, 'roll')} made by all seats together", indent=2
        )
    yield from _describe_changes(report)


def _describe_checks(report: AuditReport) -> Iterator[AnswerLine]:
    """Yields the number of moves and dice checked, and where today's rules differ."""
    when = "game over" if report.to_act is None else f"turn {report.turn}, {_name_player(report, report.to_act)}"
    entries = count_of(report.entries, "entry", "entries")
    good, taken = " good" if report.fault else "", count_of(report.takebacks, "undo")
    judged = f"{count_of(report.plays, 'play')} judged again, {count_of(report.draws, 'roll')} checked"
    yield Text(f"{report.game}, {when}: {entries}{good}, {judged}, {taken}", indent=2)
    if told := describe_rules_versions(report):
        yield Text(format_sentence(begin_sentence(told)), indent=2)
        yield from describe_entries_judged_otherwise(report)


def _describe_changes(report: AuditReport) -> Iterator[AnswerLine]:
    """Yields the changes of options and players, the amendments and the end of the game."""
    for switched in report.option_changes:
        yield Text(f"From entry {switched.n} on, {switched.name} is {switched.value}.", indent=2)
    for change in report.seat_changes:
        yield Text(f"From entry {change.n} on, {change.player or 'nobody'} plays {change.seat}.", indent=2)
    for amendment in report.amendments:
        yield Text(f"Entry {amendment.n} amends the position by agreement: {amendment.why}", indent=2)
        yield from (Text(change, indent=4) for change in amendment.changes)
    if report.outcome:
        claimed = "The log says this, but not every move could be judged: " if report.has_claimed_outcome else ""
        because = report.outcome.because
        yield Text(f"{claimed}{because}." if claimed else f"{begin_sentence(because)}.", indent=2)


def list_mail_doubts(report: AuditReport) -> list[str]:
    """Returns clauses about doubts in a game by mail: replaced keys, dropped rolls, rulings and a missing log.

    The missing log is the one from which a branch started.
    """
    return list_treaty_doubts(_select_doubtful_terms(report))


def _select_doubtful_terms(report: AuditReport) -> Treaty:
    """Returns the findings that leave doubts about a log, as a treaty that holds nothing else."""
    return Treaty(
        players={seat: _name_player(report, seat) for seat in report.names},
        replaced_keys=report.heirs,
        dropped=report.dropped,
        rulings=report.rulings,
        parent=report.parent,
    )


def describe_unjudged_plays(report: AuditReport) -> str:
    """Returns a clause about moves that could not be judged, and the seats whose secrets are missing."""
    plays = _describe_counts("play", report.unjudged)
    keeping = {seat: count for seat, count in report.withheld.items() if seat in report.unjudged}
    secrets = _describe_counts("secret", keeping)
    return f"{plays} cannot be judged before {secrets} {'is' if sum(keeping.values()) == 1 else 'are'} revealed"


def _describe_counts(what: str, counts: dict[Seat, int]) -> str:
    return listing([f"{count_of(count, what)} of {seat}" for seat, count in counts.items()])


def _describe_signatures(report: AuditReport) -> str:
    """Returns a clause about how much of a game by mail each seat has signed."""
    each = []
    for seat, last in report.signed.items():
        upto = "nothing yet" if last < 0 else "all" if last >= report.entries - 2 else f"all up to entry {last}"
        each.append(f"{_name_player(report, seat)} has signed {upto}")
    return listing(each)


def _name_player(report: AuditReport, seat: Seat) -> str:
    """Returns a seat with the name of its player."""
    name = report.names.get(seat, seat)
    return seat if name == seat else f"{seat} ({name})"
