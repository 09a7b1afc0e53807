"""Another key for a seat: asked for and agreed to beside the log, or taken with the recovery key that its owner has.

Nothing of it stands in the log before all others have signed their word. Until then a request waits in `<log>.mail/`:
it blocks nothing, costs no other request its place, and lapses when the seat's own key is heard of.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.event import Seat
from referee.mail.box import keep_requests, requests_in
from referee.mail.key import own_public
from referee.mail.packet import Ask
from referee.record.log.chair import Chair
from referee.record.log.signature import verify
from referee.record.table.mailed import is_signed
from referee.record.table.pact import Pact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.record.table.session import Session

MOST = 8
"""Requests that wait at once; more are told and not kept."""


def chair_in(ask: Ask) -> Chair | None:
    """The chair that a request asks for; None for any other offer."""
    return ask.offer.new_chair


def is_true(pact: Pact, ask: Ask) -> bool:
    """Whether an offer is signed by who may make it: the key of its seat, and for a request the key that is to be."""
    chair, text = chair_in(ask), ask.text(pact.record_id)
    if chair is None:
        return is_signed(pact, ask.by, text, ask.signature)
    return ask.by in pact.hands and verify(chair.key, text, ask.signature)


def stands(pact: Pact, ask: Ask) -> bool:
    """Whether a request is still to be answered: the seat's own key has signed nothing since."""
    hand, chair = pact.hands.get(ask.by), chair_in(ask)
    if hand is None or chair is None:
        return False
    return hand.chair.key != chair.key and pact.sealed.get(ask.by, -1) <= ask.on


def comes_back(pact: Pact, ask: Ask) -> bool:
    """Whether the true owner of a seat asks, who has its recovery key: he needs the pen, and nobody's word."""
    recovery, owner = ask.recovery, pact.owners.get(ask.by)
    if recovery is None or owner is None or not _is_of(recovery.key, owner):
        return False
    return verify(recovery.key, ask.text(pact.record_id), recovery.signature)


def _is_of(recovery: str, chair: Chair) -> bool:
    """Whether a recovery key is the one whose hash a chair holds."""
    return sha256(recovery.encode()).hexdigest() == chair.recovery


def own_request(session: Session, public: str | None) -> Ask | None:
    """What the owner of a key has asked for, if it still stands."""
    return next((ask for ask in standing(session) if key_of(ask) == public), None)


def requests(session: Session) -> tuple[Ask, ...]:
    """What strangers ask for, and this player may agree to: seats that are not his."""
    pact, public = session.fold.pact, own_public()
    assert pact is not None, "asked of games by mail"
    asks = (ask for ask in standing(session) if public not in (key_of(ask), pact.key_of(ask.by)))
    return tuple(ask for ask in asks if not comes_back(pact, ask))


def asked_seats(session: Session) -> frozenset[Seat]:
    """The seats at which somebody asks to play on with another key."""
    return frozenset(ask.by for ask in standing(session))


def is_agreed_here(session: Session, ask: Ask) -> bool:
    """Whether the player at this computer has given his word for a request; it goes with his next mail."""
    pact, public = session.fold.pact, own_public()
    return pact is not None and any(pact.key_of(one.by) == public for one in ask.consents)


def standing(session: Session) -> list[Ask]:
    """What was asked for, and is still to be answered."""
    pact, path = session.fold.pact, session.path
    return [ask for ask in requests_in(path) if stands(pact, ask)] if path and pact else []


def key_of(ask: Ask) -> str | None:
    """The key with which a request is to play on; None for any other offer."""
    chair = chair_in(ask)
    return chair.key if chair else None


def drop(session: Session, asks: Iterable[Ask]) -> None:
    """Refuse requests: they are forgotten. Nothing is signed, and nothing is sent."""
    gone = {ask.signature for ask in asks}
    if session.path:
        keep_requests(session.path, [one for one in requests_in(session.path) if one.signature not in gone])


def noted(session: Session, asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """Keep requests that have come, with the words that were given for them; and those that have lapsed by now."""
    pact, path = session.fold.pact, session.path
    assert pact is not None, "only games by mail get mail"
    if path is None:
        return ()
    before = {ask.signature: ask for ask in requests_in(path)}
    kept = {signature: ask for signature, ask in before.items() if stands(pact, ask)}
    for ask in asks:
        known = kept.get(ask.signature)
        if _is_of_use(pact, ask) and (known or len(kept) < MOST):
            kept[ask.signature] = _together(pact, known or replace(ask, consents=()), ask)
    if list(kept.values()) != list(before.values()):
        keep_requests(path, [*kept.values()])
    return tuple(ask for signature, ask in before.items() if signature not in kept)


def _is_of_use(pact: Pact, ask: Ask) -> bool:
    """Whether it is a request that this player may have to do with."""
    return chair_in(ask) is not None and is_true(pact, ask) and stands(pact, ask) and not _is_mine(pact, ask)


def _is_mine(pact: Pact, ask: Ask) -> bool:
    """Whether somebody asks for the very seat at which this player sits: nothing that he could agree to."""
    return pact.key_of(ask.by) == own_public()


def _together(pact: Pact, known: Ask, ask: Ask) -> Ask:
    """A request with all words that were given for it, as far as they are signed."""
    text = ask.consent_text(pact.record_id)
    words = {one.by: one for one in ask.consents if is_signed(pact, one.by, text, one.signature)}
    return replace(known, consents=tuple(({one.by: one for one in known.consents} | words).values()))


def waits_for(pact: Pact, ask: Ask) -> list[Seat]:
    """Whose word is still missing."""
    given = {ask.by, *(one.by for one in ask.consents)}
    return [seat for seat in pact.seats if seat not in given]
