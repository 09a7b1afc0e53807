"""The account of a game's joint rolls: those made, and those dropped, in its log or in logs that it left."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from referee.record.log.safe_files import open_user_file
from referee.record.table.joint_roll import DroppedRoll
from referee.record.table.ledger import (
    FamilyRolls,
    Ledger,
    LedgerRoll,
    list_branch_points,
    list_dropped_rolls,
    list_rolls_left_behind,
    read_ledger,
)

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


def make_roll_account(
    protocol: MailProtocol, branched: BranchEntry | None, log: Path | None, others: Iterable[Path] | None = None
) -> RollAccount:
    """Returns the account of the joint rolls in a log, as far as it was read.

    If the log is a branch, the logs that it left are looked for among `others`; by default, among the logs beside it.
    """
    made = protocol.roll_count - len(protocol.dropped_rolls) - protocol.has_pending_roll - protocol.has_given_up_roll
    left, is_found = _read_left_rolls(log, others) if branched and log else ((), False)
    dropped = {(roll.number, roll.n): roll for roll in (*left, *protocol.dropped_rolls)}
    parent = branched.parent if branched and not is_found else ""
    return RollAccount(made, tuple(dropped.values()), parent)


def _read_left_rolls(log: Path, others: Iterable[Path] | None) -> tuple[tuple[DroppedRoll, ...], bool]:
    """Returns the joint rolls that a branch left behind in other logs, and True if such a log was found."""
    with suppress(OSError):
        logs = list_branch_points(log, sorted(log.parent.glob("*.jsonl")) if others is None else others)
        return tuple(roll for one in logs for roll in list_dropped_rolls(one)), bool(logs)
    return (), False


def list_game_rolls(log: Path, others: Iterable[Path]) -> tuple[LedgerRoll, ...]:
    """Returns the joint rolls of a whole game: those of a log, and those of its branches and parents.

    The branches and parents are looked for among `others`. Each roll counts once. A roll counts as dropped if this log,
    as a branch, left it behind. The same holds for any branch that all seats have joined. Raises OSError if a file
    cannot be read.
    """
    family = _read_family(log, others)
    found: dict[str, LedgerRoll] = {}
    for path, ledger in family.items():
        for roll in ledger.rolls:
            found.setdefault(roll.hash, replace(roll, log="" if path == log else path.name))
    for path, ledger in family.items():
        if path == log or ledger.has_all_joined:
            for left in list_branch_points(path, family):
                gone = () if left.is_sibling and path != log else list_rolls_left_behind(family[left.path], left)
                found |= {roll.hash: replace(roll, log=found[roll.hash].log) for roll in gone}
    return tuple(found.values())


def read_family_rolls(log: Path, others: Iterable[Path]) -> FamilyRolls:
    """Returns the facts about the joint rolls of a log that only its branches and parents among `others` tell.

    Raises OSError if a file cannot be read.
    """
    others = list(others)
    with open_user_file(log) as file:
        own = {roll.hash: roll for roll in read_ledger(file, log).rolls}
    rolls = [roll for roll in list_game_rolls(log, others) if roll != own.get(roll.hash)]
    return FamilyRolls(tuple(replace(roll, hash="") for roll in rolls), bool(list_branch_points(log, others)))


def _read_family(log: Path, others: Iterable[Path]) -> dict[Path, Ledger]:
    """Returns the ledgers of a log, and of its parents and branches among `others`."""
    files = {path.resolve(): path for path in others if path.resolve() != log.resolve()}
    kin = [path for path in files.values() if list_branch_points(log, [path]) or list_branch_points(path, [log])]
    family: dict[Path, Ledger] = {}
    for path in (log, *kin):
        with open_user_file(path) as file:
            family[path] = read_ledger(file, path)
    return family
