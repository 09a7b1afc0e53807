"""The logs of games that may be related to a game by mail: its branches, and the games from which it branched off."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.cli.log_paths import list_logs


def list_nearby_logs(path: Path | None) -> Iterable[Path]:
    """Returns the logs beside the log `path`, then those here, each file once.

    Any of them may be the parent of a branch.
    """
    beside = sorted(path.parent.glob("*.jsonl")) if path else []
    return {one.resolve(): one for one in (*beside, *list_logs())}.values()
