"""Work on many logs: on all cores, with a counter for people who wait, and with results so far after Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from typer import Argument, Option

from referee.chances.stats import LogResult, map_logs
from referee.cli.answer import BUG, OK, STOPPED, UNREADABLE, Text
from referee.cli.deferred_interrupt import defer_interrupt
from referee.cli.screen import make_count_progress
from referee.engine.text import count_of, listing
from referee.record.archive.archive import find_logs, is_faster_with_workers
from referee.record.archive.log_boundary import UnreadableLog
from referee.record.archive.log_contributions import LogContribution
from referee.record.archive.process_pool import count_cores, start_workers
from referee.record.log.file_kinds import MATCH, find_path_kind

T = TypeVar("T")
MAX_NAMED = 20
"""The most unread logs that are named, and the most copies. The others are counted."""
IN_A_LINE = 3
"""The number of copies that one line names."""
FoldersArgument = Annotated[
    list[str] | None, Argument(metavar="FOLDER...", help="Logs, or folders of logs; this folder if left out.")
]
JobsOption = Annotated[
    int | None, Option("-j", "--jobs", metavar="N", min=1, help="Use N processes; default: one per core.")
]


class LogResults(Generic[T]):
    """An iterator over the results of some work on each of many logs. Iterate over it only once.

    A roll that several logs hold counts once.
    """

    def __init__(
        self, folders: list[str] | None, work: Callable[[LogContribution], T], jobs: int | None, *, games: bool = False
    ) -> None:
        """Prepares the work on the logs in `folders`, or in this folder if `folders` is None.

        `work` is called with the part of each log that no other log has had, and returns its result. With `games`,
        `work` is called for only one log of each game.
        """
        self._folders, self._work, self._jobs, self._games = folders or ["."], work, jobs, games
        self.logs = 0
        """The number of logs read that stand for a game of their own."""
        self._like: list[LogContribution] = []
        """The first logs whose content other logs hold, too."""
        self._likes = 0
        """The number of all logs whose content other logs hold, too."""
        self._repeats = 0
        """The number of rolls that were found in a further log and not counted there."""
        self.unread: list[UnreadableLog] = []
        """The first logs that could not be read."""
        self.further = 0
        """The number of further logs that could not be read."""
        self.has_failed = False
        """True if the referee failed on a log."""
        self.stopped = False
        """True if the work was stopped before all logs were read."""

    def __iter__(self) -> Iterator[T]:
        tell = make_count_progress("logs")
        try:
            for found in self._read_logs():
                if isinstance(found, UnreadableLog):
                    self._count_unread(found)
                    continue
                with defer_interrupt():  # the caller finishes with the result before Ctrl-C takes effect
                    self._count(found.share)
                    if found.found is not None:
                        yield found.found
                tell(self.logs)
        except KeyboardInterrupt:
            self.stopped = True

    def _count(self, share: LogContribution) -> None:
        self.logs += share.leads
        self._repeats += share.repeats
        if share.leads and (self._games or not share.repeats):
            return
        self._likes += 1
        if len(self._like) < MAX_NAMED:
            self._like.append(share)

    def _read_logs(self) -> Iterator[LogResult[T] | UnreadableLog]:
        jobs = self._jobs or count_cores()
        many = jobs > 1 and is_faster_with_workers(find_logs(self._folders))
        with ExitStack() as stack:
            executor = stack.enter_context(start_workers(jobs)) if many else None
            yield from stack.enter_context(closing(map_logs(self._folders, self._work, executor, games=self._games)))

    def _count_unread(self, log: UnreadableLog) -> None:
        if self._is_match_in_folder(log):
            return
        self.has_failed |= log.bug
        if len(self.unread) < MAX_NAMED:
            self.unread.append(log)
        else:
            self.further += 1

    def _is_match_in_folder(self, log: UnreadableLog) -> bool:
        """True if the log is that of a match and was found in a folder.

        Such a log is no problem, since the games of the match are logs in that folder, too.
        """
        return log.log not in self._folders and find_path_kind(Path(log.log)) == MATCH

    @property
    def exit_code(self) -> int:
        """The exit code for the reading of the logs. The results themselves may call for another one."""
        if self.stopped:
            return STOPPED
        return BUG if self.has_failed else OK if self.logs else UNREADABLE

    def list_complaints(self) -> Iterator[str]:
        """Yields lines about problems: no logs at all, repeated and unread logs, and an early stop."""
        if not (self.logs or self.unread or self.stopped):
            yield f"There are no logs in {listing(self._folders)}."
        if self._likes:
            yield self._describe_repeats()
        for one in self.unread:
            yield f"{'The referee failed on' if one.bug else 'Not read:'} {one.log}: {one.why}"
        if self.further:
            yield f"Not read: {count_of(self.further, 'log')} more"
        if self.stopped:
            yield f"Stopped after {count_of(self.logs, 'log')}. These are the results so far."

    def _describe_repeats(self) -> str:
        """Returns a line that names the logs whose content other logs hold, too."""
        like = [one.log for one in self._like[:IN_A_LINE]]
        more = [f"{self._likes - len(like):,} more"] if self._likes > len(like) else []
        what = "Left out" if self._games else "Counted once"
        hold = f"{count_of(self._likes, 'log')} {'repeats' if self._likes == 1 else 'repeat'}"
        return f"{what}: {hold} parts of other logs here: {listing([*like, *more])}"

    def collect_facts(self) -> dict[str, Any]:
        """Returns facts about the logs, for programs."""
        named = [{"log": one.log, "like": one.like or None, "throws": one.repeats} for one in self._like]
        once = {"logs": self._likes, "throws": self._repeats, "named": named}
        unread = {"unread": self.unread, "further": self.further, "stopped": self.stopped}
        return {"logs": self.logs, "counted_once": once, **unread}

    def format_complaints(self) -> Iterator[Text]:
        """Yields the complaints as lines below the results. Names of logs are not wrapped."""
        return (Text(line, is_unwrapped=True) for line in self.list_complaints())


def describe_similar_names(names: Iterable[str]) -> Iterator[str]:
    """Yields a sentence about each group of players whose names look alike, since they are counted apart."""
    from referee.record.table.player_names import group_similar_names  # only figures of several players need it

    for group in group_similar_names(names):
        yield f"Counted separately, because these are different names that look alike: {listing(group)}."
