"""Another key for a seat: requested and agreed to beside the log, or taken with the owner's recovery key.

A request is not in the log. It waits in `<log>.mail/` until all others have signed their consent. It blocks nothing,
displaces no other request, and lapses as soon as the seat's own key signs something.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.event import Seat
from referee.mail.key import read_own_public_key
from referee.mail.packet import SignedOffer
from referee.mail.spool import read_key_requests, write_key_requests
from referee.record.log.enrolment import Enrolment
from referee.record.log.signature import verify_signature
from referee.record.table.mail_protocol import MailProtocol
from referee.record.table.mail_verifier import is_signed_by_seat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.record.table.session import Session

MAX_REQUESTS = 8
"""The most requests that wait at once. Further ones are shown and not kept."""


def find_requested_enrolment(ask: SignedOffer) -> Enrolment | None:
    """Returns the enrolment that a request asks for; None for any other offer."""
    return ask.offer.new_enrolment


def has_valid_signature(protocol: MailProtocol, ask: SignedOffer) -> bool:
    """True if an offer is signed by the key of its seat, or a request by the key that it asks for."""
    chair, text = find_requested_enrolment(ask), ask.make_text_to_sign(protocol.record_id)
    if chair is None:
        return is_signed_by_seat(protocol, ask.by, text, ask.signature)
    return ask.by in protocol.chain_positions and verify_signature(chair.key, text, ask.signature)


def is_pending_request(protocol: MailProtocol, ask: SignedOffer) -> bool:
    """True while a request for another key is pending. It lapses once the seat's own key signs anything."""
    hand, chair = protocol.chain_positions.get(ask.by), find_requested_enrolment(ask)
    if hand is None or chair is None:
        return False
    return hand.enrolment.key != chair.key and protocol.signed_up_to.get(ask.by, -1) <= ask.on


def is_recovery_request(protocol: MailProtocol, ask: SignedOffer) -> bool:
    """True if the request is signed with the recovery key. Then it needs no consent, only the pen."""
    recovery, owner = ask.recovery, protocol.enrolments.get(ask.by)
    if recovery is None or owner is None or not _has_recovery_key(recovery.key, owner):
        return False
    return verify_signature(recovery.key, ask.make_text_to_sign(protocol.record_id), recovery.signature)


def _has_recovery_key(recovery: str, chair: Enrolment) -> bool:
    """True if an enrolment holds the hash of this recovery key."""
    return sha256(recovery.encode()).hexdigest() == chair.recovery


def find_own_request(session: Session, public: str | None) -> SignedOffer | None:
    """Returns the pending request for this public key; None if there is none."""
    return next((ask for ask in list_pending_requests(session) if find_requested_key(ask) == public), None)


def list_requests_to_answer(session: Session, arriving: Iterable[SignedOffer] = ()) -> tuple[SignedOffer, ...]:
    """Returns the pending requests of others, to which this player may agree. A recovery needs no consent.

    `arriving` are the requests of a mail, whether they are kept already or the mail is only looked at.
    """
    protocol, public = session.reducer.protocol, read_own_public_key()
    assert protocol is not None, "only games by mail have requests"
    asks = (
        ask
        for ask in list_pending_requests(session, arriving)
        if public not in (find_requested_key(ask), protocol.find_signing_key(ask.by))
    )
    return tuple(ask for ask in asks if not is_recovery_request(protocol, ask))


def find_requested_seats(session: Session) -> frozenset[Seat]:
    """Returns the seats for which another key is requested."""
    return frozenset(ask.by for ask in list_pending_requests(session))


def has_own_consent(session: Session, ask: SignedOffer) -> bool:
    """True if the player at this computer has agreed to a request. The consent goes with their next mail."""
    protocol, public = session.reducer.protocol, read_own_public_key()
    return protocol is not None and any(protocol.find_signing_key(one.by) == public for one in ask.consents)


def list_pending_requests(session: Session, arriving: Iterable[SignedOffer] = ()) -> list[SignedOffer]:
    """Returns all pending requests, and those of a mail that are `arriving`. Changes nothing."""
    protocol, path = session.reducer.protocol, session.path
    if protocol is None or path is None:
        return []
    kept = {ask.signature: ask for ask in read_key_requests(path) if is_pending_request(protocol, ask)}
    for ask in arriving:
        known = kept.get(ask.signature)
        if _is_of_use(protocol, ask) and (known or len(kept) < MAX_REQUESTS):
            kept[ask.signature] = _merge_consents(protocol, known or replace(ask, consents=()), ask)
    return [*kept.values()]


def find_requested_key(ask: SignedOffer) -> str | None:
    """Returns the key that a request asks for; None for any other offer."""
    chair = find_requested_enrolment(ask)
    return chair.key if chair else None


def discard_requests(session: Session, asks: Iterable[SignedOffer]) -> None:
    """Discards requests. Nothing is signed and nothing is sent."""
    gone = {ask.signature for ask in asks}
    if session.path:
        write_key_requests(session.path, [one for one in read_key_requests(session.path) if one.signature not in gone])


def store_requests(session: Session, asks: Iterable[SignedOffer]) -> tuple[SignedOffer, ...]:
    """Keeps received requests with their consents. Returns the requests kept until now that have lapsed."""
    path = session.path
    if path is None:
        return ()
    before, kept, lapsed = read_key_requests(path), list_pending_requests(session, asks), list_lapsed_requests(session)
    if kept != [*before]:
        write_key_requests(path, kept)
    return lapsed


def list_lapsed_requests(session: Session) -> tuple[SignedOffer, ...]:
    """Returns the requests kept until now that have lapsed."""
    protocol, path = session.reducer.protocol, session.path
    before = read_key_requests(path) if path and protocol else ()
    return tuple(ask for ask in before if protocol and not is_pending_request(protocol, ask))


def _is_of_use(protocol: MailProtocol, ask: SignedOffer) -> bool:
    """True if a request is valid and pending, and not for this player's own seat."""
    return (
        find_requested_enrolment(ask) is not None
        and has_valid_signature(protocol, ask)
        and is_pending_request(protocol, ask)
        and not _is_mine(protocol, ask)
    )


def _is_mine(protocol: MailProtocol, ask: SignedOffer) -> bool:
    """True if the request is for this player's own seat. Then they cannot agree to it."""
    return protocol.find_signing_key(ask.by) == read_own_public_key()


def _merge_consents(protocol: MailProtocol, known: SignedOffer, ask: SignedOffer) -> SignedOffer:
    """Returns the known request, together with the valid consents of the received one."""
    text = ask.make_text_of_consent(protocol.record_id)
    words = {one.by: one for one in ask.consents if is_signed_by_seat(protocol, one.by, text, one.signature)}
    return replace(known, consents=tuple(({one.by: one for one in known.consents} | words).values()))


def list_seats_without_consent(protocol: MailProtocol, ask: SignedOffer) -> list[Seat]:
    """Returns the seats whose consent is still missing."""
    given = {ask.by, *(one.by for one in ask.consents)}
    return [seat for seat in protocol.seats if seat not in given]
