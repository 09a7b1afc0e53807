"""Audits of many logs, here or by any executor. Memory does not grow with the number of logs."""

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

from referee.record.archive.audit import AuditReport
from referee.record.archive.audit_dispatch import audit_game_or_match
from referee.record.archive.log_boundary import NO_SUCH_FILE, UnreadableLog
from referee.record.archive.match_audit import MatchReport
from referee.record.log.log_errors import Fault
from referee.record.log.safe_files import AnyPath, NoFileError, parse_path

LOG_ENDING = ".jsonl"
"""The ending of the files in a folder that count as logs."""
MAX_SORTED_AT_ONCE = 10_000
"""The most names of a folder that are sorted at once. Bigger folders are sorted in parts."""
MIN_LOG_WEIGHT = 16 * 1024
"""The least weight of a log, in bytes. Opening a log takes as long as judging so many bytes."""
TASK_WEIGHT = 16 * MIN_LOG_WEIGHT
"""The weight of one piece of work, in bytes of logs."""
MAX_TASKS_AHEAD = 64
"""The number of pieces of work that are handed out before the first has come back."""
SECONDS_PER_PROGRESS_CALL = 1.0
"""The seconds between two calls of the progress function while no result comes."""
MAX_LISTED = 20
"""The most amendments, games of a match, or lines of events that are reported of one log."""
MAX_CHARACTERS = 1_000
"""The most characters of a cause or a line that are reported of one log."""


class AuditedLog(Struct, frozen=True):
    """The result of auditing one log of an archive."""

    path: Path
    """The path of the log, as it was named or found in its folder."""
    report: AuditReport | MatchReport | None
    """The result of the audit; None if the log could not be judged. It holds at most 20 amendments, games and lines of
    events, of at most 1,000 characters each.
    """
    why: str = ""
    """The reason that the log could not be judged, as a clause, such as a missing file or a crash; "" if it was
    judged.
    """
    bug: bool = False
    """True if a bug in the referee, or in a game that comes with it, is the reason."""
    left_out: int = 0
    """The number of amendments, games and lines that were left out because there were too many."""

    @property
    def fault(self) -> Fault | None:
        """The first fault of the log; None if there is none, or if it could not be judged."""
        return self.report.fault if self.report else None

    @property
    def clean(self) -> bool:
        """True if the log was judged and no fault was found."""
        return self.report is not None and self.report.fault is None

    @property
    def entries(self) -> int:
        """The number of good entries, from the beginning."""
        return self.report.entries if self.report else 0

    @property
    def unjudged(self) -> int:
        """The number of plays that nobody can judge before secrets are revealed."""
        return sum(sum(report.unjudged.values()) for report in self.games)

    @property
    def games(self) -> tuple[AuditReport, ...]:
        """The reports of the game, or of all games of a match."""
        if isinstance(self.report, MatchReport):
            return self.report.games
        return (self.report,) if self.report else ()


Progress: TypeAlias = Callable[[int], None]
"""A function that is called from time to time with the number of entries judged, of all logs together."""
Paths: TypeAlias = tuple[str, ...]


def audit_all(
    paths: Iterable[AnyPath],
    executor: Executor | None = None,
    progress: Progress | None = None,
    ahead: int = MAX_TASKS_AHEAD,
) -> Iterator[AuditedLog]:
    """Audits logs, and all logs in folders and their subfolders. Each result comes as soon as it is known.

    >>> [f"{audited.path}: {audited.clean}" for audited in audit_all(["."])]
    ['friday.jsonl: True']

    A log that cannot be read gets a result, too, and does not stop the others. Without an `executor`, logs are judged
    here, in order. An executor judges many at a time, and results come in the order in which it finishes them. At most
    `ahead` pieces of work, each of a few logs, are handed out; two for each worker are enough. All workers must find
    the logs under the same paths. Raises BrokenExecutor if the executor takes no more work.
    """
    logs = find_logs(paths)
    entries = 0

    def report_progress(more: int = 0) -> None:
        if progress:
            progress(entries + more)

    found: Generator[AuditedLog, None, None] = (
        _audit_by(executor, logs, ahead, report_progress)
        if executor
        else (audit_log(path, report_progress) for path in logs)
    )
    with closing(found):
        for audited in found:
            entries += audited.entries
            report_progress()
            yield audited


