"""The result of opening mail, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.cli.action_text import describe_played_actions
from referee.cli.answer import AnswerLine, Text
from referee.cli.effects_text import describe_events
from referee.cli.entry_text import describe_entry
from referee.cli.game_view import make_heading
from referee.cli.mail.lapsed_offer_text import describe_own_lapsed_offers, explain_lapsed_offer
from referee.cli.mail.mail_answers import describe_request_choices
from referee.cli.mail.mail_entry_text import describe_offer, describe_offer_of_seat, describe_share
from referee.cli.mail.nearby_logs import list_nearby_logs
from referee.cli.mail.packet_text import describe_packet_verdict, warn_of_other_time
from referee.cli.mail.people_text import collect_recognition_facts, describe_keys, recognise_other_players
from referee.cli.treaty_text import describe_treaty
from referee.engine.text import count_of, listing
from referee.mail.game_treaty import make_treaty_before_joining
from referee.mail.key import read_own_public_key
from referee.mail.key_replacement import (
    find_requested_enrolment,
    has_valid_signature,
    is_pending_request,
    is_recovery_request,
    list_requests_to_answer,
    list_seats_without_consent,
)
from referee.mail.packet import Packet, RollShare, SignedOffer
from referee.mail.packet_verdict import PacketVerdict
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.log.entry import AnyEntry, DeedEntry, JoinEntry, OfferEntry, SealEntry
from referee.record.table.moment import JudgedAction
from referee.record.table.seat_view import SeatView
from referee.record.table.treaty import make_treaty_of_offer
from referee.record.table.unusual_settings import UnusualSettings, find_unusual_settings

if TYPE_CHECKING:
    from referee.engine.event import Seat


class OpenedPacket(Struct, frozen=True):
    """The result of opening one packet."""

    packet: Packet
    packet_verdict: PacketVerdict
    look: SeatView | None = None
    """The game afterwards; None if there is none."""
    automatic_actions: Sequence[JudgedAction] = ()
    """The actions that followed by themselves."""
    remarks: Sequence[str] = ()
    """Sentences about written files and other news."""
    lapsed_requests: Sequence[SignedOffer] = ()
    """Requests to play with another key that have lapsed."""
    lapsed_offers: Sequence[SignedOffer] = ()
    """Offers of the player here that have lapsed."""
    received_shares: Sequence[RollShare] = ()
    """The shares that others have given to the open joint roll."""
    last_signed: int | None = None
    """The last entry that your restored key has signed, as the packet shows; None if that was known before."""
    is_kept: bool = True
    """True if the game is kept here. Otherwise it was only unpacked to be looked at."""
    has_news: bool = False
    """True if the packet brought something beside the log that was not here: an offer, a request or a share."""
    preview: SeatView | None = None
    """The game as it would be with the entries of the packet, if the packet was only looked at."""

    @property
    def is_game_here(self) -> bool:
        """True if the log of the game is on this computer. A dry run with a new game keeps no log."""
        return self.look is not None and self.is_kept

    @property
    def brings_nothing_new(self) -> bool:
        """True if all that the packet brought was here already, and nothing follows from it."""
        return self.packet_verdict.brings_nothing_new and not (self.tells_news or self.automatic_actions)

    @property
    def tells_news(self) -> bool:
        """True if there is something to tell beside new entries."""
        return self.has_news or self.packet_verdict.first_with_other_time is not None


def describe_opened_packet(one: OpenedPacket, *, dry_run: bool) -> Iterator[AnswerLine]:
    """Yields the result of one packet. `dry_run` is True if the packet was only looked at."""
    verdict, look = one.packet_verdict, one.look
    if look and one.is_game_here:
        yield make_heading(look)
    style = "good" if verdict.is_sound else "refused"
    text = describe_packet_verdict(
        verdict, one.packet.head, here=one.is_game_here, dry_run=dry_run, has_news=one.tells_news
    )
    yield Text(text, style)
    if verdict.first_with_other_time is not None:
        yield Text(warn_of_other_time(verdict.first_with_other_time), "refused", indent=2)
    look = one.preview or look
    if verdict.brings_new_entries and look:
        yield from _describe_added(look, one)
    yield from (Text(describe_share(part), indent=2) for part in one.received_shares)
    yield from (Text(line, indent=2) for line in one.remarks)
    if one.automatic_actions and look:
        yield from describe_played_actions(look, one.automatic_actions)[1:]
    if look:
        yield from _describe_unrecorded(look, one, dry_run=dry_run)


def _describe_added(look: SeatView, one: OpenedPacket) -> Iterator[AnswerLine]:
    """Yields the new entries and keys of a packet; for a new game, also facts to know before joining."""
    if one.is_kept:
        new = look.log.entries[one.packet_verdict.first : one.packet_verdict.last + 1]
        yield from _describe_new_entries(look, new)
        yield from _describe_new_keys(look, new)
    else:
        yield from _describe_new_keys(look, look.log.entries)
    if one.packet_verdict.has_begun_game:
        yield from describe_treaty(make_treaty_before_joining(look, list_nearby_logs(look.log.path)))


def _describe_unrecorded(look: SeatView, one: OpenedPacket, *, dry_run: bool) -> Iterator[AnswerLine]:
    """Yields the offers and requests that a packet brought beside the log, and those that have lapsed."""
    for ask in one.packet.head.asks:
        yield from _describe_request(look, ask, one.packet, dry_run=dry_run)
    yield from (Text(_describe_lapsed_request(look, ask), indent=2) for ask in one.lapsed_requests)
    yield from describe_own_lapsed_offers(look, one.lapsed_offers)
    yield from _describe_restored_key(look, one)


def _describe_restored_key(look: SeatView, one: OpenedPacket) -> Iterator[AnswerLine]:
    """Yields how far a restored key has signed this game, and how many secrets of its owner are lost."""
    if one.last_signed is not None:
        upto = f"this game up to entry {one.last_signed}" if one.last_signed >= 0 else "nothing of this game"
        yield Text(
            f"This mail shows that your key has signed {upto}. It signs nothing earlier any more.", "bold", indent=2
        )
        yield Text("If you remember signing later entries, first ask the others for the mails with them.", indent=2)
    lost = (
        look.log.count_unopenable_secrets(find_own_seat(get_mail_protocol(look.session)))
        if one.packet_verdict.brings_new_entries
        else 0
    )
    if lost:
        yield Text(f"No vault here can open {count_of(lost, 'secret')} of yours.", indent=2)
        yield Text("If you sealed them on another computer, play on there.", indent=2)


def _describe_request(look: SeatView, ask: SignedOffer, packet: Packet, *, dry_run: bool) -> Iterator[AnswerLine]:
    """Yields an offer, or a request to play with another key, that came beside the log; says if it is unsigned."""
    if not has_valid_signature(get_mail_protocol(look.session), ask):
        yield Text(
            f"An offer is not signed, so it does not count: {ask.by} would offer {describe_offer(look, ask.offer)}.",
            "refused",
            indent=2,
        )
    elif find_requested_enrolment(ask):
        yield from _describe_key_request(look, ask, packet)
    else:
        yield from _describe_offer(look, ask, dry_run=dry_run)


def _describe_key_request(look: SeatView, ask: SignedOffer, packet: Packet) -> Iterator[AnswerLine]:
    """Yields a request to play a seat with another key; if the player here may answer it, also the commands."""
    protocol, chair = get_mail_protocol(look.session), find_requested_enrolment(ask)
    waiting = list_requests_to_answer(look.session, packet.head.asks)
    own = next((one for one in waiting if one.signature == ask.signature), None)
    if own:
        yield from describe_request_choices(look, own)
    elif chair and protocol.find_signing_key(ask.by) == chair.key == read_own_public_key():
        word = listing([one for one in protocol.seats if one != ask.by])
        key = "" if ask.offer.new_name else ", with another key"
        yield Text(f"You sit at {ask.by} now{key}, agreed by {word}.", "good", indent=2)
    elif protocol.find_signing_key(ask.by) == read_own_public_key():
        who = f"Somebody who claims to sit at {ask.by}, your own seat, asks {describe_offer(look, ask.offer)}."
        known = "If you want that, send nothing more. If not" if ask.offer.new_name else "If it is not you"
        yield Text(f"{who} {known}, tell the others: your next mail ends this request.", "refused", indent=2)
    elif is_pending_request(protocol, ask):
        yield from _describe_foreign_request(look, ask)


def _describe_foreign_request(look: SeatView, ask: SignedOffer) -> Iterator[AnswerLine]:
    """Yields the state of a request for another player's seat that the player here need not answer."""
    protocol, chair = get_mail_protocol(look.session), find_requested_enrolment(ask)
    if is_recovery_request(protocol, ask):
        yield Text(
            f"{look.facts.format_seat(ask.by)} comes back with their recovery key, "
            "and sits down once they have the pen.",
            indent=2,
        )
    elif chair and chair.key != read_own_public_key() and look.eyes:
        yield Text(
            "Somebody else asks to play on with another key. Too many requests wait, so the referee drops this one.",
            indent=2,
        )
    elif list_seats_without_consent(protocol, ask):
        missing = listing(list_seats_without_consent(protocol, ask))
        yield Text(f"{missing} must still agree that {ask.by} is played with another key.", indent=2)


