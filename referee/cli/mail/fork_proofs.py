"""Proofs that a player signed two different entries with one number, and the check of such a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from glob import escape
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from msgspec.structs import replace

from referee.cli.answer import NO, OK, Answer, AnswerLine, Text
from referee.cli.errors import format_sentence
from referee.cli.log_paths import list_logs
from referee.engine.event import Seat
from referee.engine.plugin_errors import GameError
from referee.mail.key import spell_fingerprint
from referee.record.archive.equivocation import MAX_PROOF_BYTES, Equivocation, explain_missing_proof, parse_equivocation
from referee.record.log.entry import AnyEntry, JoinEntry
from referee.record.log.log_errors import FaultError
from referee.record.log.safe_files import make_name_part

if TYPE_CHECKING:
    from referee.record.table.session import Session


def answer_on_proof(path: Path) -> Answer | None:
    """Returns the verdict on the proof in a file; None if the file is not a proof. Raises OSError."""
    proof = _read_proof(path)
    if proof is None:
        return None
    problem = explain_missing_proof(proof)
    known = None if problem else find_proof_game(proof)
    if known and not known.is_key_of_seat:
        problem = (
            f"the key that signed both entries, {spell_fingerprint(proof.key)}, is not a key of "
            f"{proof.seat} in {known.log}"
        )
    facts = {"proof": problem is None, "problem": problem, "game": proof.game, "seat": proof.seat, "entry": proof.n}
    if problem:
        return Answer(
            [Text(f"NO PROOF  {path}", "refused"), Text(format_sentence(problem), indent=2)], lambda: facts, NO
        )
    more = {"key": proof.key, "signed": proof.signed, "log": str(known.log) if known else None}
    return Answer(list(_describe_proof(path, proof, known)), lambda: facts | more, OK)


def _read_proof(path: Path) -> Equivocation | None:
    """Returns the proof in a file, which is not checked yet; None if the file is not a proof. Raises OSError."""
    with path.open("rb") as file:
        return parse_equivocation(file.read(MAX_PROOF_BYTES + 1))


def find_proof_path(log: Path, seat: Seat, n: int) -> Path:
    """Returns the path, beside the log, for the proof that a seat signed two entries with one number."""
    return log.with_name(f"{log.stem}.fork-{make_name_part(seat)}-{n}.json")


def list_proofs_beside(log: Path | None) -> list[Path]:
    """Returns the proofs beside a log."""
    return sorted(log.parent.glob(f"{escape(log.stem)}.fork-*-*.json")) if log else []


def describe_proofs(session: Session, proofs: Sequence[Path]) -> Iterator[Text]:
    """Yields a line about each proof beside the log of this game, with the command that checks it."""
    for path in proofs:
        told = _describe_claim(session, path) or "a file that proves nothing about this game"
        yield Text(f"Beside the log is {told}; to check it: referee audit {quote(str(path))}", "refused", hanging=4)


def _describe_claim(session: Session, path: Path) -> str:
    """Returns what a proof proves about this game, as a noun; "" if it proves nothing or cannot be read."""
    with suppress(OSError):
        proof, protocol = _read_proof(path), session.public.protocol
        is_of_game = proof and protocol and proof.game == protocol.record_id
        if proof and is_of_game and proof.key in _list_keys(session, proof.seat) and not explain_missing_proof(proof):
            return f"a proof that {proof.seat} signed two versions of entry {proof.n}"
    return ""


def add_proofs(answer: Answer, log: Path) -> Answer:
    """Adds the proofs beside a log to the answer about it."""
    proofs = list_proofs_beside(log)
    if not proofs:
        return answer
    from referee.record.table.opening_logs import open_good_part

    lines = [*answer.lines, *(replace(line, indent=2) for line in describe_proofs(open_good_part(log)[0], proofs))]
    return replace(answer, lines=lines, facts=lambda: answer.facts() | {"proofs": [str(path) for path in proofs]})


class ProofGame(NamedTuple):
    """A log of the game that a proof is about."""

    log: Path
    is_key_of_seat: bool
    """True if the proof's key is one with which the accused seat has joined that game."""


def find_proof_game(proof: Equivocation) -> ProofGame | None:
    """Returns a log here of the game that a proof is about; None if no log of that game is here."""
    from referee.record.table.opening_logs import open_good_part

    for path in list_logs():
        with suppress(FaultError, GameError, OSError):
            session = open_good_part(path)[0]
            if session.public.protocol and session.public.protocol.record_id == proof.game:
                return ProofGame(path, proof.key in _list_keys(session, proof.seat))
    return None


def _list_keys(session: Session, seat: Seat) -> set[str]:
    """Returns all keys with which a seat has joined a game."""
    return {entry.chair.key for entry in session.entries if _is_join_of(entry, seat) and entry.chair}


def _is_join_of(entry: AnyEntry, seat: Seat) -> TypeGuard[JoinEntry]:
    return isinstance(entry, JoinEntry) and entry.by == seat


def _describe_proof(path: Path, proof: Equivocation, known: ProofGame | None) -> Iterator[AnswerLine]:
    words = spell_fingerprint(proof.key)
    if known:
        yield Text(f"PROVEN  {path}", "good")
        yield Text(
            f"{proof.seat.capitalize()} has signed two different versions of entry {proof.n} of one game.", indent=2
        )
        yield Text(f"Both are signed with the key {words}, with which {proof.seat} plays in {known.log}.", indent=2)
    else:
        yield Text(f"SIGNED TWICE  {path}", "good")
        yield Text(
            f"One key has signed two different versions of entry {proof.n} of one game as {proof.seat}.", indent=2
        )
        yield Text(f"The key is {words}. The game is not here, so ask the players whose key that is.", indent=2)
    yield Text('The file holds both signed texts under "signed", ready for ssh-keygen -Y verify -n referee.', indent=2)
