"""Traces: short descriptions of logs, by which the same rolls and the same games are recognised in several logs."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, pairwise
from math import inf, log2
from typing import Any

from msgspec import Struct

from referee.record.log.entry import (
    AnyEntry,
    AnyPlay,
    DeedEntry,
    GameEntry,
    JoinEntry,
    PlayEntry,
    encode_for_log,
)
from referee.record.table.agreement import changes_state
from referee.record.table.deed import JudgedDeed
from referee.record.table.opening_logs import open_log
from referee.record.table.session import Session
from referee.record.table.sheet import find_sheet_dice, hash_own_files

DEEP_BITS = 32.0
"""The bits of dice above which equal plays and faces cannot be chance, so that two logs hold the same game."""
DICE_FLAG, IN_FORCE_FLAG, KNOWN_FLAG = 1, 2, 4
"""Flags of an entry: it has open dice, it is in force, and its seat's secrets are known here."""


class EntryColumns(Struct, frozen=True):
    """A log's entries that change the game, in columns, since there may be many."""

    log: str
    id: str
    """The id of the game: the hash of its first line."""
    head: str
    """The hash of its last line."""
    began: str
    """The time of its first entry."""
    is_typed: bool
    """True if its dice were typed."""
    weight: int
    """The number of entries that were played, amended or taken back, or brought another player."""
    unknown_seats: int
    """The number of seats whose secrets are not all known here."""
    label: int
    """A number that stands for its players and options."""
    numbers: array[int]
    """The numbers of the entries."""
    marks: array[int]
    """The identity of each entry within its game: its hash, or for dice from a seed, the number of the roll."""
    paths: array[int]
    """Numbers that stand for the plays and faces up to each entry. They are the same in a game that was read back from
    a sheet.
    """
    flags: bytes
    """The flags of each entry: THROWN, STANDS, OPEN."""
    early: frozenset[int]
    """The paths with so few dice that two games may have them by chance."""
    deep: frozenset[int]
    """The first path on each line of play whose dice have at least `DEEP_BITS` bits."""
    last: int | None
    """The path in force; None if it has no dice."""

    def list_entries_with_open_dice(self) -> Iterator[int]:
        """Yields the numbers of the entries in force that have open dice."""
        want = DICE_FLAG | IN_FORCE_FLAG
        return (n for n, flag in zip(self.numbers, self.flags, strict=True) if flag & want == want)


def trace_log(log: str) -> EntryColumns:
    """Reads a log and returns its trace: its entries that change the game, in columns.

    Raises FaultError, GameError or OSError.
    """
    session = open_log(log)
    return LogTracer(session).trace(log)


