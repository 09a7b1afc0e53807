"""The logs in which a game by mail may have gone on, or that it may have left: those here, and those beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.cli.log_paths import list_logs


def list_nearby_logs(path: Path | None) -> Iterable[Path]:
    """Returns the logs that a branch may have left, each file once: those beside the log `path`, then those here."""
    beside = sorted(path.parent.glob("*.jsonl")) if path else []
    return {one.resolve(): one for one in (*beside, *list_logs())}.values()
