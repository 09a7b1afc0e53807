"""Offers by mail that are waiting for replies, and the test of which entry carries out an offer."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from referee.engine.event import REFEREE, Seat
from referee.record.log.entry import AnyEntry, JoinEntry, OfferEntry, encode_for_log
from referee.record.log.offer import Offer
from referee.record.table.deed import JudgedDeed


class PendingOffer(NamedTuple):
    """An offer that nobody has refused and that is not carried out yet."""

    n: int
    by: Seat
    offer: Offer
    agreed: tuple[Seat, ...]


def find_required_offer(entry: AnyEntry) -> Offer | None:
    """Returns the offer that must be agreed to before an entry may stand in the log; None if it needs no agreement."""
    return entry.required_offer if isinstance(entry, JudgedDeed) else None


def carries_out_offer(standing: PendingOffer, entry: AnyEntry) -> bool:
    """True if the entry carries out the offer, and the right seat made the entry."""
    if isinstance(entry, JoinEntry):
        chair = standing.offer.new_enrolment
        return entry.by == standing.by and chair is not None and chair == entry.chair
    if not isinstance(entry, JudgedDeed):
        return False
    by_table = entry.is_made_by_table and entry.by == REFEREE
    return (by_table or entry.by == standing.by) and entry.carries_out(standing.offer)


def withdraws_offer(standing: PendingOffer, entry: OfferEntry[Any]) -> bool:
    """True if the entry takes back the offer, and comes from the seat that made the offer."""
    return entry.by == standing.by and entry.offer.withdrawn_hash == hash_offer(standing.offer)


def hash_offer(offer: Offer) -> str:
    """Returns the SHA-256 of an offer as the log spells it."""
    return sha256(encode_for_log(offer)).hexdigest()