class LogTracer:
    """Follows a log from its first entry and makes its trace."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._keeps = bool(session.reducer.keepers)
        self._is_sealed = bool(session.reducer.sealed)
        """True if a secret is not revealed yet. The known plays would then tell too little of the game."""
        self._dice = find_sheet_dice(session.game, session.reducer.header)
        self._in_force = frozenset(session.in_force())
        self._unknown_seats = {found.owner for _, found in session.reducer.sealed.values() if not found.known}
        """The seats whose secrets are not all known here."""
        self._after: list[tuple[int, float]] = []
        """The path in force after each entry of the log, and the bits of dice on it."""
        self._weight = 0
        self._numbers, self._marks, self._paths = array("Q"), array("Q"), array("Q")
        self._flags = bytearray()
        self._early, self._deep = set[int](), set[int]()

    def trace(self, log: str) -> EntryColumns:
        """Follows all entries and returns the trace."""
        session, header = self._session, self._session.reducer.header
        for entry, hash_ in _list_entries_with_hashes(session):
            self._follow(entry, hash_)
        last, bits = self._after[-1]
        return EntryColumns(
            log=log,
            id=session.reducer.opener.game_id,
            head=session.head.hash,
            began=header.at,
            is_typed=header.dice.is_typed,
            weight=self._weight,
            unknown_seats=len(self._unknown_seats),
            label=_shorten_hash(encode_for_log([header.options, header.names])),
            numbers=self._numbers,
            marks=self._marks,
            paths=self._paths,
            flags=bytes(self._flags),
            early=frozenset(self._early),
            deep=frozenset(self._deep),
            last=last if bits else None,
        )

    def _follow(self, entry: AnyEntry, hash_: str) -> None:
        back = entry.back_to if isinstance(entry, DeedEntry) else None
        self._weight += back is not None or changes_state(entry) or (isinstance(entry, JoinEntry) and bool(entry.name))
        if back is not None:
            self._after.append(self._after[back])
        elif changes_state(entry):
            before = self._after[-1] if self._after else (0, 0.0)
            self._after.append(self._add(entry, hash_, *before))
        else:
            self._after.append(self._after[-1])

    def _add(self, entry: AnyEntry, hash_: str, before: int, bits_before: float) -> tuple[int, float]:
        """Adds an entry that changes the game. Returns the path after it, and the bits of all dice on that path.

        While a secret is sealed, the hash of the entry stands for the plays so far.
        """
        line = int(hash_[:16], 16)
        path = line if self._is_sealed else _shorten_hash(encode_for_log([before, *self._shared_content(entry)]))
        bits = bits_before + (self._bits(entry) if isinstance(entry, PlayEntry) else 0)
        self._note_depth(path, bits_before, bits)
        self._numbers.append(entry.n)
        self._marks.append(line if self._keeps else self._mark(entry, line, path))
        self._paths.append(path)
        self._flags.append(self._flags_of(entry))
        return path, bits

    def _note_depth(self, path: int, bits_before: float, bits: float) -> None:
        if not self._is_sealed and 0 < bits < DEEP_BITS:
            self._early.add(path)
        elif not self._is_sealed and bits_before < DEEP_BITS <= bits:
            self._deep.add(path)

    def _mark(self, entry: AnyEntry, line: int, path: int) -> int:
        """Returns the identity of an entry in its game: `line`, or for dice from a seed a number of its own.

        That number depends on `path` and the roll alone. So a roll from a seed is the same, however often it is
        recorded.
        """
        if self._session.reducer.header.dice.is_typed or not isinstance(entry, PlayEntry):
            return line
        return _shorten_hash(encode_for_log([path, *(roll.draw for roll in entry.known_rolls)]))

    def _flags_of(self, entry: AnyEntry) -> int:
        stands = IN_FORCE_FLAG * (entry.n in self._in_force)
        if not isinstance(entry, PlayEntry):
            return stands
        return (
            stands
            | DICE_FLAG * bool(entry.rolls)
            | KNOWN_FLAG * (entry.is_fully_known and entry.by not in self._unknown_seats)
        )

    def _shared_content(self, entry: AnyEntry) -> list[Any]:
        """Returns the content of an entry that stays the same in a log that was read back from a sheet. Names and
        options are left out.
        """
        match entry:
            case GameEntry():
                return [entry.game, self._dice.sheet_lines[0], hash_own_files(entry.files), entry.position]
            case PlayEntry():
                rolls = [[roll.sides, roll.faces] for roll in entry.known_rolls if roll.origin != "lots"]
                return [entry.by, entry.known_action, rolls]
            case JudgedDeed():
                return entry.sheet_content
        return [type(entry).__struct_config__.tag, entry.by]

    def _bits(self, play: AnyPlay) -> float:
        """Returns how unlikely it is that another game has the same faces, in bits.

        It is infinite for dice that a seed in the log gives, since only games with the same seed have them.
        """
        if self._dice.is_foreseeable:
            return inf if play.known_rolls else 0.0
        return sum(len(roll.faces) * log2(roll.sides) for roll in play.known_rolls if roll.origin != "lots")


def _list_entries_with_hashes(session: Session) -> Iterator[tuple[AnyEntry, str]]:
    """Yields each entry with its hash, which the next entry names."""
    entries: Iterator[AnyEntry | None] = chain(session.entries, [None])
    for entry, after in pairwise(entries):
        if entry is not None:
            yield entry, after.prev if after is not None else session.head.hash


def _shorten_hash(data: bytes) -> int:
    return int.from_bytes(sha256(data).digest()[:8], "big")
