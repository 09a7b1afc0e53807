"""What was offered by mail: how it stands, and which entry does it."""

from __future__ import annotations

from typing import NamedTuple

from referee.engine.event import REFEREE, Seat
from referee.record.log.entry import AnyEntry, JoinEntry
from referee.record.log.offer import Offer
from referee.record.table.deed import JudgedDeed


class Standing(NamedTuple):
    """An offer that is neither refused nor carried out."""

    n: int
    by: Seat
    offer: Offer
    agreed: tuple[Seat, ...]


def offer_of(entry: AnyEntry) -> Offer | None:
    """What has to be offered so that an entry can stand in the log; None: it needs nobody's agreement."""
    return entry.terms if isinstance(entry, JudgedDeed) else None


def is_offered(standing: Standing, entry: AnyEntry) -> bool:
    """Whether an entry does what was offered, and by whom."""
    if isinstance(entry, JoinEntry):
        chair = standing.offer.new_chair
        return entry.by == standing.by and chair is not None and chair == entry.chair
    if not isinstance(entry, JudgedDeed):
        return False
    by_table = entry.by_table and entry.by == REFEREE
    return (by_table or entry.by == standing.by) and entry.does(standing.offer)
