"""The next step in a game by mail: the missing mail, the open roll, and the offers that wait."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

from referee.cli.answer import AnswerLine, Text
from referee.cli.log_paths import is_current_log, list_game_logs
from referee.cli.mail.mail_entry_text import describe_declared_actions, describe_offer, describe_secret_action_count
from referee.cli.treaty_text import describe_treaty
from referee.engine.text import listing
from referee.mail.joining import NOT_LIKE_THIS, describe_ways_to_join, explain_barred_joining
from referee.mail.key import read_own_key, read_own_public_key
from referee.mail.key_replacement import find_own_request, list_seats_without_consent
from referee.mail.mail_player import MailPlayer
from referee.mail.roll_shares import owes_share_beside_log
from referee.mail.seats import find_own_seat, is_own_key_director
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.mail_protocol import MailProtocol
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session
from referee.record.table.treaty import make_treaty_of_offer

if TYPE_CHECKING:
    from referee.engine.event import Seat


def make_mail_player(session: Session) -> MailPlayer:
    """Returns the player at this computer. Raises NotAllowedError if there is no key."""
    key = read_own_key()
    if key is None:
        raise NotAllowedError(f"there is no key on this computer{_describe_ways_to_key(session)}")
    return MailPlayer(session, key)


def _describe_ways_to_key(session: Session) -> str:
    """Returns the end of a sentence to somebody without a key. An invited player gets one when they sit down."""
    protocol = session.public.protocol
    if protocol is None or not protocol.seats_to_join:
        return "; make one: referee key --make, or restore yours: referee key --restore"
    barred = explain_barred_joining(session)
    ways = f", and {barred}" if barred else f"; {describe_ways_to_join(session)}"
    return f"{ways}; to restore a key that you had before: referee key --restore"


def describe_next_mail_step(look: SeatView, protocol: MailProtocol) -> str | None:
    """Returns what the player here must type or wait for, as a clause; None if they can simply move."""
    seat = find_own_seat(protocol)
    if seat is None:
        return _describe_step_without_seat(look, protocol)
    return (
        _describe_step_after_game(look, protocol, seat)
        or _describe_step_without_pen(look, protocol, seat)
        or _describe_answer_to_offer(look, protocol, seat)
        or _describe_wait_for_shares(look, protocol, seat)
        or _describe_step_with_pen(look, protocol, seat)
    )


def _describe_step_without_seat(look: SeatView, protocol: MailProtocol) -> str:
    """Returns the next step of a player without a seat, or of the director."""
    if is_own_key_director(protocol):
        waits = protocol.pen or listing(protocol.seats_to_join)
        return (
            "nothing; the game is over" if look.facts.outcome else f"wait for the mail of {waits}; you direct this game"
        )
    asked_for = find_own_request(look.session, read_own_public_key())
    if asked_for and asked_for.recovery:
        first = (
            "" if protocol.pen == asked_for.by else "referee mail pack, which asks for the pen; once you have the pen: "
        )
        return f"{first}referee join {asked_for.by} --recover"
    if asked_for:
        missing = list_seats_without_consent(protocol, asked_for)
        agreed = f"{listing(missing)} {'has' if len(missing) == 1 else 'have'} agreed"
        until = f"wait until {agreed}" if missing else _describe_wait_for_seat(protocol, asked_for.by)
        return f"referee mail pack, which sends your request; then {until}"
    return _describe_joining(look) if protocol.seats_to_join else f"wait for the mail of {protocol.pen}"


def _describe_wait_for_seat(protocol: MailProtocol, seat: Seat) -> str:
    """Returns the step that a player waits for when all others have agreed to give them a seat."""
    if protocol.pen != seat or protocol.joint_roll is None:
        return f"wait until the pen has come to {seat}"
    owing = [one for one in protocol.joint_roll.owing_seats if one != seat]
    return f"open the mail of {listing(owing)}, with a share of roll {protocol.joint_roll.number}"


def _describe_step_after_game(look: SeatView, protocol: MailProtocol, seat: Seat) -> str | None:
    """Returns what is left to do after the game: to open secrets, to play the next game of the match, or nothing.

    Returns None if the game is not over, if an offer waits, or if somebody still has to sign the end.
    """
    if not look.facts.outcome or protocol.offers:
        return None
    if look.log.sealed_counts.get(seat) and protocol.pen in (None, seat):
        return "referee reveal, which opens your secrets for all to check; then referee mail pack"
    if make_mail_player(look.session).find_next_writer() is not None:
        return None
    going_on = _find_next_game(look)
    return f"referee use {quote(going_on)}, the next game of the match" if going_on else ALL_DONE


ALL_DONE = "nothing; all have signed the end of the game"


def is_end_to_sign(look: SeatView, seat: Seat) -> bool:
    """True if a game is over, `seat` has the pen and has not signed the end.

    In a match, the mails of the next game carry that signature, so nothing is left to do.
    """
    protocol = look.protocol
    if protocol is None or protocol.pen != seat or not look.facts.outcome:
        return False
    return seat in protocol.list_unsigned_seats(look.log.entries_in_force[-1]) and not _find_next_game(look)


def _find_next_game(look: SeatView) -> str | None:
    """Returns the log of the current game of the same match; None if there is none, or if it is this game."""
    if look.facts.header.match is None:
        return None
    from referee.record.archive.match_by_mail import find_current_game

    current = find_current_game(look.session)
    return str(current) if current and current != look.log.path else None


def _has_offer_to_consent(look: SeatView) -> bool:
    """True if another player's offer waits for this player's consent, so that the director may agree to it."""
    from referee.mail.rulings import find_offer_to_consent  # few games have a director

    return find_offer_to_consent(make_mail_player(look.session)) is not None


def _describe_step_without_pen(look: SeatView, protocol: MailProtocol, seat: Seat) -> str | None:
    """Returns what to do while another seat has the pen; None if no other seat has it."""
    if protocol.pen in (None, seat):
        return None
    if protocol.joint_roll and owes_share_beside_log(look.session, seat):
        return f"referee mail pack, which sends your share of roll {protocol.joint_roll.number}"
    if look.facts.header.director and _has_offer_to_consent(look):
        return "referee mail agree, or referee mail refuse: an offer waits for you"
    return f"referee mail open, once the mail of {protocol.pen} has come; referee mail pack writes your own mail again"


def _describe_answer_to_offer(look: SeatView, protocol: MailProtocol, seat: Seat) -> str | None:
    """Returns how to answer the first offer that waits for the seat's consent; None if no offer does."""
    waiting = (one for one in protocol.offers.values() if seat not in (one.by, *one.agreed))
    first = next(waiting, None)
    if first is None:
        return None
    if make_treaty_of_offer(look, first.offer, first.by).obstacle:
        return f"referee mail refuse, since what {first.by} offers can no longer be done"
    return f"{first.by} offers {describe_offer(look, first.offer)}: referee mail agree, or referee mail refuse"


