"""The ledger of joint rolls: who began each, who gave shares, who may know its dice, and whether it was made.

It also finds the logs of the same game that a branch has left, with the rolls that were dropped there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.record.log.entry import PlayEntry, SealEntry
from referee.record.log.line_format import LINE_START
from referee.record.log.safe_files import open_user_file
from referee.record.table.deed import JudgedDeed
from referee.record.table.joint_roll import DroppedRoll, JointRoll, describe_leaving_branch, list_knowing_seats

if TYPE_CHECKING:
    from referee.record.log.entry import AnyEntry, AnyPlay
    from referee.record.table.mail_protocol import MailProtocol
    from referee.record.table.mail_state import DirectorRuling, ReplacementKey

ASIDE_MARK = ".aside-"
"""Part of the name of a log that was set aside."""
BRANCH_LINE_END = b',"type":"branch"}}'
"""The end of a line with a `branch` entry. It is always the same, since keys are sorted."""
GAME_ID_END = len(LINE_START) + 64
"""The number of bytes of a log up to the end of its game's id."""


class LedgerRoll(Struct, frozen=True):
    """One joint roll in the ledger of a log."""

    number: int
    """The number of the roll in the game, from 0."""
    hash: str
    """The hash of the entry that began the roll. It is the same in all copies and branches."""
    n: int
    """The number of that entry."""
    by: Seat
    """The seat that began the roll."""
    seats: tuple[Seat, ...]
    """The seats that make the roll together."""
    shares: Mapping[Seat, int] = {}
    """The entry in which each seat gave its share, in order."""
    owing: tuple[Seat, ...] = ()
    """The seats that have not given their share."""
    known: tuple[Seat, ...] = ()
    """The seats that could know the dice of the roll before the others. If the roll was dropped, all seats that may
    know its dice. Empty if nobody can know them yet.
    """
    fate: Literal["made", "dropped", "given up", "waits"] = "waits"
    """made: it gave its dice. dropped: it never will. given up: its player resigned first."""
    at: int = 0
    """The number of the entry that made or dropped the roll, or with which the roll's player resigned; 0 while the roll
    waits.
    """
    because: str = ""
    """The reason that the roll was dropped, as a clause; "" for any other roll."""
    log: str = ""
    """The name of the log that holds the roll, if it is another log of the same game; otherwise ""."""
    declared: int = 0
    """The number of secret actions that were declared together; 0 if there were fewer than two."""
    played: int = 0
    """The number of declared secret actions that were made so far. If the last ones were not made, they were no longer
    legal, or the seat refused their dice. A reveal shows which of the two is true.
    """
    is_secret: bool = False
    """True if all dice of the roll are secret ones of the seat that began it."""


class Ledger(Struct, frozen=True):
    """The ledger of one log up to its first fault, with the state of play by mail at that point."""

    count: int = 0
    """The number of good entries."""
    rolls: tuple[LedgerRoll, ...] = ()
    dropped: tuple[DroppedRoll, ...] = ()
    replaced_keys: Mapping[Seat, ReplacementKey] = {}
    """The seats that play with another key, because the others agreed."""
    rulings: tuple[DirectorRuling, ...] = ()
    """The times that the director agreed in place of a player."""
    parent: str = ""
    """The name of the log that this log left as a branch; "" if it is not a branch."""
    has_all_joined: bool = False
    """True if every seat has joined, since the game began or the branch left."""
    signed_up_to: int = -1
    """The number of the last entry that signs everything before it; -1 if there is none."""
    branched_at: int = -1
    """The number of the entry that began this log as a branch; -1 if it is not a branch."""


class FamilyRolls(Struct, frozen=True):
    """The facts about the joint rolls of a log that only its branches and parents tell.

    They travel with a page, which holds its own log alone.
    """

    rolls: tuple[LedgerRoll, ...] = ()
    """The rolls in other logs, and those rolls of the log that a branch dropped. Their hashes are left out."""
    has_parent: bool = False
    """True if the log is a branch, and its parent was read."""


