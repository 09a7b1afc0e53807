"""Proof of a fork: two entries with one number, both signed by one seat. Anybody can check it, with nothing but it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.record.log.entry import SealEntry
from referee.record.log.fields import MAX_LINE, MAX_NUMBER, Hash, PublicKey
from referee.record.log.frame import BODY_AT, frame
from referee.record.table.signing import seal_text

if TYPE_CHECKING:
    from referee.record.table.pact import Pact

MAX_PROOF = 16 * 1024 * 1024
"""Bytes of the longest proof that is read."""
MOST = 10_000

Lines = Annotated[tuple[Annotated[str, Meta(max_length=MAX_LINE)], ...], Meta(min_length=1, max_length=MOST)]


class Statement(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat has signed, as `ssh-keygen -Y verify -n referee` takes it; it follows from the entries."""

    text: Annotated[str, Meta(max_length=400)]
    signature: Annotated[str, Meta(max_length=1000)]


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """Two runs of entries of one game that begin with the same number; each ends with a seal of the same seat."""

    referee: Literal["fork/1"]
    game: Hash
    seat: SeatName
    key: PublicKey
    """The key that has signed both. Whose it is, the game's `join` says, and who has heard its fingerprint."""
    n: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The number that two entries have."""
    one: Lines
    other: Lines
    signed: tuple[Statement, Statement]
    """What the seals at the end of both say, for who checks by hand."""


def fork_in(record_id: str, seat: Seat, key: str, n: int, runs: tuple[Sequence[bytes], Sequence[bytes]]) -> Fork | None:
    """The proof that a seat has signed two runs of lines, both from entry `n` on; None when it has not."""
    one, other = (_up_to_seal(run, seat) for run in runs)
    if not one or not other:
        return None
    said = (_statement(record_id, one[-1]), _statement(record_id, other[-1]))
    found = Fork("fork/1", record_id, seat, key, n, one, other, said)
    return found if problem_of(found) is None else None


def fork_by(pact: Pact, n: int, runs: tuple[Sequence[bytes], Sequence[bytes]]) -> Fork | None:
    """The proof against the first seat of a game by mail that has signed both runs; None where none has."""
    keys = ((seat, pact.key_of(seat)) for seat in pact.seats)
    return next(filter(None, (fork_in(pact.record_id, seat, key, n, runs) for seat, key in keys if key)), None)


def _up_to_seal(run: Sequence[bytes], seat: Seat) -> tuple[str, ...]:
    """The lines up to the last seal of a seat, without line feeds; none, where it has sealed nothing."""
    decoded = [_entry(line.decode("utf-8", "replace")) for line in run]
    last = max(
        (at for at, entry in enumerate(decoded) if isinstance(entry, SealEntry) and entry.by == seat), default=-1
    )
    return tuple(line.decode("utf-8", "replace").removesuffix("\n") for line in run[: last + 1])


def parse_fork(data: bytes) -> Fork | None:
    """A proof from a file's bytes; None when it is none."""
    try:
        return msgspec.json.decode(data, type=Fork) if len(data) <= MAX_PROOF else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def spell_fork(fork: Fork) -> bytes:
    """A proof as a file."""
    return msgspec.json.format(msgspec.json.encode(fork, order="sorted")) + b"\n"


def problem_of(fork: Fork) -> str | None:
    """Why this proves nothing, as a clause; None: it does."""
    problem = next(filter(None, (_problem_in(fork, run) for run in (fork.one, fork.other))), None)
    if problem:
        return problem
    one, other = fork.one, fork.other
    if one[0] == other[0] or is_retold(one, other):
        return "both sides say the same"
    told = tuple(_statement(fork.game, run[-1]) for run in (fork.one, fork.other))
    return "what is said to be signed is not what was" if told != fork.signed else None


def is_retold(one: Sequence[str | bytes], other: Sequence[str | bytes]) -> bool:
    """Whether two runs that begin with the same number differ in nothing but when they were written down, as far as
    both go: who plays on from a copy of his log, or was cut off before he had a seal written down, means the same. What
    is declared twice is thrown twice, and is never the same.
    """
    told = [_told(line) for run in (one, other) for line in run[: min(len(one), len(other))]]
    half = len(told) // 2
    return bool(half) and None not in told and told[:half] == told[half:]


def _told(line: str | bytes) -> dict[str, Any] | None:
    """What an entry says, without its time and what hangs on it; None for what is none, and for what is declared."""
    body = (line if isinstance(line, bytes) else line.encode())[BODY_AT:].rstrip(b"\n")[:-1]
    try:
        told = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if told.get("type") in ("declare", "join"):
        return None
    return {name: value for name, value in told.items() if name not in ("at", "prev", "signature")}


def _statement(record_id: str, line: str) -> Statement:
    from referee.record.log.signature import armoured

    seal = _entry(line)
    if not isinstance(seal, SealEntry):
        return Statement("", "")
    return Statement(seal_text(record_id, seal.n - 1, seal.prev, seal.to, seal.at).decode(), armoured(seal.signature))


def _problem_in(fork: Fork, run: Sequence[str]) -> str | None:
    from referee.record.log.signature import verify  # a slow import

    prev = None
    for n, line in enumerate(run, fork.n):
        body = line.encode()[BODY_AT:-1]
        entry = _entry(line)
        if entry is None or frame(body) != f"{line}\n".encode() or entry.n != n:
            return f"entry {n} is none, or was changed"
        if prev is not None and entry.prev != prev:
            return f"entry {n} does not continue the one before it"
        prev = line[9:73]
    seal = _entry(run[-1])
    if not isinstance(seal, SealEntry) or seal.by != fork.seat:
        return f"a run does not end with a seal of {fork.seat}"
    if not verify(fork.key, seal_text(fork.game, seal.n - 1, seal.prev, seal.to, seal.at), seal.signature):
        return "a seal is not signed with this key"
    return None


class _Plain(Struct):
    """What is looked at of an entry that is no seal."""

    n: int
    prev: str


def _entry(line: str) -> Any:
    """A seal, or number and hash of another entry; None for what is no entry."""
    body = line.encode()[BODY_AT:].rstrip(b"\n")[:-1]
    for kind in (SealEntry, _Plain):
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return None
