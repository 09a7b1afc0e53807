"""Auditing a file of either kind: the log of a game or of a match."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from referee.record.archive.audit import AuditReport, audit
from referee.record.log.file_kinds import MATCH, find_path_kind

if TYPE_CHECKING:
    from referee.record.archive.match_audit import MatchReport


def audit_game_or_match(path: Path, progress: Callable[[int], None] | None = None) -> AuditReport | MatchReport:
    """Audits the log of a game, or of a match with all its games. Raises GameError or OSError."""
    report = audit(path, progress)
    if not (report.fault and report.fault.code == "not-a-log" and find_path_kind(path) == MATCH):
        return report
    from referee.record.archive.match_audit import audit_match  # hardly any log is one of a match

    return audit_match(path)
