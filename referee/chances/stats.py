"""Figures of many logs: a row a game, luck, faces of table dice. One log at a time, by one process or by many."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing
from functools import partial
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from referee.chances.fair import TypedFace
from referee.chances.luck import Luck, account_of
from referee.chances.throws import throws_in
from referee.engine.blame import GameError
from referee.engine.event import Seat
from referee.record.archive.archive import Unread, logs_among
from referee.record.archive.audit import audit
from referee.record.archive.evidence import Share, shares_of
from referee.record.archive.trace import Trace, trace_of
from referee.record.archive.window import handed_out
from referee.record.log.entry import PlayEntry
from referee.record.log.faults import LogError
from referee.record.table.session import Session
from referee.record.table.start import open_log

T = TypeVar("T")
Item = TypeVar("Item", str, Share)


class Row(Struct, frozen=True):
    """What there is to tell of a log."""

    log: str
    game: str
    rules: int
    """The version of the rules that it was played by."""
    options: dict[str, str]
    names: dict[Seat, str]
    """Who sits where, in playing order."""
    winners: tuple[Seat, ...]
    """The first rank; empty where nobody has won, or the game goes on."""
    ended: bool
    scores: dict[Seat, int]
    plays: int
    """Plays that an audit has judged again."""
    turns: int
    """Number of the last turn."""
    dice: str
    """Where dice come from: table, open or pact."""
    takebacks: int
    luck: dict[Seat, float]
    """Hits above what had to be expected."""
    head: str
    """Hash of its last line."""
    clean: bool
    """Whether an audit finds no fault."""


def row_of(share: Share) -> Row:
    """The row of a log, which tells nothing of throws in secret. FaultError, GameError, OSError."""
    session, report = open_log(share.log), audit(share.log)
    outcome, account = report.outcome, account_of(throw for throw in throws_in(session) if throw.roll.to is None)
    return Row(
        log=share.log,
        game=session.game.name,
        rules=session.header.rules,
        options=dict(session.header.options),
        names=report.names,
        winners=outcome.winners if outcome else (),
        ended=outcome is not None,
        scores=dict(outcome.scores if outcome else session.game.scores(session.moment().state)),
        plays=report.plays,
        turns=report.turn,
        dice=session.header.dice.name,
        takebacks=report.takebacks,
        luck={seat: float(luck.luck) for seat, luck in account.by_seat.items()},
        head=report.head,
        clean=report.fault is None,
    )


def lucks_of(share: Share) -> list[tuple[str, Luck]]:
    """The luck of each player by name in what a log adds, throws in secret left out. FaultError, GameError, OSError."""
    session = open_log(share.log)
    numbers, names = _counted(share, session), session.header.names
    throws = (throw for throw in throws_in(session) if throw.roll.to is None and throw.n in numbers)
    account = account_of(replace(throw, stands=True) for throw in throws)
    return [(names.get(seat, seat), luck) for seat, luck in account.by_seat.items()]


def typed_in(share: Share) -> list[TypedFace]:
    """The faces in what a log adds that were typed in, with who typed them, but for those that were thrown in secret.
    FaultError, GameError, OSError.
    """
    session = open_log(share.log)
    names = session.header.names
    entries = (session.entries[n] for n in sorted(_counted(share, session)))
    return [
        (roll.sides, names.get(entry.by, entry.by), face)
        for entry in entries
        if isinstance(entry, PlayEntry)
        for roll in entry.rolls
        if roll.is_typed and not roll.names
        for face in roll.faces
    ]


def _counted(share: Share, session: Session) -> frozenset[int]:
    """Returns the entries of a log whose throws count."""
    return frozenset(session.in_force()) if share.numbers is None else share.numbers


class Taken(Struct, Generic[T], frozen=True):
    """What was taken from a log that was read with others."""

    share: Share
    """What it adds to them."""
    found: T | None
    """What some work made of that; None: it adds nothing."""


def each_log(
    paths: Iterable[str | os.PathLike[str]],
    work: Callable[[Share], T],
    executor: Executor | None = None,
    *,
    games: bool = False,
) -> Generator[Taken[T] | Unread, None, None]:
    """Yields what some work makes of each log, in the order in which they are named, and why of those that cannot be
    read. All are looked through first, so that each throw counts once, however many copies there are of it; `games`:
    the work is done for the one log alone that stands for its game.

    Takes the executors that `audit_all` takes; only a few logs are handed out at a time.
    """
    traces: list[Trace] = []
    for _, trace in _each(_files_in(paths), trace_of, executor):
        if isinstance(trace, Unread):
            yield trace
        else:
            traces.append(trace)
    shares = shares_of(traces)
    del traces
    for share in shares:
        if not (share.leads if games else share.adds):
            yield Taken(share, None)
    yield from _each_taken([share for share in shares if (share.leads if games else share.adds)], work, executor)


def _files_in(paths: Iterable[str | os.PathLike[str]]) -> Iterator[str]:
    """Yields the logs that are meant, each file once, however often and under whatever names it is meant."""
    files = set[str]()
    for log in logs_among(paths):
        file = log if "\0" in log else os.path.realpath(log)
        if file not in files:
            files.add(file)
            yield log


def _each_taken(
    shares: list[Share], work: Callable[[Share], T], executor: Executor | None
) -> Iterator[Taken[T] | Unread]:
    for share, found in _each(shares, work, executor):
        yield found if isinstance(found, Unread) else Taken(share, found)


def _each(
    items: Iterable[Item], work: Callable[[Item], T], executor: Executor | None
) -> Generator[tuple[Item, T | Unread], None, None]:
    """Yields each log, or its share, with what some work makes of it, in their order."""
    if executor is None:
        yield from ((item, _tried(work, item)) for item in items)
        return
    with closing(handed_out(executor, partial(_tried, work), items)) as found:
        for item, future in found:
            yield item, _come_back(_log_of(item), future)


def _log_of(item: str | Share) -> str:
    return item.log if isinstance(item, Share) else item


def _come_back(path: str, future: Future[T | Unread]) -> T | Unread:
    """What came of a log; why not, where the process that read it has died."""
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as error:
        return Unread(path, f"whoever read it has died ({error})")


def _tried(work: Callable[[Item], T], item: Item) -> T | Unread:
    try:
        return work(item)
    except (LogError, GameError, OSError) as error:
        return Unread.by(_log_of(item), error)
