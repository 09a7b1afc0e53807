"""Checks for a missing end of a log that mail has changed.

Hashes prove everything before an entry, but nothing after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from referee.cli.log_paths import list_logs, list_related_logs, open_readable_part
from referee.engine.text import count_of
from referee.record.log.log_errors import KeyProblemError
from referee.record.log.store import read_head_file

NOBODY_KNOWS = "nobody can tell from this file if entries are missing at its end"


def describe_truncation(path: Path | None, game_id: str, entries: int, head: str) -> str:
    """Returns a clause that says whether the end of a log is missing, as far as this computer can tell.

    `entries` is the number of entries in the log, and `head` its last hash. If both match the note beside the log,
    nothing is missing. Otherwise the log is compared with other copies here, and with the signatures of your key.
    """
    if path and read_head_file(path) == (entries, head):
        return "nothing of the log is lost"
    known = [*_compare_with_copies(path, game_id, entries, head), *_compare_with_signature(game_id, entries)]
    return known[0] if known else NOBODY_KNOWS


def _compare_with_copies(path: Path | None, game_id: str, entries: int, head: str) -> Iterator[str]:
    beside = sorted(path.parent.glob("*.jsonl")) if path else []
    logs = list_related_logs(game_id, [*list_logs(), *beside])
    copies = [(log, session) for log in logs if (session := open_readable_part(log))]
    for log, session in sorted(copies, key=lambda copy: len(copy[1].entries), reverse=True):
        more = len(session.entries) - entries
        if more >= 0 and session.hash_at(entries - 1) == head:
            missing = f"the end of this log is missing: {log} here has {count_of(more, 'entry', 'entries')} more"
            yield missing if more else f"this log ends where {log} ends"


def _compare_with_signature(game_id: str, entries: int) -> Iterator[str]:
    from referee.mail.signing_journal import read_last_signed_entry

    with suppress(KeyProblemError):
        signed = read_last_signed_entry(game_id)
        if signed and signed[0] >= entries:
            yield f"the end of this log is missing: your key has signed the log up to entry {signed[0]}"
