"""Proofs that a player has signed two entries with one number, checked for who was told of one."""

from __future__ import annotations

from pathlib import Path

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.errors import sentence
from referee.mail.key import words_of
from referee.record.archive.forks import MAX_PROOF, parse_fork, problem_of


def proof_in(path: Path) -> Answer | None:
    """The verdict on a proof; None when the file is none. OSError."""
    with path.open("rb") as file:
        proof = parse_fork(file.read(MAX_PROOF + 1))
    if proof is None:
        return None
    problem = problem_of(proof)
    facts = {"proof": problem is None, "problem": problem, "game": proof.game, "seat": proof.seat, "entry": proof.n}
    if problem:
        return Answer([Text(f"NO PROOF  {path}", "refused"), Text(sentence(problem), indent=2)], lambda: facts, NO)
    lines: list[Shown] = [
        Text(f"PROVEN  {path}", "good"),
        Text(f"{proof.seat.capitalize()} has signed two different entries {proof.n} of one game.", indent=2),
        Text(f"Both with the key {words_of(proof.key)}: ask whose it is.", indent=2),
        Text(
            'What was signed stands in the file under "signed", as ssh-keygen -Y verify -n referee takes it:', indent=2
        ),
    ]
    return Answer(lines, lambda: facts | {"key": proof.key, "signed": proof.signed}, OK)
