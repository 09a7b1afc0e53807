"""Matches: a log of their own that names each game's log by id and result, and adds up what the games are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.dice import DiceMode
from referee.engine.event import REFEREE, Seat
from referee.engine.game import AnyGame
from referee.engine.options import OptionError, choose_options
from referee.engine.registry import find_game
from referee.engine.series import Series
from referee.record import store
from referee.record.audit import Report, audit
from referee.record.entry import (
    FORMAT,
    NO_PARENT,
    Entry,
    GameEndedEntry,
    GameStartedEntry,
    MatchEntry,
    encode,
    frame,
    now,
)
from referee.record.faults import Code, Fault, FaultError, NotAllowedError
from referee.record.reader import Reader
from referee.record.session import Session
from referee.record.start import open_log, seated, start


class Match:
    """A match that was read: who plays what on which terms, and how it stands."""

    def __init__(self, path: Path, game: AnyGame, header: MatchEntry[Any]) -> None:
        self.path = path
        self.game = game
        self.header = header
        self.series = series_of(game)
        self.standing: Any = self.series.begin(header.options, header.terms)
        self.entries: list[Entry] = [header]
        self.head: store.Head

    @property
    def started(self) -> list[GameStartedEntry]:
        """The games begun so far, the one being played included."""
        return [entry for entry in self.entries if isinstance(entry, GameStartedEntry)]

    @property
    def ended(self) -> list[GameEndedEntry[Any, Any]]:
        """The games ended so far."""
        return [entry for entry in self.entries if isinstance(entry, GameEndedEntry)]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won it; nobody while it goes on."""
        return self.series.winners(self.standing)

    @property
    def playing(self) -> Path | None:
        """The log of the game being played; None between games."""
        return self.path.with_name(self.started[-1].log) if len(self.started) > len(self.ended) else None

    def options_of_next(self) -> dict[str, str]:
        """The options under which the next game has to be started."""
        return {**self.header.options, **self.series.next_options(self.standing)}

    def add(self, entry: Entry) -> None:
        """Take up the next entry; FaultError when it is out of place."""
        match entry:
            case GameStartedEntry() if self.playing or self.winners:
                self._fail("bad-order", "a game begins while another is being played, or after the match")
            case GameEndedEntry() if not self.playing:
                self._fail("bad-order", "a game ends that did not begin")
            case GameEndedEntry():
                self._score(entry)
            case MatchEntry():
                self._fail("bad-order", "a match entry stands first and nowhere else")
        self.entries.append(entry)

    def _score(self, entry: GameEndedEntry[Any, Any]) -> None:
        """Work the score out again; what is recorded must agree."""
        refusal = next(self.series.check(self.standing, entry.result), None)
        if refusal:
            self._fail("illegal-action", refusal.because, refusal.rule)
        self.standing = self.series.score(self.standing, entry.result)
        if entry.standing != self.standing:
            self._fail("wrong-score", f"by the rules: {' '.join(self.series.tell(self.standing))}")

    def _fail(self, code: Code, cause: str, rule: str | None = None) -> None:
        raise FaultError(Fault(code, len(self.entries), 0, cause, rule))

    # Recording

    def start_next(self, dice: DiceMode | None = None, own: Mapping[str, Mapping[str, Any]] | None = None) -> Session:
        """Start the next game's log beside the match's and enter it in the match; `own` files as in `start`."""
        if self.winners:
            raise NotAllowedError(f"the match is over: {', '.join(self.winners)} has won it")
        if self.playing:
            raise NotAllowedError(f"game {len(self.started)} is being played, in {self.playing.name}")
        path = self.path.with_name(f"{self.path.stem}-{len(self.started) + 1}.jsonl")
        names = {seated.seat: seated.name for seated in self.header.seats}
        session = start(self.game.name, path, options=self.options_of_next(), seats=names, dice=dice, own=own)
        self._append(GameStartedEntry(*self._next(), log=path.name, game=session.fold.opener.game_id))
        return session

    def end_game(self) -> GameEndedEntry[Any, Any]:
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
        standing = self.series.score(self.standing, result)
        entry = GameEndedEntry(*self._next(), head=report.head, result=result, standing=standing)
        self._append(entry)
        return entry

    def _next(self) -> tuple[int, str, Seat, str]:
        return len(self.entries), self.head.hash, REFEREE, now()

    def _append(self, entry: Entry) -> None:
        self.head = store.append(self.path, frame(encode(entry)), self.head)
        self.add(entry)