def _describe_lapsed_request(look: SeatView, ask: SignedOffer) -> str:
    protocol, chair = get_mail_protocol(look.session), find_requested_enrolment(ask)
    if chair and protocol.find_signing_key(ask.by) == chair.key:
        key = "" if ask.offer.new_name else " with another key"
        return f"{look.facts.format_seat(ask.by)} plays on{key}."
    return f"A request for {ask.by} has lapsed: the key that plays this seat has signed since."


def _describe_offer(look: SeatView, ask: SignedOffer, *, dry_run: bool) -> Iterator[AnswerLine]:
    """Yields the offer of a seat without the pen, and its effects; or why it has lapsed."""
    protocol = get_mail_protocol(look.session)
    if look.facts.header.director:
        from referee.cli.mail.director_text import describe_ruling_on_offer  # few games have a director

        if told := describe_ruling_on_offer(look, ask):
            yield from told
            return
    stands = any(one.by == ask.by and one.offer == ask.offer for one in protocol.offers.values())
    why = "" if stands or ask.offer.withdrawn_hash else explain_lapsed_offer(look, ask)
    if why:
        yield Text(f"{ask.by} had offered {describe_offer(look, ask.offer)}; that has lapsed: {why}.", indent=2)
    elif stands or ask.offer.withdrawn_hash or look.eyes != protocol.pen or dry_run:
        yield Text(f"{describe_offer_of_seat(look, ask.by, ask.offer)}.", indent=2)
        yield from describe_treaty(make_treaty_of_offer(look, ask.offer, ask.by))
    else:
        yield Text(f"{ask.by} had offered {describe_offer(look, ask.offer)}; that cannot be recorded now.", indent=2)


