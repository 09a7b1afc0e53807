"""Comparison of two runs of entries without their times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.record.log.line_format import BODY_AT


def is_same_but_times(one: Sequence[str | bytes], other: Sequence[str | bytes]) -> bool:
    """True if two runs of lines hold the same entries at other times, as far as the shorter one goes. Both begin with
    the same number.

    This happens to players who continue from a copy of their log, or who were interrupted before a seal was written.
    Runs with a declaration or a join are never the same, nor is an empty run.
    """
    told = [_untimed_content(line) for run in (one, other) for line in run[: min(len(one), len(other))]]
    half = len(told) // 2
    return bool(half) and None not in told and told[:half] == told[half:]


def _untimed_content(line: str | bytes) -> dict[str, Any] | None:
    """Returns the content of an entry, without its time and everything that depends on the time. None for declarations,
    joins and lines that are no entries.
    """
    body = (line if isinstance(line, bytes) else line.encode())[BODY_AT:].rstrip(b"\n")[:-1]
    try:
        told = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if told.get("type") in ("declare", "join"):
        return None
    return {name: value for name, value in told.items() if name not in ("at", "prev", "signature")}