class BranchPoint(Struct, frozen=True):
    """Another log of the same game, with the entry at which a branch parts from it."""

    path: Path
    n: int
    """The number of the `branch` entry. All entries before it are the same in both logs."""
    name: str
    """The name of the branch."""
    is_sibling: bool = False
    """True if the other log is a branch, too, and left their common parent at the same place."""


def list_branch_points(log: Path, others: Iterable[Path]) -> list[BranchPoint]:
    """Returns the logs among `others` from which `log` parts as a branch, each with the entry at which it parts.

    Raises OSError if a file cannot be read.
    """
    with open_user_file(log) as file:
        game = file.read(GAME_ID_END)
    named = (path for path in others if ASIDE_MARK not in path.name and path.resolve() != log.resolve())
    kin = (path for path in named if _begins_with(path, game))
    return [left for left in (_find_branch(log, path) for path in kin) if left]


def _begins_with(path: Path, game: bytes) -> bool:
    try:
        with open_user_file(path) as file:
            return file.read(GAME_ID_END) == game
    except OSError:
        return False


def _find_branch(log: Path, other: Path) -> BranchPoint | None:
    """Returns the point at which this log parts from the other log as a branch; None if there is no such point. The
    other log may be shorter.
    """
    with open_user_file(log) as mine, open_user_file(other) as theirs:
        for n, line in enumerate(mine):
            known = theirs.readline()
            if known != line and line.rstrip(b"\n").endswith(BRANCH_LINE_END):
                return BranchPoint(other, n, _read_name(line), known.rstrip(b"\n").endswith(BRANCH_LINE_END))
            if known not in (line, b""):
                return None
    return None


def _read_name(line: bytes) -> str:
    return line.partition(b'"name":"')[2].partition(b'"')[0].decode("ascii", "replace")


def read_ledger(file: BinaryIO, log: Path | None = None) -> Ledger:
    """Reads the ledger of a log as far as the log is good; empty if the game is not played by mail."""
    from referee.record.table.log_walker import LogWalker  # most commands never look at a ledger

    walk = LogWalker(file, log=log)
    book = _LedgerKeeper()
    for entry in walk:
        if walk.reducer and walk.reducer.protocol:
            book.note_entry(walk.reducer.protocol, entry, walk.reader.hash)
    protocol = walk.reducer.protocol if walk.reducer else None
    if walk.reducer is None or protocol is None:
        return Ledger()
    branched = walk.reducer.branched
    return Ledger(
        walk.reader.n,
        tuple(book.rolls.values()),
        protocol.dropped_rolls,
        dict(protocol.replacements),
        protocol.rulings,
        branched.parent if branched else "",
        not protocol.seats_to_join,
        book.signed_up_to,
        branched.n if branched else -1,
    )


