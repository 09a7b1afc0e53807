"""Comparison of two runs of entries without their times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.gate import UnreadableError, read_json
from referee.record.log.line_format import BODY_OFFSET


def is_same_but_times(one: Sequence[str | bytes], other: Sequence[str | bytes], *, is_timeless: bool = False) -> bool:
    """True if two runs of lines hold the same entries at other times, as far as the shorter one goes.

    Both runs begin with the same number. This happens to players who continue from a copy of their log, or who were
    interrupted before a signature was written. Runs with a join are never the same, nor is an empty run. Runs with a
    declaration are the same only if the dice of the game are timeless (`DiceMode.ignores_opening_time`): otherwise
    their dice would differ.
    """
    apart = ("join",) if is_timeless else ("declare", "join")
    told = [_parse_untimed_content(line, apart) for run in (one, other) for line in run[: min(len(one), len(other))]]
    half = len(told) // 2
    return bool(half) and None not in told and told[:half] == told[half:]


def _parse_untimed_content(line: str | bytes, apart: Sequence[str]) -> dict[str, Any] | None:
    """Returns the content of an entry, without its time and everything that depends on the time. None for the types in
    `apart` and for lines that are not entries.
    """
    body = (line if isinstance(line, bytes) else line.encode())[BODY_OFFSET:].rstrip(b"\n")[:-1]
    try:
        told = read_json(body, dict[str, Any])
    except UnreadableError:
        return None
    if told.get("type") in apart:
        return None
    return {name: value for name, value in told.items() if name not in ("at", "prev", "signature")}
