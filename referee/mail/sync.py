"""Sending and receiving: the news of a log becomes a packet, and a received packet becomes news in a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.event import Seat
from referee.mail.backup import install_restored_vaults
from referee.mail.intake import add_packet_entries, preview_entries, replace_own_entries, start_game_from_packet
from referee.mail.key_replacement import find_own_request, list_lapsed_requests, store_requests
from referee.mail.key_replacement_flow import list_requests_to_send, take_requested_seat
from referee.mail.mail_player import MailPlayer
from referee.mail.match_seat import add_game_to_match, take_match_seat
from referee.mail.offers_beside_log import has_unknown_offers, merge_waiting_offers
from referee.mail.packet import Packet, RollShare, SignedOffer, has_recorded_offer, make_packet_from_log
from referee.mail.packet_fate import (
    BeginsGame,
    ChangesNothing,
    ContinuesLog,
    PacketFate,
    ReplacesEntries,
    WaitsForEarlier,
    decide_packet_fate,
    is_signed_by_seat,
)
from referee.mail.packet_verdict import PacketVerdict
from referee.mail.roll_shares import list_unrecorded_shares, list_valid_shares, store_valid_shares
from referee.mail.rulings import (
    list_consented_offers,
    list_rulable_offers,
    list_rulings_to_send,
    record_ruled_offer,
)
from referee.mail.seat_disputes import forget_disputes_from, note_dispute
from referee.mail.seats import find_seat_of_key, get_mail_protocol
from referee.mail.signer import Signer
from referee.mail.spool import (
    MAX_SPOOL_BYTES,
    MAX_STRANGER_BYTES,
    find_spool_path,
    keep_packet,
    list_kept_packets,
    note_sent_offers,
    read_waiting_offers,
    write_waiting_offers,
)
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.opening_logs import open_log

if TYPE_CHECKING:
    from referee.mail.key import Key
    from referee.record.log.entry import AnyEntry
    from referee.record.table.moment import JudgedAction
    from referee.record.table.session import Session


class ReceivingResult(Struct, frozen=True):
    """The result of accepting a packet, or of refusing it."""

    session: Session | None
    """The game afterwards; None if the packet began no game here."""
    packet_verdict: PacketVerdict
    automatic_actions: tuple[JudgedAction, ...] = ()
    """The actions that followed without anybody's decision."""
    set_aside_log: Path | None = None
    """The file with your own entries, if they gave way to those of the packet."""
    replaced_entries: tuple[AnyEntry, ...] = ()
    """Your own entries that gave way."""
    lapsed_requests: tuple[SignedOffer, ...] = ()
    """Requests for other keys that lapsed, because the seat's own key has signed or another player sits there."""
    lapsed_offers: tuple[SignedOffer, ...] = ()
    """The player's own offers beside the log that lapsed, because the game has gone on without them."""
    received_shares: tuple[RollShare, ...] = ()
    """The shares of the open roll that the packet brought."""
    last_signed_entry: int | None = None
    """The last entry that a restored key is now known to have signed; -1 for none; None if nothing was in doubt."""
    has_news: bool = False
    """True if the packet brought something beside the log that was not here: an offer, a request or a share."""


def make_packet(desk: MailPlayer, base: int | None = None, to: Seat | None = None) -> Packet:
    """Returns a packet with all entries that some other seat has not signed, or with more if `base` is earlier.

    A seat with the pen first signs and hands the pen over, to `to` or to the seat that the game waits for. While the
    game waits for this seat or is over, the player can only send again what was sent, from `base` on. A director's
    packet holds rulings only. Raises NotAllowedError if there is nothing to send, or if `to` is given without the pen.
    The same error is raised if mail has changed the log, or if the log is not a plain file.
    """
    path = desk.session.path
    if path is None or desk.session.letter:
        raise NotAllowedError(
            "nobody can send a log that mail has changed, or that came from a pipe or a compressed file; "
            "first save it: referee use FILE -o LOG"
        )
    again = base is not None and to is None and not desk.gathers_shares and desk.find_next_writer() in (desk.seat, None)
    if desk.is_director:
        return _make_packet_of_rulings(desk)
    request = find_own_request(desk.session, desk.key.public)
    if desk.seat is None and request:
        return make_packet_from_log(
            desk.session,
            request.by,
            max(desk.protocol.signed_up_to.values(), default=-1) + 1,
            list_requests_to_send(desk),
        )
    if desk.seat is None or (desk.has_pen and not again):
        desk.hand_over_pen(to)
    elif to is not None:
        raise NotAllowedError(f"{desk.protocol.pen} has the pen; only {desk.protocol.pen} can hand it over")
    return _make_packet_of_entries(desk, path, base)


def _make_packet_of_rulings(desk: MailPlayer) -> Packet:
    """Returns a packet with the director's rulings and no entries. Raises NotAllowedError if there are none."""
    ruled = list_rulings_to_send(desk.session)
    if not ruled:
        raise NotAllowedError(
            "you direct this game, and have nothing to send; to see if an offer waits for you: referee mail"
        )
    return make_packet_from_log(
        desk.session, ruled[0].by, max(desk.protocol.signed_up_to.values(), default=-1) + 1, ruled
    )


