"""The content of an entry that opens a joint roll: the part of it from which the dice come."""

from __future__ import annotations

from typing import Any

from referee.gate import read_json
from referee.record.log.entry import encode_for_log

TIME_AND_PLACE_FIELDS = ("at", "n", "prev")
"""The fields that say when and where an entry stands. No dice may come from them, because the author of the entry could
choose its time, or add remarks before it.
"""


def strip_time_and_place(body: bytes) -> bytes:
    """Returns the bytes of an entry, as they stand in the log, without its time and its place."""
    told = read_json(body, dict[str, Any])
    return encode_for_log({name: value for name, value in told.items() if name not in TIME_AND_PLACE_FIELDS})
