"""The verdict on an incoming packet: the result of comparing it with the log of its game."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from referee.engine.event import Seat
from referee.record.archive.equivocation import Equivocation
from referee.record.log.log_errors import FaultError
from referee.record.table.ledger import ASIDE_MARK

PacketSituation = Literal[
    "new",
    "known",
    "ahead",
    "early",
    "parted",
    "retold",
    "forked",
    "changed",
    "seated",
    "claimed",
    "ruled",
    "overruled",
    "unsigned",
    "faulty",
    "other-game",
    "other-rules",
]
"""new: the packet's entries continue the log. known: all entries were here already. ahead: known, and this copy has
more. early: earlier entries are missing. parted: each copy has unsigned entries that the other lacks. retold: the
packet's entries differ from those here only in their times; more may follow. forked: a seat signed two entries with one
number. changed: the packet changes entries that a seat has signed here. seated: changed, because two people have sat
down at one seat. claimed: in the packet, another key speaks for your own seat. ruled: the packet holds
a ruling of the director in place of your own later entries. overruled: here such a ruling ended the game in place of
the packet's entries. unsigned: nobody signed the last entry
of the packet. faulty: an entry of the packet is not allowed. other-game: the packet belongs to another game or branch.
other-rules: its game has newer rules than this referee.
"""


SITUATIONS_WITHOUT_NEWS: frozenset[PacketSituation] = frozenset({"known", "ahead"})
"""The situations in which a packet brings nothing new."""


class PacketVerdict(Struct, frozen=True):
    """The verdict on a packet: its situation, with the entries and the seat that the situation concerns."""

    situation: PacketSituation
    first: int = 0
    """The number of the first entry concerned: new, missing, different, at fault, or only in this copy."""
    last: int = 0
    """The number of the last entry concerned."""
    seat: Seat = ""
    """For new entries, the seat that signed all of them. For `forked` and `changed`, the seat that had signed. For
    `seated`, the seat with two people. Otherwise the sender; "" if that does not matter.
    """
    count_only_here: int = 0
    """The number of entries that only this copy has, if the copies differ."""
    count_only_in_packet: int = 0
    """The number of entries that only the packet has, if they are new or the copies differ."""
    is_own_key_bound: bool = False
    """True if your own key signed entries that only this copy has, or gave a share of a roll that is only here. Then
    the key signs no other entries in their place.
    """
    has_own_key_signed_elsewhere: bool = False
    """True if your own key has signed elsewhere: entries that are missing here, or both of two entries."""
    first_with_other_time: int | None = None
    """The first entry that your own key has signed elsewhere with another time than the one here; None without any."""
    equivocation: Equivocation | None = None
    keys: tuple[str, ...] = ()
    """For `seated`, the public keys of both people, in an order that is the same for everybody."""
    fault: FaultError | None = None
    is_kept: bool = True
    """False if the packet came too early and there was no room to keep it."""

    @property
    def brings_new_entries(self) -> bool:
        """True if the packet brought new entries, which continue the log."""
        return self.situation == "new"

    @property
    def brings_nothing_new(self) -> bool:
        """True if all that the packet brought was here already."""
        return self.situation in SITUATIONS_WITHOUT_NEWS

    @property
    def is_sound(self) -> bool:
        """True if nothing is wrong: the packet brought new entries, or all of its entries were here already."""
        return self.brings_new_entries or self.brings_nothing_new

    @property
    def has_begun_game(self) -> bool:
        """True if the packet began a game here."""
        return self.brings_new_entries and self.first == 0


def is_set_aside_log(log: Path) -> bool:
    """True if the file name of a log marks it as an old copy, set aside when another one took its place."""
    return ASIDE_MARK in log.name
