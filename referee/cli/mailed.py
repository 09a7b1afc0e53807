"""Entries that only games by mail have, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.engine.text import listing
from referee.record.log.entry import (
    AgreeEntry,
    AmendOffer,
    AnswerEntry,
    DeclareEntry,
    Offer,
    OfferEntry,
    RefuseEntry,
    RejoinOffer,
    ResignOffer,
    RevealOffer,
    SealEntry,
    SettleOffer,
    TakebackOffer,
)

if TYPE_CHECKING:
    from referee.cli.look import Look

Mailed = DeclareEntry[Any] | AnswerEntry | SealEntry | OfferEntry | AgreeEntry | RefuseEntry


def described(look: Look, entry: Mailed) -> str:
    """An entry in one line."""
    match entry:
        case DeclareEntry():
            said = entry.said if entry.secret is None or look.sees(entry.by) else None
            what = "a secret" if said is None else ", ".join(look.game.format(look.blinded(one)) for one in said)
            return f"{entry.by} declares: {what}"
        case AnswerEntry():
            return f"{entry.by} answers throw {entry.cast}"
        case SealEntry():
            return f"{entry.by} signs all before, and hands the pen to {entry.to}"
        case OfferEntry():
            return f"{entry.by} offers {offered(look, entry.offer)}"
        case AgreeEntry():
            return f"{entry.by} agrees {_replied_to(look, entry.to)}"
        case RefuseEntry():
            return f"{entry.by} does not agree {_replied_to(look, entry.to)}"


def _replied_to(look: Look, n: int) -> str:
    entry = look.session.entries[n]
    if not isinstance(entry, OfferEntry):
        return f"to entry {n}"
    return f"to what {entry.by} offers, {offered(look, entry.offer)}"


def offered(look: Look, offer: Offer) -> str:
    """What somebody offers, as what all would do."""
    match offer:
        case TakebackOffer():
            then = look.session.moment(offer.to) if offer.to < len(look.session.entries) else None
            when = f", turn {then.turn}" if then else ""
            return f"to take back to entry {offer.to}{when}"
        case AmendOffer():
            return f"to amend the position: {offer.why}"
        case ResignOffer():
            return "to resign"
        case SettleOffer():
            won = f"{listing(offer.winners)} {'has won' if len(offer.winners) == 1 else 'have tied'}"
            return f"to end the game: {won if offer.winners else 'nobody has won'}"
        case RevealOffer():
            return f"to open the secrets of {listing([f'entry {n}' for n in offer.of])}"
        case RejoinOffer():
            from referee.mail.key import words_of

            return f"to play on with another key, {words_of(offer.chair.key)}"
