"""Giving and withdrawing a player's own orders, and the reasons for which they lapse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.engine.text import NotUnderstoodError, split_phrases
from referee.mail.order_conditions import OrdersError
from referee.mail.order_file import StoredOrders, has_stored_orders, store_orders
from referee.mail.orders import Orders, format_orders, list_move_lines, parse_orders
from referee.record.log.entry import AgreeEntry, DeclareEntry, DeedEntry, OfferEntry, PlayEntry, RefuseEntry
from referee.record.log.log_errors import NotAllowedError

if TYPE_CHECKING:
    from referee.engine.action_grammar import ParsedPhrase
    from referee.engine.event import Seat
    from referee.mail.mail_player import MailPlayer
    from referee.record.table.moment import Moment
    from referee.record.table.session import Session

DECISION_ENTRY_TYPES = (DeclareEntry, OfferEntry, AgreeEntry, RefuseEntry, DeedEntry)
"""The types of entries in which a player always says something themself."""

# Giving and withdrawing


def give_orders(desk: MailPlayer, text: str) -> StoredOrders:
    """Stores orders in place of earlier ones.

    Raises OrdersError or NotUnderstoodError if the orders cannot be read. Raises NotAllowedError if the player has no
    seat or could move at once, or if the game is over.
    """
    orders, seat = parse_orders(text), desk.seat
    if seat is None:
        raise NotAllowedError("your key has no seat in this game, so there is nothing to give orders for")
    if desk.session.moment().outcome:
        raise NotAllowedError("the game is over")
    if has_to_decide(desk, seat):
        raise NotAllowedError("it is your move now, so make it; orders are for what comes after it")
    _check_readable(desk.session, seat, orders)
    stored = make_stored_orders(desk.session, seat, orders)
    store_orders(desk.protocol.record_id, stored)
    return stored


def withdraw_orders(desk: MailPlayer) -> bool:
    """Forgets the orders of the player; returns False if there are none. Raises KeyProblemError."""
    record_id = desk.protocol.record_id
    given = has_stored_orders(record_id)
    store_orders(record_id, None)
    return given


def _check_readable(session: Session, seat: Seat, orders: Orders) -> None:
    """Raises NotUnderstoodError for moves that mean nothing, and OrdersError for moves that may mean something else."""
    for line in list_move_lines(orders):
        phrases, verb = split_phrases(line) or [line], ""
        while phrases:
            reading = _read_first(session.moment(), seat, phrases, verb)
            phrases[:0], verb = split_phrases(reading.rest), reading.verb
            if reading.doubt and not reading.insists:
                raise OrdersError(f"{reading.doubt}; write that move in full")


def _read_first(moment: Moment, seat: Seat, phrases: list[str], verb: str) -> ParsedPhrase:
    """Takes the first phrase off `phrases` and reads it, with the next phrase if a comma stands inside the move."""
    phrase, view = phrases.pop(0), moment.view(seat)
    while phrases and moment.game.continues_phrase(phrase, view, seat):
        phrase = f"{phrase} {phrases.pop(0)}"
    try:
        return moment.read(phrase, seat, verb)
    except NotUnderstoodError:
        if not phrases:
            raise
        reading = moment.read(f"{phrase} {phrases[0]}", seat, verb)
        phrases.pop(0)
        return reading


def make_stored_orders(
    session: Session, seat: Seat, orders: Orders, before: StoredOrders | None = None
) -> StoredOrders:
    """Returns orders that count from the present end of the log.

    `before` are the orders of which a part was just carried out, if `orders` are the rest of them; None for new orders.
    """
    cast, last = session.moment().joint_roll, len(session.entries) - 1
    declared = len(cast.actions or ()) if cast and cast.by == seat else 0
    line = session.in_force()[-1]
    given, count = (before.given, before.count + 1) if before else (line, 0)
    return StoredOrders(seat, format_orders(orders), given, line, last, session.hash_at(last), declared, count)


# Withdrawn


def explain_lapsed_orders(session: Session, stored: StoredOrders) -> str | None:
    """Returns the reason that orders no longer count, as a clause; None if they do."""
    if stored.last >= len(session.entries) or session.hash_at(stored.last) != stored.hash:
        return "the game has gone on from an earlier entry in another way"
    if stored.line not in session.in_force():
        return f"you gave them after entry {stored.line}, which was taken back"
    said = _find_own_decision(session, stored)
    if said is not None:
        return f"you have decided something else since, in entry {said}"
    return None


def _find_own_decision(session: Session, stored: StoredOrders) -> int | None:
    """Returns the number of the first entry after the orders in which their seat decided something.

    Forced plays do not count, nor do plays that the seat had declared before. Returns None if there is no such entry.
    """
    left = stored.declared
    for entry in session.entries[stored.last + 1 :]:
        if entry.by != stored.seat:
            continue
        if isinstance(entry, DECISION_ENTRY_TYPES):
            return entry.n
        if isinstance(entry, PlayEntry) and not _is_forced(session, entry):
            left -= 1
            if left < 0:
                return entry.n
    return None


def _is_forced(session: Session, entry: PlayEntry[Any, Any, Any, Any, Any]) -> bool:
    """True if a play was an answer that its seat owed, or the only thing that the seat could do."""
    before = session.moment(entry.n - 1)
    if before.is_answer_due:
        return True
    return before.known.can_open_view_of(entry.by) and before.legal(entry.by).only_action() == entry.known_action


def has_to_decide(desk: MailPlayer, seat: Seat) -> bool:
    """True if the player here has to decide something now, and nothing else comes first."""
    moment, protocol = desk.session.moment(), desk.protocol
    waits = protocol.seats_to_join or protocol.offers or (protocol.joint_roll and not protocol.joint_roll.is_in_use)
    return (
        desk.has_pen
        and not waits
        and moment.to_act == seat
        and moment.knows_acting_seat_secrets
        and not moment.is_answer_due
        and not moment.outcome
    )
