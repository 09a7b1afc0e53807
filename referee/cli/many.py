"""Work on many logs: on all cores, counted for people who wait, stopped with Ctrl-C and told as far as it came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from typer import Argument, Option

from referee.chances.stats import Taken, each_log
from referee.cli.answer import OK, STOPPED, UNREADABLE, Text
from referee.cli.held import held
from referee.cli.screen import counting
from referee.engine.text import count_of, listing
from referee.record.archive.archive import Unread, is_worth_workers, logs_among
from referee.record.archive.evidence import Share
from referee.record.archive.workers import cores, workers
from referee.record.log.kinds import MATCH, kind_of

T = TypeVar("T")
NAMED = 20
"""Logs that could not be read of which it is told why, and logs that are like others; of more, how many."""
IN_A_LINE = 3
"""Logs that are like others which one line names."""
Folders = Annotated[list[str] | None, Argument(metavar="FOLDER...", help="Logs, or folders of logs; bare: this one.")]
Jobs = Annotated[int | None, Option("-j", "--jobs", metavar="N", min=1, help="Processes; one a core if not given.")]


class Many(Generic[T]):
    """What some work makes of each log, one after another, with each throw counted once: iterate over it once."""

    def __init__(
        self, folders: list[str] | None, work: Callable[[Share], T], jobs: int | None, *, games: bool = False
    ) -> None:
        """`games`: only the log that stands for its game is worked on, as for a row a game."""
        self._folders, self._work, self._jobs, self._games = folders or ["."], work, jobs, games
        self.logs = 0
        """Logs that were read and stand for a game of their own."""
        self._like: list[Share] = []
        """The first of those that hold what others hold."""
        self._likes = 0
        """How many there are of them."""
        self._repeats = 0
        """Throws that were found again, and not counted again."""
        self.unread: list[Unread] = []
        """The first of those that could not be read."""
        self.further = 0
        """How many more could not be read."""
        self.stopped = False
        """Whether it was stopped before all were read."""

    def __iter__(self) -> Iterator[T]:
        tell = counting("logs")
        try:
            for found in self._found():
                if isinstance(found, Unread):
                    self._leave_out(found)
                    continue
                with held():  # who takes it has done with it before Ctrl-C is heard
                    self._count(found.share)
                    if found.found is not None:
                        yield found.found
                tell(self.logs)
        except KeyboardInterrupt:
            self.stopped = True

    def _count(self, share: Share) -> None:
        self.logs += share.leads
        self._repeats += share.repeats
        if share.leads and (self._games or not share.repeats):
            return
        self._likes += 1
        if len(self._like) < NAMED:
            self._like.append(share)

    def _found(self) -> Iterator[Taken[T] | Unread]:
        jobs = self._jobs or cores()
        many = jobs > 1 and is_worth_workers(logs_among(self._folders))
        with ExitStack() as stack:
            executor = stack.enter_context(workers(jobs)) if many else None
            yield from stack.enter_context(closing(each_log(self._folders, self._work, executor, games=self._games)))

    def _leave_out(self, log: Unread) -> None:
        if self._is_read_by_its_games(log):
            return
        if len(self.unread) < NAMED:
            self.unread.append(log)
        else:
            self.further += 1

    def _is_read_by_its_games(self, log: Unread) -> bool:
        """Whether it is a match in a folder, whose games lie there, too."""
        return log.log not in self._folders and kind_of(Path(log.log)) == MATCH

    @property
    def code(self) -> int:
        """The exit code, if nothing else is wrong."""
        return STOPPED if self.stopped else OK if self.logs else UNREADABLE

    def complaints(self) -> Iterator[str]:
        """What was not read, a line each; or that there was nothing to read."""
        if not (self.logs or self.unread or self.stopped):
            yield f"There is no log in {listing(self._folders)}."
        if self._likes:
            yield self._told_once()
        yield from (f"Not read: {one.log}: {one.why}" for one in self.unread)
        if self.further:
            yield f"Not read: {count_of(self.further, 'log')} more"
        if self.stopped:
            yield f"Stopped after {count_of(self.logs, 'log')}: this is what was found so far."

    def _told_once(self) -> str:
        """Says in one line which logs hold what others hold."""
        like = [one.log for one in self._like[:IN_A_LINE]]
        more = [f"{self._likes - len(like):,} more"] if self._likes > len(like) else []
        what = "Left out" if self._games else "Counted once"
        hold = f"{count_of(self._likes, 'log')} {'holds' if self._likes == 1 else 'hold'}"
        return f"{what}: {hold} what others here hold, too: {listing([*like, *more])}"

    def facts(self) -> dict[str, Any]:
        """What programs are told of the logs themselves."""
        named = [{"log": one.log, "like": one.like or None, "throws": one.repeats} for one in self._like]
        once = {"logs": self._likes, "throws": self._repeats, "named": named}
        unread = {"unread": self.unread, "further": self.further, "stopped": self.stopped}
        return {"logs": self.logs, "counted_once": once, **unread}

    def shown_complaints(self) -> Iterator[Text]:
        """The same below what was found; names of logs stay whole."""
        return (Text(line, whole=True) for line in self.complaints())
