"""What a player does at his desk about a seat that goes on with another key: ask for it, give his word, sit down."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.event import Seat
from referee.engine.text import listing
from referee.mail.box import keep_requests, requests_in
from referee.mail.desk import Desk
from referee.mail.heirs import chair_in, drop, key_of, own_request, standing, waits_for
from referee.mail.key import recovery_key
from referee.mail.packet import Ask
from referee.record.log.chair import Consent, OnRecovery, OnWord
from referee.record.log.entry import encode
from referee.record.log.faults import NotAllowedError
from referee.record.table.deeds.rejoin import RejoinOffer
from referee.record.table.signing import recovery_text

if TYPE_CHECKING:
    from referee.mail.key import Key


def ask_for(desk: Desk, seat: Seat, owner: Key | None = None) -> None:
    """Ask to play on at a seat with this key, the old one being lost; the request waits until the next mail. `owner`:
    the old key, out of its back-up; then the pen is all that is asked for.
    """
    path, pact = desk.session.path, desk.pact
    if seat not in pact.hands:
        raise NotAllowedError(f"nobody has joined at {seat} yet; sit down with: referee join {seat}")
    if desk.seat is not None:
        raise NotAllowedError(f"your key sits at {desk.seat}; nothing is lost")
    assert path is not None, "only a log that is a file is played on by mail"
    offer, on = RejoinOffer(desk.chair(seat)), len(desk.session.entries) - 1
    ask = Ask(seat, offer, on, "")
    text = ask.text(pact.record_id)
    recovery = recovery_key(owner.secret) if owner else None
    warrant = OnRecovery(recovery.public, recovery.sign(text)) if recovery else None
    ask = replace(ask, signature=desk.key.sign(text), recovery=warrant)
    keep_requests(path, [ask, *(one for one in requests_in(path) if key_of(one) != desk.key.public)])


def consent(desk: Desk, ask: Ask) -> None:
    """Sign one's word that another key plays on; it goes with the next mail."""
    path, seat, pact = desk.session.path, desk.seat, desk.pact
    if seat is None or path is None:
        raise NotAllowedError("your key sits nowhere in this game")
    if ask.on >= len(desk.session.entries):
        raise NotAllowedError("it was asked for after mails that you have not had yet; open those first")
    mine = Consent(seat, desk.key.sign(ask.consent_text(pact.record_id)))
    given = replace(ask, consents=(*(one for one in ask.consents if one.by != seat), mine))
    keep_requests(path, [given if one.signature == ask.signature else one for one in requests_in(path)])


def to_send(desk: Desk) -> list[Ask]:
    """Requests that go with a mail: one's own, and those to which one has agreed."""
    return [
        ask
        for ask in standing(desk.session)
        if key_of(ask) == desk.key.public or desk.seat in {one.by for one in ask.consents}
    ]


def sit_down(desk: Desk) -> bool:
    """Take the seat that was asked for, once all others have given their word and the pen is there."""
    ask = own_request(desk.session, desk.key.public)
    if ask is None or desk.seat is not None or desk.pact.pen != ask.by or waits_for(desk.pact, ask):
        return False
    if desk.pact.cast and {*desk.pact.cast.owing} - {ask.by}:
        return False  # others owe parts of a throw, and give them first
    chair = chair_in(ask)
    assert chair is not None, "a request asks for a chair"
    desk.session.append([(partial(desk.joining(ask.by, chair), warrant=OnWord(ask.on, ask.consents)), None)])
    drop(desk.session, [ask])
    return True


def recover(desk: Desk, seat: Seat, owner: Key) -> bool:
    """Take one's seat again with the recovery key of the back-up `owner`, on nobody's word; where somebody else has the
    pen, ask for it. Whether this player sits there now. NotAllowedError where the back-up is of another key than the
    one that joined.
    """
    pact, recovery = desk.pact, recovery_key(owner.secret)
    if seat not in pact.owners or pact.owners[seat].recovery != owner.recovery:
        raise NotAllowedError(f"this back-up is of another key than the one that joined at {seat}")
    if desk.seat is not None:
        raise NotAllowedError(f"your key sits at {desk.seat}; nothing is lost")
    if pact.pen != seat:
        ask_for(desk, seat, owner)
        return False
    _answer_first(desk, seat, owner)
    chair = desk.chair(seat)
    signature = recovery.sign(recovery_text(pact.record_id, seat, encode(chair)))
    warrant = OnRecovery(recovery.public, signature)
    desk.session.append([(partial(desk.joining(seat, chair), warrant=warrant), None)])
    return True


def _answer_first(desk: Desk, seat: Seat, owner: Key) -> None:
    """What the old chain owes to a throw is given before it is left: no die is refused by changing keys."""
    cast = desk.pact.cast
    if cast is None or cast.is_complete:
        return
    old = Desk(desk.session, owner)
    if old.seat == seat:
        old.settle()
    if desk.pact.cast and desk.pact.cast.owing:
        raise NotAllowedError(f"dice are being thrown; first {listing(desk.pact.cast.owing)} has to answer")
