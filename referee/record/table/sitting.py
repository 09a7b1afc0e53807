"""Somebody at the table: what he sees of a game and its record, and what he says, which is recorded.

Commands get this and nothing else: what their speaker may not know is out of their reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

from msgspec.structs import replace

from referee.engine.event import REFEREE, Seat
from referee.engine.secret import Secret, blinded
from referee.record.log.entry import AnyEntry, GameEntry
from referee.record.table.line import Line
from referee.record.table.sight import Sight

if TYPE_CHECKING:
    from referee.engine.dice import Typed
    from referee.engine.legal import Action
    from referee.engine.verb import Reading
    from referee.record.log.offer import Offer
    from referee.record.table.mending import Correction
    from referee.record.table.moment import Moment, Said
    from referee.record.table.pact import Pact
    from referee.record.table.proposal import Proposal
    from referee.record.table.session import Session


class Seen(Sequence[AnyEntry]):
    """All entries of a log, each without the secrets that certain eyes do not see."""

    def __init__(self, entries: Sequence[AnyEntry], sitting: Sitting) -> None:
        self._entries, self._sitting = entries, sitting

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, key: int) -> AnyEntry: ...
    @overload
    def __getitem__(self, key: slice) -> list[AnyEntry]: ...
    def __getitem__(self, key: int | slice) -> AnyEntry | list[AnyEntry]:
        """One entry or several; FaultError or OSError when they are not there any more."""
        if isinstance(key, int):
            return self._sitting.seen(self._entries[key])
        return list(map(self._sitting.seen, self._entries[key]))

    def __iter__(self) -> Iterator[AnyEntry]:
        return map(self._sitting.seen, self._entries)


class Sitting(Sight):
    """A session through certain eyes, as it stands or stood after an entry."""

    def __init__(
        self, session: Session, eyes: Seat | None = None, at: int | None = None, moment: Moment | None = None
    ) -> None:
        """`moment`: the one that is looked at, where it is not the one after entry `at`."""
        super().__init__(moment or session.moment(at), eyes)
        self.session = session
        """The log that was read: to be handed on, not to be asked."""
        self.at = at
        """The entry after which it is; None: as it stands."""

    # Other eyes, other moments

    def through(self, eyes: Seat | None) -> Self:
        """The same moment through other eyes."""
        return type(self)(self.session, eyes, self.at, self._moment)

    def then(self, at: int) -> Self:
        """The game as it stood after an entry."""
        return type(self)(self.session, self.eyes, at)

    def now(self) -> Self:
        """The game as it stands after something was recorded."""
        return type(self)(self.session, self.eyes)

    def before(self, said: Said) -> Self:
        """The game at the moment in which something was said."""
        return type(self)(self.session, self.eyes, self.at, said.before)

    def after(self, line: Line) -> Self:
        """The game where a line that is not recorded has come to, through the eyes of its speaker."""
        eyes = self.eyes if self.eyes is not None else line.to_act
        return type(self)(self.session, eyes, self.at, line.moment)

    # The record

    @property
    def header(self) -> GameEntry:
        """What is played, by whom, under which options."""
        return self._moment.header

    @property
    def path(self) -> Path | None:
        """Where the log is; None for one that was piped in."""
        return self.session.path

    @property
    def head(self) -> str:
        """Hash of the last line of the log."""
        return self.session.head.hash

    @property
    def lots(self) -> str:
        """What these eyes may draw lots from: nobody who does not see what they do can foretell them."""
        return self.session.lots_of(self.eyes) if self.eyes else self.head

    @property
    def pact(self) -> Pact | None:
        """What the log says of play by mail; None: the game is not played so."""
        return self.session.fold.pact

    @property
    def to_join(self) -> tuple[Seat, ...]:
        """The seats that nobody has sat down at, of those that are to be sat down at: by mail, or with secrets."""
        if self.pact:
            return self.pact.to_join
        return tuple(seat for seat in self.keepers if seat not in self.session.fold.joined)

    @cached_property
    def entries(self) -> Seen:
        """All entries, those taken back included, as these eyes may read them."""
        return Seen(self.session.entries, self)

    @property
    def entry(self) -> int:
        """Number of the last entry looked at."""
        return len(self.session.entries) - 1 if self.at is None else self.at

    def written(self) -> bytes:
        """The log up to here, as it was written: there is no secret in it."""
        return self.session.entries.written(self.entry)

    @property
    def in_force(self) -> list[int]:
        """Numbers of the entries in force here, the game entry first: the line of play."""
        return self.session.in_force(self.at)

    @property
    def unsaid(self) -> list[int]:
        """Numbers of the entries in force that followed by themselves from what was said last."""
        return self.session.unsaid if self.at is None else []

    def seen(self, entry: AnyEntry) -> AnyEntry:
        """An entry without the secrets that these eyes do not see; what is revealed is open to all."""
        sealed = self.session.fold.sealed
        if not self.keepers or not sealed or self.eyes in (entry.by, REFEREE):
            return entry
        shut, secret = blinded(entry, self.eyes), getattr(entry, "secret", None)
        if secret is None or not secret.known or secret.leaf in sealed:
            return shut  # type: ignore[no-any-return]  # of the same type
        opened = Secret(secret.owner, blinded(secret.value, self.eyes), secret.leaf)
        return replace(shut, secret=opened)  # type: ignore[no-any-return]

    def is_sealed(self, entry: AnyEntry) -> bool:
        """Whether an entry holds a secret that nobody has revealed."""
        secret = getattr(entry, "secret", None)
        return secret is not None and secret.leaf in self.session.fold.sealed

    @property
    def sealed(self) -> list[int]:
        """Numbers of the entries that hold a secret which nobody has revealed."""
        return sorted({at for at, _ in self.session.fold.sealed.values()})

    def owner_of(self, n: int) -> Seat | None:
        """Whose secret an entry holds that nobody has revealed; None: it holds none."""
        return next((found.owner for at, found in self.session.fold.sealed.values() if at == n), None)

    @property
    def shut(self) -> Mapping[Seat, int]:
        """How many secrets of each seat nobody has revealed."""
        return Counter(found.owner for _, found in self.session.fold.sealed.values())

    def knows(self, seat: Seat) -> bool:
        """Whether all that this seat sees is known here: its vault is there, and holds what it has sealed."""
        return self._moment.known.knows(seat)

    def out_of_reach(self, seat: Seat | None) -> int:
        """Secrets of a seat that no vault here can open, and nobody has revealed."""
        return sum(1 for _, found in self.session.fold.sealed.values() if found.owner == seat and not found.known)

    # Saying

    def line(
        self,
        phrases: Iterable[str | Action],
        faces: Iterable[Typed] = (),
        *,
        after: Line | None = None,
        supposed: bool = False,
        wary: Callable[[Said], str | None] | None = None,
        **manners: bool,
    ) -> Line:
        """A line of actions of who speaks, judged: where the game stands, or `after` a line that is not recorded yet.
        `supposed`: for who only asks what would be; `wary` and `manners` are those of a `Line`.
        """
        moment = after.moment if after else self._moment.supposed() if supposed else self._moment
        return Line(moment, phrases, None if self.eyes == REFEREE else self.eyes, faces, wary=wary, **manners)

    def read(self, phrase: str) -> Reading:
        """What a phrase of who speaks means; NotUnderstoodError, UnknownError."""
        return self._moment.read(phrase, None if self.eyes == REFEREE else self.eyes)

    def record(self, said: Sequence[Said]) -> None:
        """Record what was judged to be legal."""
        self.session.record(said)

    def settle(self) -> list[Said]:
        """Record the answers that seats owe whose vaults are here."""
        return self.session.settle()

    def note(self, text: str) -> None:
        """Record a remark; of nobody, where it is not said who speaks."""
        self.session.note(text, self.eyes or REFEREE)

    # What others may have to agree to

    def proposal(self, offer: Offer, by: Seat) -> Proposal:
        """What an offer would do, as these eyes see it."""
        from referee.record.table.proposal import proposal_of  # most commands need nobody's consent

        return proposal_of(self, offer, by)

    def amended(self, position: Mapping[str, Any]) -> Any:
        """The state of a position that is to stand in the log, where everybody can read it; FaultError."""
        return self.session.fold.placed(position)

    def changed(self, changes: tuple[str, ...]) -> Any:
        """What these eyes see of it once pieces stand otherwise; FaultError where that makes no sense."""
        from referee.record.table.amending import with_changes  # few games are amended

        return with_changes(self.session.fold, self.view, changes)

    def corrected(self, n: int, faces: Iterable[Typed]) -> Correction:
        """Judges what becomes of the game when the dice of an entry are typed otherwise; NotAllowedError, DiceError."""
        from referee.record.table.mending import corrected  # few games are corrected

        return corrected(self.session, n, faces)

    @property
    def said_last(self) -> int | None:
        """Number of the entry in force that somebody said last, rather than what followed from it; None: none."""
        return self.session.said_last

    def said(self, most: int) -> list[int]:
        """Numbers of so many entries in force that somebody said last, the newest first."""
        return list(islice(self.session.said(), most))

    @property
    def last_player(self) -> Seat:
        """The seat that played last; the first seat when none has."""
        return self.session.last_player

    @property
    def last_undoer(self) -> Seat:
        """The seat that took back last; NotAllowedError when there is nothing to bring back."""
        return self.session.last_undoer
