"""Matches by mail. No mail carries the log of a match: every computer works it out from the games, which all sign.

The first game holds the terms, and joining it is the consent to the whole match. Each later game names the first one,
the line that ended the game before, and the key of each seat. So there is one next game at most, and it can only be
begun by the seat that first signed that end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import fields, replace

from referee.engine.event import REFEREE, Seat
from referee.engine.options import OptionError
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.record.archive.log_boundary import run_on_log_or_none
from referee.record.archive.match import Match, MatchState, open_match, write_match_log
from referee.record.archive.match_game_changes import describe_game_change
from referee.record.log.entry import GameEntry, MatchPlace, SealEntry, SeatedPlayer
from referee.record.log.game_files import read_own_files
from referee.record.log.line_format import NO_PREVIOUS_HASH
from referee.record.log.log_errors import FaultError, LogError, NotAllowedError
from referee.record.log.match_entry import GameStartedEntry, MatchEntry
from referee.record.log.store import find_match_log, find_match_log_path
from referee.record.table.match_place import parse_terms
from referee.record.table.opening_logs import open_log, start
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.record.table.session import Session

FIELDS_OF_EACH_GAME = ("n", "prev", "by", "at", "format", "nonce", "program")
"""The fields of a first entry in which the games of a match may differ."""


def open_and_update_match(session: Session) -> Match | None:
    """Returns the match of a game by mail, brought up to date; None if it has none here."""
    log = find_match_log(session.path) if session.path and session.public.header.match else None
    match = run_on_log_or_none(log, lambda: open_match(log)) if log else None
    if match is None:
        return None
    with suppress(LogError, OSError):  # players who may only read the match see it as it was
        update_match(match)
    return match if any(started.game == session.public.id for started in match.list_all_started_games()) else None


def find_current_game(session: Session) -> Path | None:
    """Returns the log of the game that goes on in the match of a game by mail; None if there is none here."""
    match = open_and_update_match(session)
    return match.current_log if match else None


def find_first_game_path(match_log: Path) -> Path:
    """Returns the path for the log of a match's first game."""
    return match_log.with_name(f"{match_log.stem}-1.jsonl")


def begin_match_log(session: Session) -> Match:
    """Writes the log of a match whose first game has begun. Everything in it comes from that game.

    Raises NotAllowedError for a bad name, FileExistsError or OSError.
    """
    header, log = session.public.header, session.path
    assert header.match is not None and log is not None, "this is the first game of a match, and its log is a file"
    entry = MatchEntry(
        n=0,
        prev=NO_PREVIOUS_HASH,
        by=REFEREE,
        at=header.at,
        format=header.format,
        game=header.game,
        rules=header.rules,
        options=header.options,
        terms=parse_terms(header.game, header.options, header.match.terms),
        seats=header.seats,
    )
    path = find_match_log_path(log)
    assert path is not None, "the games of a match are named after it"
    match = write_match_log(Match(path, find_game(header.game), entry))
    _enter_start(match, session)
    return match


def _enter_start(match: Match, session: Session) -> None:
    n, prev, by, _ = match.make_next_entry_fields()
    at = session.public.header.at
    match.append(GameStartedEntry(n, prev, by, at, log=session.file_path.name, game=session.public.id))


# The end of a game


def find_signed_end_entry(session: Session) -> int | None:
    """Returns the number of the entry that ended a game by mail, once a seat has signed it; None before."""
    protocol = session.public.protocol
    if protocol is None or session.moment().outcome is None:
        return None
    last = session.in_force()[-1]
    return last if any(signed > last for signed in protocol.signed_up_to.values()) else None


def find_next_game_starter(session: Session, end: int) -> Seat | None:
    """Returns the seat that begins the next game: the first one that signed entry `end`."""
    return next((entry.by for entry in session.entries[end + 1 :] if isinstance(entry, SealEntry)), None)


def update_match(match: Match) -> None:
    """Adds to the match what is new in its games by mail: an end that was taken back, an end, and the next game."""
    if not is_by_mail(match):
        return
    _take_back_ends(match)
    while _enter_end(match) or _enter_next(match):
        pass


def is_by_mail(match: Match) -> bool:
    """True if the games of a match are played by mail."""
    return bool(match.started_games) and find_first_game_header(match) is not None


def find_first_game_header(match: Match) -> GameEntry | None:
    """Returns the first entry of the first game of a match by mail; None if the match is not by mail."""
    first = match.open_game(match.started_games[0])
    header = first.public.header if first else None
    return header if header and header.match else None


def _take_back_ends(match: Match) -> None:
    """Takes back the recorded end of a game that goes on again, and everything that the match recorded after it.

    In the game's own log, all have agreed to go on.
    """
    for number, (started, ended) in enumerate(zip(match.started_games, match.ended_games, strict=False)):
        path = match.path.with_name(started.log)
        if _goes_on(path, ended.head):
            steps = len(match.stage.line) - match.stage.line.index(match.ended_games[number].n)
            match.undo(steps, match.seats)
            return


def _goes_on(path: Path, head: str) -> bool:
    """True if a game that ended with this hash goes on in its log. False if the log has a fault, which an audit
    reports.
    """
    with suppress(FaultError, OSError):
        return describe_game_change(path, head) is not None
    return False


def _enter_end(match: Match) -> bool:
    """Enters the end of the game that is being played. Returns False if it is not over and signed, or has a fault."""
    log = match.current_log
    session = run_on_log_or_none(log, lambda: open_log(log)) if log else None
    end = find_signed_end_entry(session) if session else None
    if session is None or end is None:
        return False
    with suppress(NotAllowedError):
        match.append(replace(match.make_end_entry(), head=session.hash_at(end), at=session.entries[end].at))
        return True
    return False


