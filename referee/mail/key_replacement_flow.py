"""The steps by which a seat gets another key: one player requests it, the others agree, and the player sits down with
it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.event import Seat
from referee.engine.text import listing
from referee.mail.joining import describe_ways_to_join
from referee.mail.key import derive_recovery_key
from referee.mail.key_replacement import (
    discard_requests,
    find_own_request,
    find_requested_enrolment,
    find_requested_key,
    list_pending_requests,
    list_seats_without_consent,
)
from referee.mail.mail_player import MailPlayer
from referee.mail.packet import SignedOffer
from referee.mail.roll_shares import list_unrecorded_shares
from referee.mail.spool import read_key_requests, write_key_requests
from referee.record.log.enrolment import Consent, ConsentWarrant, RecoveryWarrant
from referee.record.log.entry import encode_for_log
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deeds.rejoin import RejoinOffer
from referee.record.table.signed_texts import make_recovery_text

if TYPE_CHECKING:
    from referee.mail.key import Key


def request_seat(desk: MailPlayer, seat: Seat, owner: Key | None = None, name: str = "") -> None:
    """Requests to play on at a seat with this player's key. The request goes with the next mail.

    `name` is a new player who takes the seat over, or "" if the old key was lost.

    `owner` is the old key, if a back-up has it. Then nobody has to agree, and the player only asks for the pen. Raises
    NotAllowedError if nobody has joined at the seat, or if this key has a seat or directs the game.
    """
    path, protocol = desk.session.file_path, desk.protocol
    desk.check_may_join()
    if seat not in protocol.chain_positions:
        raise NotAllowedError(f"nobody has joined at {seat} yet; {describe_ways_to_join(desk.session)}")
    if desk.seat is not None:
        raise NotAllowedError(f"your key still plays {desk.seat}, so you need no other key")
    offer, on = RejoinOffer(desk.make_enrolment(seat), name), len(desk.session.entries) - 1
    ask = SignedOffer(seat, offer, on, "")
    text = ask.make_text_to_sign(protocol.record_id)
    recovery = derive_recovery_key(owner.secret) if owner else None
    warrant = RecoveryWarrant(recovery.public, recovery.sign(text)) if recovery else None
    ask = replace(ask, signature=desk.key.sign(text), recovery=warrant)
    write_key_requests(
        path, [ask, *(one for one in read_key_requests(path) if find_requested_key(one) != desk.key.public)]
    )


def give_consent_to_request(desk: MailPlayer, ask: SignedOffer) -> None:
    """Signs this player's consent to another key. The consent goes with the next mail.

    Raises NotAllowedError if the player has no seat, or if entries before the request are missing here.
    """
    path, seat, protocol = desk.session.path, desk.seat, desk.protocol
    if seat is None or path is None:
        raise NotAllowedError("your key has no seat in this game")
    if ask.on >= len(desk.session.entries):
        raise NotAllowedError("this request was made after mails that you have not opened yet; open those first")
    mine = Consent(seat, desk.key.sign(ask.make_text_of_consent(protocol.record_id)))
    given = replace(ask, consents=(*(one for one in ask.consents if one.by != seat), mine))
    write_key_requests(path, [given if one.signature == ask.signature else one for one in read_key_requests(path)])


def list_requests_to_send(desk: MailPlayer) -> list[SignedOffer]:
    """Returns the requests that go with a mail: this player's own, and those that the player agreed to."""
    return [
        ask
        for ask in list_pending_requests(desk.session)
        if find_requested_key(ask) == desk.key.public or desk.seat in {one.by for one in ask.consents}
    ]


def take_requested_seat(desk: MailPlayer) -> bool:
    """Takes the seat that this key requests, once all others have agreed and the seat has the pen.

    Waits while others owe shares of a roll that have not come here. Returns True if the seat was taken.
    """
    ask = find_own_request(desk.session, desk.key.public)
    if (
        ask is None
        or desk.seat is not None
        or desk.protocol.pen != ask.by
        or list_seats_without_consent(desk.protocol, ask)
    ):
        return False
    owing = {*desk.protocol.joint_roll.owing_seats} - {ask.by} if desk.protocol.joint_roll else set[Seat]()
    if owing - {part.by for part in list_unrecorded_shares(desk.session)}:
        return False  # others owe shares of a roll, and give them first
    desk.record_received_shares()  # nobody else can record the shares: this seat has the pen, and no player yet
    chair = find_requested_enrolment(ask)
    assert chair is not None, "a request comes with a new key"
    join = desk.make_join_entry(ask.by, chair)
    desk.session.append([(partial(join, warrant=ConsentWarrant(ask.on, ask.consents), name=ask.offer.new_name), None)])
    discard_requests(desk.session, [ask])
    return True


def recover_seat(desk: MailPlayer, seat: Seat, owner: Key) -> bool:
    """Takes a seat again with the recovery key of `owner`, the old key from its back-up. Nobody has to agree.

    If another seat has the pen, this requests the pen and returns False; otherwise it returns True. Raises
    NotAllowedError if `owner` is not the key that joined, if this key has a seat, or if others owe shares of a roll.
    """
    protocol, recovery = desk.protocol, derive_recovery_key(owner.secret)
    if seat not in protocol.enrolments or protocol.enrolments[seat].recovery != owner.recovery_hash:
        raise NotAllowedError(f"this back-up is of another key than the one that joined at {seat}")
    if desk.seat is not None:
        raise NotAllowedError(f"your key still plays {desk.seat}, so you need no other key")
    if protocol.pen != seat:
        request_seat(desk, seat, owner)
        return False
    _give_owed_share(desk, seat, owner)
    chair = desk.make_enrolment(seat)
    signature = recovery.sign(make_recovery_text(protocol.record_id, seat, encode_for_log(chair)))
    warrant = RecoveryWarrant(recovery.public, signature)
    desk.session.append([(partial(desk.make_join_entry(seat, chair), warrant=warrant), None)])
    return True


def _give_owed_share(desk: MailPlayer, seat: Seat, owner: Key) -> None:
    """Gives the share that the old key owes to the open roll. So nobody can refuse a die by changing keys.

    Raises NotAllowedError if shares are still missing after that.
    """
    cast = desk.protocol.joint_roll
    if cast is None or cast.is_complete:
        return
    old = MailPlayer(desk.session, owner)
    if old.seat == seat:
        old.do_automatic_steps()
    if desk.protocol.joint_roll and desk.protocol.joint_roll.owing_seats:
        raise NotAllowedError(
            f"dice are being rolled; first open the next mail from {listing(desk.protocol.joint_roll.owing_seats)}"
        )
