"""Proofs of equivocation: two entries with the same number, both signed by the same seat. A proof can be checked on its
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.gate import UnreadableError, read_json
from referee.record.log.entry import SealEntry
from referee.record.log.field_types import MAX_LINE_BYTES, MAX_NUMBER, Hash, PublicKey
from referee.record.log.line_format import BODY_OFFSET, format_entry_line
from referee.record.log.same_but_times import is_same_but_times
from referee.record.table.signed_texts import make_seal_text

if TYPE_CHECKING:
    from referee.record.table.mail_protocol import MailProtocol

MAX_PROOF_BYTES = 16 * 1024 * 1024
"""The most bytes of a proof."""
MAX_LINES = 10_000

Lines = Annotated[tuple[Annotated[str, Meta(max_length=MAX_LINE_BYTES)], ...], Meta(min_length=1, max_length=MAX_LINES)]


class SignedStatement(Struct, frozen=True, forbid_unknown_fields=True):
    """A text that a seat has signed, as `ssh-keygen -Y verify -n referee` takes it.

    The text can be worked out from the entries.
    """

    text: Annotated[str, Meta(max_length=400)]
    signature: Annotated[str, Meta(max_length=1000)]


class Equivocation(Struct, frozen=True, forbid_unknown_fields=True):
    """Two runs of entries of one game that begin with the same number. Each ends with a signature of the same seat."""

    referee: Literal["fork/1"]
    game: Hash
    seat: SeatName
    key: PublicKey
    """The key that signed both runs. The game's `join` entry names its owner, and so can anybody who knows its
    fingerprint.
    """
    n: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    """The number that both first entries have."""
    one: Lines
    other: Lines
    signed: tuple[SignedStatement, SignedStatement]
    """The texts of the two seals, for people who check them by hand."""


def find_equivocation(
    record_id: str, seat: Seat, key: str, n: int, runs: tuple[Sequence[bytes], Sequence[bytes]]
) -> Equivocation | None:
    """Returns the proof that a seat signed two runs of lines, both from entry `n` on. None if it did not."""
    one, other = (_list_lines_up_to_seal(run, seat) for run in runs)
    if not one or not other:
        return None
    said = (_make_statement(record_id, one[-1]), _make_statement(record_id, other[-1]))
    found = Equivocation("fork/1", record_id, seat, key, n, one, other, said)
    return found if explain_missing_proof(found) is None else None


def find_first_equivocation(
    protocol: MailProtocol, n: int, runs: tuple[Sequence[bytes], Sequence[bytes]]
) -> Equivocation | None:
    """Returns the proof against the first seat of a game by mail that signed both runs. None if no seat did."""
    keys = ((seat, protocol.find_signing_key(seat)) for seat in protocol.seats)
    return next(
        filter(None, (find_equivocation(protocol.record_id, seat, key, n, runs) for seat, key in keys if key)), None
    )


def _list_lines_up_to_seal(run: Sequence[bytes], seat: Seat) -> tuple[str, ...]:
    """Returns the lines up to the seat's last signature, without line feeds. Empty if the seat has signed nothing."""
    decoded = [_parse_entry(line.decode("utf-8", "replace")) for line in run]
    last = max(
        (at for at, entry in enumerate(decoded) if isinstance(entry, SealEntry) and entry.by == seat), default=-1
    )
    return tuple(line.decode("utf-8", "replace").removesuffix("\n") for line in run[: last + 1])


def parse_equivocation(data: bytes) -> Equivocation | None:
    """Reads a proof from a file's bytes; None if it is not one."""
    try:
        return read_json(data, Equivocation) if len(data) <= MAX_PROOF_BYTES else None
    except UnreadableError:
        return None


def encode_equivocation(fork: Equivocation) -> bytes:
    """Returns a proof as a file's bytes."""
    return msgspec.json.format(msgspec.json.encode(fork, order="sorted")) + b"\n"


def explain_missing_proof(fork: Equivocation) -> str | None:
    """Returns why the runs prove nothing, as a clause; None if they do."""
    problem = next(filter(None, (_find_problem(fork, run) for run in (fork.one, fork.other))), None)
    if problem:
        return problem
    one, other = fork.one, fork.other
    if one[0] == other[0] or is_same_but_times(one, other):
        return "both sides say the same"
    if any(find_ruling_recorder(run[0].encode()) not in (None, fork.seat) for run in (one, other)):
        return "a director ended the game there; a seat that had already signed later entries may sign that end as well"
    told = tuple(_make_statement(fork.game, run[-1]) for run in (fork.one, fork.other))
    return "the texts shown are not the ones that were signed" if told != fork.signed else None


def _make_statement(record_id: str, line: str) -> SignedStatement:
    from referee.record.log.signature import armour_signature

    seal = _parse_entry(line)
    if not isinstance(seal, SealEntry):
        return SignedStatement("", "")
    return SignedStatement(
        make_seal_text(record_id, seal.n - 1, seal.prev, seal.to, seal.at).decode(),
        armour_signature(seal.signature),
    )


def _find_problem(fork: Equivocation, run: Sequence[str]) -> str | None:
    from referee.record.log.signature import verify_signature  # a slow import

    prev = None
    for n, line in enumerate(run, fork.n):
        body = line.encode()[BODY_OFFSET:-1]
        entry = _parse_entry(line)
        if entry is None or format_entry_line(body) != f"{line}\n".encode() or entry.n != n:
            return f"the line of entry {n} is not an entry, or was changed"
        if prev is not None and entry.prev != prev:
            return f"entry {n} does not continue the one before it"
        prev = line[9:73]
    seal = _parse_entry(run[-1])
    if not isinstance(seal, SealEntry) or seal.by != fork.seat:
        return f"one side does not end with a signature of {fork.seat}"
    if not verify_signature(
        fork.key, make_seal_text(fork.game, seal.n - 1, seal.prev, seal.to, seal.at), seal.signature
    ):
        return "one side is not signed with this key"
    return None


class _Plain(Struct):
    """The fields that are checked in an entry that is not a signature."""

    n: int
    prev: str


class _Ruling(Struct, tag_field="type", tag="ruling"):
    """The field of a ruling that is read here."""

    by: str


def find_ruling_recorder(line: bytes) -> Seat | None:
    """Returns the seat that recorded a ruling; None if the line is another entry. Its signatures are not checked."""
    try:
        return read_json(line[BODY_OFFSET:].rstrip(b"\n")[:-1], _Ruling).by
    except UnreadableError:
        return None


def _parse_entry(line: str) -> Any:
    """Returns a signature entry, or the number and hash of another entry; None if the line is not an entry."""
    body = line.encode()[BODY_OFFSET:].rstrip(b"\n")[:-1]
    for kind in (SealEntry, _Plain):
        try:
            return read_json(body, kind)
        except UnreadableError:
            continue
    return None
