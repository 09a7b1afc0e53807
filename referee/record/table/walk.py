"""The one loop that reads a log: entry by entry it is read, folded, handed over."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from referee.engine.game import AnyGame
from referee.record.log.entry import AnyEntry, GameEntry, encode
from referee.record.log.faults import Fault, FaultError
from referee.record.log.reader import Reader
from referee.record.log.sealing import Opener
from referee.record.log.vault import read_vaults
from referee.record.table.ahead import look_ahead
from referee.record.table.fold import BELIEVE, UNPROVED, Earlier, Fold, Judge, Proved


class Walk:
    """Reads a log while it is good. Iterate over it once: entry by entry it is read, folded, handed over.

    It stops at the first fault, which `fault` then tells; what it has come to stands in `fold` and `reader`.
    """

    def __init__(
        self,
        file: BinaryIO,
        judge: Judge = BELIEVE,
        *,
        log: Path | None = None,
        strict: bool = False,
        follows: bool = False,
        earlier: Earlier | None = None,
    ) -> None:
        """Read from `file`, open in binary mode, which must seek; `log`: where it is, if it has a name.

        `strict` also checks that each entry is spelt in the one way; `follows` and `earlier` are as for a fold.
        """
        self.reader = Reader(file, strict=strict, today=judge.today)
        self.fold: Fold | None = None
        self.fault: Fault | None = None
        self._file, self._judge, self._log = file, judge, log
        self._follows, self._earlier = follows, earlier

    def __iter__(self) -> Iterator[AnyEntry]:
        reader, fold = self.reader, self.fold
        try:
            for body in reader.bodies():
                if fold is None:
                    entry = reader.read(body)
                    self.fold = fold = self._begin(entry)
                    fold.add(entry)
                else:
                    is_due = reader.is_plain and (self._judge.proves or fold.last_reveal)
                    proved = self._proved(fold, body) if is_due else UNPROVED
                    entry = proved.entry or reader.read(body)
                    fold.add(entry, proved.known)
                yield entry
        except FaultError as error:
            self.fault = replace(error.fault, n=self.reader.n, offset=self.reader.offset)

    def read_to(self, upto: int | None, most: int) -> tuple[list[int], deque[AnyEntry]]:
        """Read as far as an entry, or to the end, and tell at which byte the line of each entry begins, and the last
        entries, `most` of them.
        """
        places, last = list[int](), deque[AnyEntry](maxlen=most)
        for entry in self:
            places.append(self.reader.offset)
            last.append(entry)
            if entry.n == upto:
                break
        return places, last

    def _proved(self, fold: Fold, body: bytes) -> Proved:
        """An entry that need not be read, for its bytes, which are plain, are just those that are due."""
        prev = self.reader.head
        due = fold.next_reveal(prev) if fold.last_reveal else None
        if due and encode(due) == body:
            return Proved(due, None)
        return self._judge.proved(fold, body, prev)

    def _begin(self, header: GameEntry) -> Fold:
        """Where to fold a log, once its first entry is read: what its end reveals is known from its beginning."""
        game = self.reader.game
        keepers = game.keepers(header.options) if _may_keep(game, header) else ()
        self.reader.stop_here()  # before anything is read that another writer may lengthen
        ahead = look_ahead(self._file)
        vaults = read_vaults(self._log, self.reader.hash, keepers) if self._log else {}
        opener = Opener(vaults, ahead.openings, self.reader.hash)
        if keepers:
            self.reader.open_with(opener)
        return Fold(
            game,
            opener,
            ahead,
            self._judge,
            self._log,
            follows=self._follows,
            earlier=self._earlier,
            game_by=self.reader.game_by,
            since=self.reader.since,
        )

    def checked(self) -> Fold:
        """What it has come to; FaultError when it has come to a fault."""
        if self.fault or self.fold is None:
            raise FaultError(self.fault or Fault("empty", 0, 0, "the file is empty"))
        return self.fold


def _may_keep(game: AnyGame, header: GameEntry) -> bool:
    """Whether it makes sense to ask who keeps secrets: the options may still turn out to be none."""
    return header.options.keys() == {option.name for option in game.options}
