"""Answers of commands in a game by mail: the pen, seats, requests, declarations and offers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.errors import MisuseError
from referee.cli.game_view import collect_summary_facts, describe_next_step, make_heading
from referee.cli.mail.mail_entry_text import describe_declared_actions, describe_offer
from referee.cli.mail.nearby_logs import list_nearby_logs
from referee.cli.mail.next_step import describe_next_mail_step, make_mail_player
from referee.cli.mail.people_text import describe_keys, describe_known_key, remember_other_players
from referee.cli.treaty_text import describe_treaty
from referee.engine.text import count_of, listing
from referee.mail.game_treaty import make_treaty_before_joining
from referee.mail.joining import needs_name_of_player
from referee.mail.key import make_key, read_own_key, read_own_public_key
from referee.mail.key_replacement import (
    find_own_request,
    find_requested_enrolment,
    has_own_consent,
    list_requests_to_answer,
)
from referee.mail.key_replacement_flow import recover_seat, request_seat
from referee.mail.mail_player import MailPlayer
from referee.mail.packet import SignedOffer
from referee.mail.spool import read_waiting_offers, replace_waiting_offer
from referee.mail.withdrawal import sign_offer
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.log.vault import find_vault_path
from referee.record.table.deeds.rejoin import explain_unfit_successor
from referee.record.table.pending_offers import find_required_offer
from referee.record.table.seat_view import SeatView
from referee.record.table.treaty import make_treaty_of_offer

if TYPE_CHECKING:
    from referee.engine.choice import Action
    from referee.engine.event import Seat
    from referee.mail.key import Key
    from referee.record.log.offer import Offer
    from referee.record.table.session import Session


TO_SIT_DOWN = ("join", "sits", "leaves")
"""The commands that people without a seat, or without a key, may use."""


def advance_mail_game(look: SeatView, command: str, *, offers: bool = False) -> SeatView:
    """Does everything that needs no decision by mail, and returns the game as its player here sees it.

    With `offers`, a player without the pen may use the command, because they only make an offer. Raises
    NotAllowedError if the player may not use this command now, and MisuseError if they speak for another seat.
    """
    if command in TO_SIT_DOWN:
        return look
    desk = make_mail_player(look.session)
    if desk.seat is not None and look.eyes not in (None, desk.seat):
        raise MisuseError(f"by mail you can speak only for your own seat, {desk.seat}")
    if not (offers and desk.seat is not None):
        desk.require_pen()
    desk.do_automatic_steps()
    now = look.at_present().with_eyes(desk.seat)
    if desk.pending_offer and command not in ("agree", "refuse"):
        raise NotAllowedError(f"{describe_next_mail_step(now, desk.protocol)}; until then you can do nothing else")
    return now


def check_player_named(look: SeatView, seat: Seat, typed: str) -> None:
    """Raises NotAllowedError if `typed` has to name the player of this seat, and does not."""
    name = look.facts.names[seat]
    if needs_name_of_player(look.session, seat) and name.lower() != typed.lower():
        raise NotAllowedError(f"{seat} is the seat of {name}; if that is you: referee join {quote(name)}")


def describe_sealed_secrets(look: SeatView) -> Iterator[Text]:
    """Yields a line for each seat with secrets that nobody can check yet."""
    for seat, count in look.log.sealed_counts.items():
        many, keeper = count_of(count, "secret"), look.facts.format_seat(seat)
        yield Text(f"{keeper} has {many} sealed: nobody can check them before they are revealed.", indent=2)


def take_seat(
    session: Session, seat: Seat, *, lost_key: bool = False, owner: Key | None = None, name: str | None = None
) -> list[AnswerLine]:
    """Seats the player with the key of this computer, and returns lines about it. If there is no key, makes one.

    `lost_key` asks the others for a replacement of the seat's key. `owner` is the seat's old key from a back-up, which
    needs nobody's consent. `name` is the name of a new player who asks for the seat of another player.
    """
    told: list[AnswerLine] = []
    if name is not None:
        _check_successor(session, seat, name)
    key = read_own_key()
    if key is None:
        key = make_key()
        told.append(Text("A key was made for you. Keep a copy of it: referee key --backup", indent=2))
    desk, sits = MailPlayer(session, key), not lost_key and name is None
    if name is not None:
        request_seat(desk, seat, name=name)
        told.append(
            f"All others have to agree that {name} plays {seat}. They will ask the player before you whether that is "
            "right. Once that player signs anything else, your request ends."
        )
    elif lost_key:
        request_seat(desk, seat)
        told.append(
            "All others have to agree to your new key. They will ask you on the phone if it is yours. "
            f"If you have your back-up line, nobody has to agree: referee join {seat} --recover"
        )
    elif owner:
        sits = recover_seat(desk, seat, owner)
        told.append(
            "Your recovery key has signed that this key is yours."
            if sits
            else f"{desk.protocol.pen} has the pen and will hand it over after your mail. Then type this command again."
        )
    else:
        desk.join_game(seat)
    told.append(Text(f"Your key: {key.fingerprint_words}. The others may ask you for these words once.", indent=2))
    others = [other for other in desk.protocol.chain_positions if other != seat]
    told += describe_keys(SeatView(session, None), others)
    told += [Text(trouble, "refused", indent=2) for trouble in [remember_other_players(session)] if trouble]
    if seat in SeatView(session, None).facts.keepers and session.path and sits:
        vault = find_vault_path(session.path, seat)
        told.append(Text(f"Your secrets are kept in {vault}: nobody else may have it.", indent=2))
    return [
        f"{'You sit at' if sits else 'You ask to play on at'} {SeatView(session).facts.format_seat(seat)}.",
        *told,
    ]


def _check_successor(session: Session, seat: Seat, name: str) -> None:
    """Raises NotAllowedError if a new player has an unfit name, or lacks the secrets of the seat that they ask for."""
    problem = explain_unfit_successor(session, seat, name)
    if problem:
        raise NotAllowedError(problem)
    if seat in SeatView(session).facts.keepers and seat not in session.public.vault_seats:
        raise NotAllowedError(
            f"you need the secrets of {seat} first; its player types: referee vault --save FILE, and you: "
            "referee vault --load FILE"
        )


def join_by_mail(
    look: SeatView, seat: Seat, *, lost_key: bool, owner: Key | None = None, name: str | None = None
) -> Answer:
    """Seats the player in a game by mail that somebody else began. The arguments are those of `take_seat`."""
    before = make_treaty_before_joining(look, list_nearby_logs(look.session.file_path))
    accepts = replace(before, invited={}, is_before_joining=False)
    told = take_seat(look.session, seat, lost_key=lost_key, owner=owner, name=name)
    told += describe_treaty(accepts)
    asked = find_own_request(look.session, read_own_public_key())
    told += describe_treaty(make_treaty_of_offer(look.at_present(), asked.offer, seat)) if asked else ()
    desk = make_mail_player(look.session)
    if desk.seat is not None:
        desk.do_automatic_steps()
    now = look.at_present().with_eyes(seat)
    return Answer([make_heading(now), *told, *describe_next_step(now)], lambda: collect_summary_facts(now))


def describe_requests(look: SeatView) -> Iterator[AnswerLine]:
    """Yields the requests that the player here can answer: to play a seat with another key."""
    for ask in list_requests_to_answer(look.session):
        yield from describe_request_choices(look, ask)


def describe_request_choices(look: SeatView, ask: SignedOffer) -> Iterator[AnswerLine]:
    """Yields a request to play a seat with another key, and the commands that answer it."""
    if has_own_consent(look.session, ask):
        yield Text(f"You have agreed to a request for {ask.by}: {describe_offer(look, ask.offer)}.")
        yield Text("To send your consent: referee mail pack; to take it back: referee mail refuse", indent=2)
    else:
        yield Text(describe_key_request(look, ask), "bold")
        chair = find_requested_enrolment(ask)
        known = describe_known_key(chair.key) if chair else None
        yield from [Text(known, "bold", indent=2)] if known else []
        yield from describe_treaty(make_treaty_of_offer(look, ask.offer, ask.by))
        yield Text("To let this key play: referee mail agree; otherwise: referee mail refuse", indent=2)


def describe_key_request(look: SeatView, ask: SignedOffer) -> str:
    """Returns a sentence about a request to play a seat with another key, and how to check who asks."""
    who = look.facts.format_seat(ask.by)
    if ask.offer.new_name:
        return (
            f"For {who}, somebody asks {describe_offer(look, ask.offer)}. Ask {look.facts.names[ask.by]} on the phone "
            f"if {ask.offer.new_name} takes over. Ask {ask.offer.new_name} for these words."
        )
    return (
        f"For {who}, somebody asks {describe_offer(look, ask.offer)}. The sender has no key of {ask.by}'s. "
        f"Ask {look.facts.names[ask.by]} on the phone for these words, and if they have lost their key."
    )


def declare_actions(look: SeatView, typed: Sequence[Action]) -> Answer:
    """Declares the next actions by mail, as many as possible, because their dice need a share of each seat."""
    desk = make_mail_player(look.session)
    actions = desk.list_declarable_actions(typed)
    rest = len(typed) - len(actions)
    later = f" Type the other {count_of(rest, 'action')} after these dice are rolled." if rest else ""
    done = desk.declare_actions(actions)
    now = look.at_present()
    words = describe_declared_actions(look, actions)
    together = (
        " One joint roll gives the dice of all these actions."
        if any(action != actions[0] for action in actions)
        else ""
    )
    owing = desk.protocol.joint_roll.owing_seats if desk.protocol.joint_roll else ()
    from referee.cli.action_text import collect_line_facts, describe_played_actions

    told = [
        *(describe_played_actions(look, done) if done else [make_heading(now)]),
        Text(f"Declared: {words}.{together}{later}", "bold"),
    ]
    facts = {
        **(collect_line_facts(look, done) if done else {}),
        "declared": list(actions),
        "owing": owing,
        "recorded": True,
    }
    return Answer([*told, *describe_next_step(now)], lambda: {**facts, "after": collect_summary_facts(now)})


def offer_by_mail(look: SeatView, error: NotAllowedError) -> Answer:
    """Offers the others the action that `error` has stopped: in the log, or beside it if another seat has the pen.

    Raises NotAllowedError with the reason if agreement would not help.
    """
    offer = find_required_offer(error.entry)
    if offer is None:
        raise error
    desk = make_mail_player(look.session)
    seat = desk.seat
    assert seat is not None, "checked at the desk"
    obstacle = make_treaty_of_offer(look, offer, seat).obstacle
    if obstacle:
        raise NotAllowedError(obstacle) if isinstance(error, NotAgreedError) else error
    _check_may_offer(desk, seat, offer)
    others = [other for other in look.facts.seats if other != seat]
    told = f"{listing(others)} {'has' if len(others) == 1 else 'have'} to agree before the offer counts."
    if desk.has_pen and not _waits_for_ruling(desk, offer):
        desk.record_offer(offer)
    else:
        told += " It lapses if somebody rolls or moves before it arrives; to take it back: referee mail refuse."
        told += _offer_beside(desk, seat, offer)
        told += _describe_ruling_to_come(desk, offer)
    now = look.at_present()
    does = describe_treaty(make_treaty_of_offer(now, offer, seat))
    lines: list[AnswerLine] = [make_heading(now), f"You offer {describe_offer(now, offer)}. {told}", *does]
    return Answer(
        [*lines, Text("Next, to send it: referee mail pack", indent=2)],
        lambda: {"offered": offer, "after": collect_summary_facts(now)},
    )


def _check_may_offer(desk: MailPlayer, seat: Seat, offer: Offer) -> None:
    """Raises NotAllowedError if the seat has offered this already, or if a joint roll must be made first."""
    protocol, cast = desk.protocol, desk.protocol.joint_roll
    if _has_offered(desk, seat, offer):
        raise NotAllowedError("you have offered that already; to send it: referee mail pack")
    if cast is not None and seat in cast.owing_seats:
        raise NotAllowedError(f"you owe a share of roll {cast.number}, so give it first, then make your offer")
    if _waits_for_ruling(desk, offer):
        if desk.has_pen and desk.has_unsigned_entries:
            raise NotAllowedError("first send what you have not sent yet: referee mail pack; then make your offer")
        return
    if cast is not None and cast.owing_seats and len(protocol.seats) > 2:
        raise NotAllowedError(f"roll {cast.number} is not complete yet; make your offer after it")


def _has_offered(desk: MailPlayer, seat: Seat, offer: Offer) -> bool:
    """True if the seat's same offer stands in the log or waits beside it.

    An offer for the director counts only if nothing has come since: the director settles at the end of the log alone.
    """
    waiting = [ask for ask in read_waiting_offers(desk.session.file_path) if (ask.by, ask.offer) == (seat, offer)]
    if _waits_for_ruling(desk, offer):
        return any(ask.on == len(desk.session.entries) - 1 for ask in waiting)
    return bool(waiting) or any((one.by, one.offer) == (seat, offer) for one in desk.protocol.offers.values())


def _describe_ruling_to_come(desk: MailPlayer, offer: Offer) -> str:
    """Returns a sentence about the director, if they may agree to an offer in place of a late player; else ""."""
    director = desk.protocol.director
    if director is None or not _waits_for_ruling(desk, offer):
        return ""
    return f" Send it to {director.name}, too, who may agree in place of a late player."


def _waits_for_ruling(desk: MailPlayer, offer: Offer) -> bool:
    """True if an offer is made beside the log because the director may agree to it in place of a late player.

    This is so if the director may settle such offers, and if the player has no pen or a joint roll still lacks shares.
    """
    protocol = desk.protocol
    may_rule = offer.may_be_ruled and protocol.director is not None and protocol.director.settles
    is_rolling = protocol.joint_roll is not None and bool(protocol.joint_roll.owing_seats)
    return may_rule and (not desk.has_pen or is_rolling)


def _offer_beside(desk: MailPlayer, seat: Seat, offer: Offer) -> str:
    """Signs a seat's offer and keeps it beside the log for the next mail, in place of the seat's earlier offer.

    Returns a sentence if this withdraws the player's orders, otherwise "".
    """
    from referee.mail.order_lifecycle import withdraw_orders  # only offers beside the log need it

    replace_waiting_offer(desk.session.file_path, seat, sign_offer(desk, seat, offer))
    return " Your orders are withdrawn." if withdraw_orders(desk) else ""
