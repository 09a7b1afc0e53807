"""Audits of matches: the log of the match, every game that it names, and every score."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.record.archive.audit import AuditReport, audit
from referee.record.archive.match import Match, MatchState, find_game_problem, find_game_result, replay_match
from referee.record.archive.match_by_mail import explain_unfit_first_game, explain_unfit_next_game, is_by_mail
from referee.record.archive.match_game_changes import describe_game_change
from referee.record.log import store
from referee.record.log.entry import GameEntry
from referee.record.log.log_errors import Fault, FaultError
from referee.record.log.match_entry import GameEndedEntry, GameStartedEntry
from referee.record.log.reader import Reader
from referee.record.log.safe_files import AnyPath, open_user_file, parse_path, resolve_link
from referee.record.table.opening_logs import open_log


class MatchReport(Struct, frozen=True):
    """The result of auditing a match."""

    entries: int
    """The number of good entries, from the beginning."""
    games: tuple[AuditReport, ...]
    """The audits of its games, in order."""
    score: Any
    """The score after the good entries; None if even the first is bad."""
    fault: Fault | None
    """The first fault, in the match or in one of its games; None if everything is right."""
    forgotten: str | None = None
    """The reason that nobody can tell whether the match has lost its end, as a clause. None if there is no such
    doubt.
    """


def audit_match(path: AnyPath) -> MatchReport:
    """Audits a match: its log, every game that it names, and every score. Raises OSError if its log cannot be read."""
    path = resolve_link(parse_path(path))
    last = store.read_head_file(path)
    with open_user_file(path) as file:
        report = _audit_stream(file, path, last)
    return replace(report, forgotten=store.explain_unreadable_head_file(path))


def _audit_stream(file: BinaryIO, path: Path, last: tuple[int, str] | None) -> MatchReport:
    reader = Reader(file, strict=True, kind="match")
    match: Match | None = None
    offsets: list[int] = []
    fault = None
    try:
        for added, _ in replay_match(reader, path):
            match = added
            offsets.append(reader.offset)
        if reader.torn:
            fault = store.make_torn_tail_fault(reader)
        elif match:
            store.check_not_shortened(last, match.entries, store.make_head(reader))
    except FaultError as error:
        fault = replace(error.fault, n=reader.n, offset=reader.offset)
    if match is None:
        return MatchReport(reader.n, (), None, fault)
    games: list[AuditReport] = []
    try:
        for report in _audit_games(match):
            games.append(report)
    except FaultError as error:
        n = error.fault.n
        return MatchReport(n, tuple(games), match.stages[n - 1].score, replace(error.fault, offset=offsets[n]))
    return MatchReport(reader.n, tuple(games), match.score, fault)


def _audit_games(match: Match) -> Iterator[AuditReport]:
    """Audits each game that counts, and the one being played. Yields the reports of the games that have ended.

    A game is audited at the entry that starts it, and its report is yielded at the entry that ends it. Raises
    FaultError, with the number of that entry of the match, if the game is not as the match says.
    """
    report = None
    for n in match.stage.line:
        entry = match.entries[n]
        started = match.stages[n].started[-1]
        path = match.path.with_name(started.log)
        if isinstance(entry, GameStartedEntry):
            report = _audit_game(match, entry, match.stages[n - 1])
        elif isinstance(entry, GameEndedEntry) and report:
            how = describe_game_change(path, entry.head)
            if how or find_game_result(match, path) != entry.result:
                told = f"{started.log} did not end as the match says{f': {how}' if how else ''}"
                raise FaultError(Fault("wrong-game", n, 0, told))
            yield report


def _audit_game(match: Match, started: GameStartedEntry, before: MatchState) -> AuditReport:
    """Audits a game of the match; `before` is the match before it. Raises FaultError if it is not the game that the
    match needs.
    """
    path = match.path.with_name(started.log)
    if not path.is_file():
        number = len(match.stages[started.n].started)
        raise FaultError(Fault("missing-game", started.n, 0, f"{started.log}, game {number}, is not here"))
    report = audit(path)
    problem = find_game_problem(match, started, report)
    if problem:
        raise FaultError(replace(problem, n=started.n))
    header = open_log(path, 0).reducer.header
    wrong = _why_wrong(match, header, before)
    if wrong:
        raise FaultError(Fault("wrong-game", started.n, 0, f"{started.log} {wrong}"))
    return report


def _why_wrong(match: Match, header: GameEntry, before: MatchState) -> str | None:
    """Returns why a game with this first entry is not the one that the match needs, as a clause; None if it is."""
    if is_by_mail(match) and before.ended:
        other = explain_unfit_next_game(match, header, before)
        return f"is not the next game by mail: {other}" if other else None
    if header.options != match.find_next_game_options(before):
        return "has other options than the match"
    if header.names != match.names:
        return "has other players than the match"
    other = explain_unfit_first_game(match, header) if header.match else None
    return f"is not the first game by mail: {other}" if other else None