def _describe_wait_for_shares(look: SeatView, protocol: MailProtocol, seat: Seat) -> str | None:
    """Returns what to do until others have given their shares of a joint roll; None if they owe none."""
    owing = [other for other in protocol.joint_roll.owing_seats if other != seat] if protocol.joint_roll else []
    if not owing:
        return None
    desk = make_mail_player(look.session)
    sent = (
        "referee mail open; referee mail pack writes your own mail again"
        if desk.gathers_shares and not desk.has_unsigned_entries
        else "referee mail pack"
    )
    return f"the dice fall once {listing(owing)} {'has' if len(owing) == 1 else 'have'} answered: {sent}"


def _describe_step_with_pen(look: SeatView, protocol: MailProtocol, seat: Seat) -> str | None:
    """Returns what the seat has to do with the pen; None if it can simply move."""
    waits = look.facts.to_act if not (protocol.seats_to_join or protocol.offers) else None
    return None if waits == seat else "referee mail pack, which signs and hands over the pen"


def _describe_joining(look: SeatView) -> str:
    """Returns a clause that tells how to sit down in a game with free seats, or that nobody can.

    It leaves out why nobody can, because that may hold names which the first mail chose.
    """
    if explain_barred_joining(look.session):
        return f"nothing: {NOT_LIKE_THIS}; to see why: referee mail"
    chosen = look.log.path is None or is_current_log(look.log.path) or list_game_logs() == [look.log.path]
    return describe_ways_to_join(look.session, "" if chosen else f"-g {quote(str(look.log.path))} ")


def describe_waiting_roll(look: SeatView, protocol: MailProtocol) -> Iterator[Text]:
    """Yields a line about the joint roll that lacks shares or must be played next; nothing if there is none."""
    cast = protocol.joint_roll
    if cast is None or not (cast.owing_seats or cast.waits):
        return
    shut = cast.actions is None or (cast.sealed and not look.sight.sees_secrets_of(cast.by))
    said = (
        describe_secret_action_count(cast.batch_left) if shut else describe_declared_actions(look, cast.actions or ())
    )
    together = (
        ""
        if shut or all(action == cast.declared_action for action in cast.actions or ())
        else ", and one joint roll gives the dice for all of that"
    )
    what = f"{cast.by} has declared {said}{together}" if cast.waits else f"{cast.by} has given a share"
    owes = "owes a share" if len(cast.owing_seats) == 1 else "owe a share each"
    then = (
        f"{listing(cast.owing_seats)} {owes}"
        if cast.owing_seats
        else f"all have given their shares; {cast.by} plays it next"
    )
    yield Text(f"Roll {cast.number} waits: {what}; {then}.", indent=2)


def describe_pending_offers(look: SeatView, protocol: MailProtocol) -> Iterator[AnswerLine]:
    """Yields the effects of each offer that waits for the player here, worked out on this computer."""
    seat = find_own_seat(protocol)
    for one in protocol.offers.values():
        if seat not in (one.by, *one.agreed):
            yield from describe_treaty(make_treaty_of_offer(look, one.offer, one.by))