def describe_known_packets(old: Sequence[OpenedPacket], *, alone: bool) -> Iterator[AnswerLine]:
    """Yields the number of packets that held nothing new. `alone` is True if the answer has no other lines."""
    if alone and old and old[-1].look:
        yield make_heading(old[-1].look)
    if old:
        yield Text(f"Nothing new in {count_of(len(old), 'packet' if alone else 'other packet')}.", "good")


def _describe_new_entries(look: SeatView, new: Sequence[AnyEntry]) -> Iterator[AnswerLine]:
    """Yields the new entries of a packet; signatures only if there is nothing else."""
    for entry in new:
        if not isinstance(entry, SealEntry) or len(new) == 1:
            yield Text(f"{entry.n:>4}  {describe_entry(look, entry)}", hanging=6)
            shown = (
                () if isinstance(entry, OfferEntry) else describe_events(look, entry)
            )  # the effects of an offer come at the end
            yield from (Text(line, indent=8) for line in shown)
    if any(isinstance(entry, DeedEntry) and entry.opens_secret for entry in new):
        yield Text("To check all that was secret: referee audit", indent=2)


def _describe_new_keys(look: SeatView, new: Sequence[AnyEntry]) -> Iterator[AnswerLine]:
    """Yields what is known about the new keys of other players."""
    seats = list(dict.fromkeys(entry.by for entry in new if isinstance(entry, JoinEntry) and entry.by != look.eyes))
    if seats:
        yield from describe_keys(look, (seat for seat in seats if not _had_key(look, seat, new[0].n)))


def _had_key(look: SeatView, seat: Seat, first: int) -> bool:
    """True if a seat joined with its key before entry `first`, so that only its chains of dice are new."""
    hand = get_mail_protocol(look.session).chain_positions.get(seat)
    key = hand.enrolment.key if hand else None
    entries = (entry for entry in look.log.entries[:first] if isinstance(entry, JoinEntry) and entry.by == seat)
    return any(entry.chair is not None and entry.chair.key == key for entry in entries)


def collect_opened_packet_facts(one: OpenedPacket) -> dict[str, Any]:
    """Returns the result of one packet for programs."""
    verdict, head = one.packet_verdict, one.packet.head
    return {
        "situation": verdict.situation,
        "news": not one.brings_nothing_new,
        "by": head.by,
        "signed_by": verdict.seat if verdict.brings_new_entries else None,
        "game": head.game,
        "log": str(one.look.log.path) if one.look and one.is_game_here else None,
        "first": verdict.first,
        "last": verdict.last,
        "seat": verdict.seat,
        "mine": verdict.count_only_here,
        "theirs": verdict.count_only_in_packet,
        "asks": list(head.asks),
        "gave": list(one.received_shares),
        "more": list(one.remarks),
        "fault": verdict.fault.fault if verdict.fault else None,
        "people": _collect_people_facts(one.look) if one.look and verdict.brings_new_entries else None,
        "special": _find_settings(one.look) if one.look and verdict.has_begun_game else None,
    }


def _find_settings(look: SeatView) -> UnusualSettings:
    return find_unusual_settings(look.facts.game, look.facts.header, look.log.path)


def _collect_people_facts(look: SeatView) -> dict[str, Any]:
    return {seat: collect_recognition_facts(found) for seat, found in recognise_other_players(look.session).items()}
