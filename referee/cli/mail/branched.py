"""A branch of a game by mail: nobody has signed where it begins, so it is held against the log that is here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.logs import kin_of, logs_here
from referee.mail.arrival import is_aside
from referee.record.archive.forks import is_retold
from referee.record.log.entry import BranchEntry
from referee.record.log.faults import FaultError
from referee.record.log.vault import copy_vaults, vault_path

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.session import Session


def unlike_ours(session: Session, *, is_kept: bool = True) -> Iterator[str]:
    """Where a branch begins with another history of its game than the log that is here: nobody has signed a branch, so
    who sends one may have written its beginning anew. `is_kept`: as it will be told.
    """
    from referee.record.table.start import open_log

    left = next((entry.n for entry in session.entries if isinstance(entry, BranchEntry)), 0)
    logs = [log for log in logs_here() if not is_aside(log)] if left else []
    for log in kin_of(session.id, logs):
        with suppress(FaultError):
            apart = _apart(open_log(log), session, left)
            if apart is not None:
                compare = f"referee diff {log} {session.path}" if is_kept else "Once it is opened, compare both."
                yield (
                    f"Before you join: this branch begins with another history than {log}, from entry {apart} on. "
                    f"{compare}"
                )


def _apart(ours: Session, theirs: Session, left: int) -> int | None:
    """The first entry before `left` that differs in more than its time; None: none, or there ours is a branch, too."""
    mine, others = ours.lines()[:left], theirs.lines()[:left]
    apart = next((n for n, pair in enumerate(zip(mine, others, strict=False)) if pair[0] != pair[1]), None)
    if apart is None or isinstance(ours.entries[apart], BranchEntry) or is_retold(mine[apart:], others[apart:]):
        return None
    return apart


def bring_vaults_along(game_id: str, branch: Path, keepers: Sequence[Seat]) -> None:
    """What one keeps secret in a game is known in its branches, too."""
    for log in kin_of(game_id, logs_here()):
        held = [seat for seat in keepers if vault_path(log, seat).exists() and not vault_path(branch, seat).exists()]
        if log != branch and held:
            copy_vaults(log, branch, held)
