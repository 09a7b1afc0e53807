"""Proofs that a player has signed two entries with one number, checked for who was told of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from glob import escape
from pathlib import Path
from shlex import quote
from typing import NamedTuple, TypeGuard

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.errors import sentence
from referee.cli.logs import logs_here
from referee.engine.blame import GameError
from referee.engine.event import Seat
from referee.mail.key import words_of
from referee.record.archive.forks import MAX_PROOF, Fork, parse_fork, problem_of
from referee.record.log.entry import AnyEntry, JoinEntry
from referee.record.log.faults import FaultError


def proof_in(path: Path) -> Answer | None:
    """The verdict on a proof; None when the file is none. OSError."""
    with path.open("rb") as file:
        proof = parse_fork(file.read(MAX_PROOF + 1))
    if proof is None:
        return None
    problem = problem_of(proof)
    known = None if problem else whose(proof)
    if known and not known.keys:
        problem = f"the key that has signed both, {words_of(proof.key)}, is not one of {proof.seat} in {known.log}"
    facts = {"proof": problem is None, "problem": problem, "game": proof.game, "seat": proof.seat, "entry": proof.n}
    if problem:
        return Answer([Text(f"NO PROOF  {path}", "refused"), Text(sentence(problem), indent=2)], lambda: facts, NO)
    more = {"key": proof.key, "signed": proof.signed, "log": str(known.log) if known else None}
    return Answer(list(_told(path, proof, known)), lambda: facts | more, OK)


def proof_path(log: Path, seat: Seat, n: int | str) -> Path:
    """Where the proof is kept that a seat has signed two entries with one number: beside the log."""
    return log.with_name(f"{log.stem}.fork-{seat}-{n}.json")


def proofs_beside(log: Path | None) -> list[Path]:
    """The proofs that lie beside a log."""
    return sorted(log.parent.glob(proof_path(Path(escape(log.name)), "*", "*").name)) if log else []


def told_proofs(proofs: Sequence[Path]) -> Iterator[Text]:
    """That they are there, and how each is looked at."""
    for path in proofs:
        yield Text(f"A proof of a fork lies beside the log: referee audit {quote(str(path))}", "refused", hanging=4)


class Known(NamedTuple):
    """The game of a proof, where it is here."""

    log: Path
    keys: bool
    """Whether the key of the proof is one of its seat there."""


def whose(proof: Fork) -> Known | None:
    """What the game at hand knows of the key that has signed a proof; None where the game is not here."""
    from referee.record.table.start import open_good

    for path in logs_here():
        with suppress(FaultError, GameError, OSError):
            session = open_good(path)[0]
            if session.pact and session.pact.record_id == proof.game:
                keys = {entry.chair.key for entry in session.entries if _sits(entry, proof.seat) and entry.chair}
                return Known(path, proof.key in keys)
    return None


def _sits(entry: AnyEntry, seat: Seat) -> TypeGuard[JoinEntry]:
    return isinstance(entry, JoinEntry) and entry.by == seat


def _told(path: Path, proof: Fork, known: Known | None) -> Iterator[Shown]:
    words = words_of(proof.key)
    if known:
        yield Text(f"PROVEN  {path}", "good")
        yield Text(f"{proof.seat.capitalize()} has signed two different entries {proof.n} of one game.", indent=2)
        yield Text(f"Both with the key {words}, with which {proof.seat} plays in {known.log}.", indent=2)
    else:
        yield Text(f"SIGNED TWICE  {path}", "good")
        yield Text(f"One key has signed two different entries {proof.n} of one game as {proof.seat}.", indent=2)
        yield Text(f"It is {words}. The game is not here, so nobody here can say whose key that is: ask.", indent=2)
    yield Text(
        'What was signed stands in the file under "signed", as ssh-keygen -Y verify -n referee takes it.', indent=2
    )
