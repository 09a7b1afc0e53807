"""A game in progress with its log. New actions are judged, encoded, written and folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.choice import Action
from referee.engine.dice import TypedDie
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.text import split_phrases
from referee.record.log import store
from referee.record.log.entry import (
    DeedEntry,
)
from referee.record.log.line_format import BODY_OFFSET
from referee.record.log.log_errors import FaultError, NotAgreedError, NotAllowedError, NotRecordedError
from referee.record.log.reader import Reader
from referee.record.table.entry_draft import Draft, draft_play, hash_drafts
from referee.record.table.history import EntryList, MomentCache
from referee.record.table.knowledge import Knowledge
from referee.record.table.moment import JudgedAction, Moment
from referee.record.table.prescan import prescan_log
from referee.record.table.public_record import PublicRecord
from referee.record.table.reducer import Judge, Reducer

if TYPE_CHECKING:
    from referee.record.log.log_ends import LogEnds
    from referee.record.log.mail_damage import RecoveredLog
    from referee.record.table.action_batch import ActionBatch
    from referee.record.table.entry_encoder import EncodedEntry, EntryEncoder


class Session:
    """A log that was read, with the game as it stands.

    >>> session = start("chess", "friday.jsonl")
    >>> session.do("throwoff").refused
    False

    Get one from `start` or `open_log`. A method that records something takes a lock first. It raises MovedOnError if
    the log has grown since it was read.
    """

    def __init__(
        self,
        path: Path | None,
        reader: Reader,
        reducer: Reducer,
        entries: EntryList,
        moments: MomentCache,
        head: store.LogHead,
        letter: RecoveredLog | None = None,
        ends: LogEnds | None = None,
    ) -> None:
        self.path = path
        """The path of the log; None for one that was piped in, to which nothing can be added."""
        self.entries = entries
        """All entries, including those that were taken back."""
        self.reducer = reducer
        self.head = head
        self.letter = letter
        """The mail that held the log, if mail had changed the file. Nothing can be added to such a log."""
        self.ends = ends
        """The ends of the log, if it has several; otherwise None. The session holds what they have in common, and
        nothing can be added to it.
        """
        self.forgotten: str | None = None
        """A clause about a doubtful end: the reason that nobody can tell whether entries are missing, or the place
        where a missing entry is now. None if there is no doubt.
        """
        self._reader, self._moments = reader, moments
        self._deed = ""
        """The hash of the only deed that may be recorded next; "" if any may."""
        self._now: Moment | None = None
        """The cached moment of the game as it stands; None before the first question."""

    # Looking

    @property
    def game(self) -> AnyGame:
        """The game with its rules."""
        return self.reducer.game

    @property
    def file_path(self) -> Path:
        """The path of the log. Raises NotAllowedError if it was piped in or packed, and is no file of its own."""
        if self.path is None:
            raise NotAllowedError("nothing can be added to a log that was piped in or packed; save it to a file first")
        return self.path

    @property
    def public(self) -> PublicRecord:
        """The public facts of the log as it stands."""
        reducer = self.reducer
        return PublicRecord(
            id=reducer.opener.game_id,
            header=reducer.header,
            seats=reducer.seats,
            vault_seats=frozenset(reducer.opener.vaults),
            protocol=reducer.protocol,
            branched=reducer.branched,
            paused_until=reducer.paused_until,
        )

    def moment(self, at: int | None = None) -> Moment:
        """Returns the game as it stands, or as it stood after entry `at`."""
        if at is not None:
            return self._moments.get_moment(at)
        if self._now is None:
            moment, protocol = self.reducer.moment, self.reducer.protocol
            self._now = (
                replace(moment, joint_roll=protocol.find_present_joint_roll(self.head.hash)) if protocol else moment
            )
        return self._now

    def hash_at(self, n: int) -> str:
        """Returns the hash of an entry."""
        return self.entries[n + 1].prev if n + 1 < len(self.entries) else self.head.hash

    def in_force(self, at: int | None = None) -> list[int]:
        """Returns the numbers of the entries in force, now or after entry `at`, the game entry first: the line of
        play.
        """
        line = self.reducer.line if at is None else self._moments.get_moment(at).line
        return [step.n for step in line.walk_back()][::-1] if line else []

    def legal(self, seat: Seat | None = None) -> LegalActions:
        """Returns everything that a seat may do now; by default, the seat to act."""
        return self.moment().legal(seat)

    def judge(self, text: str, by: Seat | None = None, faces: Iterable[TypedDie] = ()) -> ActionBatch:
        """Judges a line of actions. Records nothing."""
        return self._judge_actions(split_phrases(text) or [text], by, faces)

    # Recording

    def do(self, text: str, by: Seat | None = None, faces: Iterable[TypedDie] = ()) -> ActionBatch:
        """Judges a line of actions. Records it if every action is legal and nothing is missing."""
        return self._record_if_complete(self.judge(text, by, faces))

    def play(self, action: Action, by: Seat | None = None, faces: Iterable[TypedDie] = ()) -> ActionBatch:
        """Judges a single action that is not given in words. Records it if it is legal and nothing is missing."""
        return self._record_if_complete(self._judge_actions([action], by, faces))

    def _judge_actions(
        self, said: Iterable[str | Action], by: Seat | None = None, faces: Iterable[TypedDie] = ()
    ) -> ActionBatch:
        from referee.record.table.action_batch import ActionBatch  # most commands only look

        return ActionBatch(self.moment(), said, by, faces)

    def _record_if_complete(self, line: ActionBatch) -> ActionBatch:
        if not line.refused and not line.awaiting:
            self.record(line.said)
        return line

    def record(self, said: Sequence[JudgedAction]) -> None:
        """Records legal actions that were judged on the present log, one after another.

        The moment after the last one is kept, so that nothing is worked out twice.
        """
        self.append([(draft_play(item), item.next_moment.known) for item in said])
        if said and self.reducer.known is said[-1].next_moment.known and not self.reducer.protocol:
            self._now = said[-1].next_moment.with_entry_number(self.reducer.n, self.reducer.line)

    def check(self, draft: Draft) -> None:
        """Checks that an entry may be recorded here. Raises NotAllowedError if it may not."""
        self._make_encoder().check(draft, len(self.entries), self.head.hash)

    @contextmanager
    def allow_only(self, deed: str) -> Iterator[None]:
        """While the `with` block runs, allows only the deed with this hash as the next entry, because others have
        agreed to it.
        """
        self._deed = deed
        try:
            yield
        finally:
            self._deed = ""

    def _check_deed(self, drafts: Sequence[tuple[Draft, Knowledge | None]]) -> None:
        """Checks that the drafts are the deed that the others agreed to, if only one deed is allowed now. Later deeds
        are not checked.
        """
        agreed, self._deed = self._deed, ""
        if agreed and hash_drafts(draft for draft, _ in drafts) != agreed:
            raise NotAllowedError("the others agreed to something else; ask them again")

    def append(self, drafts: Sequence[tuple[Draft, Knowledge | None]]) -> None:
        """Adds new entries to the log: encodes each, reads it back, writes all and folds them.

        Each draft comes with the knowledge after it, if it was judged already. Raises NotAllowedError if an entry may
        not be recorded, and MovedOnError, NotRecordedError or UnconfirmedError if writing fails.
        """
        path = self.file_path
        if self.letter:
            raise NotAllowedError("mail has changed this file; first take the log out: referee use FILE -o LOG")
        if self.ends:
            raise NotAllowedError("this log has several ends; to choose one: referee merge")
        if not drafts:
            return
        self._check_deed(drafts)
        self._now = None
        speller = self._make_encoder()
        try:
            spelt = speller.encode(drafts, len(self.entries), self.head.hash)
        except NotAgreedError as error:
            error.deed = hash_drafts(draft for draft, _ in drafts)
            raise
        place = self.head.size + self.head.unterminated
        try:
            self.head = store.append_lines(path, b"".join(one.line for one in spelt), self.head, speller.sealer.save)
        except NotRecordedError:
            self.head = replace(self.head, torn=b"")  # the torn end is set aside by now
            raise
        self._fold_written(spelt, place)

    def _make_encoder(self) -> EntryEncoder:
        from referee.record.table.entry_encoder import EntryEncoder  # most commands only look

        return EntryEncoder(self.reducer, self._reader)

    def _fold_written(self, spelt: Sequence[EncodedEntry], place: int) -> None:
        """Folds entries that were written from byte `place` on."""
        sealed = False
        for entry, line, found, known in spelt:
            self.reducer.opener.found, self.reducer.raw_entry = found, line[BODY_OFFSET:-2]
            sealed = sealed or bool(found)  # from here on secrets have leaves, which the judged ones did not have yet
            self.reducer.add(entry, None if sealed else known)
            if isinstance(entry, DeedEntry) and entry.versions:
                self._reader.switch_versions(*entry.versions, entry.n)
            self.entries.add(place, entry)
            self._moments.add(self.reducer)
            place += len(line)

    def append_foreign(
        self, lines: Sequence[bytes], judge: Judge, check: Callable[[Reducer], None] = lambda _reducer: None
    ) -> None:
        """Adds lines from elsewhere that continue this log. Each is judged and folded; then all are written.

        Raises FaultError for the first bad line, or if `check` rejects all of them. Then nothing is written, and the
        session must be opened again. The lines cannot reveal secrets of entries that are here already, because a reveal
        must be known when the log is read.
        """
        path, data, reducer, reader = self.file_path, b"".join(lines), self.reducer, self._reader
        believing, self._now = reducer.judge, None
        reducer.judge = judge
        reducer.expect_takebacks(prescan_log(BytesIO(data)))
        try:
            for entry in reader.read_continuation(BytesIO(data), len(self.entries), self.head.size, self.head.hash):
                reducer.raw_entry = reader.raw_entry
                reducer.add(entry)
                self.entries.add(reader.offset, entry)
                self._moments.add(reducer)
            check(reducer)
        except FaultError as error:
            error.fault = replace(error.fault, n=reader.n, offset=reader.offset)
            raise
        finally:
            reducer.judge = believing
        self.head = store.append_lines(path, data, self.head)
