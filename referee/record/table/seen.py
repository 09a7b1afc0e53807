"""A record as certain eyes may read it: what of the log counts, who said it, and what of it is a secret of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, overload

from msgspec.structs import replace

from referee.engine.event import REFEREE, Seat
from referee.engine.secret import Secret, blinded
from referee.record.log.entry import AnyEntry, PlayEntry

if TYPE_CHECKING:
    from referee.record.log.sealing import Found
    from referee.record.table.session import Session


class Seen(Sequence[AnyEntry]):
    """All entries of a log, each without the secrets that certain eyes do not see."""

    def __init__(self, entries: Sequence[AnyEntry], log: SeenLog) -> None:
        self._entries, self._log = entries, log

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, key: int) -> AnyEntry: ...
    @overload
    def __getitem__(self, key: slice) -> list[AnyEntry]: ...
    def __getitem__(self, key: int | slice) -> AnyEntry | list[AnyEntry]:
        """One entry or several; FaultError or OSError when they are not there any more."""
        if isinstance(key, int):
            return self._log.seen(self._entries[key])
        return list(map(self._log.seen, self._entries[key]))

    def __iter__(self) -> Iterator[AnyEntry]:
        return map(self._log.seen, self._entries)


class SeenLog:
    """The log of a session through certain eyes, up to an entry."""

    def __init__(self, session: Session, eyes: Seat | None, at: int | None) -> None:
        """`at`: the entry after which it is; None: as it stands."""
        self._session, self._eyes, self._at = session, eyes, at
        self.path: Path | None = session.path
        """Where it is; None for one that was piped in."""

    @property
    def head(self) -> str:
        """Hash of its last line."""
        return self._session.head.hash

    @cached_property
    def entries(self) -> Seen:
        """All entries, those taken back included, as these eyes may read them."""
        return Seen(self._session.entries, self)

    @property
    def entry(self) -> int:
        """Number of the last entry looked at."""
        return len(self._session.entries) - 1 if self._at is None else self._at

    def written(self) -> bytes:
        """The log up to here, as it was written: there is no secret in it."""
        return self._session.entries.written(self.entry)

    # What counts

    @property
    def in_force(self) -> list[int]:
        """Numbers of the entries in force here, the game entry first: the line of play."""
        return self._session.in_force(self._at)

    @property
    def unsaid(self) -> list[int]:
        """Numbers of the entries in force that followed by themselves from what was said last."""
        last = self.said_last or 0
        return [n for n in self.in_force if n > last] if self._at is None else []

    @property
    def said_last(self) -> int | None:
        """Number of the entry in force that somebody said last, rather than what followed from it; None: none."""
        return next(said_in(self._session), None)

    def said(self, most: int) -> list[int]:
        """Numbers of so many entries in force that somebody said last, the newest first."""
        return list(islice(said_in(self._session), most))

    @property
    def last_player(self) -> Seat:
        """The seat that played last; the first seat when none has."""
        return last_player_in(self._session)

    # What is secret

    @property
    def _sealed(self) -> Mapping[str, tuple[int, Found]]:
        return self._session.fold.sealed

    def seen(self, entry: AnyEntry) -> AnyEntry:
        """An entry without the secrets that these eyes do not see; what is revealed is open to all."""
        if not self._session.fold.keepers or not self._sealed or self._eyes in (entry.by, REFEREE):
            return entry
        shut, secret = blinded(entry, self._eyes), getattr(entry, "secret", None)
        if secret is None or not secret.known or secret.leaf in self._sealed:
            return shut  # type: ignore[no-any-return]  # of the same type
        opened = Secret(secret.owner, blinded(secret.value, self._eyes), secret.leaf)
        return replace(shut, secret=opened)  # type: ignore[no-any-return]

    def is_sealed(self, entry: AnyEntry) -> bool:
        """Whether an entry holds a secret that nobody has revealed."""
        secret = getattr(entry, "secret", None)
        return secret is not None and secret.leaf in self._sealed

    @property
    def sealed(self) -> list[int]:
        """Numbers of the entries that hold a secret which nobody has revealed."""
        return sorted({at for at, _ in self._sealed.values()})

    def owner_of(self, n: int) -> Seat | None:
        """Whose secret an entry holds that nobody has revealed; None: it holds none."""
        return next((found.owner for at, found in self._sealed.values() if at == n), None)

    @property
    def shut(self) -> Mapping[Seat, int]:
        """How many secrets of each seat nobody has revealed."""
        return Counter(found.owner for _, found in self._sealed.values())

    def out_of_reach(self, seat: Seat | None) -> int:
        """Secrets of a seat that no vault here can open, and nobody has revealed."""
        return sum(1 for _, found in self._sealed.values() if found.owner == seat and not found.known)


def last_player_in(session: Session) -> Seat:
    """The seat that played last; the first seat when none has."""
    last = next(said_in(session), None)
    by = REFEREE if last is None else session.entries[last].by
    return session.fold.seats[0] if by == REFEREE else by


def said_in(session: Session) -> Iterator[int]:
    """Numbers of the entries in force that somebody said, rather than what followed from them: the newest first."""
    return (n for _, n in said_over(session))


def said_over(session: Session) -> Iterator[tuple[int, int]]:
    """What of the line of play somebody has said, rather than what followed from it: the newest first, each with the
    entry before it.
    """
    for n, before in pairwise(reversed(session.in_force())):
        moment, entry = session.moment(before), session.entries[n]
        forced = moment.forced()
        if not (moment.is_asked or (forced and isinstance(entry, PlayEntry) and entry.done == forced.action)):
            yield before, n