def find_logs(paths: Iterable[AnyPath], passed_over: Callable[[str], object] | None = None) -> Iterator[str]:
    """Yields the named files, and all files in folders and their subfolders that end in `.jsonl`.

    An unreadable folder is yielded itself. Links in a folder are not followed, so nothing outside of it is read.
    `passed_over` is called with each link that ends in `.jsonl` or leads to a folder. A value that is not a path is
    yielded as text, like a missing file.
    """
    for named in paths:
        path = os.fsdecode(named) if isinstance(named, str | bytes | os.PathLike) else repr(named)
        if os.path.isdir(path):  # noqa: PTH112 - many names, each of which as a Path would cost more than the question
            yield from _find_logs_in_folder(path, passed_over)
        else:
            yield path


def remove_redundant_paths(paths: Sequence[str], passed_over: Callable[[str], object] | None = None) -> list[str]:
    """Returns the paths without duplicates, and without those that a search of the named folders finds anyway.

    Such paths are logs and folders that lie in a named folder, even through links. `passed_over` is called with each
    link that is left out.
    """
    folders = {os.path.realpath(path) for path in paths if os.path.isdir(path)}  # noqa: PTH112 - as above
    found: dict[str, str] = {}
    for path in paths:
        here = os.path.realpath(path)
        if here not in found and not _is_found_in(here, folders):
            found[here] = path
        elif passed_over and os.path.islink(path):  # noqa: PTH114 - as above
            passed_over(path)
    return list(found.values())


def _is_found_in(path: str, folders: Collection[str]) -> bool:
    """True if a search of these folders finds the path."""
    is_found = path in folders or path.endswith(LOG_ENDING)
    return is_found and any(str(parent) in folders for parent in Path(path).parents)


def _find_logs_in_folder(folder: str, passed_over: Callable[[str], object] | None) -> Iterator[str]:
    folders = [folder]
    while folders:
        here = folders.pop()
        within: list[str] = []
        try:
            for found in _list_folder_in_order(here):
                if found.is_dir(follow_symlinks=False):
                    within.append(found.path)
                elif found.is_symlink():
                    if passed_over and (found.name.endswith(LOG_ENDING) or found.is_dir()):
                        passed_over(found.path)
                elif found.name.endswith(LOG_ENDING):
                    yield found.path
        except OSError:
            yield here
        folders += reversed(within)


