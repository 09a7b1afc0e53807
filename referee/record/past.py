"""What is over in a log: the latest entries and moments are at hand, older ones are read and folded again if needed."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, overload

from referee.record.entry import AnyEntry
from referee.record.fold import Moment, Walk
from referee.record.reader import Reader

RECENT = 256
"""Entries and moments that are kept at hand: more than are taken back, or listed, in an evening."""

Source = Callable[[], BinaryIO]
"""Opens a log to be read from its beginning."""


def source_at(path: Path) -> Source:
    """The source of a log in a file."""
    return lambda: path.open("rb")


class Entries(Sequence[AnyEntry]):
    """All entries of a log, those taken back included."""

    def __init__(self, source: Source, reader: Reader) -> None:
        self._source, self._reader = source, reader
        self._places = array("Q")
        self._recent: deque[AnyEntry] = deque(maxlen=RECENT)

    def add(self, entry: AnyEntry, place: int) -> None:
        """The next entry, and at which byte its line begins."""
        self._recent.append(entry)
        self._places.append(place)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, key: int) -> AnyEntry: ...
    @overload
    def __getitem__(self, key: slice) -> list[AnyEntry]: ...
    def __getitem__(self, key: int | slice) -> AnyEntry | list[AnyEntry]:
        """One entry or several; FaultError or OSError when one has to be read again and is not there any more."""
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


class Moments:
    """Every moment of a game so far, by the number of the entry it comes after."""

    def __init__(self, source: Source, log: Path | None) -> None:
        """`log`: where the log is, if it has a name."""
        self._source, self._log = source, log
        self._latest = _Window()
        self._again = _Window()
        self._folding: Iterator[Moment] = iter(())
        """Goes on from the last moment that was folded again."""

    def add(self, moment: Moment) -> None:
        """How the game stands after the next entry."""
        self._latest.add(moment)

    def at(self, n: int) -> Moment:
        """How it stood after entry `n`. Asked for one after another, the log is folded again only once. FaultError or
        OSError when it is not there any more.
        """
        return self._latest.at(n) or self._again.at(n) or self._folded_to(n)

    def _folded_to(self, n: int) -> Moment:
        if n < self._again.count:
            self._again, self._folding = _Window(), iter(())
        if not self._again.count:
            self._folding = self._folded()
        for moment in self._folding:
            self._again.add(moment)
            if self._again.count > n:
                return moment
        raise IndexError(n)

    def _folded(self) -> Iterator[Moment]:
        with self._source() as file:
            walk = Walk(file, log=self._log, follows=True)
            for _ in walk:
                yield walk.checked().moment
            walk.checked()


class _Window:
    """Some moments, one after another."""

    def __init__(self) -> None:
        self.count = 0
        """How many have been added; the last of these are still there."""
        self._moments: deque[Moment] = deque(maxlen=RECENT)

    def add(self, moment: Moment) -> None:
        self._moments.append(moment)
        self.count += 1

    def at(self, n: int) -> Moment | None:
        behind = self.count - n
        return self._moments[-behind] if 0 < behind <= len(self._moments) else None
