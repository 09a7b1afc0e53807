"""Rulings: a director agrees to end a game in place of a player who does not answer.

The director adds nothing to the log. Their signed consent travels back beside the offer, and so do those of the other
players. The player who made the offer records them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.text import listing
from referee.mail.packet import DirectorConsent, SignedOffer
from referee.mail.seats import get_mail_protocol
from referee.mail.spool import read_waiting_offers, replace_waiting_offer
from referee.record.log.enrolment import Consent
from referee.record.log.entry import RulingEntry, encode_for_log
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.signature import verify_signature
from referee.record.table.mail_verifier import is_signed_by_seat
from referee.record.table.signed_texts import make_ruling_text

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.mail.mail_player import MailPlayer
    from referee.record.table.session import Session


def find_offer_to_rule_on(session: Session) -> SignedOffer | None:
    """Returns the offer beside the log that waits for the director; None if there is none."""
    asks = read_waiting_offers(session.path) if session.path else ()
    return next((ask for ask in asks if ask.ruled is None and not ask.offer.withdrawn_hash), None)


def find_silent_seat(session: Session, ask: SignedOffer) -> Seat:
    """Returns the seat that does not answer an offer: one that the game waits for and that did not make the offer.

    A seat that owes a share of a joint roll comes before the seat with the pen. If the game waits for nobody else,
    returns the first other seat.
    """
    protocol = get_mail_protocol(session)
    return next(seat for seat in (*protocol.awaited_seats, *protocol.seats) if seat != ask.by)


def explain_no_ruling(session: Session, ask: SignedOffer) -> str | None:
    """Returns why nobody may rule on an offer, as a clause; None if the director may, once all others have agreed. Does
    not look at the clock.
    """
    protocol, n = get_mail_protocol(session), len(session.entries)
    if ask.on != n - 1:
        return f"{ask.by} had not seen all that is here when they made the offer, so nothing is stuck"
    return protocol.explain_barred_ruling(ask.by, find_silent_seat(session, ask), ask.offer, n)


def list_seats_to_agree(session: Session, ask: SignedOffer) -> list[Seat]:
    """Returns the seats that must still agree to an offer before the director may."""
    given = {consent.by for consent in ask.consents}
    needed = get_mail_protocol(session).list_seats_to_consent(ask.by, find_silent_seat(session, ask), ask.offer)
    return [seat for seat in needed if seat not in given]


def _make_text(session: Session, ask: SignedOffer) -> bytes:
    """Returns the text that the director and the other players sign."""
    record_id, seat = get_mail_protocol(session).record_id, find_silent_seat(session, ask)
    return make_ruling_text(
        record_id, len(session.entries) - 1, session.head.hash, ask.by, seat, encode_for_log(ask.offer)
    )


def sign_ruling(desk: MailPlayer, ask: SignedOffer) -> None:
    """Signs the director's consent to an offer, which goes with the next mail.

    Raises NotAllowedError if the director may not rule on the offer, for instance because nothing is stuck.
    """
    session = desk.session
    problem, missing = explain_no_ruling(session, ask), list_seats_to_agree(session, ask)
    if problem:
        raise NotAllowedError(problem)
    if missing:
        raise NotAllowedError(explain_missing_agreement(missing))
    signed = DirectorConsent(find_silent_seat(session, ask), desk.key.sign(_make_text(session, ask)))
    replace_waiting_offer(session.file_path, ask.by, replace(ask, ruled=signed))


def explain_missing_agreement(missing: Sequence[Seat]) -> str:
    """Returns a clause about the seats that must agree before the director may."""
    return f"{listing(missing)} must agree first; they type: referee mail agree, then referee mail pack, to all"


def find_offer_to_consent(desk: MailPlayer) -> SignedOffer | None:
    """Returns another player's offer to which this player may agree beside the log; None if there is none.

    Once all others have agreed, the director may agree to it in place of the player who does not answer.
    """
    session, seat = desk.session, desk.seat
    if session.path is None or seat is None:
        return None
    asks = (ask for ask in read_waiting_offers(session.path) if explain_no_ruling(session, ask) is None)
    return next((ask for ask in asks if seat in list_seats_to_agree(session, ask)), None)


def give_consent_to_ruling(desk: MailPlayer, ask: SignedOffer) -> None:
    """Signs this player's consent to another player's offer. The consent goes with the next mail."""
    session, seat = desk.session, desk.seat
    assert seat is not None, "an offer was found for this seat"
    mine = Consent(seat, desk.key.sign(_make_text(session, ask)))
    replace_waiting_offer(session.file_path, ask.by, replace(ask, consents=(*ask.consents, mine)))


def list_consented_offers(session: Session, seat: Seat) -> list[SignedOffer]:
    """Returns the offers of others that go with a mail of `seat`, because that player has agreed to them."""
    asks = read_waiting_offers(session.path) if session.path else ()
    return [ask for ask in asks if ask.by != seat and any(consent.by == seat for consent in ask.consents)]


def list_rulable_offers(session: Session, asks: Iterable[SignedOffer]) -> list[SignedOffer]:
    """Returns those of the offers that the director may still agree to."""
    return [ask for ask in asks if explain_no_ruling(session, ask) is None]


def merge_consents(session: Session, known: SignedOffer, received: Iterable[SignedOffer]) -> SignedOffer:
    """Returns an offer that is known here, with the valid consents of its copies among received offers.

    The director's consent is taken over, too. An offer on which nobody may rule is returned unchanged.
    """
    copies = [ask for ask in received if ask.signature == known.signature]
    if not copies or explain_no_ruling(session, known) is not None:
        return known
    protocol, text = get_mail_protocol(session), _make_text(session, known)
    given = (one for ask in copies for one in ask.consents)
    valid = {one.by: one for one in given if is_signed_by_seat(protocol, one.by, text, one.signature)}
    consents = valid | {one.by: one for one in known.consents}
    rulings = [ask.ruled for ask in copies if ask.ruled and _is_by_director(session, ask.ruled, text)]
    return replace(known, consents=tuple(consents.values()), ruled=next(iter(rulings), known.ruled))


def _is_by_director(session: Session, ruled: DirectorConsent, text: bytes) -> bool:
    """True if the director has signed this text. Anybody may put another signature into a mail."""
    director = get_mail_protocol(session).director
    return director is not None and verify_signature(director.key, text, ruled.signature)


def list_rulings_to_send(session: Session) -> list[SignedOffer]:
    """Returns the offers that the director here has agreed to, as long as nobody has played on."""
    asks = read_waiting_offers(session.path) if session.path else ()
    return [ask for ask in asks if ask.ruled and ask.on == len(session.entries) - 1]


def record_ruled_offer(desk: MailPlayer) -> bool:
    """Records this player's own offer, if the director's consent has come. Returns True if the offer was recorded."""
    path = desk.session.path
    asks = read_waiting_offers(path) if path else ()
    ask = next((one for one in asks if one.by == desk.seat and one.ruled), None)
    if ask is None or ask.ruled is None:
        return False
    needed = get_mail_protocol(desk.session).list_seats_to_consent(ask.by, ask.ruled.seat, ask.offer)
    consents = tuple(one for one in ask.consents if one.by in needed)
    signed = partial(RulingEntry, seat=ask.ruled.seat, signature=ask.ruled.signature, consents=consents)
    entry = partial(signed, by=ask.by, offer=ask.offer)
    with suppress(NotAllowedError):  # the consent is forged, or the other player has answered
        desk.session.append([(entry, None)])
        return True
    return False
