"""Judging a file again, whatever it holds: the log of a game or of a match."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from referee.record.archive.audit import Report, audit
from referee.record.log.kinds import MATCH, kind_of

if TYPE_CHECKING:
    from referee.record.archive.match_audit import MatchReport


def audit_any(path: Path, progress: Callable[[int], None] | None = None) -> Report | MatchReport:
    """Judge a game again, or a match with all its games. GameError, OSError."""
    report = audit(path, progress)
    if not (report.fault and report.fault.code == "not-a-log" and kind_of(path) == MATCH):
        return report
    from referee.record.archive.match_audit import audit_match  # hardly any log is one

    return audit_match(path)
