"""Matches: a log of their own that names each game's log by id and result, and adds up what the games are worth."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from msgspec.structs import replace

from referee.engine.choosing import choose_options, settle_options
from referee.engine.component import read_toml
from referee.engine.event import REFEREE, Seat
from referee.engine.game import AnyGame
from referee.engine.mode import DiceMode
from referee.engine.options import OptionError
from referee.engine.registry import find_game
from referee.engine.series import Series
from referee.engine.text import listing
from referee.record.archive.audit import Report, audit
from referee.record.archive.counted import Changed, why_unlike
from referee.record.log import store
from referee.record.log.disk import AnyPath, open_named, path_from, real
from referee.record.log.entry import DeedEntry, Entry, encode, now
from referee.record.log.faults import Code, Fault, FaultError, NotAllowedError, not_allowed
from referee.record.log.fields import FORMAT, GAME_LOG
from referee.record.log.files import files_of, own_files, whole_or_not
from referee.record.log.frame import NO_PARENT, frame
from referee.record.log.limits import name_problem, text_problem
from referee.record.log.match_entry import GameEndedEntry, GameStartedEntry, MatchEntry
from referee.record.log.reader import Reader
from referee.record.table.agreement import why_missing, why_stranger
from referee.record.table.deeds.takeback import going_back
from referee.record.table.names import seated
from referee.record.table.session import Session
from referee.record.table.start import check_free, files_with, open_log, start


class Stage(NamedTuple):
    """A match after one of its entries. What was taken back is no part of it."""

    score: Any
    started: tuple[GameStartedEntry, ...] = ()
    """The games begun, the one being played included."""
    ended: tuple[GameEndedEntry[Any, Any], ...] = ()
    """The games that count."""
    line: tuple[int, ...] = ()
    """Numbers of the entries by which games began and ended."""


class Match:
    """A match that was read: who plays what on which terms, and how it stands."""

    def __init__(self, path: Path, game: AnyGame, header: MatchEntry[Any]) -> None:
        self.path = path
        self.game = game
        self.header = header
        self.series = series_of(game)
        self.entries: list[Entry] = [header]
        """All entries, those taken back included."""
        self.stages = [Stage(self.series.begin(header.options, header.terms))]
        """The match after each entry."""
        self.head: store.Head

    @property
    def stage(self) -> Stage:
        """The match as it stands."""
        return self.stages[-1]

    @property
    def score(self) -> Any:
        """The points, in the terms of the game."""
        return self.stage.score

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return tuple(self.names)

    @property
    def names(self) -> dict[Seat, str]:
        """Who sits at each seat, in playing order."""
        return {seated.seat: seated.name for seated in self.header.seats}

    @property
    def started(self) -> tuple[GameStartedEntry, ...]:
        """The games begun so far, the one being played included."""
        return self.stage.started

    @property
    def ended(self) -> tuple[GameEndedEntry[Any, Any], ...]:
        """The games that count."""
        return self.stage.ended

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won it; nobody while it goes on."""
        return self.series.winners(self.score)

    @property
    def playing(self) -> Path | None:
        """The log of the game being played; None between games."""
        return self.path.with_name(self.started[-1].log) if len(self.started) > len(self.ended) else None

    def options_of_next(self, stage: Stage | None = None) -> dict[str, str]:
        """The options under which the next game has to be started, as things stand or at an earlier stage."""
        return {**self.header.options, **self.series.next_options((stage or self.stage).score)}

    def add(self, entry: Entry) -> None:
        """Take up the next entry; FaultError when it is out of place."""
        stage = self._after(entry)
        self.entries.append(entry)
        self.stages.append(stage)

    def _after(self, entry: Entry) -> Stage:
        stranger = why_stranger(self.seats, [entry.by])
        if stranger:
            self._fail("bad-seat", stranger)
        line = (*self.stage.line, entry.n)
        match entry:
            case GameStartedEntry() if self.playing or self.winners:
                self._fail("bad-order", "a game begins while another is being played, or after the match")
            case GameStartedEntry():
                return self.stage._replace(started=(*self.started, entry), line=line)
            case GameEndedEntry() if not self.playing:
                self._fail("bad-order", "a game ends that did not begin")
            case GameEndedEntry():
                return self.stage._replace(score=self._scored(entry), ended=(*self.ended, entry), line=line)
            case DeedEntry():
                return self._gone_back(entry, entry.back_to)
            case MatchEntry():
                self._fail("bad-order", "a match entry stands first and nowhere else")
        return self.stage

    def _scored(self, entry: GameEndedEntry[Any, Any]) -> Any:
        """Work the score out again; what is recorded must agree."""
        refusal = next(self.series.check(self.score, entry.result), None)
        if refusal:
            self._fail("illegal-action", refusal.because, refusal.rule)
        score = self.series.after(self.score, entry.result)
        if entry.standing != score:
            self._fail("wrong-score", f"by the rules: {' '.join(self.series.tell(score))}")
        return score

    def _gone_back(self, entry: DeedEntry, to: int | None) -> Stage:
        """Games that are taken back count no more; all must agree."""
        if to is None or to >= len(self.stages):
            self._fail("bad-takeback", f"entry {to} is not an earlier entry")
        stranger = why_stranger(self.seats, (entry.by, *entry.agreed))
        if stranger:
            self._fail("bad-seat", stranger)
        missing = why_missing(self.seats, entry.by, entry.agreed, "taking back a game of a match")
        if missing:
            self._fail("bad-agreement", missing)
        return self.stages[to]

    def _fail(self, code: Code, cause: str, rule: str | None = None) -> NoReturn:
        raise FaultError(Fault(code, len(self.entries), 0, cause, rule))

    def changed(self, *, closely: bool = False) -> Iterator[Changed]:
        """The games that count and whose logs have gone on since: their results may no longer be what was added up.
        `closely`: each log is read, also where the last that was recorded in it is what was entered.
        """
        for number, (started, ended) in enumerate(zip(self.started, self.ended, strict=False), 1):
            path = self.path.with_name(started.log)
            last = store.remembered(path)
            is_as_entered = last and last[1] == ended.head and path.is_file() and not closely
            how = None if is_as_entered else why_unlike(path, ended.head)
            if how:
                yield Changed(number, path, how, len(self.stage.line) - self.stage.line.index(ended.n))

    def check_unchanged(self) -> None:
        """NotAllowedError when a game that counts was changed since."""
        changed = next(self.changed(), None)
        if changed:
            raise NotAllowedError(str(changed))

    # Recording

    def start_next(self, dice: DiceMode | None = None, own: Mapping[str, Mapping[str, Any]] | None = None) -> Session:
        """Start the next game's log beside the match's and enter it in the match; `own` files as in `start`.

        What is not given is as in the game begun before: table dice stay table dice, open ones get a seed of their own.
        """
        self.check_unchanged()
        if self.winners:
            raise NotAllowedError(f"the match is over: {', '.join(self.winners)} has won it")
        if self.playing:
            raise NotAllowedError(f"game {len(self.started)} is being played, in {self.playing.name}")
        begun = self._begun()
        before = next(filter(None, map(self._opened, reversed(begun))), None)
        if before and (dice is None or own is None):
            dice = dice or before.header.dice.next(os.urandom)
            own = own_files(self.game, before.header.files, before.path) if own is None else own
        path = next(path for path in self._names(len(begun) + 1) if not path.exists())
        session = start(
            self.game.name, path, options=self.options_of_next(), seats=self.header.seats, dice=dice, own=own
        )
        with whole_or_not(path, files_with(session)):
            self._append(GameStartedEntry(*self._next(), log=path.name, game=session.fold.opener.game_id))
        return session

    def _names(self, number: int) -> Iterator[Path]:
        return (self.path.with_name(f"{self.path.stem}-{next_}.jsonl") for next_ in count(number))

    def _begun(self) -> list[GameStartedEntry]:
        """All games that ever began, those taken back included."""
        return [entry for entry in self.entries if isinstance(entry, GameStartedEntry)]

    def _opened(self, started: GameStartedEntry, upto: int | None = 0) -> Session | None:
        """The log of a game at its beginning, or `upto` an entry; None: it is lost."""
        with suppress(FaultError, OSError):
            return open_log(self.path.with_name(started.log), upto)
        return None

    def may_follow(self) -> Iterator[Path]:
        """The logs of games that were taken back, were played, and can count as the next game."""
        if self.playing or self.winners:
            return
        counting = {started.game for started in self.started}
        for started in {one.game: one for one in self._begun() if one.game not in counting}.values():
            session = self._opened(started, None)
            fits = session and session.id == started.game and session.header.options == self.options_of_next()
            if session and fits and len(session.entries) > 1:
                yield self.path.with_name(started.log)

    def take_up(self, log: Path) -> None:
        """Have a game that was taken back count again, as the next one, as far as it was played. NotAllowedError."""
        self.check_unchanged()
        if self.playing:
            raise NotAllowedError(f"game {len(self.started)} is being played, in {self.playing.name}")
        if log.name not in {path.name for path in self.may_follow()}:
            raise NotAllowedError(f"{log.name} is no game of this match that was taken back and fits as the next one")
        started = next(one for one in reversed(self._begun()) if one.log == log.name)
        self._append(GameStartedEntry(*self._next(), log=started.log, game=started.game))

    def undo(self, count: int = 1, agreed: Sequence[Seat] = ()) -> None:
        """Take back the last `count` times that a game began or ended; all must agree. The logs of the games stay.

        A game whose beginning is taken back is begun anew; one whose end is taken back is being played again.
        """
        line = self.stage.line
        if not 1 <= count <= len(line):
            raise NotAllowedError(f"games began and ended {len(line)} times; {count} cannot be taken back")
        to = line[-count - 1] if count < len(line) else 0
        with not_allowed():
            n, prev, by, at = self._next()
            self._append(going_back(to, by, agreed)(n=n, prev=prev, at=at))

    def end_game(self) -> GameEndedEntry[Any, Any]:
        """Enter the result of the game being played, which must be over and audit clean."""
        entry = self.ending()
        self._append(entry)
        return entry

    def ending(self) -> GameEndedEntry[Any, Any]:
        """The entry by which the game being played ends; NotAllowedError says what is in its way."""
        self.check_unchanged()
        if self.playing is None:
            raise NotAllowedError("no game of this match is being played")
        if not self.playing.is_file():
            raise NotAllowedError(f"{self.playing.name}, the log of game {len(self.started)}, is not here")
        report = audit(self.playing)
        problem = game_problem(self, self.started[-1], report)
        if problem:
            raise NotAllowedError(problem.words)
        if report.outcome is None:
            raise NotAllowedError(f"game {len(self.started)}, in {self.playing.name}, is not over yet")
        result = result_of(self, self.playing)
        refusal = next(self.series.check(self.score, result), None)
        if refusal:
            raise NotAllowedError(f"{refusal.because} ({refusal.rule})")
        score = self.series.after(self.score, result)
        return GameEndedEntry(*self._next(), head=report.head, result=result, standing=score)

    def _next(self) -> tuple[int, str, Seat, str]:
        return len(self.entries), self.head.hash, REFEREE, now()

    def _append(self, entry: Entry) -> None:
        stage = self._after(entry)  # what no reader would take up is not written
        self.head = store.append(self.path, frame(encode(entry)), self.head)
        self.entries.append(entry)
        self.stages.append(stage)


