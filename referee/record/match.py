"""Matches: a log of their own that names each game's log by id and result, and adds up what the games are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import DiceMode
from referee.engine.game import REFEREE, Game, OptionError, Seat, choose_options, find_game
from referee.engine.series import Result, Series, Standing, Terms
from referee.record import store
from referee.record.audit import Report, audit
from referee.record.entry import (
    FORMAT,
    NO_PARENT,
    Entry,
    GameEndedEntry,
    GameStartedEntry,
    MatchEntry,
    now,
)
from referee.record.faults import Code, Fault, FaultError
from referee.record.reader import Reader
from referee.record.session import NotAllowedError, Session, open_log, seat_names, start


class Match:
    """A match that was read: who plays what on which terms, and how it stands."""

    def __init__(self, path: Path, game: Game, header: MatchEntry) -> None:
        self.path = path
        self.game = game
        self.header = header
        self.series = series_of(game)
        self.standing = self.series.begin(header.options, header.terms)
        self.entries: list[Entry] = [header]
        self.head: store.Head

    @property
    def started(self) -> list[GameStartedEntry]:
        """The games begun so far, the one being played included."""
        return [entry for entry in self.entries if isinstance(entry, GameStartedEntry)]

    @property
    def ended(self) -> list[GameEndedEntry]:
        """The games ended so far."""
        return [entry for entry in self.entries if isinstance(entry, GameEndedEntry)]

    @property
    def playing(self) -> Path | None:
        """The log of the game being played; None between games."""
        if len(self.started) == len(self.ended):
            return None
        return self.path.with_name(self.started[-1].log)

    def options_of_next(self) -> dict[str, str]:
        """The options under which the next game has to be started."""
        return {**self.header.options, self.series.opening_option: self.standing.opener or self.series.thrown}

    def fold(self, entry: Entry) -> None:
        """Take up the next entry; FaultError when it is out of place."""
        match entry:
            case GameStartedEntry() if self.playing or self.standing.winner:
                self._fail(entry, "bad-order", "a game begins while another is being played, or after the match")
            case GameEndedEntry() if not self.playing:
                self._fail(entry, "bad-order", "a game ends that did not begin")
            case GameEndedEntry():
                self._score(entry)
            case MatchEntry():
                self._fail(entry, "bad-order", "a match entry stands first and nowhere else")
        self.entries.append(entry)

    def _score(self, entry: GameEndedEntry) -> None:
        """Work the score out again; what is recorded must agree."""
        refusal = next(self.series.check(self.standing, entry.result), None)
        if refusal:
            self._fail(entry, "illegal-action", refusal.because, refusal.rule)
        self.standing = self.series.score(self.standing, entry.result)
        after = self.standing
        if (entry.bonus, entry.totals, entry.opener, entry.winner) != (
            after.bonus,
            after.totals,
            after.opener,
            after.winner,
        ):
            self._fail(entry, "wrong-score", f"by the rules the totals are {_points(after.totals)}")

    def _fail(self, entry: Entry, code: Code, cause: str, rule: str | None = None) -> None:
        raise FaultError(Fault(code, entry.n, 0, cause, rule))

    # Recording

    def start_next(self, dice: DiceMode | None = None) -> Session:
        """Start the next game's log beside the match's and enter it in the match."""
        if self.standing.winner:
            raise NotAllowedError(f"the match is over: {self.standing.winner} has won it")
        if self.playing:
            raise NotAllowedError(f"game {len(self.started)} is being played, in {self.playing.name}")
        path = self.path.with_name(f"{self.path.stem}-{len(self.started) + 1}.jsonl")
        session = start(self.game.name, path, options=self.options_of_next(), seats=self.header.seats, dice=dice)
        self._append(GameStartedEntry(*self._next(), log=path.name, game=session.head.hash))
        return session

    def end_game(self) -> GameEndedEntry:
        """Enter the result of the game being played, which must be over and audit clean."""
        if self.playing is None:
            raise NotAllowedError("no game of this match is being played")
        report = audit(self.playing)
        problem = game_problem(self, self.started[-1], report)
        if problem:
            raise NotAllowedError(f"{self.playing.name}: {problem.cause}")
        if report.outcome is None:
            raise NotAllowedError(f"game {len(self.started)}, in {self.playing.name}, is not over yet")
        result = result_of(self, self.playing)
        refusal = next(self.series.check(self.standing, result), None)
        if refusal:
            raise NotAllowedError(f"{refusal.because} ({refusal.rule})")
        after = self.series.score(self.standing, result)
        facts = {"bonus": dict(after.bonus), "totals": dict(after.totals), "opener": after.opener}
        entry = GameEndedEntry(*self._next(), head=report.head, result=result, winner=after.winner, **facts)  # type: ignore[arg-type]
        self._append(entry)
        return entry

    def _next(self) -> tuple[int, str, Seat, str]:
        return len(self.entries), self.head.hash, REFEREE, now()

    def _append(self, entry: Entry) -> None:
        self.head = store.append(self.path, [entry], self.head)
        self.fold(entry)


class MatchReport(Struct, frozen=True):
    """What an audit of a match found."""

    entries: int
    """Good entries, from the beginning."""
    games: tuple[Report, ...]
    """The audits of its games, in order."""
    standing: Standing | None
    """How the match stands after the good entries."""
    fault: Fault | None
    """The first fault, in the match or in one of its games; None: everything is as it should be."""


def start_match(
    game: str,
    path: str | Path,
    *,
    options: Mapping[str, str] | None = None,
    seats: Mapping[Seat, str] | None = None,
    target: int | None = None,
    first: str | None = None,
) -> Match:
    """Start a match. `target` is the total that ends it, `first` the rule by which later games are opened."""
    module = find_game(game)
    series = series_of(module)
    settled = choose_options(module, {**(options or {}), series.opening_option: series.thrown})
    if first is not None and first not in series.openings:
        raise OptionError(f"later games are opened by {' or '.join(series.openings)}, not {first!r}")
    if target is not None and not 1 <= target <= 100_000:
        raise OptionError("a target is a number from 1 to 100000")
    header = MatchEntry(
        n=0,
        prev=NO_PARENT,
        by=REFEREE,
        at=now(),
        format=FORMAT,
        game=module.name,
        rules=module.rules_version,
        options=settled,
        terms=Terms(target or series.target(settled), first or series.openings[0]),
        seats=seat_names(module.seats(settled), seats or {}),
    )
    match = Match(Path(path), module, header)
    match.head = store.create(match.path, [header])
    return match


def open_match(path: str | Path) -> Match:
    """Read a match's log and add it up again. FaultError says what is wrong with it; OSError."""
    path = Path(path)
    last = store.remembered(path)
    match: Match | None = None
    with path.open("rb") as file:
        reader = Reader(file, strict=True, kind=MatchEntry)
        try:
            for entry in reader:
                match = _taken_up(match, path, reader, entry)
        except FaultError as error:
            raise FaultError(replace(error.fault, offset=reader.offset)) from None
    assert match is not None, "a reader hands over at least the first entry"
    match.head = store.head_of(reader)
    if last:
        store.check_not_shortened(last, match.entries, match.head)
    return match


