"""A game in progress and its log: what is said is judged, spelt, written, and folded on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from referee.engine.dice import Typed
from referee.engine.event import REFEREE, Outcome, Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Legal
from referee.engine.text import phrases_of
from referee.record.log import store
from referee.record.log.disk import open_named
from referee.record.log.entry import (
    BranchEntry,
    DeedEntry,
    GameEntry,
    NoteEntry,
)
from referee.record.log.faults import FaultError, NotAgreedError, NotAllowedError, NotRecordedError
from referee.record.log.limits import check_text
from referee.record.log.reader import Reader
from referee.record.table.ahead import look_ahead
from referee.record.table.draft import Draft, deed_of, draft_of
from referee.record.table.fold import Fold, Judge
from referee.record.table.known import Known
from referee.record.table.moment import Moment, Said
from referee.record.table.past import Entries, Moments

if TYPE_CHECKING:
    from referee.record.log.letter import Letter
    from referee.record.table.line import Line
    from referee.record.table.pact import Pact
    from referee.record.table.spelling import Speller, Spelt


class Session:
    """A log that was read, and the game as it stands.

    Get one from `start` or `open_log`. Every method that records re-checks under a lock that nobody else has appended
    since the log was read, and raises MovedOnError if somebody has.
    """

    def __init__(
        self,
        path: Path | None,
        reader: Reader,
        fold: Fold,
        entries: Entries,
        moments: Moments,
        head: store.Head,
        letter: Letter | None = None,
    ) -> None:
        self.path = path
        """Where the log is; None for one that was piped in, to which nothing can be added."""
        self.entries = entries
        """All entries, those taken back included."""
        self.fold = fold
        self.head = head
        self.letter = letter
        """What it was taken out of, if mail had changed the file; nothing can be added to that."""
        self.forgotten: str | None = None
        """Why nobody can tell whether the log has lost its end, as a clause; None: it is known, or was never told."""
        self._reader, self._moments = reader, moments
        self._deed = ""
        """The hash of the one deed that may be recorded next; empty: any may."""
        self._now: Moment | None = None
        """The game as it stands, which has worked out much once it was asked; None: nobody has."""

    # Looking

    @property
    def game(self) -> AnyGame:
        """The rules it is played by."""
        return self.fold.game

    @property
    def header(self) -> GameEntry:
        """What is played, by whom, under which options."""
        return self.fold.header

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return self.fold.seats

    @property
    def id(self) -> str:
        """Id of the game: the hash of its first line."""
        return self.fold.opener.game_id

    @property
    def pact(self) -> Pact | None:
        """What the log says of play by mail; None: the game is not played so."""
        return self.fold.pact

    @property
    def branched(self) -> BranchEntry | None:
        """Where this log left another one last, if it did."""
        return self.fold.branched

    @property
    def vaults(self) -> frozenset[Seat]:
        """The seats whose vaults are here."""
        return frozenset(self.fold.opener.vaults)

    def moment(self, at: int | None = None) -> Moment:
        """The game as it stands, or stood after entry `at`."""
        if at is not None:
            return self._moments.at(at)
        if self._now is None:
            moment, pact = self.fold.moment, self.fold.pact
            self._now = replace(moment, cast=pact.cast_at(self.head.hash)) if pact else moment
        return self._now

    def lines(self, first: int = 0) -> list[bytes]:
        """The lines of the log from an entry on, each with its line feed; OSError."""
        if self.path is None or first >= len(self.entries):
            return []
        with open_named(self.path) as file:
            file.seek(self.entries.place(first))
            data = file.read(self.head.size - file.tell())
        return [line if line.endswith(b"\n") else line + b"\n" for line in data.splitlines(keepends=True)]

    def hash_at(self, n: int) -> str:
        """The hash of an entry."""
        return self.entries[n + 1].prev if n + 1 < len(self.entries) else self.head.hash

    def is_current(self) -> bool:
        """Whether the log still ends where it was read to; OSError when it cannot be opened."""
        return self.path is None or store.is_unmoved(self.path, self.head)

    def in_force(self, at: int | None = None) -> list[int]:
        """Numbers of the entries in force now, or after entry `at`, the game entry first: the line of play."""
        line = self.fold.line if at is None else self._moments.at(at).line
        return [step.n for step in line.back()][::-1] if line else []

    @property
    def state(self) -> Any:
        """The state in force: the truth, or as much as spectators see where secrets are not known here."""
        return self.moment().state

    @property
    def to_act(self) -> Seat | None:
        """Who holds the pen; None when the game is over."""
        return self.moment().to_act

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.moment().outcome

    def legal(self, seat: Seat | None = None) -> Legal:
        """Everything a seat may do now; who holds the pen when none is named."""
        return self.moment().legal(seat)

    def judge(self, text: str, by: Seat | None = None, faces: Iterable[Typed] = ()) -> Line:
        """A line of actions, judged. Records nothing."""
        return self._line(phrases_of(text) or [text], by, faces)

    # Recording

    def do(self, text: str, by: Seat | None = None, faces: Iterable[Typed] = ()) -> Line:
        """Judge a line of actions and, if every one of them is legal and nothing is awaited, record it."""
        return self._recorded(self.judge(text, by, faces))

    def play(self, action: Action, by: Seat | None = None, faces: Iterable[Typed] = ()) -> Line:
        """The same with one action that needs no reading."""
        return self._recorded(self._line([action], by, faces))

    def _line(self, said: Iterable[str | Action], by: Seat | None = None, faces: Iterable[Typed] = ()) -> Line:
        from referee.record.table.line import Line  # most commands only look

        return Line(self.moment(), said, by, faces)

    def _recorded(self, line: Line) -> Line:
        if not line.refused and not line.awaiting:
            self.record(line.said)
        return line

    def record(self, said: Sequence[Said]) -> None:
        """Record legal actions that were judged on this log as it is, one after another. The moment that they have come
        to is the one from which the game goes on.
        """
        self.append([(draft_of(item), item.then.known) for item in said])
        if said and self.fold.known is said[-1].then.known and not self.fold.pact:
            self._now = said[-1].then.recorded(self.fold.n, self.fold.line)

    def settle(self) -> list[Said]:
        """Record the answers that seats owe whose vaults are here."""
        line = self._line([])
        self.record(line.said)
        return line.said

    def note(self, text: str, by: Seat = REFEREE) -> None:
        """Record a remark."""
        check_text(text)
        self.append([(partial(NoteEntry, by=by, text=text), None)])

    def check(self, draft: Draft) -> None:
        """NotAllowedError when an entry may not be recorded here."""
        self._speller().check(draft, len(self.entries), self.head.hash)

    @contextmanager
    def bound_to(self, deed: str) -> Iterator[None]:
        """Lets nothing be recorded next but the deed with this hash, to which others have agreed."""
        self._deed = deed
        try:
            yield
        finally:
            self._deed = ""

    def _check_deed(self, drafts: Sequence[tuple[Draft, Known | None]]) -> None:
        """Holds what is recorded first against what was agreed to; what follows by itself from that is free."""
        agreed, self._deed = self._deed, ""
        if agreed and deed_of(draft for draft, _ in drafts) != agreed:
            raise NotAllowedError("this is not what was agreed to; ask again")

    def append(self, drafts: Sequence[tuple[Draft, Known | None]]) -> None:
        """The one way into a log: spell each entry once, read it back, write all, fold them on."""
        if self.path is None:
            raise NotAllowedError("a log that was piped in cannot be added to; save it to a file first")
        if self.letter:
            raise NotAllowedError("mail has changed this file, and nothing can be added to it; take the log out first")
        if not drafts:
            return
        self._check_deed(drafts)
        self._now = None
        speller = self._speller()
        try:
            spelt = speller.spell(drafts, len(self.entries), self.head.hash)
        except NotAgreedError as error:
            error.deed = deed_of(draft for draft, _ in drafts)
            raise
        place = self.head.size + self.head.unterminated
        try:
            self.head = store.append(self.path, b"".join(one.line for one in spelt), self.head, speller.sealer.keep)
        except NotRecordedError:
            self.head = replace(self.head, torn=b"")  # what was torn is set aside by now
            raise
        self._fold_on(spelt, place)

    def _speller(self) -> Speller:
        from referee.record.table.spelling import Speller  # most commands only look

        return Speller(self.fold, self._reader)

    def _fold_on(self, spelt: Sequence[Spelt], place: int) -> None:
        """The game goes on by entries that were written from a byte on."""
        sealed = False
        for entry, line, found, known in spelt:
            self.fold.opener.found = found
            sealed = sealed or bool(found)  # from here on secrets have leaves, which those judged did not have yet
            self.fold.add(entry, None if sealed else known)
            if isinstance(entry, DeedEntry) and entry.versions:
                self._reader.go_under(*entry.versions, entry.n)
            self.entries.add(place, entry)
            self._moments.add(self.fold)
            place += len(line)

    def follow(self, lines: Sequence[bytes], judge: Judge, check: Callable[[Fold], None] = lambda _fold: None) -> None:
        """Take in lines from elsewhere that go on where this log ends: each is judged and folded, then all are written.

        FaultError tells the first that may not stand there, or what `check` finds wrong with all of them; then nothing
        is written, and this session is to be opened again. Secrets that are here already are not revealed so: what a
        log reveals must be known when it is read.
        """
        assert self.path is not None, "a log that is a file"
        data, fold, reader = b"".join(lines), self.fold, self._reader
        believing, self._now = fold.judge, None
        fold.judge = judge
        fold.expect(look_ahead(BytesIO(data)))
        try:
            for entry in reader.follow(BytesIO(data), len(self.entries), self.head.size, self.head.hash):
                fold.add(entry)
                self.entries.add(reader.offset, entry)
                self._moments.add(fold)
            check(fold)
        except FaultError as error:
            error.fault = replace(error.fault, n=reader.n, offset=reader.offset)
            raise
        finally:
            fold.judge = believing
        self.head = store.append(self.path, data, self.head)
