"""Offers by mail that can no longer be agreed to, in words: who made them, what they were, and why they have lapsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from referee.cli.answer import Text
from referee.cli.mail.mail_entry_text import describe_offer
from referee.engine.event import REFEREE
from referee.mail.seats import find_own_seat
from referee.record.log.entry import AnyEntry, OfferEntry, RefuseEntry
from referee.record.table.mail_protocol import REMARK_TYPES, MailProtocol
from referee.record.table.pending_offers import PendingOffer, carries_out_offer

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.mail.packet import SignedOffer
    from referee.record.table.seat_view import SeatView


def describe_own_lapsed_offers(look: SeatView, asks: Iterable[SignedOffer]) -> Iterator[Text]:
    """Yields a line about each offer of the player here that was never recorded, and never will be."""
    for ask in asks:
        if not ask.offer.withdrawn_hash:
            why = explain_lapsed_offer(look, ask) or "you have the pen now, and can type it again"
            yield Text(f"Your offer, {describe_offer(look, ask.offer)}, has lapsed: {why}.", indent=2)


def describe_unsent_lapse(look: SeatView, protocol: MailProtocol) -> Iterator[Text]:
    """Yields a line if the player here has played on after their own offer, and no mail has told the others.

    Only unsent entries are looked at: nobody can play on while an offer of theirs waits elsewhere for a reply.
    """
    seat, first = find_own_seat(protocol), max(protocol.signed_up_to.values(), default=-1) + 1
    if seat is None or protocol.pen not in (None, seat):
        return
    unsent = look.log.entries[first:]
    made = next((entry for entry in reversed(unsent) if isinstance(entry, OfferEntry) and entry.by == seat), None)
    if made is None or made.offer.withdrawn_hash:
        return
    ending = next((entry for entry in unsent if entry.n > made.n and _describe_end(made, entry)), None)
    if ending and type(ending) not in REMARK_TYPES and not _carries_out(made, ending):
        why = _describe_end(made, ending)
        yield Text(f"Your offer, {describe_offer(look, made.offer)}, has lapsed: {why}.", indent=2)


def describe_missing_offer(look: SeatView, seat: Seat | None) -> str:
    """Returns a clause that says that nobody has made an offer to a seat, or why the last one has lapsed."""
    made = (entry for entry in reversed(look.log.entries) if isinstance(entry, OfferEntry) and entry.by != seat)
    last = next((entry for entry in made if not entry.offer.withdrawn_hash), None)
    why = _explain_end(look, last, last.n) if last else ""
    if last is None or not why:
        return "nobody has made you an offer"
    return f"the offer of {last.by}, {describe_offer(look, last.offer)}, has lapsed: {why}"


def explain_lapsed_offer(look: SeatView, ask: SignedOffer) -> str:
    """Returns, as a clause, why an offer from beside the log does not stand; "" if nothing has ended it."""
    made = (entry for entry in reversed(look.log.entries) if isinstance(entry, OfferEntry) and entry.by == ask.by)
    same = (entry for entry in made if entry.offer == ask.offer)
    found = next((one for one in same if one.n > ask.on or one.signature == ask.signature), None)
    return _explain_end(look, found, found.n if found else ask.on)


def _explain_end(look: SeatView, made: OfferEntry[Any] | None, since: int) -> str:
    """Returns, as a clause, why an offer ended after entry `since`; "" if it stands. `made` is its entry, if any."""
    after = (_describe_end(made, entry) for entry in look.log.entries[since + 1 :])
    return next(filter(None, after), "")


def _describe_end(made: OfferEntry[Any] | None, entry: AnyEntry) -> str:
    """Returns, as a clause, how an entry ends an offer; "" if it does not."""
    match entry:
        case RefuseEntry():
            return f"{entry.by} refused it in entry {entry.n}" if made and entry.to == made.n else ""
        case OfferEntry():
            does = "took it back" if entry.offer.withdrawn_hash else "made another offer"
            return f"{entry.by} {does} in entry {entry.n}" if made and entry.by == made.by else ""
    if type(entry) in REMARK_TYPES:
        return ""
    if made and _carries_out(made, entry):
        return f"it was carried out in entry {entry.n}"
    return f"{'the game' if entry.by == REFEREE else entry.by} went on in entry {entry.n}"


def _carries_out(made: OfferEntry[Any], entry: AnyEntry) -> bool:
    return carries_out_offer(PendingOffer(made.n, made.by, made.offer, ()), entry)