def _taken_up(match: Match | None, path: Path, reader: Reader, entry: Any) -> Match:
    if match is None:
        if reader.game.series is None:
            raise FaultError(Fault("bad-options", 0, 0, f"{reader.game.name} is not played in matches"))
        return Match(path, reader.game, entry)
    match.fold(entry)
    return match


def audit_match(path: str | Path) -> MatchReport:
    """Audit a match: its own log, every game it names, and every score that follows from them."""
    path = Path(path)
    match: Match | None = None
    audited: dict[str, Report] = {}
    games: list[Report] = []
    fault = None
    with path.open("rb") as file:
        reader = Reader(file, strict=True, kind=MatchEntry)
        try:
            for entry in reader:
                options = match.options_of_next() if match else {}
                match = _taken_up(match, path, reader, entry)
                games += _audited_game(match, entry, options, audited)
            if reader.torn:
                fault = Fault("torn-tail", reader.n, reader.offset, f"{len(reader.torn)} bytes of an entry cut short")
        except FaultError as error:
            fault = replace(error.fault, n=reader.n, offset=reader.offset)
    return MatchReport(reader.n, tuple(games), match.standing if match else None, fault)


def _audited_game(match: Match, entry: Any, options: Mapping[str, str], audited: dict[str, Report]) -> Iterator[Report]:
    """Audit the game that an entry begins or ends; FaultError when it is not the one the match needs.

    A game is judged when it begins, and what was found is kept in `audited` for when it ends.
    """
    if not isinstance(entry, GameStartedEntry | GameEndedEntry):
        return
    started = match.started[-1]
    path = match.path.with_name(started.log)
    if not path.is_file():
        raise FaultError(Fault("missing-game", entry.n, 0, f"{started.log}, game {len(match.started)}, is not here"))
    if started.log not in audited:
        audited[started.log] = audit(path)
    report = audited[started.log]
    problem = game_problem(match, started, report)
    if problem:
        raise FaultError(replace(problem, n=entry.n))
    if isinstance(entry, GameStartedEntry):
        if open_log(path, 0).header.options != options:
            raise FaultError(Fault("wrong-game", entry.n, 0, f"{started.log} is not played as the match requires"))
        return
    if report.head != entry.head or result_of(match, path) != entry.result:
        raise FaultError(Fault("wrong-game", entry.n, 0, f"{started.log} ended otherwise than the match says"))
    yield report


def game_problem(match: Match, started: GameStartedEntry, report: Report) -> Fault | None:
    """Why a log is not the game that was entered in the match; None when it is."""
    if report.fault:
        return Fault(report.fault.code, 0, 0, f"{started.log}: {report.fault}", report.fault.rule)
    if report.id != started.game:
        return Fault("wrong-game", 0, 0, f"{started.log} is another game than the one that began")
    if report.game != match.game.name:
        return Fault("wrong-game", 0, 0, f"{started.log} is a game of {report.game}")
    return None


def result_of(match: Match, path: Path) -> Result:
    """The result of a finished game's log."""
    session = open_log(path)
    outcome = session.outcome
    if outcome is None:
        raise FaultError(Fault("wrong-game", 0, 0, f"{path.name} is not over"))
    opened_by = match.series.opened_by(map(session.history.state, range(len(session.entries))))
    thrown = session.header.options[match.series.opening_option] == match.series.thrown
    return Result(opened_by, thrown, dict(outcome.scores), outcome.winners)


def series_of(game: Game) -> Series:
    """How a game is played in matches; OptionError when it is not."""
    if game.series is None:
        raise OptionError(f"{game.name} is not played in matches")
    return game.series


def _points(totals: Mapping[Seat, int]) -> str:
    return ", ".join(f"{seat} {total}" for seat, total in totals.items())