def start_match(
    game: str,
    path: AnyPath,
    *,
    options: Mapping[str, str] | None = None,
    terms: Mapping[str, str] | None = None,
    seats: Mapping[Seat, str] | Sequence[str] | None = None,
    own: Mapping[str, Mapping[str, Any]] | None = None,
) -> Match:
    """Start a match of a game on terms as typed; `own` files as in `start`, tried here and given to its first game.

    OptionError, BoardError, NotAllowedError, FileExistsError, OSError.
    """
    module = find_game(game)
    series = series_of(module)
    settled = choose_options(module, options or {})
    agreed = series.agree(settled, terms or {})
    if own:
        parts = {part.name: own.get(part.name) or read_toml(part.shipped(settled)) for part in module.components}
        files_of(module, settled, own)
        module.setup(settled, module.build(parts, settled))
    header = MatchEntry(
        n=0,
        prev=NO_PARENT,
        by=REFEREE,
        at=now(),
        format=FORMAT,
        game=module.name,
        rules=module.rules_version,
        options=settled,
        terms=agreed,
        seats=seated(module.seats(settled), seats or {}),
    )
    path = path_from(path)
    _check_name(path)
    check_free(path)
    match = Match(path, module, header)
    match.head = store.create(match.path, frame(encode(header)))
    return match


