"""Access to earlier entries and moments of a log. Only the last ones are kept in memory; older ones are read and folded
again.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, overload

from referee.gate import UnreadableError
from referee.record.log.entry import AnyEntry
from referee.record.log.line_format import BODY_OFFSET
from referee.record.log.reader import Reader
from referee.record.log.safe_files import open_user_file
from referee.record.table.log_walker import LogWalker
from referee.record.table.moment import Moment
from referee.record.table.reducer import Reducer

MAX_KEPT = 256
"""The number of entries, and of moments, that are kept. An evening of play looks back less far."""

OpenLog = Callable[[], BinaryIO]
"""A function that opens a log to be read from its beginning."""


def make_log_opener(path: Path) -> OpenLog:
    """Returns a function that opens a log's file for reading."""
    return partial(open_user_file, path)


class EntryList(Sequence[AnyEntry]):
    """All entries of a log, including those that were taken back.

    The last entries are kept in memory, and so is the place of every line in the file. Older entries are read from the
    file again.
    """

    def __init__(self, source: OpenLog, reader: Reader, places: Iterable[int], last: deque[AnyEntry]) -> None:
        """Takes the byte offset of each line in the file, and the last entries.

        The `maxlen` of `last` says how many entries are kept.
        """
        self._source, self._reader = source, reader
        self._places = array("Q", places)
        self._recent = last

    def add(self, place: int, entry: AnyEntry) -> None:
        """Adds an entry whose line begins at byte `place`."""
        self._places.append(place)
        self._recent.append(entry)

    def find_offset(self, n: int) -> int:
        """Returns the byte at which the line of an entry begins."""
        return self._places[n]

    def read_prefix(self, last: int) -> bytes:
        """Returns the bytes of the log up to entry `last`, which is included. Raises OSError if the file cannot be read
        any more.
        """
        with self._source() as file:
            return file.read(self._places[last]) + file.readline()

    def read_raw_lines(self, first: int = 0) -> list[bytes]:
        """Returns the lines of the log from entry `first` on, each with its line feed. Raises OSError if the file
        cannot be read any more.
        """
        if first >= len(self):
            return []
        with self._source() as file:
            file.seek(self._places[first])
            data = file.read(self._places[-1] - self._places[first]) + file.readline()
        return [line if line.endswith(b"\n") else line + b"\n" for line in data.splitlines(keepends=True)]

    def decode_line(self, line: bytes, prev: str) -> AnyEntry | None:
        """Returns the entry in a line that may come later in this log. None if the line is not an entry of this game.
        `prev` is the hash of the line before.
        """
        try:
            found: AnyEntry = self._reader.decode(line[BODY_OFFSET:-2], prev)
        except UnreadableError:
            return None
        return found

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, key: int) -> AnyEntry: ...
    @overload
    def __getitem__(self, key: slice) -> list[AnyEntry]: ...
    def __getitem__(self, key: int | slice) -> AnyEntry | list[AnyEntry]:
        """Returns one entry or several. Raises FaultError or OSError if the file no longer holds them."""
        numbers = range(len(self))[key]
        return next(self._read_numbered([numbers])) if isinstance(numbers, int) else list(self._read_numbered(numbers))

    def __iter__(self) -> Iterator[AnyEntry]:
        return self._read_numbered(range(len(self)))

    def _read_numbered(self, numbers: Sequence[int]) -> Iterator[AnyEntry]:
        first = len(self) - len(self._recent)
        if all(n >= first for n in numbers):
            yield from [self._recent[n - first] for n in numbers]
            return
        with self._source() as file:
            for n in numbers:
                yield self._reader.read_again(file, n, self._places[n])


def read_entries(walk: LogWalker, source: OpenLog, upto: int | None) -> EntryList:
    """Reads a log as far as it is good, or up to entry `upto`, and returns the list of its entries."""
    places, last = walk.read_to(upto, MAX_KEPT)
    return EntryList(source, walk.reader, places, last)


class MomentCache:
    """Random access to past moments by entry number.

    Moments are worked out from the log again, entry by entry, so the step to the next moment is quick. The last
    `MAX_KEPT` moments are kept. For an older moment, the log is read again from its start.
    """

    def __init__(self, source: OpenLog, log: Path | None) -> None:
        """Folds from `source`; `log` is the path of the log, or None if it has none."""
        self._source, self._log = source, log
        self._folding: Iterator[Moment] = iter(())
        self._recent: deque[Moment] = deque(maxlen=MAX_KEPT)
        self._count = 0
        """The number of moments that were folded; the last of these are kept."""

    def get_moment(self, n: int) -> Moment:
        """Returns the game as it stood after entry `n`.

        Raises IndexError if there is no such entry. Raises FaultError or OSError if the log cannot be read any more.
        """
        if n < self._count - len(self._recent):
            self._count = 0
        if not self._count:
            self._folding = self._fold_all()
            self._recent.clear()
        while self._count <= n:
            moment = next(self._folding, None)
            if moment is None:
                raise IndexError(f"there is no entry {n}")
            self._recent.append(moment)
            self._count += 1
        return self._recent[n - self._count]

    def add(self, reducer: Reducer) -> None:
        """Adds the moment after a new entry.

        The moment is kept if all moments before it were folded. Otherwise, folding starts again at the next request,
        because the folding that is under way cannot see the new entry.
        """
        if self._count == reducer.n:
            self._recent.append(reducer.moment)
            self._count += 1
            self._folding = iter(())
        else:
            self._count = 0

    def _fold_all(self) -> Iterator[Moment]:
        with self._source() as file:
            walk = LogWalker(file, log=self._log, follows=True)
            for _ in walk:
                yield walk.get_checked_reducer().moment
            walk.get_checked_reducer()
