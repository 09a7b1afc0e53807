"""Checks of a branch by mail. Nobody has signed its beginning, so it is compared with the log that is here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.log_paths import list_logs, list_related_logs
from referee.mail.packet_verdict import is_set_aside_log
from referee.record.archive.log_boundary import run_on_log_or_none
from referee.record.log.entry import BranchEntry
from referee.record.log.same_but_times import is_same_but_times
from referee.record.log.vault import copy_vaults, find_vault_path

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.session import Session


def warn_of_other_history(session: Session, *, is_kept: bool = True) -> Iterator[str]:
    """Yields a warning if a branch begins with another history than the log here.

    Nobody signed that beginning in the branch, so its sender may have rewritten it. `is_kept` is True if the branch
    stays on this computer.
    """
    from referee.record.table.opening_logs import open_log

    left = next((entry.n for entry in session.entries if isinstance(entry, BranchEntry)), 0)
    logs = [log for log in list_logs() if not is_set_aside_log(log)] if left else []
    for log in list_related_logs(session.public.id, logs):
        ours = run_on_log_or_none(log, partial(open_log, log))
        apart = _find_first_difference(ours, session, left) if ours else None
        if apart is not None:
            compare = (
                f"To compare: referee diff {log} {session.path}"
                if is_kept
                else "Open the mail, then compare both logs."
            )
            yield (f"Before you join: this branch and {log} differ from entry {apart} on. {compare}")


def _find_first_difference(ours: Session, theirs: Session, left: int) -> int | None:
    """Returns the first entry before `left` that differs in more than its time.

    Returns None if there is none, or if the log here has itself branched off at that entry.
    """
    mine, others = ours.entries.read_raw_lines()[:left], theirs.entries.read_raw_lines()[:left]
    apart = next((n for n, pair in enumerate(zip(mine, others, strict=False)) if pair[0] != pair[1]), None)
    if apart is None or isinstance(ours.entries[apart], BranchEntry):
        return None
    timeless = ours.public.header.dice.ignores_opening_time
    return None if is_same_but_times(mine[apart:], others[apart:], is_timeless=timeless) else apart


def copy_vaults_to_branch(game_id: str, branch: Path, keepers: Sequence[Seat]) -> None:
    """Copies the vaults of a game to its branch, so that your secrets are known there, too."""
    for log in list_related_logs(game_id, list_logs()):
        held = [
            seat
            for seat in keepers
            if find_vault_path(log, seat).exists() and not find_vault_path(branch, seat).exists()
        ]
        if log != branch and held:
            copy_vaults(log, branch, held)