class MatchReport(Struct, frozen=True):
    """What an audit of a match found."""

    entries: int
    """Good entries, from the beginning."""
    games: tuple[Report, ...]
    """The audits of its games, in order."""
    standing: Any
    """How the match stands after the good entries; None when not even the first is good."""
    fault: Fault | None
    """The first fault, in the match or in one of its games; None: everything is as it should be."""


def start_match(
    game: str,
    path: str | Path,
    *,
    options: Mapping[str, str] | None = None,
    terms: Mapping[str, str] | None = None,
    seats: Mapping[Seat, str] | Sequence[str] | None = None,
) -> Match:
    """Start a match of a game on terms as typed. OptionError, NotAllowedError, FileExistsError, OSError."""
    module = find_game(game)
    series = series_of(module)
    settled = choose_options(module, options or {})
    header = MatchEntry(
        n=0,
        prev=NO_PARENT,
        by=REFEREE,
        at=now(),
        format=FORMAT,
        game=module.name,
        rules=module.rules_version,
        options=settled,
        terms=series.agree(settled, terms or {}),
        seats=seated(module.seats(settled), seats or {}),
    )
    match = Match(Path(path), module, header)
    match.head = store.create(match.path, frame(encode(header)))
    return match


def open_match(path: str | Path) -> Match:
    """Read a match's log and add it up again. FaultError says what is wrong with it; OSError."""
    path = Path(path)
    last = store.remembered(path)
    with path.open("rb") as file:
        reader = Reader(file, strict=True, kind="match")
        try:
            *_, (match, _) = _added_up(reader, path)
        except FaultError as error:
            raise FaultError(replace(error.fault, offset=reader.offset)) from None
    match.head = store.head_of(reader)
    store.check_not_shortened(last, match.entries, match.head)
    return match


def audit_match(path: str | Path) -> MatchReport:
    """Audit a match: its own log, every game it names, and every score that follows from them."""
    path = Path(path)
    with path.open("rb") as file:
        return _audited(file, path)


def _audited(file: BinaryIO, path: Path) -> MatchReport:
    reader = Reader(file, strict=True, kind="match")
    audited: dict[str, Report] = {}
    games: list[Report] = []
    match: Match | None = None
    fault = None
    try:
        options: Mapping[str, str] = {}
        for match, entry in _added_up(reader, path):
            games += _audited_game(match, entry, options, audited)
            options = match.options_of_next()
        if reader.torn:
            fault = Fault("torn-tail", reader.n, reader.offset, f"{len(reader.torn)} bytes of an entry cut short")
    except FaultError as error:
        fault = replace(error.fault, n=reader.n, offset=reader.offset)
    return MatchReport(reader.n, tuple(games), match.standing if match else None, fault)


def _added_up(reader: Reader, path: Path) -> Iterator[tuple[Match, Any]]:
    """The match after each entry, and the entry; FaultError at the first that cannot be."""
    match: Match | None = None
    for entry in reader:
        if match is None:
            match = Match(path, reader.game, entry)
        else:
            match.add(entry)
        yield match, entry


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


def result_of(match: Match, path: Path) -> Any:
    """The result of a finished game's log: what was taken back does not count."""
    session = open_log(path)
    outcome = session.outcome
    if outcome is None:
        raise FaultError(Fault("wrong-game", 0, 0, f"{path.name} is not over"))
    states = (session.moment(n).state for n in session.in_force())
    return match.series.result_of(states, session.header.options, outcome)


def series_of(game: AnyGame) -> Series[Any, Any, Any, Any]:
    """How a game is played in matches; OptionError when it is not."""
    if game.series is None:
        raise OptionError(f"{game.name} is not played in matches")
    return game.series
