"""What tells the throws of a log from those of other logs: which entry each is, and by which plays it was reached."""

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
    PlayEntry,
    encode,
)
from referee.record.table.agreement import sets_a_state
from referee.record.table.deed import JudgedDeed
from referee.record.table.session import Session
from referee.record.table.sheet import own_files_in
from referee.record.table.start import open_log

DEEP = 32.0
"""Bits of dice from which on the same plays with the same faces are the same game, and no chance."""
THROWN, STANDS, OPEN = 1, 2, 4
"""Of an entry: dice fell for it in the open, it is in force, and its seat's secrets are known here."""


class Trace(Struct, frozen=True):
    """What is compared of a log: its entries after which the game stands otherwise, in columns, for they are many."""

    log: str
    id: str
    """Id of the game: the hash of its first line."""
    head: str
    """Hash of its last line."""
    began: str
    """When its first entry was made."""
    is_typed: bool
    """Whether its dice were typed in."""
    weight: int
    """How far it goes: its entries that were played, amended or taken back."""
    shut: int
    """Seats of whose secrets not all are known here."""
    label: int
    """Stands for who plays and under which options."""
    numbers: array[int]
    """Numbers of the entries."""
    marks: array[int]
    """Each one's identity within its game: its hash, or where dice came from a seed, which of these it was."""
    paths: array[int]
    """The plays and faces that have led to each, it included; the same in a game that was read back from words."""
    flags: bytes
    """What is so of each: THROWN, STANDS, OPEN."""
    early: frozenset[int]
    """Those of the paths that have some dice, but so few that two games may have them by chance."""
    deep: frozenset[int]
    """Those of the paths that are the first without that doubt."""
    last: int | None
    """The path that is in force; None where no dice have fallen on it."""

    def standing(self) -> Iterator[int]:
        """Yields the numbers of its entries in force for which dice fell in the open."""
        want = THROWN | STANDS
        return (n for n, flag in zip(self.numbers, self.flags, strict=True) if flag & want == want)


def trace_of(log: str) -> Trace:
    """Returns the trace of a log. FaultError, GameError, OSError."""
    session = open_log(log)
    return Tracing(session).trace(log)


class Tracing:
    """Follows a log from its first entry."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._keeps = bool(session.fold.keepers)
        self._in_force = frozenset(session.in_force())
        self._shut = {found.owner for _, found in session.fold.sealed.values() if not found.known}
        """The seats of whose secrets not all are known here."""
        self._after: list[tuple[int, float]] = []
        """After each entry of the log, the path in force, and the bits of dice on it."""
        self._weight = 0
        self._numbers, self._marks, self._paths = array("Q"), array("Q"), array("Q")
        self._flags = bytearray()
        self._early, self._deep = set[int](), set[int]()

    def trace(self, log: str) -> Trace:
        """Returns the trace, once all entries were followed."""
        session, header = self._session, self._session.header
        for entry, hash_ in _with_hashes(session):
            self._follow(entry, hash_)
        last, bits = self._after[-1]
        return Trace(
            log=log,
            id=session.id,
            head=session.head.hash,
            began=header.at,
            is_typed=header.dice.is_typed,
            weight=self._weight,
            shut=len(self._shut),
            label=_number(encode([header.options, header.names])),
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
        self._weight += back is not None or sets_a_state(entry)
        if back is not None:
            self._after.append(self._after[back])
        elif sets_a_state(entry):
            before = self._after[-1] if self._after else (0, 0.0)
            self._after.append(self._add(entry, hash_, *before))
        else:
            self._after.append(self._after[-1])

    def _add(self, entry: AnyEntry, hash_: str, before: int, bits_before: float) -> tuple[int, float]:
        """Add an entry after which the game stands otherwise. Secrets are in no words: there the hash is the path."""
        line = int(hash_[:16], 16)
        path = line if self._keeps else _number(encode([before, *_said(entry)]))
        bits = bits_before + (_bits(entry, self._session.header) if isinstance(entry, PlayEntry) else 0)
        self._note_depth(path, bits_before, bits)
        self._numbers.append(entry.n)
        self._marks.append(line if self._keeps else self._mark(entry, line, path))
        self._paths.append(path)
        self._flags.append(self._flags_of(entry))
        return path, bits

    def _note_depth(self, path: int, bits_before: float, bits: float) -> None:
        if not self._keeps and 0 < bits < DEEP:
            self._early.add(path)
        elif not self._keeps and bits_before < DEEP <= bits:
            self._deep.add(path)

    def _mark(self, entry: AnyEntry, line: int, path: int) -> int:
        """Returns which throw of its game this is. Dice from a seed fall once, however often they are recorded."""
        if self._session.header.dice.is_typed or not isinstance(entry, PlayEntry):
            return line
        return _number(encode([path, *(roll.draw for roll in entry.all_rolls)]))

    def _flags_of(self, entry: AnyEntry) -> int:
        stands = STANDS * (entry.n in self._in_force)
        if not isinstance(entry, PlayEntry):
            return stands
        return stands | THROWN * bool(entry.rolls) | OPEN * (entry.is_open and entry.by not in self._shut)


def _with_hashes(session: Session) -> Iterator[tuple[AnyEntry, str]]:
    """Yields each entry with its hash, which the entry after it names."""
    entries: Iterator[AnyEntry | None] = chain(session.entries, [None])
    for entry, after in pairwise(entries):
        if entry is not None:
            yield entry, after.prev if after is not None else session.head.hash


def _said(entry: AnyEntry) -> list[Any]:
    """Returns what a log says here that is read back from the words of another, but for names and options."""
    match entry:
        case GameEntry():
            return [entry.game, entry.dice.on_sheet[0], own_files_in(entry.files), entry.position]
        case PlayEntry():
            rolls = [[roll.sides, roll.faces] for roll in entry.all_rolls if roll.origin != "lots"]
            return [entry.by, entry.done, rolls]
        case JudgedDeed():
            return entry.content
    return [type(entry).__struct_config__.tag, entry.by]


def _bits(play: AnyPlay, header: GameEntry) -> float:
    """Returns how unlikely its faces are in another game; of games with one seed, both have the same dice."""
    if header.dice.is_foreseeable:
        return inf if play.all_rolls else 0.0
    return sum(len(roll.faces) * log2(roll.sides) for roll in play.all_rolls if roll.origin != "lots")


def _number(data: bytes) -> int:
    return int.from_bytes(sha256(data).digest()[:8], "big")