def _make_packet_of_entries(desk: MailPlayer, path: Path, base: int | None) -> Packet:
    """Returns a packet with the entries that some seat has not signed, or more if `base` is earlier. Offers, requests
    and shares of rolls go along.
    """
    seat = str(desk.seat)
    known = min(desk.protocol.signed_up_to.get(other, -1) for other in desk.protocol.seats if other != seat) + 1
    asks = [ask for ask in read_waiting_offers(path) if ask.by == seat]
    note_sent_offers(path, asks)
    own_share = desk.find_share_to_send()
    store_valid_shares(desk.session, [own_share] if own_share else [])
    first = known if base is None else max(0, min(base, known))
    return make_packet_from_log(
        desk.session,
        seat,
        first,
        [*asks, *list_consented_offers(desk.session, seat), *list_requests_to_send(desk)],
        list_unrecorded_shares(desk.session),
    )


def receive_packet(session: Session, packet: Packet, key: Key | None, *, give_way: bool = False) -> ReceivingResult:
    """Accepts or refuses a packet for a log.

    If nothing is wrong with the packet, also keeps its offers, requests and shares. Then does everything that needs no
    decision, such as giving a share of a roll.

    `key` is the player's key, if there is one. If `give_way`, the player's unsigned entries give way where the copies
    parted, and are kept in a file of their own.
    """
    own_key = key.public if key else None
    offers = _list_own_offers(session, own_key)
    found = _carry_out(
        session, packet, key, decide_packet_fate(session, packet, own_key, give_way=give_way), give_way=give_way
    )
    after = found.session
    if found.packet_verdict.situation == "seated":
        note_dispute(session, packet, found.packet_verdict)
    if after is None or not found.packet_verdict.is_sound:
        return found
    has_news = _has_news(after, packet)
    _keep_offers(after, merge_waiting_offers(after, packet.head.asks))
    lapsed = store_requests(after, packet.head.asks)
    heard, gave = _learn_signatures(after, packet, key), store_valid_shares(after, packet.head.parts)
    done, waiting = do_automatic_mail_steps(after, key), _list_own_offers(after, own_key)
    return replace(
        found,
        automatic_actions=done,
        lapsed_requests=lapsed,
        lapsed_offers=_list_lapsed_offers(after, offers, waiting),
        received_shares=gave,
        last_signed_entry=heard,
        has_news=has_news,
    )


def preview_packet(session: Session, packet: Packet, own_key: str | None, *, give_way: bool = False) -> ReceivingResult:
    """Returns what `receive_packet` would find, in a session that nothing can be added to. Changes nothing.

    Leaves out what this player would give at once. The situation is `new` if the entries would be taken.
    """
    fate = decide_packet_fate(session, packet, own_key, give_way=give_way)
    if isinstance(fate, BeginsGame):
        raise AssertionError("the game of this packet is here already")
    after, verdict = session, fate.packet_verdict
    replaced: tuple[AnyEntry, ...] = ()
    if isinstance(fate, ContinuesLog | ReplacesEntries):
        after, verdict = preview_entries(session, packet, fate, None if give_way else own_key)
        replaced = tuple(session.entries[fate.packet_verdict.first :]) if verdict.brings_new_entries else ()
    if not verdict.is_sound:
        return ReceivingResult(session, verdict)
    waiting = merge_waiting_offers(after, packet.head.asks)
    return ReceivingResult(
        after,
        verdict,
        replaced_entries=replaced,
        lapsed_requests=list_lapsed_requests(after),
        lapsed_offers=_list_lapsed_offers(after, _list_own_offers(session, own_key), waiting),
        received_shares=list_valid_shares(after, packet.head.parts),
        has_news=_has_news(after, packet),
    )


def _has_news(session: Session, packet: Packet) -> bool:
    """True if a packet brings new shares, offers or requests beside the log. Call this before they are kept here."""
    known = list_unrecorded_shares(session)
    is_share_new = any(part not in known for part in list_valid_shares(session, packet.head.parts))
    return is_share_new or has_unknown_offers(session, packet.head.asks)


def _list_lapsed_offers(
    session: Session, before: Sequence[SignedOffer], waiting: Sequence[SignedOffer]
) -> tuple[SignedOffer, ...]:
    """Returns those of the offers `before` that no longer wait and were not recorded."""
    stand = {ask.signature for ask in waiting}
    return tuple(ask for ask in before if ask.signature not in stand and not has_recorded_offer(session, ask))


def _keep_offers(session: Session, waiting: Sequence[SignedOffer]) -> None:
    """Keeps these offers until this seat has the pen, in place of all that waited."""
    if session.path and (waiting or read_waiting_offers(session.path)):
        write_waiting_offers(session.path, waiting)


