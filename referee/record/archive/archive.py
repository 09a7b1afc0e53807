"""Archives: many logs audited, here or wherever an executor does it, in memory that does not grow with their number."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from stat import S_ISDIR, S_ISREG
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.blame import GameError, game_at_fault
from referee.record.archive.audit import Report
from referee.record.archive.judging import audit_any
from referee.record.archive.match_audit import MatchReport
from referee.record.log.disk import AnyPath, NoFileError, path_from
from referee.record.log.faults import Fault, FaultError, LogError

LOG = ".jsonl"
"""How the names of those files end that are taken for logs in a folder."""
SORTED_AT_ONCE = 10_000
"""Names of a folder that are put in order; of a bigger one, so many at a time."""
SMALL = 16 * 1024
"""Bytes as which the smallest log counts: to open it takes as long as to judge so many."""
TASK = 16 * SMALL
"""Bytes of logs that are judged as one piece of work."""
AHEAD = 64
"""Pieces of work that are handed out before one has come back."""
TICK = 1.0
"""Seconds between two calls of the progress function while nothing comes back."""
NOT_THERE = "there is no such file"
MOST = 20
"""Amendments, games of a match, and lines of events that are told of one log."""
LONGEST = 1_000
"""Characters of a cause, or of a line, that are told of one log."""


class Unread(Struct, frozen=True):
    """A log that could not be read, and why, as a clause."""

    log: str
    why: str

    @classmethod
    def by(cls, log: str, error: LogError | GameError | OSError) -> Unread:
        """The log that could not be read because of this error."""
        if isinstance(error, FaultError):
            fault = error.fault
            return cls(log, f"{fault.words}{f', from entry {fault.n} on' if fault.n else ''}")
        if isinstance(error, FileNotFoundError):
            return cls(log, NOT_THERE)
        return cls(log, getattr(error, "strerror", None) or str(error) or type(error).__name__)


class Audited(Struct, frozen=True):
    """What became of one log of an archive."""

    path: Path
    """The log, as it was named or found in its folder."""
    report: Report | MatchReport | None
    """What its audit found; None: it could not be judged. At most 20 amendments, games of a match, and lines of events
    are told, of at most 1,000 characters each.
    """
    why: str = ""
    """Why it could not be judged, as a clause: it is no file, it may not be read, whoever judged it has died."""
    bug: bool = False
    """Whether that is a bug in the referee or in a game."""
    left_out: int = 0
    """Amendments, games and lines that were not told, because they were too many."""

    @property
    def fault(self) -> Fault | None:
        """The first fault of the log; None: there is none, or it could not be judged."""
        return self.report.fault if self.report else None

    @property
    def clean(self) -> bool:
        """Whether the log was judged, and no fault was found."""
        return self.report is not None and self.report.fault is None

    @property
    def entries(self) -> int:
        """Good entries, from the beginning."""
        return self.report.entries if self.report else 0

    @property
    def unjudged(self) -> int:
        """Plays that nobody can judge before secrets are revealed."""
        return sum(sum(report.unjudged.values()) for report in self.games)

    @property
    def games(self) -> tuple[Report, ...]:
        """The game, or those of a match."""
        if isinstance(self.report, MatchReport):
            return self.report.games
        return (self.report,) if self.report else ()


Progress: TypeAlias = Callable[[int], None]
"""Told from time to time how many entries were judged, of all logs together."""
Paths: TypeAlias = tuple[str, ...]


def audit_all(
    paths: Iterable[AnyPath],
    executor: Executor | None = None,
    progress: Progress | None = None,
    ahead: int = AHEAD,
) -> Iterator[Audited]:
    """Audit logs, and all logs in folders and in the folders within; what was found of each comes as soon as it is
    known. What cannot be read is told like any other log; nothing that is wrong with one stops the others.

    Without an `executor` each is judged here, in the order in which they are named. An executor judges many at a time,
    and they come in the order in which it is done: `ahead` pieces of work, each a few logs, are handed out at most, of
    which two for each worker are enough. Whoever works for it must find the logs under the same paths. BrokenExecutor
    when it takes no more work.
    """
    logs = logs_among(paths)
    entries = 0

    def beat(more: int = 0) -> None:
        if progress:
            progress(entries + more)

    found: Generator[Audited, None, None] = (
        _judged_by(executor, logs, ahead, beat) if executor else (judge(path, beat) for path in logs)
    )
    with closing(found):
        for audited in found:
            entries += audited.entries
            beat()
            yield audited


def logs_among(paths: Iterable[AnyPath], passed_over: Callable[[str], object] | None = None) -> Iterator[str]:
    """The logs that are meant: files as they are named, and all in folders, and in the folders within, whose name ends
    in `.jsonl`. A folder that cannot be read stands for itself.

    Links in a folder are not followed, so that nothing outside of it is read: `passed_over` is told of each. What is no
    path at all is told like a file that is not there.
    """
    for named in paths:
        path = os.fsdecode(named) if isinstance(named, str | bytes | os.PathLike) else repr(named)
        if os.path.isdir(path):  # noqa: PTH112 - many names, each of which as a Path would cost more than the question
            yield from _logs_in(path, passed_over)
        else:
            yield path


def named_once(paths: Sequence[str], passed_over: Callable[[str], object] | None = None) -> list[str]:
    """These files and folders without those that are named already, or lie in a folder that is named as well, be it by
    a link: `passed_over` is told of each link that is left out.
    """
    folders = {os.path.realpath(path) for path in paths if os.path.isdir(path)}  # noqa: PTH112 - as above
    found: dict[str, str] = {}
    for path in paths:
        here = os.path.realpath(path)
        if here not in found and not _lies_in(here, folders):
            found[here] = path
        elif passed_over and os.path.islink(path):  # noqa: PTH114 - as above
            passed_over(path)
    return list(found.values())


def _lies_in(path: str, folders: Collection[str]) -> bool:
    """Whether one of these folders is looked through for it."""
    is_found = path in folders or path.endswith(LOG)
    return is_found and any(str(parent) in folders for parent in Path(path).parents)


def _logs_in(folder: str, passed_over: Callable[[str], object] | None) -> Iterator[str]:
    folders = [folder]
    while folders:
        here = folders.pop()
        within: list[str] = []
        try:
            for found in _in_order(here):
                if found.is_dir(follow_symlinks=False):
                    within.append(found.path)
                elif found.is_symlink():
                    if passed_over and (found.name.endswith(LOG) or found.is_dir()):
                        passed_over(found.path)
                elif found.name.endswith(LOG):
                    yield found.path
        except OSError:
            yield here
        folders += reversed(within)


def _in_order(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        while some := sorted(islice(found, SORTED_AT_ONCE), key=lambda entry: entry.name):
            yield from some


def is_worth_workers(paths: Iterable[str]) -> bool:
    """Whether these are so many logs, or so long ones, that starting workers takes less time than they save."""
    weight = 0
    return any((weight := weight + _weight(path)) > 16 * TASK for path in paths)


def _weight(path: str) -> int:
    """How much work a log is, in bytes."""
    try:
        return max(os.stat(path).st_size, SMALL)  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return SMALL


def _pieces(logs: Iterable[str]) -> Iterator[Paths]:
    """Logs put together so that each piece is worth handing out; a long one stands alone."""
    piece: list[str] = []
    weight = 0
    for path in logs:
        more = _weight(path)
        if piece and weight + more > TASK:
            yield tuple(piece)
            piece, weight = [], 0
        piece.append(path)
        weight += more
    if piece:
        yield tuple(piece)


def _judged_by(
    executor: Executor, logs: Iterable[str], ahead: int, beat: Callable[[], None]
) -> Generator[Audited, None, None]:
    """What an executor finds. Of a piece of work that fails, as when a worker dies, each log is tried again alone."""
    pieces = _pieces(logs)
    again: deque[Paths] = deque()
    out: dict[Future[list[Audited]], Paths] = {}
    back: SimpleQueue[Future[list[Audited]]] = SimpleQueue()
    try:
        while True:
            while len(out) < ahead and (piece := again.popleft() if again else next(pieces, ())):
                future = executor.submit(judge_each, piece)
                out[future] = piece
                future.add_done_callback(back.put)
            if not out:
                return
            future = _next(back, beat)
            piece, error = out.pop(future), future.exception()
            if isinstance(error, BrokenExecutor):
                raise error
            if error is None:
                yield from future.result()
            elif len(piece) > 1:
                again += [(path,) for path in piece]
            else:
                yield Audited(Path(*piece), None, f"the process that judged it has died ({error})")
    finally:
        for future in out:
            future.cancel()


def _next(back: SimpleQueue[Future[list[Audited]]], beat: Callable[[], None]) -> Future[list[Audited]]:
    """The next piece of work that comes back."""
    while True:
        with suppress(Empty):  # a wait without end could not be left with Ctrl-C on Windows
            return back.get(timeout=TICK)
        beat()


def judge_each(paths: Paths) -> list[Audited]:
    """What is found of each of some logs: one piece of work."""
    return [judge(path) for path in paths]


def judge(path: str, progress: Progress | None = None) -> Audited:
    """What is found of one log, whatever it is."""
    try:
        mode = os.stat(path_from(path) if "\0" in path else path).st_mode  # noqa: PTH116 - as above
        if S_ISREG(mode):
            return _told(Path(path), audit_any(path_from(path), progress))
        why, bug = "the folder cannot be read" if S_ISDIR(mode) else "it is no regular file", False
    except FileNotFoundError:
        why, bug = NOT_THERE, False
    except NoFileError as error:
        why, bug = str(error.strerror), False
    except Exception as error:
        return failed(Path(path), error)
    return Audited(Path(path), None, _shortened(why), bug)


def failed(path: Path, error: Exception) -> Audited:
    """Returns what there is to say of a log on which this error stopped the work."""
    if isinstance(error, OSError | GameError | FaultError | MemoryError):
        why, bug = getattr(error, "strerror", None) or str(error) or "there is not enough memory", False
    else:
        fault = game_at_fault(error)
        why, bug = str(fault or f"{type(error).__name__}: {error}"), fault is None
    return Audited(path, None, _shortened(why), bug)


# What is told of a log stays small, whatever stands in it: it may go from process to process, and thousands may wait.


def _told(path: Path, report: Report | MatchReport) -> Audited:
    left_out = sum(max(0, len(some) - MOST) for some in _lists(report))
    if isinstance(report, MatchReport):
        games = tuple(_smaller(game) for game in report.games)
        return Audited(path, replace(report, games=games, fault=_shorter(report.fault)), left_out=left_out)
    return Audited(path, _smaller(report), left_out=left_out)


def _lists(report: Report | MatchReport) -> Iterator[tuple[object, ...]]:
    """All in a report of which there may be many."""
    if report.fault:
        yield from (report.fault.recorded, report.fault.expected)
    if isinstance(report, MatchReport):
        for game in report.games:
            yield from _lists(game)
        return
    yield report.amendments
    yield from (amendment.changes for amendment in report.amendments[:MOST])


def _smaller(report: Report) -> Report:
    if not (report.fault or report.amendments):
        return report
    return replace(
        report,
        fault=_shorter(report.fault),
        amendments=tuple(
            replace(amendment, why=_shortened(amendment.why), changes=_shortened_all(amendment.changes))
            for amendment in report.amendments[:MOST]
        ),
    )


def _shorter(fault: Fault | None) -> Fault | None:
    if fault is None:
        return None
    recorded, expected = _shortened_all(fault.recorded), _shortened_all(fault.expected)
    return replace(fault, cause=_shortened(fault.cause), recorded=recorded, expected=expected)


def _shortened_all(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_shortened, lines[:MOST]))


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
