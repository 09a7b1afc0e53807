"""The account of a game's joint rolls: those made, and those dropped, in its log or in logs that it left."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.record.table.joint_roll import DroppedRoll
from referee.record.table.ledger import list_left_logs, list_left_rolls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.record.log.entry import BranchEntry
    from referee.record.table.mail_protocol import MailProtocol


class RollAccount(Struct, frozen=True):
    """All joint rolls that were begun: the number of those that were made, and the dropped ones."""

    made: int = 0
    dropped: tuple[DroppedRoll, ...] = ()
    parent: str = ""
    """The name of the log that was left as a branch, if it is missing; "" otherwise."""


def account_for_rolls(
    protocol: MailProtocol, branched: BranchEntry | None, log: Path | None, others: Iterable[Path] | None = None
) -> RollAccount:
    """Returns the account of the joint rolls in a log, as far as it was read.

    Logs that it left as a branch are looked for among `others`; by default, among the logs beside it.
    """
    made = protocol.roll_count - len(protocol.dropped_rolls) - protocol.is_pending
    left, is_found = _left_throws(log, others) if branched and log else ((), False)
    dropped = {(throw.number, throw.n): throw for throw in (*left, *protocol.dropped_rolls)}
    parent = branched.parent if branched and not is_found else ""
    return RollAccount(made, tuple(dropped.values()), parent)


def _left_throws(log: Path, others: Iterable[Path] | None) -> tuple[tuple[DroppedRoll, ...], bool]:
    """Returns the joint rolls in the logs from which a branch was started, and whether there is such a log."""
    with suppress(OSError):
        logs = list_left_logs(log, sorted(log.parent.glob("*.jsonl")) if others is None else others)
        return tuple(throw for one in logs for throw in list_left_rolls(one)), bool(logs)
    return (), False
