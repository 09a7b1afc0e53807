"""Rulings: a director agrees to end a game in place of a player who does not answer.

The director adds nothing to the log. Their signed consent travels back beside the offer, and the player who made the
offer records both.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.mail.packet import Ask, DirectorsYes
from referee.mail.seats import get_mail_protocol
from referee.mail.spool import read_asks, replace_ask
from referee.record.log.entry import RulingEntry, encode
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.signed_texts import make_ruling_text

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.mail.mail_player import MailPlayer
    from referee.record.table.session import Session


def find_offer_to_rule_on(session: Session) -> Ask | None:
    """Returns the offer beside the log that waits for the director; None if there is none."""
    asks = read_asks(session.path) if session.path else ()
    return next((ask for ask in asks if ask.ruled is None and not ask.offer.withdrawn_hash), None)


def find_silent_seat(session: Session, ask: Ask) -> Seat:
    """Returns the seat that does not answer an offer: the one that did not make it."""
    return next(seat for seat in get_mail_protocol(session).seats if seat != ask.by)


def explain_no_ruling(session: Session, ask: Ask) -> str | None:
    """Returns why nobody may rule on an offer, as a clause; None if the director may. Does not look at the clock."""
    protocol, n = get_mail_protocol(session), len(session.entries)
    if ask.on != n - 1:
        return f"{ask.by} had not seen all that is here when they made the offer, so nothing is stuck"
    return protocol.explain_barred_ruling(ask.by, find_silent_seat(session, ask), ask.offer, n)


def rule_on(desk: MailPlayer, ask: Ask) -> None:
    """Signs the director's consent to an offer, which goes with the next mail.

    Raises NotAllowedError if the director may not rule on the offer, for instance because nothing is stuck.
    """
    session, protocol = desk.session, desk.protocol
    problem = explain_no_ruling(session, ask)
    if problem:
        raise NotAllowedError(problem)
    seat = find_silent_seat(session, ask)
    text = make_ruling_text(
        protocol.record_id, len(session.entries) - 1, session.head.hash, ask.by, seat, encode(ask.offer)
    )
    replace_ask(session.file_path, ask.by, replace(ask, ruled=DirectorsYes(seat, desk.key.sign(text))))


def list_rulings_to_send(session: Session) -> list[Ask]:
    """Returns the offers that the director here has agreed to, as long as nobody has played on."""
    asks = read_asks(session.path) if session.path else ()
    return [ask for ask in asks if ask.ruled and ask.on == len(session.entries) - 1]


def take_ruling(desk: MailPlayer) -> bool:
    """Records this player's own offer with the director's consent, if it has come. Returns True if it did."""
    path = desk.session.path
    asks = read_asks(path) if path else ()
    ask = next((one for one in asks if one.by == desk.seat and one.ruled), None)
    if ask is None or ask.ruled is None or desk.has_pen:
        return False
    entry = partial(RulingEntry, by=ask.by, offer=ask.offer, seat=ask.ruled.seat, signature=ask.ruled.signature)
    with suppress(NotAllowedError):  # the consent is forged, or the other player has answered
        desk.session.append([(entry, None)])
        return True
    return False
