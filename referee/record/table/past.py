"""What is over in a log: entries and moments, but for the last of them, are not kept, but read and folded again when
they are asked for.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, overload

from referee.record.log.disk import open_named
from referee.record.log.entry import AnyEntry
from referee.record.log.reader import Reader
from referee.record.table.fold import Fold
from referee.record.table.moment import Moment
from referee.record.table.walk import Walk

RECENT = 256
"""Entries that are kept, and moments once they were asked for: more than are looked at, or taken back, in an
evening.
"""

Source = Callable[[], BinaryIO]
"""Opens a log to be read from its beginning."""


def source_at(path: Path) -> Source:
    """The source of a log in a file."""
    return partial(open_named, path)


class Entries(Sequence[AnyEntry]):
    """All entries of a log, those taken back included. Where each stands is kept. What the last ones say is kept, too;
    what those before them say is read again.
    """

    def __init__(self, source: Source, reader: Reader, places: Iterable[int], last: deque[AnyEntry]) -> None:
        """`places`: the bytes at which the lines begin; `last`: those that are kept, as many as it may hold."""
        self._source, self._reader = source, reader
        self._places = array("Q", places)
        self._recent = last

    def add(self, place: int, entry: AnyEntry) -> None:
        """There is another entry, and its line begins at this byte."""
        self._places.append(place)
        self._recent.append(entry)

    def place(self, n: int) -> int:
        """The byte at which the line of an entry begins."""
        return self._places[n]

    def written(self, last: int) -> bytes:
        """The lines up to an entry, as they were written; OSError when they are not there any more."""
        with self._source() as file:
            return file.read(self._places[last]) + file.readline()

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, key: int) -> AnyEntry: ...
    @overload
    def __getitem__(self, key: slice) -> list[AnyEntry]: ...
    def __getitem__(self, key: int | slice) -> AnyEntry | list[AnyEntry]:
        """One entry or several; FaultError or OSError when they are not there any more."""
        numbers = range(len(self))[key]
        return next(self._some([numbers])) if isinstance(numbers, int) else list(self._some(numbers))

    def __iter__(self) -> Iterator[AnyEntry]:
        return self._some(range(len(self)))

    def _some(self, numbers: Sequence[int]) -> Iterator[AnyEntry]:
        first = len(self) - len(self._recent)
        if all(n >= first for n in numbers):
            yield from [self._recent[n - first] for n in numbers]
            return
        with self._source() as file:
            for n in numbers:
                yield self._reader.again(file, n, self._places[n])


def entries_in(walk: Walk, source: Source, upto: int | None) -> Entries:
    """The entries of a log, which is read as far as it is good, or up to one of them."""
    places, last = walk.read_to(upto, RECENT)
    return Entries(source, walk.reader, places, last)


class Moments:
    """Every moment of a game so far, by the number of the entry it comes after. It is folded again if it is asked for,
    and so are those after it, one by one; the last ones of these are kept.
    """

    def __init__(self, source: Source, log: Path | None) -> None:
        """`log`: where the log is, if it has a name."""
        self._source, self._log = source, log
        self._folding: Iterator[Moment] = iter(())
        self._recent: deque[Moment] = deque(maxlen=RECENT)
        self._count = 0
        """How many were folded; the last of these are kept."""

    def at(self, n: int) -> Moment:
        """How the game stood after entry `n`. FaultError or OSError when the log is not there any more."""
        if n < self._count - len(self._recent):
            self._count = 0
        if not self._count:
            self._folding = self._folded()
            self._recent.clear()
        while self._count <= n:
            moment = next(self._folding, None)
            if moment is None:
                raise IndexError(f"there is no entry {n}")
            self._recent.append(moment)
            self._count += 1
        return self._recent[n - self._count]

    def add(self, fold: Fold) -> None:
        """The game has gone on by an entry. What was folded up to the one before goes on with it; else it begins anew,
        for it could not see what lies ahead.
        """
        if self._count == fold.n:
            self._recent.append(fold.moment)
            self._count += 1
            self._folding = iter(())
        else:
            self._count = 0

    def _folded(self) -> Iterator[Moment]:
        with self._source() as file:
            walk = Walk(file, log=self._log, follows=True)
            for _ in walk:
                yield walk.checked().moment
            walk.checked()
