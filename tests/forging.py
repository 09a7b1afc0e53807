"""Forged logs: an entry is changed and all hashes after it fit again, as anybody could do who knows the format."""

from __future__ import annotations

import json

from referee.record.log.entry import encode_for_log
from referee.record.log.line_format import BODY_OFFSET, NO_PREVIOUS_HASH, format_entry_line, hash_entry


def rewrite(source, target, n, change):
    """Writes a log to `target` in which `change` has changed entry `n` of the log `source`."""
    entries = [json.loads(line[BODY_OFFSET:-2]) for line in source.read_bytes().splitlines(keepends=True)]
    change(entries[n])
    lines, prev = [], NO_PREVIOUS_HASH
    for entry in entries:
        body = encode_for_log({**entry, "prev": prev})
        prev = hash_entry(body)
        lines.append(format_entry_line(body))
    target.write_bytes(b"".join(lines))
    return target
