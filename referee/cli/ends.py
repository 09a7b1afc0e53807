"""Whether a log that mail has changed has lost its end. Hashes tell what stands before an entry, and nothing after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from referee.cli.logs import kin_of, logs_here
from referee.engine.text import count_of
from referee.record.log.faults import FaultError, KeyProblemError
from referee.record.log.store import remembered
from referee.record.table.session import Session
from referee.record.table.start import open_good

NOBODY_KNOWS = "whether entries are missing at its end cannot be told from it"


def end_told(path: Path | None, game_id: str, entries: int, head: str) -> str:
    """What is known here of the end of a log with so many entries, the last with this hash, as a clause: by what was
    acknowledged beside it, by other copies of it here, by what one's own key has signed.
    """
    if path and remembered(path) == (entries, head):
        return "nothing of it is lost"
    known = [*_by_copies(path, game_id, entries, head), *_by_signature(game_id, entries)]
    return known[0] if known else NOBODY_KNOWS


def _by_copies(path: Path | None, game_id: str, entries: int, head: str) -> Iterator[str]:
    beside = sorted(path.parent.glob("*.jsonl")) if path else []
    copies = [(log, session) for log in kin_of(game_id, [*logs_here(), *beside]) if (session := _read(log))]
    for log, session in sorted(copies, key=lambda copy: len(copy[1].entries), reverse=True):
        more = len(session.entries) - entries
        if more >= 0 and session.hash_at(entries - 1) == head:
            missing = f"its end is missing: {log} here has {count_of(more, 'entry', 'entries')} more"
            yield missing if more else f"it ends where {log} ends"


def _read(log: Path) -> Session | None:
    with suppress(FaultError, OSError):
        return open_good(log)[0]
    return None


def _by_signature(game_id: str, entries: int) -> Iterator[str]:
    from referee.mail.signed import signed_last

    with suppress(KeyProblemError):
        signed = signed_last(game_id)
        if signed and signed[0] >= entries:
            yield f"its end is missing: your key has signed it up to entry {signed[0]}"
