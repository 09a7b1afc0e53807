"""Figures of many logs: a row a log, and the faces of its table dice. One log at a time, by one process or by many."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing
from functools import partial
from typing import TypeVar

from msgspec import Struct

from referee.chances.fair import TypedFace
from referee.chances.luck import Luck, account_of
from referee.chances.throws import throws_in
from referee.engine.blame import GameError
from referee.engine.event import Seat
from referee.record.archive.archive import Unread, logs_among
from referee.record.archive.audit import audit
from referee.record.archive.window import handed_out
from referee.record.log.entry import PlayEntry
from referee.record.log.faults import LogError
from referee.record.table.start import open_log

T = TypeVar("T")


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


def row_of(path: str) -> Row:
    """The row of a log, which tells nothing of throws in secret. FaultError, GameError, OSError."""
    session, report = open_log(path), audit(path)
    outcome, account = report.outcome, account_of(throw for throw in throws_in(session) if throw.roll.to is None)
    return Row(
        log=path,
        game=session.game.name,
        rules=session.header.rules,
        options=dict(session.header.options),
        names=report.names,
        winners=outcome.winners if outcome else (),
        ended=outcome is not None,
        scores=dict(outcome.scores if outcome else session.game.scores(session.moment().state)),
        plays=report.plays,
        turns=report.turn,
        dice=session.header.dice.__struct_config__.tag,  # type: ignore[arg-type]  # it has one
        takebacks=report.takebacks,
        luck={seat: float(luck.luck) for seat, luck in account.by_seat.items()},
        head=report.head,
        clean=report.fault is None,
    )


def lucks_of(path: str) -> list[tuple[str, Luck]]:
    """The luck of each player of a log by name, throws in secret left out. FaultError, GameError, OSError."""
    session = open_log(path)
    account, names = account_of(throw for throw in throws_in(session) if throw.roll.to is None), session.header.names
    return [(names.get(seat, seat), luck) for seat, luck in account.by_seat.items()]


def typed_in(path: str) -> list[TypedFace]:
    """The faces of a log that were typed in and stand, with who typed them, but for those that were thrown in secret.
    FaultError, GameError, OSError.
    """
    session = open_log(path)
    names = session.header.names
    entries = (session.entries[n] for n in session.in_force())
    return [
        (roll.sides, names.get(entry.by, entry.by), face)
        for entry in entries
        if isinstance(entry, PlayEntry)
        for roll in entry.rolls
        if roll.origin == "table" and not roll.names
        for face in roll.faces
    ]


def each_log(
    paths: Iterable[str | os.PathLike[str]], work: Callable[[str], T], executor: Executor | None = None
) -> Generator[T | Unread, None, None]:
    """What some work makes of each log, in the order in which they are named, and why of those that cannot be read.

    Takes the executors that `audit_all` takes; only a few logs are handed out at a time.
    """
    if executor is None:
        yield from (_tried(work, path) for path in logs_among(paths))
        return
    with closing(handed_out(executor, partial(_tried, work), logs_among(paths))) as found:
        for path, future in found:
            yield _come_back(path, future)


def _come_back(path: str, future: Future[T | Unread]) -> T | Unread:
    """What came of a log; why not, where the process that read it has died."""
    try:
        return future.result()
    except BrokenExecutor:
        raise
    except Exception as error:
        return Unread(path, f"whoever read it has died ({error})")


def _tried(work: Callable[[str], T], path: str) -> T | Unread:
    try:
        return work(path)
    except (LogError, GameError, OSError) as error:
        return Unread.by(path, error)
