"""The public facts of a log as a whole. None of them is secret, so anybody may hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.log.entry import BranchEntry, GameEntry
    from referee.record.table.mail_protocol import MailProtocol


class PublicRecord(Struct, frozen=True):
    """The public facts of a log at its end. Commands read these facts, and look at nothing deeper in the record."""

    id: str
    """The id of the game: the hash of its first line."""
    header: GameEntry
    """The first entry of the log: game, seats and options."""
    seats: tuple[Seat, ...]
    """The seats in playing order."""
    vault_seats: frozenset[Seat]
    """The seats whose vaults are on this computer."""
    protocol: MailProtocol | None
    """The state of play by mail; None if the game is not played by mail."""
    branched: BranchEntry | None
    """The entry with which this log left another one as a branch; None if it is not a branch."""
    paused_until: str
    """The day until which the pace rests, as agreed last; "" if that was never agreed."""