def _list_own_offers(session: Session, own_key: str | None) -> tuple[SignedOffer, ...]:
    """Returns the offers of the player with the key `own_key` that wait beside the log."""
    seat = find_seat_of_key(get_mail_protocol(session), own_key)
    return tuple(ask for ask in read_waiting_offers(session.path) if ask.by == seat) if session.path and seat else ()


def _carry_out(
    session: Session, packet: Packet, key: Key | None, fate: PacketFate, *, give_way: bool
) -> ReceivingResult:
    """Does what was decided about a packet of this game."""
    match fate:
        case ContinuesLog():
            return ReceivingResult(
                *add_packet_entries(session, packet, fate, key.public if key and not give_way else None)
            )
        case ReplacesEntries():
            return _replace_entries(session, packet, key, fate)
        case WaitsForEarlier(packet_verdict=verdict):
            is_kept = session.path is not None and keep_packet(session.path, packet, _compute_room(session, packet))
            return ReceivingResult(session, replace(verdict, is_kept=is_kept))
        case BeginsGame():
            raise AssertionError("the game of this packet is here already")
        case ChangesNothing(packet_verdict=verdict):
            return ReceivingResult(session, verdict)


def _replace_entries(session: Session, packet: Packet, key: Key | None, fate: ReplacesEntries) -> ReceivingResult:
    """Replaces the player's own entries by those of the packet. The key can then sign what follows the new entries."""
    mine = tuple(session.entries[fate.packet_verdict.first :])
    if key:
        Signer(session, key).forget_unwritten_signature()
    after, verdict, aside = replace_own_entries(session, packet, fate)
    forget_disputes_from(after, fate.packet_verdict.first)
    if key:
        Signer(after, key).reset_last_signature()
    return ReceivingResult(after, verdict, set_aside_log=aside, replaced_entries=mine)


def _compute_room(session: Session, packet: Packet) -> int:
    """Returns the number of bytes of packets that may be kept.

    A stranger's packet gets room only while a seat is free: perhaps its key joined in a missing entry.
    """
    protocol = session.reducer.protocol
    assert protocol is not None, "this game is not played by mail"
    if is_signed_by_seat(protocol, packet):
        return MAX_SPOOL_BYTES
    return MAX_STRANGER_BYTES if protocol.seats_to_join else 0


def receive_first_packet(
    packet: Packet, path: Path, key: Key | None, *, give_way: bool = False, is_known: bool = False
) -> ReceivingResult:
    """Makes the log of a game that came by mail. Raises FileExistsError if the log exists.

    Makes no log if the packet is refused, or does not begin the game. If `give_way`, another key may speak for the
    player's own seat. `is_known` is as in `start_game_from_packet`.
    """
    fate = decide_packet_fate(None, packet)
    if not isinstance(fate, BeginsGame):
        return ReceivingResult(None, fate.packet_verdict)
    session, verdict = start_game_from_packet(
        packet, path, key.public if key and not give_way else None, is_known=is_known
    )
    if session and install_restored_vaults(path, session.reducer.opener.game_id, session.reducer.keepers):
        session = open_log(path)
    if session is None:
        return ReceivingResult(session, verdict)
    add_game_to_match(session)
    heard, gave = _learn_signatures(session, packet, key), store_valid_shares(session, packet.head.parts)
    return ReceivingResult(
        session, verdict, do_automatic_mail_steps(session, key), received_shares=gave, last_signed_entry=heard
    )


def _learn_signatures(session: Session, packet: Packet, key: Key | None) -> int | None:
    """Learns the last signature of a restored key from a packet that another seat signed.

    Returns the number of the signed entry, as `adopt_logged_signature` does.
    """
    desk = MailPlayer(session, key) if key else None
    return (
        desk.signer.adopt_logged_signature()
        if desk and packet.signing_seat in desk.protocol.seats and packet.signing_seat != desk.seat
        else None
    )


def receive_kept_packets(log: Path, key: Key | None) -> Iterator[tuple[Packet, ReceivingResult]]:
    """Accepts or refuses the kept packets whose earlier entries are here now. Yields each packet with its result.

    Packets that came too early still stay where they are.
    """
    for path, packet in list_kept_packets(log):
        found = receive_packet(open_log(log), packet, key)
        if found.packet_verdict.situation != "early":
            path.unlink(missing_ok=True)
            yield packet, found
    with suppress(OSError):  # other files may be in the folder
        find_spool_path(log).rmdir()


def do_automatic_mail_steps(session: Session, key: Key | None) -> tuple[JudgedAction, ...]:
    """Does everything that needs no decision, such as taking a requested seat.

    With the pen, also records offers and does the automatic steps of `MailPlayer`. Returns the actions that were
    recorded; none without the pen.
    """
    desk = MailPlayer(session, key) if key else None
    if desk:
        take_requested_seat(desk)
        take_match_seat(desk)
        record_ruled_offer(desk)
    if desk is None or desk.seat is None or not desk.has_pen or session.path is None:
        return ()
    asks = read_waiting_offers(session.path)
    desk.record_signed_offers(asks)
    write_waiting_offers(session.path, list_rulable_offers(session, asks))
    return tuple(desk.do_automatic_steps())