def _list_folder_in_order(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        while some := sorted(islice(found, MAX_SORTED_AT_ONCE), key=lambda entry: entry.name):
            yield from some


def is_faster_with_workers(paths: Iterable[str]) -> bool:
    """True if workers would save more time on these logs than they take to start."""
    weight = 0
    return any((weight := weight + _weigh_log(path)) > 16 * TASK_WEIGHT for path in paths)


def _weigh_log(path: str) -> int:
    """Returns the weight of a log when work is shared out: its size in bytes, but at least `MIN_LOG_WEIGHT`."""
    try:
        return max(os.stat(path).st_size, MIN_LOG_WEIGHT)  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return MIN_LOG_WEIGHT


def _split_into_pieces(logs: Iterable[str]) -> Iterator[Paths]:
    """Yields groups of logs that are worth handing out; a long log is alone in its group."""
    piece: list[str] = []
    weight = 0
    for path in logs:
        more = _weigh_log(path)
        if piece and weight + more > TASK_WEIGHT:
            yield tuple(piece)
            piece, weight = [], 0
        piece.append(path)
        weight += more
    if piece:
        yield tuple(piece)


def _audit_by(
    executor: Executor, logs: Iterable[str], ahead: int, report_progress: Callable[[], None]
) -> Generator[AuditedLog, None, None]:
    """Yields the results of an executor.

    If a piece of work fails, as when a worker dies, each of its logs is tried again alone. A log that fails alone gets
    a result with the reason. Raises BrokenExecutor if the executor takes no more work.
    """
    pieces = _split_into_pieces(logs)
    again: deque[Paths] = deque()
    out: dict[Future[list[AuditedLog]], Paths] = {}
    back: SimpleQueue[Future[list[AuditedLog]]] = SimpleQueue()
    try:
        while True:
            while len(out) < ahead and (piece := again.popleft() if again else next(pieces, ())):
                future = executor.submit(audit_batch, piece)
                out[future] = piece
                future.add_done_callback(back.put)
            if not out:
                return
            future = _wait_for_next_piece(back, report_progress)
            piece, error = out.pop(future), future.exception()
            if isinstance(error, BrokenExecutor):
                raise error
            if error is None:
                yield from future.result()
            elif len(piece) > 1:
                again += [(path,) for path in piece]
            else:
                yield AuditedLog(Path(*piece), None, f"the process that judged it has died ({error})")
    finally:
        for future in out:
            future.cancel()


def _wait_for_next_piece(
    back: SimpleQueue[Future[list[AuditedLog]]], report_progress: Callable[[], None]
) -> Future[list[AuditedLog]]:
    """Returns the next piece of work that is finished."""
    while True:
        with suppress(Empty):  # an endless wait could not be stopped by Ctrl-C on Windows
            return back.get(timeout=SECONDS_PER_PROGRESS_CALL)
        report_progress()


def audit_batch(paths: Paths) -> list[AuditedLog]:
    """Audits some logs, as one piece of work."""
    return [audit_log(path) for path in paths]


def audit_log(path: str, progress: Progress | None = None) -> AuditedLog:
    """Returns the result of auditing one log, or the reason that this is impossible."""
    try:
        mode = os.stat(parse_path(path) if "\0" in path else path).st_mode  # noqa: PTH116 - as above
        if S_ISREG(mode):
            return _shorten_report(Path(path), audit_game_or_match(parse_path(path), progress))
        why, bug = "the folder cannot be read" if S_ISDIR(mode) else "it is not a regular file", False
    except FileNotFoundError:
        why, bug = NO_SUCH_FILE, False
    except NoFileError as error:
        why, bug = str(error.strerror), False
    except Exception as error:
        return make_failed_audit(Path(path), error)
    return AuditedLog(Path(path), None, _shorten(why), bug)


def make_failed_audit(path: Path, error: Exception) -> AuditedLog:
    """Returns the result for a log on which this error stopped the work."""
    unread = UnreadableLog.from_error(str(path), error)
    return AuditedLog(path, None, _shorten(unread.why), unread.bug)


# Results stay small, whatever the log holds. They may go from process to process, and thousands may wait.


def _shorten_report(path: Path, report: AuditReport | MatchReport) -> AuditedLog:
    left_out = sum(max(0, len(some) - MAX_LISTED) for some in _list_long_lists(report))
    if isinstance(report, MatchReport):
        games = tuple(_shorten_game(game) for game in report.games)
        return AuditedLog(path, replace(report, games=games, fault=_shorten_fault(report.fault)), left_out=left_out)
    return AuditedLog(path, _shorten_game(report), left_out=left_out)


def _list_long_lists(report: AuditReport | MatchReport) -> Iterator[tuple[object, ...]]:
    """Yields each list of a report that may be too long to keep, so that the items left out can be counted."""
    if report.fault:
        yield from (report.fault.recorded, report.fault.expected)
    if isinstance(report, MatchReport):
        for game in report.games:
            yield from _list_long_lists(game)
        return
    yield report.amendments
    yield from (amendment.changes for amendment in report.amendments[:MAX_LISTED])


def _shorten_game(report: AuditReport) -> AuditReport:
    if not (report.fault or report.amendments):
        return report
    return replace(
        report,
        fault=_shorten_fault(report.fault),
        amendments=tuple(
            replace(amendment, why=_shorten(amendment.why), changes=_shorten_lines(amendment.changes))
            for amendment in report.amendments[:MAX_LISTED]
        ),
    )


def _shorten_fault(fault: Fault | None) -> Fault | None:
    if fault is None:
        return None
    recorded, expected = _shorten_lines(fault.recorded), _shorten_lines(fault.expected)
    return replace(fault, cause=_shorten(fault.cause), recorded=recorded, expected=expected)


def _shorten_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_shorten, lines[:MAX_LISTED]))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}..."
