"""Matches audited: their own log, every game that they name, and every score that follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.text import count_of
from referee.record.archive.audit import Report, audit
from referee.record.archive.counted import how_changed
from referee.record.archive.match import Match, added_up, game_problem, result_of
from referee.record.log import store
from referee.record.log.disk import AnyPath, open_named, path_from, real
from referee.record.log.faults import Fault, FaultError
from referee.record.log.match_entry import GameEndedEntry, GameStartedEntry
from referee.record.log.reader import Reader
from referee.record.table.start import open_log


class MatchReport(Struct, frozen=True):
    """What an audit of a match found."""

    entries: int
    """Good entries, from the beginning."""
    games: tuple[Report, ...]
    """The audits of its games, in order."""
    score: Any
    """How the match stands after the good entries; None when not even the first is good."""
    fault: Fault | None
    """The first fault, in the match or in one of its games; None: everything is as it should be."""
    forgotten: str | None = None
    """Why nobody can tell whether the match has lost its end, as a clause; None: it is known."""


def audit_match(path: AnyPath) -> MatchReport:
    """Audit a match: its own log, every game it names, and every score that follows from them."""
    path = real(path_from(path))
    last = store.remembered(path)
    with open_named(path) as file:
        report = _audited(file, path, last)
    return replace(report, forgotten=store.why_forgotten(path))


def _audited(file: BinaryIO, path: Path, last: tuple[int, str] | None) -> MatchReport:
    reader = Reader(file, strict=True, kind="match")
    match: Match | None = None
    offsets: list[int] = []
    fault = None
    try:
        for added, _ in added_up(reader, path):
            match = added
            offsets.append(reader.offset)
        if reader.torn:
            cut = count_of(len(reader.torn), "byte")
            fault = Fault("torn-tail", reader.n, reader.offset, f"{cut} of an entry cut short")
        elif match:
            store.check_not_shortened(last, match.entries, store.head_of(reader))
    except FaultError as error:
        fault = replace(error.fault, n=reader.n, offset=reader.offset)
    if match is None:
        return MatchReport(reader.n, (), None, fault)
    games: list[Report] = []
    try:
        for report in _audited_games(match):
            games.append(report)
    except FaultError as error:
        n = error.fault.n
        return MatchReport(n, tuple(games), match.stages[n - 1].score, replace(error.fault, offset=offsets[n]))
    return MatchReport(reader.n, tuple(games), match.score, fault)


def _audited_games(match: Match) -> Iterator[Report]:
    """Audit each game that counts, and the one being played; FaultError says at which entry of the match.

    A game is judged when it begins, and what was found is kept for when it ends.
    """
    report = None
    for n in match.stage.line:
        entry = match.entries[n]
        started = match.stages[n].started[-1]
        path = match.path.with_name(started.log)
        if isinstance(entry, GameStartedEntry):
            report = _audited_game(match, entry, match.options_of_next(match.stages[n - 1]))
        elif isinstance(entry, GameEndedEntry) and report:
            how = how_changed(path, entry.head)
            if how or result_of(match, path) != entry.result:
                told = f"{started.log} ended otherwise than the match says{f': {how}' if how else ''}"
                raise FaultError(Fault("wrong-game", n, 0, told))
            yield report


def _audited_game(match: Match, started: GameStartedEntry, options: Mapping[str, str]) -> Report:
    """The audit of a game; FaultError when it is not the one that the match needs."""
    path = match.path.with_name(started.log)
    if not path.is_file():
        number = len(match.stages[started.n].started)
        raise FaultError(Fault("missing-game", started.n, 0, f"{started.log}, game {number}, is not here"))
    report = audit(path)
    problem = game_problem(match, started, report)
    if problem:
        raise FaultError(replace(problem, n=started.n))
    header = open_log(path, 0).header
    if header.options != options:
        raise FaultError(Fault("wrong-game", started.n, 0, f"{started.log} is not played as the match requires"))
    if header.names != match.names:
        raise FaultError(Fault("wrong-game", started.n, 0, f"{started.log} is played by others than the match"))
    return report
