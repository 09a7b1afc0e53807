"""The offers and requests that a mail carries beside the log: those that are kept, and those that are news here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.mail.key_replacement import (
    find_requested_enrolment,
    has_valid_signature,
    is_pending_request,
    list_pending_requests,
)
from referee.mail.packet import SignedOffer
from referee.mail.rulings import merge_consents
from referee.mail.seats import get_mail_protocol
from referee.mail.spool import read_key_requests, read_waiting_offers
from referee.record.table.mail_protocol import REMARK_TYPES

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.session import Session


def merge_waiting_offers(session: Session, asks: Iterable[SignedOffer]) -> list[SignedOffer]:
    """Returns the waiting offers, with those of a mail: the latest signed offer of each seat. Changes nothing.

    Leaves out offers that are recorded already, and offers that can no longer be recorded.
    """
    protocol = get_mail_protocol(session)
    fresh = [ask for ask in asks if find_requested_enrolment(ask) is None and has_valid_signature(protocol, ask)]
    here = read_waiting_offers(session.path) if session.path else ()
    if not (fresh or here):
        return []
    known, changed = {getattr(entry, "signature", None) for entry in session.entries}, _find_last_change(session)
    bare = [replace(ask, consents=(), ruled=None) for ask in fresh]
    order = sorted((*here, *bare), key=lambda ask: (ask.on, bool(ask.offer.withdrawn_hash)))
    waiting: dict[Seat, SignedOffer] = {}
    for ask in order:
        old = waiting.get(ask.by)
        if ask.on >= changed and not (old and old.signature == ask.signature):
            waiting[ask.by] = ask
    return [merge_consents(session, ask, fresh) for ask in waiting.values() if ask.signature not in known]


def has_unknown_offers(session: Session, asks: Iterable[SignedOffer]) -> bool:
    """True if a mail brings an offer, a request or a consent that is not here yet. Call this before any is kept.

    Those that do not count are never kept, so they are news each time. Those that have lapsed are no news.
    """
    return any(
        _is_new_offer(session, ask) if find_requested_enrolment(ask) is None else _is_new_request(session, ask)
        for ask in asks
    )


def _is_new_request(session: Session, ask: SignedOffer) -> bool:
    if not is_pending_request(get_mail_protocol(session), ask):
        return False
    after = _find_by_signature(list_pending_requests(session, [ask]), ask)
    return after is None or after != _find_by_signature(read_key_requests(session.path) if session.path else (), ask)


def _is_new_offer(session: Session, ask: SignedOffer) -> bool:
    if not has_valid_signature(get_mail_protocol(session), ask):
        return ask.on >= _find_last_change(session)
    after = _find_by_signature(merge_waiting_offers(session, [ask]), ask)
    before = _find_by_signature(read_waiting_offers(session.path) if session.path else (), ask)
    return after is not None and after != before


def _find_by_signature(asks: Iterable[SignedOffer], ask: SignedOffer) -> SignedOffer | None:
    return next((one for one in asks if one.signature == ask.signature), None)


def _find_last_change(session: Session) -> int:
    """Returns the number of the last entry that changed the game or its dice.

    An offer that was made before that entry can no longer be recorded.
    """
    return next(n for n in range(len(session.entries) - 1, -1, -1) if type(session.entries[n]) not in REMARK_TYPES)
