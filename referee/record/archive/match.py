"""Matches: a match has a log of its own, which names the logs of its games by id and adds up their results."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from msgspec.structs import replace

from referee.engine.component import read_toml
from referee.engine.dice_mode import DiceMode
from referee.engine.event import REFEREE, Seat
from referee.engine.game import AnyGame
from referee.engine.match_rules import MatchRules
from referee.engine.option_resolution import choose_options, fill_options
from referee.engine.options import OptionError
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.record.archive.audit import AuditReport, audit
from referee.record.archive.log_boundary import run_on_log_or_none
from referee.record.archive.match_game_changes import ChangedGame, describe_game_change_or_fault
from referee.record.log import store
from referee.record.log.entry import DeedEntry, Entry, encode_for_log, get_current_time
from referee.record.log.field_types import GAME_LOG_PATTERN, LOG_FORMAT
from referee.record.log.game_files import prepare_files, read_own_files, remove_on_failure
from referee.record.log.limits import find_name_problem, find_text_problem
from referee.record.log.line_format import NO_PREVIOUS_HASH, format_entry_line
from referee.record.log.log_errors import Fault, FaultCode, FaultError, NotAllowedError, turn_faults_into_not_allowed
from referee.record.log.match_entry import GameEndedEntry, GameStartedEntry, MatchEntry
from referee.record.log.reader import Reader
from referee.record.log.safe_files import AnyPath, open_user_file, parse_path, resolve_link
from referee.record.table.agreement import describe_missing_consents, describe_unknown_seat
from referee.record.table.deeds.takeback import draft_takeback
from referee.record.table.opening_logs import check_path_is_free, list_files_of_log, open_log, start
from referee.record.table.player_names import pair_seats_with_players
from referee.record.table.session import Session


class MatchState(NamedTuple):
    """A match after one of its entries, without the games that were taken back."""

    score: Any
    started: tuple[GameStartedEntry, ...] = ()
    """The games that have begun, including the one being played."""
    ended: tuple[GameEndedEntry[Any, Any], ...] = ()
    """The games that have ended and count."""
    line: tuple[int, ...] = ()
    """The numbers of the entries in which the games that count began and ended."""


class Match:
    """A match that was read: game, terms, players and score."""

    def __init__(self, path: Path, game: AnyGame, header: MatchEntry[Any]) -> None:
        self.path = path
        self.game = game
        self.header = header
        self.match_rules = get_match_rules(game)
        self.entries: list[Entry] = [header]
        """All entries, including those that were taken back."""
        self.stages = [MatchState(self.match_rules.make_initial_score(header.options, header.terms))]
        """The match after each entry."""
        self.head: store.LogHead

    @property
    def stage(self) -> MatchState:
        """The match as it stands."""
        return self.stages[-1]

    @property
    def score(self) -> Any:
        """The score, in the form that the game defines."""
        return self.stage.score

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return tuple(self.names)

    @property
    def names(self) -> dict[Seat, str]:
        """The name of the player at each seat, in playing order."""
        return {seated.seat: seated.name for seated in self.header.seats}

    @property
    def started_games(self) -> tuple[GameStartedEntry, ...]:
        """The games that have begun so far, including the one being played."""
        return self.stage.started

    @property
    def ended_games(self) -> tuple[GameEndedEntry[Any, Any], ...]:
        """The games that have ended and count."""
        return self.stage.ended

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winners of the match; empty while it goes on."""
        return self.match_rules.winners(self.score)

    @property
    def current_log(self) -> Path | None:
        """The path of the log of the game being played; None between games."""
        return (
            self.path.with_name(self.started_games[-1].log) if len(self.started_games) > len(self.ended_games) else None
        )

    def find_next_game_options(self, stage: MatchState | None = None) -> dict[str, str]:
        """Returns the options of the next game, at this stage or at an earlier one."""
        return {**self.header.options, **self.match_rules.next_options((stage or self.stage).score)}

    def apply_entry(self, entry: Entry) -> None:
        """Adds the next entry. Raises FaultError if it is out of place."""
        stage = self._after(entry)
        self.entries.append(entry)
        self.stages.append(stage)

    def _after(self, entry: Entry) -> MatchState:
        """Returns the match after the next entry. Raises FaultError if the entry is out of place."""
        stranger = describe_unknown_seat(self.seats, [entry.by])
        if stranger:
            self._fail("bad-seat", stranger)
        line = (*self.stage.line, entry.n)
        match entry:
            case GameStartedEntry() if self.current_log or self.winners:
                self._fail("bad-order", "a game begins while another is being played, or after the match")
            case GameStartedEntry():
                return self.stage._replace(started=(*self.started_games, entry), line=line)
            case GameEndedEntry() if not self.current_log:
                self._fail("bad-order", "a game ends that never began")
            case GameEndedEntry():
                return self.stage._replace(score=self._score_after(entry), ended=(*self.ended_games, entry), line=line)
            case DeedEntry():
                return self._stage_taken_back(entry, entry.back_to)
            case MatchEntry():
                self._fail("bad-order", "a match entry stands first and nowhere else")
        return self.stage

    def _score_after(self, entry: GameEndedEntry[Any, Any]) -> Any:
        """Returns the score after a game. Raises FaultError if the entry records another one."""
        refusal = next(self.match_rules.check(self.score, entry.result), None)
        if refusal:
            self._fail("illegal-action", refusal.because, refusal.rule)
        score = self.match_rules.add_result(self.score, entry.result)
        if entry.standing != score:
            self._fail("wrong-score", f"by the rules the score is: {' '.join(self.match_rules.tell(score))}")
        return score

    def _stage_taken_back(self, entry: DeedEntry, to: int | None) -> MatchState:
        """Returns the earlier stage that a takeback goes back to. Raises FaultError unless all agree."""
        if to is None or to >= len(self.stages):
            self._fail("bad-takeback", f"entry {to} is not an earlier entry")
        stranger = describe_unknown_seat(self.seats, (entry.by, *entry.agreed))
        if stranger:
            self._fail("bad-seat", stranger)
        missing = describe_missing_consents(self.seats, entry.by, entry.agreed, "taking back a game of a match")
        if missing:
            self._fail("bad-agreement", missing)
        return self.stages[to]

    def _fail(self, code: FaultCode, cause: str, rule: str | None = None) -> NoReturn:
        raise FaultError(Fault(code, len(self.entries), 0, cause, rule))

    def find_changed_games(self, *, closely: bool = False) -> Iterator[ChangedGame]:
        """Yields the games that count although their logs have changed since, so that their results may be wrong.

        By default, a log is not read if its last acknowledged entry is still the one with which the game ended. With
        `closely`, every log is read.
        """
        for number, (started, ended) in enumerate(zip(self.started_games, self.ended_games, strict=False), 1):
            path = self.path.with_name(started.log)
            last = store.read_head_file(path)
            is_as_entered = last and last[1] == ended.head and path.is_file() and not closely
            how = None if is_as_entered else describe_game_change_or_fault(path, ended.head)
            if how:
                yield ChangedGame(number, path, how, len(self.stage.line) - self.stage.line.index(ended.n))

    def check_unchanged(self) -> None:
        """Raises NotAllowedError if a game that counts has changed since it was entered."""
        changed = next(self.find_changed_games(), None)
        if changed:
            raise NotAllowedError(str(changed))

    # Recording

    def start_next(self, dice: DiceMode | None = None, own: Mapping[str, Mapping[str, Any]] | None = None) -> Session:
        """Starts the next game's log beside the match's, and enters it in the match. `own` is as in `start`.

        By default, dice and files are as in the game before: table dice stay table dice, and open dice get a new seed.
        Raises NotAllowedError if no game can begin now.
        """
        self.check_unchanged()
        if self.winners:
            raise NotAllowedError(f"the match is over: {', '.join(self.winners)} won it")
        if self.current_log:
            raise NotAllowedError(f"game {len(self.started_games)} is being played, in {self.current_log.name}")
        begun = self.list_all_started_games()
        before = next(filter(None, map(self.open_game, reversed(begun))), None)
        if before and (dice is None or own is None):
            dice = dice or before.reducer.header.dice.make_next_mode(os.urandom)
            own = read_own_files(self.game, before.reducer.header.files, before.path) if own is None else own
        path = next(path for path in self.generate_log_paths(len(begun) + 1) if not path.exists())
        session = start(
            self.game.name, path, options=self.find_next_game_options(), seats=self.header.seats, dice=dice, own=own
        )
        with remove_on_failure(path, list_files_of_log(session)):
            self.append(
                GameStartedEntry(*self.make_next_entry_fields(), log=path.name, game=session.reducer.opener.game_id)
            )
        return session

    def generate_log_paths(self, number: int) -> Iterator[Path]:
        """Yields the paths that the log of a game may have, the one with this number first."""
        return (self.path.with_name(f"{self.path.stem}-{next_}.jsonl") for next_ in count(number))

    def list_all_started_games(self) -> list[GameStartedEntry]:
        """Returns all games that ever began, including those that were taken back."""
        return [entry for entry in self.entries if isinstance(entry, GameStartedEntry)]

    def open_game(self, started: GameStartedEntry, upto: int | None = 0) -> Session | None:
        """Returns the session of a game up to entry `upto`: by default, at its beginning; with None, the whole game.
        Returns None if its log cannot be read.
        """
        path = self.path.with_name(started.log)
        return run_on_log_or_none(path, lambda: open_log(path, upto))

    def find_resumable_logs(self) -> Iterator[Path]:
        """Yields the logs of games that were taken back and may count again as the next game."""
        if self.current_log or self.winners:
            return
        counting = {started.game for started in self.started_games}
        for started in {one.game: one for one in self.list_all_started_games() if one.game not in counting}.values():
            session = self.open_game(started, None)
            fits = (
                session
                and session.reducer.opener.game_id == started.game
                and session.reducer.header.options == self.find_next_game_options()
            )
            if session and fits and len(session.entries) > 1:
                yield self.path.with_name(started.log)

    def resume_game(self, log: Path) -> None:
        """Lets a game that was taken back count again as the next one, as far as it was played.

        Raises NotAllowedError if a game is being played, if `find_resumable_logs` does not find `log`, or if a game
        that counts has changed.
        """
        self.check_unchanged()
        if self.current_log:
            raise NotAllowedError(f"game {len(self.started_games)} is being played, in {self.current_log.name}")
        if log.name not in {path.name for path in self.find_resumable_logs()}:
            raise NotAllowedError(f"{log.name} cannot come next; it must be a game of this match that was taken back")
        started = next(one for one in reversed(self.list_all_started_games()) if one.log == log.name)
        self.append(GameStartedEntry(*self.make_next_entry_fields(), log=started.log, game=started.game))

    def undo(self, count: int = 1, agreed: Sequence[Seat] = ()) -> None:
        """Takes back the last `count` starts and ends of games. All must agree. The logs of the games stay.

        A game whose start is taken back begins again. A game whose end is taken back is being played again. Raises
        NotAllowedError if there are fewer starts and ends, or if somebody has not agreed.
        """
        line = self.stage.line
        if not 1 <= count <= len(line):
            raise NotAllowedError(f"games began and ended {len(line)} times, so {count} steps cannot be taken back")
        to = line[-count - 1] if count < len(line) else 0
        with turn_faults_into_not_allowed():
            n, prev, by, at = self.make_next_entry_fields()
            self.append(draft_takeback(to, by, agreed)(n=n, prev=prev, at=at))

    def end_game(self) -> GameEndedEntry[Any, Any]:
        """Enters the result of the game being played, and returns the new entry.

        Raises NotAllowedError unless the game is over and free of faults.
        """
        entry = self.make_end_entry()
        self.append(entry)
        return entry

    def make_end_entry(self) -> GameEndedEntry[Any, Any]:
        """Returns the entry that ends the game being played. Raises NotAllowedError with the reason if it cannot
        end.
        """
        self.check_unchanged()
        if self.current_log is None:
            raise NotAllowedError("no game of this match is being played")
        if not self.current_log.is_file():
            raise NotAllowedError(f"{self.current_log.name}, the log of game {len(self.started_games)}, is not here")
        report = audit(self.current_log)
        problem = find_game_problem(self, self.started_games[-1], report)
        if problem:
            raise NotAllowedError(problem.clause)
        if report.outcome is None:
            raise NotAllowedError(f"game {len(self.started_games)}, in {self.current_log.name}, is not over yet")
        result = find_game_result(self, self.current_log)
        refusal = next(self.match_rules.check(self.score, result), None)
        if refusal:
            raise NotAllowedError(f"{refusal.because} ({refusal.rule})")
        score = self.match_rules.add_result(self.score, result)
        return GameEndedEntry(*self.make_next_entry_fields(), head=report.head, result=result, standing=score)

    def make_next_entry_fields(self) -> tuple[int, str, Seat, str]:
        """Returns the fields `n`, `prev`, `by` and `at` of the next entry."""
        return len(self.entries), self.head.hash, REFEREE, get_current_time()

    def append(self, entry: Entry) -> None:
        """Adds an entry to the log. Raises FaultError if it is out of place."""
        stage = self._after(entry)  # an entry that no reader would accept is not written
        self.head = store.append_lines(self.path, format_entry_line(encode_for_log(entry)), self.head)
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
    """Starts a match of a game and writes its log. `options` and `terms` are as people type them.

    `own` holds files of the players' own. They are tried here, but used only when games start. Raises OptionError,
    BoardError, NotAllowedError, FileExistsError or OSError.
    """
    module = find_game(game)
    series = get_match_rules(module)
    settled = choose_options(module, options or {})
    agreed = series.parse_terms(settled, terms or {})
    if own:
        _check_own_files(module, settled, own)
    header = MatchEntry(
        n=0,
        prev=NO_PREVIOUS_HASH,
        by=REFEREE,
        at=get_current_time(),
        format=LOG_FORMAT,
        game=module.name,
        rules=module.rules_version,
        options=settled,
        terms=agreed,
        seats=pair_seats_with_players(module.seats(settled), seats or {}),
    )
    return write_match_log(Match(parse_path(path), module, header))


