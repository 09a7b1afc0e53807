"""Figures from many logs: a row for each game, the luck of players, the faces of table dice.

Each process reads one log at a time; there may be several processes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing
from functools import partial
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from referee.chances.dice_fairness import TypedFace
from referee.chances.luck import RollLuck, make_luck_account
from referee.chances.recorded_rolls import list_recorded_rolls
from referee.engine.event import Seat
from referee.record.archive.archive import find_logs
from referee.record.archive.audit import audit
from referee.record.archive.bounded_map import map_bounded
from referee.record.archive.log_boundary import UnreadableLog, run_on_log
from referee.record.archive.log_contributions import LogContribution, compute_contributions
from referee.record.archive.roll_account import list_game_rolls
from referee.record.archive.trace import EntryColumns, trace_log
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.log.safe_files import parse_path
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_names import find_names_before, list_players_of_seats
from referee.record.table.session import Session

T = TypeVar("T")
Item = TypeVar("Item", str, LogContribution)


class StatsRow(Struct, frozen=True):
    """The figures of one log."""

    log: str
    game: str
    rules: int
    """The version of the rules by which the game was played."""
    options: dict[str, str]
    names: dict[Seat, str]
    """The names of the players in playing order: "Bo, then Cy" if several have sat at a seat."""
    winners: tuple[Seat, ...]
    """The first rank; empty if nobody has won or the game goes on."""
    ended: bool
    scores: dict[Seat, int]
    plays: int
    """The number of plays that the audit judged."""
    turns: int
    """The number of the last turn."""
    dice: str
    """The dice mode: table, open or pact."""
    takebacks: int
    luck: dict[Seat, float]
    """For each seat, the hits above the expected number."""
    head: str
    """The hash of the last line."""
    clean: bool
    """True if an audit finds no fault."""
    dropped: dict[Seat, int]
    """For each seat, the number of dropped joint rolls whose dice it may know; seats with none are left out."""
    except_for: tuple[str, ...]
    """The findings that an audit names although it finds no fault, such as "a key" (`AuditReport.exceptions`)."""


class RollRow(Struct, frozen=True):
    """One roll of a log that everybody may see."""

    log: str
    game: str
    entry: int
    """The number of its entry."""
    at: str
    """The time at which it was recorded, in UTC."""
    seat: Seat
    player: str
    """The name of the player who sat at the seat then."""
    purpose: str
    sides: int
    """The number of faces of each die; of a draw, the number of things."""
    faces: tuple[str, ...]
    """The faces, or the names of the things drawn."""
    origin: str
    """The source of the faces: table, open, sealed, pact or lots."""


def list_roll_rows(share: LogContribution) -> list[RollRow]:
    """Returns the rolls of a log, without those that count in another log. Secret rolls are left out.

    Raises FaultError, GameError or OSError if the log cannot be read.
    """
    session = open_log(share.log)
    return [
        RollRow(
            log=share.log,
            game=session.game.name,
            entry=play.n,
            at=play.at,
            seat=play.by,
            player=find_names_before(session, play.n)[play.by],
            purpose=roll.purpose,
            sides=roll.sides,
            faces=tuple(map(str, roll.names or roll.faces)),
            origin=roll.origin,
        )
        for play in _list_counted_plays(share, session)
        for roll in play.rolls
        if roll.to is None
    ]


def make_stats_row(share: LogContribution) -> StatsRow:
    """Returns the figures of a log. Secret rolls do not count as luck.

    Raises FaultError, GameError or OSError if the log cannot be read.
    """
    session, report = open_log(share.log), audit(share.log)
    outcome, account = (
        report.outcome,
        make_luck_account(throw for throw in list_recorded_rolls(session) if throw.roll.to is None),
    )
    return StatsRow(
        log=share.log,
        game=session.game.name,
        rules=session.reducer.header.rules,
        options=dict(session.moment().options),
        names={seat: ", then ".join(names) for seat, names in list_players_of_seats(session).items()},
        winners=outcome.winners if outcome else (),
        ended=outcome is not None,
        scores=dict(outcome.scores if outcome else session.game.scores(session.moment().state)),
        plays=report.plays,
        turns=report.turn,
        dice=session.reducer.header.dice.name,
        takebacks=report.takebacks,
        luck={seat: float(luck.hits_above_expected) for seat, luck in account.luck_by_seat.items()},
        head=report.head,
        clean=report.fault is None,
        dropped=_count_dropped_rolls(share, session),
        except_for=report.exceptions,
    )


def _count_dropped_rolls(share: LogContribution, session: Session) -> dict[Seat, int]:
    """Returns how many dropped joint rolls of a game each seat may know.

    Looks for these rolls in the log, its copies, its branches and its parents. If the log is a branch, looks in all
    logs of its folder, too.
    """
    if session.public.protocol is None:
        return {}
    log = parse_path(share.log)
    beside = sorted(log.parent.glob("*.jsonl")) if session.public.branched else []
    rolls = list_game_rolls(log, [*map(parse_path, share.kin), *beside])
    return dict(Counter(seat for roll in rolls if roll.fate == "dropped" for seat in roll.known))


def list_player_lucks_of_log(share: LogContribution) -> list[tuple[str, RollLuck]]:
    """Returns each player's name and luck in a log, without rolls that count in another log. Secret rolls are left out.

    Raises FaultError, GameError or OSError if the log cannot be read.
    """
    session = open_log(share.log)
    numbers = _find_counted_entries(share, session)
    throws = (throw for throw in list_recorded_rolls(session) if throw.roll.to is None and throw.n in numbers)
    account = make_luck_account(replace(throw, is_in_force=True) for throw in throws)
    return [(owner.player, luck) for owner, luck in account.luck_by_player.items()]


def list_typed_faces(share: LogContribution) -> list[TypedFace]:
    """Returns the typed faces of a log with the player who typed each, without rolls that count in another log.

    Drawn names and secret rolls are left out. Raises FaultError, GameError or OSError if the log cannot be read.
    """
    session = open_log(share.log)
    return [
        (roll.sides, find_names_before(session, play.n)[play.by], face)
        for play in _list_counted_plays(share, session)
        for roll in play.rolls
        if roll.is_typed and not roll.names
        for face in roll.faces
    ]


def _list_counted_plays(share: LogContribution, session: Session) -> Iterator[AnyPlay]:
    """Yields the plays whose rolls count, in order."""
    entries = (session.entries[n] for n in sorted(_find_counted_entries(share, session)))
    return (entry for entry in entries if isinstance(entry, PlayEntry))


def _find_counted_entries(share: LogContribution, session: Session) -> frozenset[int]:
    """Returns the numbers of the entries whose rolls count."""
    return frozenset(session.in_force()) if share.numbers is None else share.numbers


class LogResult(Struct, Generic[T], frozen=True):
    """The result of one log that was read with others."""

    share: LogContribution
    """The part of the log that counts."""
    found: T | None
    """The result of the work on that part; None if the log adds nothing."""


def map_logs(
    paths: Iterable[str | os.PathLike[str]],
    work: Callable[[LogContribution], T],
    executor: Executor | None = None,
    *,
    games: bool = False,
) -> Generator[LogResult[T] | UnreadableLog, None, None]:
    """Yields the result of some work on each log, or the reason why a log cannot be read.

    First looks for rolls that stand in several logs, so that each roll counts once. Logs in which this search fails
    come first. Then come logs that add nothing, since all their rolls count in another log: no work is done on them,
    and their result is None. The others follow in the order of `paths`. If `games`, the work is
    done for only one log of each game. `executor` may be any executor that works with `audit_all`; it gets only a few
    logs at a time.
    """
    traces: list[EntryColumns] = []
    for _, trace in _work_on_each(_list_files(paths), trace_log, executor):
        if isinstance(trace, UnreadableLog):
            yield trace
        else:
            traces.append(trace)
    shares = compute_contributions(traces)
    del traces
    for share in shares:
        if not (share.leads if games else share.is_counted):
            yield LogResult(share, None)
    yield from _read_each_taken(
        [share for share in shares if (share.leads if games else share.is_counted)], work, executor
    )


def _list_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[str]:
    """Yields each log once, however often and under whatever names it is given."""
    files = set[str]()
    for log in find_logs(paths):
        file = log if "\0" in log else os.path.realpath(log)
        if file not in files:
            files.add(file)
            yield log


def _read_each_taken(
    shares: list[LogContribution], work: Callable[[LogContribution], T], executor: Executor | None
) -> Iterator[LogResult[T] | UnreadableLog]:
    for share, found in _work_on_each(shares, work, executor):
        yield found if isinstance(found, UnreadableLog) else LogResult(share, found)


def _work_on_each(
    items: Iterable[Item], work: Callable[[Item], T], executor: Executor | None
) -> Generator[tuple[Item, T | UnreadableLog], None, None]:
    """Yields each item, a log or the part of a log that counts, with the result of some work on it, in order."""
    if executor is None:
        yield from ((item, _try_work(work, item)) for item in items)
        return
    with closing(map_bounded(executor, partial(_try_work, work), items)) as found:
        for item, future in found:
            yield item, _get_result(_find_log(item), future)


def _find_log(item: str | LogContribution) -> str:
    return item.log if isinstance(item, LogContribution) else item


def _get_result(path: str, future: Future[T | UnreadableLog]) -> T | UnreadableLog:
    """Returns the result for a log. If the process that read it has died, returns an `UnreadableLog` that says so."""
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as error:
        return UnreadableLog(path, f"the process that read it has died ({error})")


def _try_work(work: Callable[[Item], T], item: Item) -> T | UnreadableLog:
    return run_on_log(_find_log(item), partial(work, item))