def _check_name(path: Path) -> None:
    """NotAllowedError where the games cannot be named after the match: their names stand in its log."""
    name = f"{path.stem}-99.jsonl"
    if not re.fullmatch(GAME_LOG, name) or text_problem(name):
        raise NotAllowedError("the games of a match are named after it; give it a plain name of at most 180 letters")


def open_match(path: AnyPath) -> Match:
    """Read a match's log and add it up again. FaultError says what is wrong with it; OSError."""
    path = real(path_from(path))
    last = store.remembered(path)
    with open_named(path) as file:
        reader = Reader(file, strict=True, kind="match")
        try:
            *_, (match, _) = added_up(reader, path)
        except FaultError as error:
            raise FaultError(replace(error.fault, offset=reader.offset)) from None
    match.head = store.head_of(reader)
    store.check_not_shortened(last, match.entries, match.head)
    return match


def added_up(reader: Reader, path: Path) -> Iterator[tuple[Match, Any]]:
    """The match after each entry, and the entry; FaultError at the first that cannot be."""
    match: Match | None = None
    for entry in reader:
        if match is None:
            match = _begun_by(reader.game, entry, path)
        else:
            match.add(entry)
        yield match, entry


def _begun_by(game: AnyGame, header: MatchEntry[Any], path: Path) -> Match:
    """The match that a first entry begins; FaultError when these rules know no such match."""
    try:
        settled = settle_options(game, header.options)
    except OptionError as error:
        raise _fault("bad-options", str(error)) from None
    refusal = next(game.check_options(settled), None)
    if refusal:
        raise _fault("bad-options", f"{refusal.because} ({refusal.rule})")
    if settled != header.options:
        raise _fault("bad-options", f"{listing(sorted(settled.keys() - header.options))} not set")
    match = Match(path, game, header)
    places = game.seats(settled)
    if tuple(seated.seat for seated in header.seats) != places:
        raise _fault("bad-seat", f"the seats are {listing(places)}")
    problem = next(filter(None, map(name_problem, match.names.values())), None) or why_stranger(places, [header.by])
    if problem:
        raise _fault("bad-seat", problem)
    return match


def _fault(code: Code, cause: str) -> FaultError:
    return FaultError(Fault(code, 0, 0, cause))


def game_problem(match: Match, started: GameStartedEntry, report: Report) -> Fault | None:
    """Why a log is not the game that was entered in the match; None when it is."""
    if report.fault:
        fault = report.fault
        return replace(fault, n=0, offset=0, within=f"{started.log}, entry {fault.n}")
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