def _check_own_files(game: AnyGame, options: Mapping[str, str], own: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises BoardError if no game can be played with these files of the players' own."""
    parts = {part.name: own.get(part.name) or read_toml(part.shipped(options)) for part in game.components}
    prepare_files(game, options, own)
    game.setup(options, game.build_board(parts, options))


def write_match_log(match: Match) -> Match:
    """Writes the log of a new match. Raises NotAllowedError for a bad name, FileExistsError or OSError."""
    _check_name(match.path)
    check_path_is_free(match.path)
    match.head = store.create_log(match.path, format_entry_line(encode_for_log(match.header)))
    return match


def _check_name(path: Path) -> None:
    """Raises NotAllowedError if the games cannot be named after the match. Its log holds the names of the games."""
    name = f"{path.stem}-99.jsonl"
    if not re.fullmatch(GAME_LOG_PATTERN, name) or find_text_problem(name):
        raise NotAllowedError("the games of a match are named after it; give it a plain name of at most 180 letters")


def open_match(path: AnyPath) -> Match:
    """Reads a match's log and adds up its score. Raises FaultError if something is wrong with it, or OSError."""
    path = resolve_link(parse_path(path))
    last = store.read_head_file(path)
    with open_user_file(path) as file:
        reader = Reader(file, strict=True, kind="match")
        try:
            *_, (match, _) = replay_match(reader, path)
        except FaultError as error:
            raise FaultError(replace(error.fault, offset=reader.offset)) from None
    match.head = store.make_head(reader)
    store.check_not_shortened(last, match.entries, match.head)
    return match


def replay_match(reader: Reader, path: Path) -> Iterator[tuple[Match, Any]]:
    """Yields the match after each entry, with the entry. Raises FaultError at the first bad one."""
    match: Match | None = None
    for entry in reader:
        if match is None:
            match = _begin_match(reader.game, entry, path)
        else:
            match.apply_entry(entry)
        yield match, entry


def _begin_match(game: AnyGame, header: MatchEntry[Any], path: Path) -> Match:
    """Returns the match that a first entry begins. Raises FaultError if today's rules know no such match."""
    try:
        settled = fill_options(game, header.options)
    except OptionError as error:
        raise _make_fault("bad-options", str(error)) from None
    refusal = next(game.check_options(settled), None)
    if refusal:
        raise _make_fault("bad-options", f"{refusal.because} ({refusal.rule})")
    if settled != header.options:
        raise _make_fault(
            "bad-options", f"these options are not set: {listing(sorted(settled.keys() - header.options))}"
        )
    match = Match(path, game, header)
    places = game.seats(settled)
    if tuple(seated.seat for seated in header.seats) != places:
        raise _make_fault("bad-seat", f"the seats must be {listing(places)}")
    problem = next(filter(None, map(find_name_problem, match.names.values())), None) or describe_unknown_seat(
        places, [header.by]
    )
    if problem:
        raise _make_fault("bad-seat", problem)
    return match


def _make_fault(code: FaultCode, cause: str) -> FaultError:
    return FaultError(Fault(code, 0, 0, cause))


def find_game_problem(match: Match, started: GameStartedEntry, report: AuditReport) -> Fault | None:
    """Returns a fault if a log is wrong, or is not the game that the match names; None otherwise."""
    if report.fault:
        fault = report.fault
        return replace(fault, n=0, offset=0, within=f"{started.log}, entry {fault.n}")
    if report.id != started.game:
        return Fault(
            "wrong-game",
            0,
            0,
            f"{started.log} holds another game than the one that began in this match; put the right log back",
        )
    if report.game != match.game.name:
        told = f"{started.log} is a game of {report.game}, but the match plays {match.game.name}"
        return Fault("wrong-game", 0, 0, told)
    return None


def find_game_result(match: Match, path: Path) -> Any:
    """Returns the result of a finished game from its log. Plays that were taken back do not count. Raises FaultError if
    the game is not over.
    """
    session = open_log(path)
    outcome = session.moment().outcome
    if outcome is None:
        raise FaultError(Fault("wrong-game", 0, 0, f"{path.name} is not over"))
    states = (session.moment(n).state for n in session.in_force())
    return match.match_rules.result_of(states, session.reducer.header.options, outcome)


def get_match_rules(game: AnyGame) -> MatchRules[Any, Any, Any, Any]:
    """Returns the rules for matches of a game. Raises OptionError if it is not played in matches."""
    if game.match_rules is None:
        raise OptionError(f"{game.name} is not played in matches")
    return game.match_rules