def _enter_next(match: Match) -> bool:
    """Enters the next game, if a log that fits lies beside the match. Returns True if a game was entered.

    Nothing is entered while a game is being played, or if the match is won.
    """
    if match.current_log or match.winners:
        return False
    for path in sorted(match.path.parent.glob(f"{match.path.stem}-*.jsonl")):
        session = run_on_log_or_none(path, partial(open_log, path))
        if session and session.public.header.match and explain_unfit_next_game(match, session.public.header) is None:
            _enter_start(match, session)
            return True
    return False


def explain_unfit_first_game(match: Match, header: GameEntry) -> str | None:
    """Returns why a game with this first entry is not the first one of a match by mail, as a clause; None if it is."""
    if header.match is None or header.match.number != 1:
        return "it is not the first game of a match"
    try:
        terms = parse_terms(header.game, header.options, header.match.terms)
    except OptionError as error:
        return str(error)
    return None if terms == match.header.terms else "it was begun with other terms than the match"


# The next game


def open_last_ended_game(match: Match, stage: MatchState | None = None) -> Session:
    """Returns the game of a match that ended last, at this stage or now. Raises FaultError or OSError if its log cannot
    be read.
    """
    then = stage or match.stage
    return open_log(match.path.with_name(then.started[len(then.ended) - 1].log))


def make_next_game_header(match: Match, stage: MatchState | None = None) -> GameEntry:
    """Returns the first entry that the next game must have at a stage; by default, at the present one. Only the fields
    of `FIELDS_OF_EACH_GAME` may differ.

    Raises NotAllowedError if no game can begin then.
    """
    then, first = stage or match.stage, find_first_game_header(match)
    if first is None or first.match is None:
        raise NotAllowedError("this match is not played by mail")
    winners = match.match_rules.winners(then.score)
    if winners:
        raise NotAllowedError(f"the match is over: {listing(winners)} won it")
    if len(then.started) > len(then.ended):
        raise NotAllowedError(f"game {len(then.started)} is not over here")
    last = open_last_ended_game(match, then)
    names, protocol = SeatView(last).facts.names, last.public.protocol
    assert protocol is not None, "the last game of this match was played by mail"
    keys = {seat: position.enrolment.key for seat, position in protocol.chain_positions.items()}
    place = MatchPlace(len(then.ended) + 1, first.match.terms, then.started[0].game, then.ended[-1].head, keys)
    seats = tuple(SeatedPlayer(seat, names[seat]) for seat in last.public.seats)
    return replace(first, options=match.find_next_game_options(then), seats=seats, match=place)


def explain_unfit_next_game(match: Match, header: GameEntry, stage: MatchState | None = None) -> str | None:
    """Returns why a game with this first entry is not the next one of a match, as a clause; None if it is.

    By default it is judged by the present stage.
    """
    place, begun = header.match, len((stage or match.stage).started)
    if place and place.number <= begun:
        return f"another game {place.number} of this match has already begun here"
    try:
        wanted = make_next_game_header(match, stage)
    except (NotAllowedError, FaultError, OSError) as error:
        return str(error)
    assert wanted.match is not None, "the next game belongs to this match"
    if place is None:
        return "it belongs to no match"
    if place.number != wanted.match.number:
        return f"it is game {place.number} of its match, and game {wanted.match.number} comes next"
    differ = list(_differences(wanted, header))
    return f"as game {wanted.match.number} of its match it has {listing(differ)}" if differ else None


DIFFERENCE_NAMES = {
    "first": "another first game",
    "after": "another end of the game before",
    "keys": "other keys",
    "seats": "other players",
    "director": "another director",
}
"""Names of differences for people. Any other difference is called "other" and the name of its field."""


def _differences(wanted: GameEntry, header: GameEntry) -> Iterator[str]:
    """Yields the differences between two first entries, in words."""
    for field in fields(GameEntry):
        if field.name in (*FIELDS_OF_EACH_GAME, "match") or getattr(wanted, field.name) == getattr(header, field.name):
            continue
        yield DIFFERENCE_NAMES.get(field.name, f"other {field.name}")
    for field in fields(MatchPlace):
        if getattr(wanted.match, field.name) != getattr(header.match, field.name):
            yield DIFFERENCE_NAMES.get(field.name, f"other {field.name}")


def start_next_by_mail(match: Match) -> Session:
    """Starts the log of the next game beside the match, and enters it. Nobody has sat down in it yet.

    Raises NotAllowedError if no game can begin now, and the errors of `start`.
    """
    header = make_next_game_header(match)
    path = find_free_game_path(match)
    session = start(
        header.game,
        path,
        options=header.options,
        seats=header.seats,
        dice=header.dice,
        own=read_own_files(match.game, header.files, match.path.with_name(match.started_games[0].log)),
        hints=header.hints,
        pace=header.pace,
        rules=header.rules,
        match=header.match,
        director=header.director,
    )
    _enter_start(match, session)
    return session


def find_free_game_path(match: Match) -> Path:
    """Returns a free path for the log of the next game."""
    return next(path for path in match.generate_log_paths(len(match.list_all_started_games()) + 1) if not path.exists())


def find_and_update_match(first_game: str, match_logs: Iterator[Path]) -> Match | None:
    """Returns the match, brought up to date, that began with the game of this id. None if no log of `match_logs` is
    that of the match.
    """
    for log in match_logs:
        match = run_on_log_or_none(log, partial(open_match, log))
        if match and match.list_all_started_games() and match.list_all_started_games()[0].game == first_game:
            update_match(match)
            return match
    return None
