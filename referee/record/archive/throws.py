"""The throws of a game by mail, as an audit counts them: made, dropped in its log, dropped with a log that it left."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.record.table.cast import DroppedThrow
from referee.record.table.ledger import list_left_logs, list_left_throws

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.record.log.entry import BranchEntry
    from referee.record.table.pact import Pact


class Account(Struct, frozen=True):
    """What became of all throws that were begun."""

    made: int = 0
    dropped: tuple[DroppedThrow, ...] = ()
    parent: str = ""
    """The log that was left, where it is not at hand; "": it is, or none was left."""


def account_of(
    pact: Pact, branched: BranchEntry | None, log: Path | None, others: Iterable[Path] | None = None
) -> Account:
    """Counts the throws of a log up to where it was read. Logs that it has left are looked for among `others`; beside
    it, if none are named.
    """
    made = pact.casts - len(pact.dropped) - pact.is_pending
    left, is_found = _left_among(log, others) if branched and log else ((), False)
    dropped = {(throw.number, throw.n): throw for throw in (*left, *pact.dropped)}
    parent = branched.parent if branched and not is_found else ""
    return Account(made, tuple(dropped.values()), parent)


def _left_among(log: Path, others: Iterable[Path] | None) -> tuple[tuple[DroppedThrow, ...], bool]:
    """The throws of those logs that a branch has left; whether there is any such log."""
    with suppress(OSError):
        logs = list_left_logs(log, sorted(log.parent.glob("*.jsonl")) if others is None else others)
        return tuple(throw for one in logs for throw in list_left_throws(one)), bool(logs)
    return (), False
