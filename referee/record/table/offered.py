"""What was offered by mail: how it stands, and which entry does it."""

from __future__ import annotations

from typing import NamedTuple

from referee.engine.event import REFEREE, Seat
from referee.record.log.entry import (
    AmendEntry,
    AmendPiecesEntry,
    AnyEntry,
    JoinEntry,
    ResignEntry,
    RevealEntry,
    SettledEntry,
    TakebackEntry,
    UpgradeEntry,
)
from referee.record.log.offer import (
    AmendOffer,
    AmendPiecesOffer,
    Offer,
    RejoinOffer,
    ResignOffer,
    RevealOffer,
    SettleOffer,
    TakebackOffer,
    UpgradeOffer,
)

BY_TABLE = (AmendEntry, AmendPiecesEntry, SettledEntry, RevealEntry, UpgradeEntry)
"""Entries that all at the table make together, whoever has offered them."""


class Standing(NamedTuple):
    """An offer that is neither refused nor carried out."""

    n: int
    by: Seat
    offer: Offer
    agreed: tuple[Seat, ...]


def offer_of(entry: AnyEntry) -> Offer | None:
    """What has to be offered so that an entry can stand in the log; None: it needs nobody's agreement."""
    match entry:
        case TakebackEntry():
            return TakebackOffer(entry.to)
        case AmendEntry():
            return AmendOffer(entry.position, entry.why)
        case AmendPiecesEntry():
            return AmendPiecesOffer(entry.known, entry.why)
        case ResignEntry():
            return ResignOffer()
        case SettledEntry():
            return SettleOffer(entry.winners)
        case RevealEntry():
            return RevealOffer((entry.of,))
        case UpgradeEntry():
            return UpgradeOffer(entry.format, entry.rules)
    return None


def is_offered(standing: Standing, entry: AnyEntry) -> bool:
    """Whether an entry does what was offered, and by whom."""
    offer = standing.offer
    if isinstance(entry, BY_TABLE) and entry.by == REFEREE:
        return _does(offer, entry)
    return entry.by == standing.by and _does(offer, entry)


def _does(offer: Offer, entry: AnyEntry) -> bool:
    match offer, entry:
        case RevealOffer(), RevealEntry():  # one by one
            return entry.of in offer.of
        case RejoinOffer(), JoinEntry():
            return offer.chair == entry.chair
        case AmendPiecesOffer(), AmendPiecesEntry() if entry.secret is not None:  # nobody else can see what it does
            return False
    return offer == offer_of(entry)
