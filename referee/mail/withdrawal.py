"""Taking back a player's own offer: without a trace if nobody has it yet, otherwise with a signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from referee.mail.packet import SignedOffer
from referee.mail.spool import read_sent_offers, read_waiting_offers, replace_waiting_offer
from referee.record.log import store
from referee.record.log.entry import encode_for_log
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deeds.withdraw import WithdrawOffer
from referee.record.table.opening_logs import open_log
from referee.record.table.pending_offers import hash_offer
from referee.record.table.signed_texts import make_offer_text

if TYPE_CHECKING:
    from pathlib import Path

    from referee.engine.event import Seat
    from referee.mail.mail_player import MailPlayer
    from referee.record.log.offer import Offer
    from referee.record.table.pending_offers import PendingOffer
    from referee.record.table.session import Session


class Withdrawal(Struct, frozen=True):
    """An offer that its seat has taken back."""

    session: Session
    """The game afterwards."""
    offer: Offer
    is_sent: bool
    """True if others may have the offer, so that the next mail carries the withdrawal."""


def sign_offer(desk: MailPlayer, seat: Seat, offer: Offer) -> SignedOffer:
    """Returns an offer that a seat makes beside the log, with its signature."""
    on = len(desk.session.entries) - 1
    return SignedOffer(
        seat, offer, on, desk.key.sign(make_offer_text(desk.protocol.record_id, on, encode_for_log(offer)))
    )


def withdraw_offer(desk: MailPlayer) -> Withdrawal | None:
    """Takes back the offer of the player here; returns None if they have made none.

    Raises NotAllowedError if they have taken it back already.
    """
    path, seat = desk.session.path, desk.seat
    if path is None or seat is None:
        return None
    waiting = next((ask for ask in read_waiting_offers(path) if ask.by == seat), None)
    if waiting and waiting.offer.withdrawn_hash:
        raise NotAllowedError("you have taken your offer back already; to tell the others: referee mail pack")
    if waiting:
        return _withdraw_waiting(desk, path, waiting)
    standing = next((one for one in desk.protocol.offers.values() if one.by == seat), None)
    return _withdraw_recorded(desk, path, standing) if standing else None


def _withdraw_waiting(desk: MailPlayer, path: Path, waiting: SignedOffer) -> Withdrawal:
    """Takes back an offer that waits beside the log.

    If a mail has carried the offer already, the signed withdrawal waits in its place, to be sent. Otherwise no trace is
    left.
    """
    is_sent = waiting.signature in [ask.signature for ask in read_sent_offers(path)]
    signed = sign_offer(desk, waiting.by, WithdrawOffer(hash_offer(waiting.offer))) if is_sent else None
    replace_waiting_offer(path, waiting.by, signed)
    return Withdrawal(desk.session, waiting.offer, is_sent)


def _withdraw_recorded(desk: MailPlayer, path: Path, standing: PendingOffer) -> Withdrawal:
    """Takes back an offer that stands in the log.

    A seat without the pen signs the withdrawal, which then waits to be sent. A seat with the pen records it. But if the
    offer is the last entry and nobody has signed it, the seat with the pen removes the entry without a trace.
    """
    session, offer = desk.session, WithdrawOffer(hash_offer(standing.offer))
    if not desk.has_pen:
        replace_waiting_offer(path, standing.by, sign_offer(desk, standing.by, offer))
        return Withdrawal(session, standing.offer, is_sent=True)
    if standing.n == len(session.entries) - 1 and desk.has_unsigned_entries:
        lines = session.entries.read_raw_lines()
        store.replace_log(path, b"".join(lines), b"".join(lines[:-1]))
        return Withdrawal(open_log(path), standing.offer, is_sent=False)
    desk.record_offer(offer)
    return Withdrawal(session, standing.offer, is_sent=True)