class _LedgerKeeper:
    """Notes each joint roll while a log is read."""

    def __init__(self) -> None:
        self.rolls: dict[int, LedgerRoll] = {}
        self._open: int | None = None
        """The number of the roll that has given no dice yet."""
        self._dropped = 0
        self.signed_up_to = -1
        """The number of the last seal."""

    def note_entry(self, protocol: MailProtocol, entry: AnyEntry, hash: str) -> None:
        """Notes the effects of one entry on the joint rolls. `protocol` is the state after it."""
        for gone in protocol.dropped_rolls[self._dropped :]:
            self._settle_roll(
                gone.number, replace(self.rolls[gone.number], because=gone.because, known=gone.known), "dropped", entry
            )
        self._dropped = len(protocol.dropped_rolls)
        if isinstance(entry, SealEntry):
            self.signed_up_to = entry.n
        cast = protocol.joint_roll
        if isinstance(entry, PlayEntry):
            self._count_batch(entry)
        if self._open is not None and (cast is None or cast.number != self._open or not cast.is_pending):
            given_up = isinstance(entry, JudgedDeed) and entry.joint_roll_fate == "given up"
            self._settle_roll(self._open, self.rolls[self._open], "given up" if given_up else "made", entry)
        if cast is not None:
            self._note_shares(cast, entry, hash)

    def _count_batch(self, entry: AnyPlay) -> None:
        """Counts a play of the secret actions that were declared together."""
        roll = self.rolls.get(self._open) if self._open is not None else None
        if roll is not None and roll.declared and entry.by == roll.by and entry.action is None:
            self.rolls[roll.number] = replace(roll, played=roll.played + 1)

    def _settle_roll(
        self, number: int, roll: LedgerRoll, fate: Literal["made", "dropped", "given up"], entry: AnyEntry
    ) -> None:
        self.rolls[number] = replace(roll, fate=fate, at=entry.n)
        self._open = None

    def _note_shares(self, cast: JointRoll, entry: AnyEntry, hash: str) -> None:
        """Notes the shares that a roll has got."""
        roll = self.rolls.get(cast.number) or LedgerRoll(
            cast.number, hash, cast.n, cast.by, cast.seats, declared=cast.batch_left
        )
        if cast.number not in self.rolls:
            self._open = cast.number
        fresh = {seat: entry.n for seat in cast.values if seat not in roll.shares}
        self.rolls[cast.number] = replace(
            roll,
            shares={**roll.shares, **fresh},
            owing=cast.owing_seats,
            known=cast.first_knowing_seats,
            is_secret=cast.is_secret,
        )


def list_dropped_rolls(left: BranchPoint) -> Iterator[DroppedRoll]:
    """Yields the joint rolls of a log that give no dice to a branch from that log.

    They are the rolls that began after the point where the branch parts from the log, and the roll that was open at
    that point. The log is read as far as it is good. Raises OSError if it cannot be opened.
    """
    with open_user_file(left.path) as file:
        ledger = read_ledger(file, left.path)
    for roll in list_rolls_left_behind(ledger, left):
        yield _make_dropped_roll(roll, left.path.name)


def _make_dropped_roll(roll: LedgerRoll, log: str) -> DroppedRoll:
    """Returns a roll of the ledger that was dropped; `log` is the name of the log in which it stands."""
    return DroppedRoll(roll.number, roll.by, roll.n, roll.known, roll.because, roll.at, log)


def add_family_rolls(ledger: Ledger, family: FamilyRolls) -> Ledger:
    """Returns the ledger of a log with the facts that only its branches and parents tell."""
    told = {(roll.log, roll.number, roll.n): roll for roll in (*ledger.rolls, *family.rolls)}
    left = [roll for roll in family.rolls if roll.fate == "dropped" and roll.at == ledger.branched_at]
    gone = (_make_dropped_roll(roll, roll.log) for roll in left)
    dropped = {(roll.number, roll.n): roll for roll in (*gone, *ledger.dropped)}
    parent = "" if family.has_parent else ledger.parent
    return replace(ledger, rolls=tuple(told.values()), dropped=tuple(dropped.values()), parent=parent)


def list_rolls_left_behind(ledger: Ledger, left: BranchPoint) -> Iterator[LedgerRoll]:
    """Yields the rolls in a log's ledger that give no dice to a branch from that log. Each roll is marked as dropped by
    the branch.
    """
    for roll in ledger.rolls if ledger.count >= left.n else ():
        if roll.n >= left.n or roll.fate == "waits" or roll.at >= left.n:
            yield replace(
                roll,
                fate="dropped",
                at=left.n,
                because=describe_leaving_branch(left.name),
                known=_list_knowing_seats_at_end(ledger, roll),
            )


def _list_knowing_seats_at_end(ledger: Ledger, roll: LedgerRoll) -> tuple[Seat, ...]:
    """Returns the seats that may know the dice of a roll at the end of its log."""
    if roll.fate == "dropped":
        return roll.known
    signed = [seat for seat, n in roll.shares.items() if n < ledger.signed_up_to]
    return list_knowing_seats(roll.seats, roll.by, signed, is_secret=roll.is_secret)
