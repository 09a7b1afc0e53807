"""Judging a file again, whatever it holds: the log of a game or of a match."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from referee.record.archive.audit import Report, audit
from referee.record.log.disk import open_named
from referee.record.log.fields import MAX_LINE
from referee.record.log.frame import BODY_AT

if TYPE_CHECKING:
    from referee.record.archive.match_audit import MatchReport


def audit_any(path: Path, progress: Callable[[int], None] | None = None) -> Report | MatchReport:
    """Judge a game again, or a match with all its games. GameError, OSError."""
    report = audit(path, progress)
    if not (report.fault and report.fault.code == "not-a-log" and is_match(path)):
        return report
    from referee.record.archive.match_audit import audit_match  # hardly any log is one

    return audit_match(path)


class _Kind(msgspec.Struct):
    type: str


def is_match(path: Path) -> bool:
    """Whether a file is the log of a match, whose games have logs of their own. OSError."""
    with open_named(path) as file:
        line = file.readline(MAX_LINE)
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(line[BODY_AT:-2], type=_Kind).type == "match"
    return False
