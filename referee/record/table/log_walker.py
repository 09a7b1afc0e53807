"""The one loop that reads a log: it reads each entry, folds it and hands it over."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from referee.engine.game import AnyGame
from referee.record.log.entry import AnyEntry, GameEntry, encode_for_log
from referee.record.log.log_errors import Fault, FaultError
from referee.record.log.reader import Reader
from referee.record.log.sealing import SecretReader
from referee.record.log.vault import read_vaults
from referee.record.table.prescan import prescan_log
from referee.record.table.reducer import NOT_PREDICTED, TRUSTING_JUDGE, GetMoment, Judge, PredictedEntry, Reducer


class LogWalker:
    """A reader of a log that folds each entry into the game, as far as the log is good.

    Iterate over it once; it yields each entry after folding it. It stops at the first fault, which is then in `fault`.
    The results are in `reducer` and `reader`.
    """

    def __init__(
        self,
        file: BinaryIO,
        judge: Judge = TRUSTING_JUDGE,
        *,
        log: Path | None = None,
        strict: bool = False,
        follows: bool = False,
        earlier: GetMoment | None = None,
    ) -> None:
        """Reads from `file`, which must be binary and able to seek. `log` is its path, or None.

        `strict` checks that each entry has its one possible spelling. If `follows`, the reducer
        keeps the whole line of play. `earlier` returns moments for takebacks that came after the prescan.
        """
        self.reader = Reader(file, strict=strict, today=judge.today)
        self.reducer: Reducer | None = None
        self.fault: Fault | None = None
        self._file, self._judge, self._log = file, judge, log
        self._follows, self._earlier = follows, earlier

    def __iter__(self) -> Iterator[AnyEntry]:
        reader, reducer = self.reader, self.reducer
        try:
            for body in reader.read_bodies():
                if reducer is None:
                    entry = reader.decode_current(body)
                    self.reducer = reducer = self._make_reducer(entry)
                    reducer.add(entry)
                else:
                    is_due = reader.is_entry_plain and (self._judge.may_predict or reducer.last_reveal)
                    proved = self._prove_next_entry(reducer, body) if is_due else NOT_PREDICTED
                    entry = proved.entry or reader.decode_current(body)
                    reducer.raw_entry = reader.raw_entry
                    reducer.add(entry, proved.known)
                yield entry
        except FaultError as error:
            self.fault = replace(error.fault, n=self.reader.n, offset=self.reader.offset)

    def read_to(self, upto: int | None, most: int) -> tuple[list[int], deque[AnyEntry]]:
        """Reads up to an entry, or to the end. Returns the byte offset of every line, and the last entries, at most
        `most`.
        """
        places, last = list[int](), deque[AnyEntry](maxlen=most)
        for entry in self:
            places.append(self.reader.offset)
            last.append(entry)
            if entry.n == upto:
                break
        return places, last

    def _prove_next_entry(self, reducer: Reducer, body: bytes) -> PredictedEntry:
        """Returns the next entry without decoding it, if its bytes are exactly those that must follow. Otherwise
        `NOT_PREDICTED`.
        """
        prev = self.reader.head
        due = reducer.predict_next_reveal(prev) if reducer.last_reveal else None
        if due and encode_for_log(due) == body:
            return PredictedEntry(due, None)
        return self._judge.predict_entry(reducer, body, prev)

    def _make_reducer(self, header: GameEntry) -> Reducer:
        """Returns the reducer of a log whose first entry was read. Scans the rest of the log for takebacks and reveals
        first.
        """
        game = self.reader.game
        keepers = game.list_secret_keepers(header.options) if _may_keep_secrets(game, header) else ()
        self.reader.stop_at_present_end()  # before anything is read that another writer may lengthen
        ahead = prescan_log(self._file)
        vaults = read_vaults(self._log, self.reader.hash, keepers) if self._log else {}
        opener = SecretReader(vaults, ahead.openings, self.reader.hash)
        if keepers:
            self.reader.open_secrets_with(opener)
        return Reducer(
            game,
            opener,
            ahead,
            self._judge,
            self._log,
            follows=self._follows,
            earlier=self._earlier,
            game_by=self.reader.find_game_by_rules,
            since=self.reader.since,
        )

    def get_checked_reducer(self) -> Reducer:
        """Returns the reducer. Raises FaultError if the log has a fault."""
        if self.fault or self.reducer is None:
            raise FaultError(self.fault or Fault("empty", 0, 0, "the file is empty"))
        return self.reducer


def _may_keep_secrets(game: AnyGame, header: GameEntry) -> bool:
    """True if the first entry sets exactly the game's options, so that the game can say who keeps secrets."""
    return header.options.keys() == {option.name for option in game.options}
