"""A log as certain eyes may read it: the entries in force, who said them, and which secrets of others are hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, overload

from msgspec.structs import replace

from referee.engine.event import REFEREE, Seat
from referee.engine.secret import Secret, hide_secrets_from
from referee.record.log.entry import AnyEntry, PlayEntry

if TYPE_CHECKING:
    from referee.record.log.sealing import FoundSecret
    from referee.record.table.house_rules import HouseRule
    from referee.record.table.session import Session


NOTE_MARK = b'"type":"note"'
"""The bytes by which a line that holds a note is found."""


class VisibleEntries(Sequence[AnyEntry]):
    """All entries of a log as one viewer may read them: secrets that the viewer may not see are left out."""

    def __init__(self, entries: Sequence[AnyEntry], log: VisibleLog) -> None:
        self._entries, self._log = entries, log

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, key: int) -> AnyEntry: ...
    @overload
    def __getitem__(self, key: slice) -> list[AnyEntry]: ...
    def __getitem__(self, key: int | slice) -> AnyEntry | list[AnyEntry]:
        """Returns one entry or several. Raises FaultError or OSError if the file no longer holds them."""
        if isinstance(key, int):
            return self._log.hide_secrets(self._entries[key])
        return list(map(self._log.hide_secrets, self._entries[key]))

    def __iter__(self) -> Iterator[AnyEntry]:
        return map(self._log.hide_secrets, self._entries)


class VisibleLog:
    """The log of a session through certain eyes, up to an entry."""

    def __init__(self, session: Session, eyes: Seat | None, at: int | None) -> None:
        """Looks at the log as it was after entry `at`; None stands for the latest entry."""
        self._session, self._eyes, self._at = session, eyes, at
        self.path: Path | None = session.path
        """The path of the log; None for one that was piped in."""

    @property
    def head_hash(self) -> str:
        """The hash of the last line of the whole log, even if an earlier moment is looked at."""
        return self._session.head.hash

    @cached_property
    def entries(self) -> VisibleEntries:
        """All entries of the whole log as these eyes may read them, including those that were taken back."""
        return VisibleEntries(self._session.entries, self)

    @property
    def entry_number(self) -> int:
        """The number of the last entry that is looked at."""
        return len(self._session.entries) - 1 if self._at is None else self._at

    def read_raw_log(self) -> bytes:
        """Returns the raw lines of the log up to the entry that is looked at. Secrets stand in these lines only sealed
        or once revealed.
        """
        return self._session.entries.read_prefix(self.entry_number)

    @cached_property
    def house_rules(self) -> Mapping[str, HouseRule]:
        """The house rules of this table, by the id of the rule. Only lines that hold a note are decoded."""
        from referee.record.table.house_rules import find_house_rules  # only refusals and rules ask for them

        lines = enumerate(self.read_raw_log().splitlines())
        notes = (self._session.entries[n] for n, line in lines if NOTE_MARK in line)
        return find_house_rules(notes, self._session.game.rulebook)

    # Entries in force

    @property
    def entries_in_force(self) -> list[int]:
        """The numbers of the entries in force at this point, the game entry first: the line of play."""
        return self._session.in_force(self._at)

    @property
    def trailing_automatic_entries(self) -> list[int]:
        """The numbers of the entries in force after the last one that a player said: answers and forced actions. Empty
        if an earlier moment is looked at.
        """
        last = self.last_spoken_entry or 0
        return [n for n in self.entries_in_force if n > last] if self._at is None else []

    @property
    def last_spoken_entry(self) -> int | None:
        """The number of the last entry in force now that a player said; None if there is none. Answers and forced
        actions do not count.
        """
        return next(list_spoken_newest_first(self._session), None)

    def list_last_spoken_entries(self, most: int) -> list[int]:
        """Returns the numbers of the last entries in force now that players said, at most `most`, the newest first."""
        return list(islice(list_spoken_newest_first(self._session), most))

    @property
    def last_player(self) -> Seat:
        """The seat that played last; the first seat with a player if none has, or if that player has left."""
        return find_last_player(self._session)

    # Secrets

    @property
    def _sealed(self) -> Mapping[str, tuple[int, FoundSecret]]:
        return self._session.reducer.sealed

    def hide_secrets(self, entry: AnyEntry) -> AnyEntry:
        """Returns an entry without the secrets that these eyes do not see. Revealed secrets stay visible."""
        if not self._session.reducer.keepers or not self._sealed or self._eyes in (entry.by, REFEREE):
            return entry
        shut, secret = hide_secrets_from(entry, self._eyes), getattr(entry, "secret", None)
        if secret is None or not secret.known or secret.leaf in self._sealed:
            return shut  # type: ignore[no-any-return]  # of the same type
        opened = Secret(secret.owner, hide_secrets_from(secret.value, self._eyes), secret.leaf)
        return replace(shut, secret=opened)  # type: ignore[no-any-return]

    def is_sealed(self, entry: AnyEntry) -> bool:
        """True if an entry holds a secret that nobody has revealed."""
        secret = getattr(entry, "secret", None)
        return secret is not None and secret.leaf in self._sealed

    @property
    def sealed_entries(self) -> list[int]:
        """The numbers of the entries that hold a secret which nobody has revealed."""
        return sorted({at for at, _ in self._sealed.values()})

    def find_secret_owner(self, n: int) -> Seat | None:
        """Returns the owner of the unrevealed secret in an entry; None if it holds none."""
        return next((found.owner for at, found in self._sealed.values() if at == n), None)

    @property
    def sealed_counts(self) -> Mapping[Seat, int]:
        """The number of unrevealed secrets of each seat."""
        return Counter(found.owner for _, found in self._sealed.values())

    def count_unopenable_secrets(self, seat: Seat | None) -> int:
        """Returns how many unrevealed secrets of a seat no vault on this computer can open."""
        return sum(1 for _, found in self._sealed.values() if found.owner == seat and not found.known)


def find_last_player(session: Session) -> Seat:
    """Returns the seat that played last; the first seat with a player if none has, or if that player has left."""
    last, here = next(list_spoken_newest_first(session), None), session.reducer.occupied_seats or session.reducer.seats
    by = REFEREE if last is None else session.entries[last].by
    return by if by in here else here[0]


def list_spoken_newest_first(session: Session) -> Iterator[int]:
    """Yields the numbers of the entries in force that players said, the newest first. Answers and forced actions are
    left out.
    """
    return (n for _, n in list_spoken_with_previous(session))


def list_spoken_with_previous(session: Session) -> Iterator[tuple[int, int]]:
    """Yields a pair of numbers for each entry in force that a player said: the entry in force before it, and the entry
    itself. The newest pair comes first.
    """
    for n, before in pairwise(reversed(session.in_force())):
        moment, entry = session.moment(before), session.entries[n]
        forced = moment.find_forced_action()
        if not (
            moment.is_answer_due or (forced and isinstance(entry, PlayEntry) and entry.known_action == forced.action)
        ):
            yield before, n
