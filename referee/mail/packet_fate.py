"""The fate of a received packet, decided in one place and as a value. Nothing is changed here.

Entries that are here already do no harm. So you may open a packet as often as you like, and again after a crash.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from referee.mail.packet import Packet, is_signed_packet, is_valid_seal_line, parse_join
from referee.mail.packet_verdict import PacketSituation, PacketVerdict
from referee.mail.packet_verifier import judge_new_entries, make_packet_check
from referee.mail.roll_shares import has_given_share_since
from referee.mail.seats import find_seat_of_key, get_mail_protocol
from referee.mail.spool import list_kept_packets
from referee.record.archive.equivocation import find_first_equivocation, find_ruling_recorder
from referee.record.log.same_but_times import is_same_but_times
from referee.record.table.mail_protocol import MailProtocol
from referee.record.table.session import Session


class BeginsGame(Struct, frozen=True):
    """The packet brings the beginning of a game that is not here. Its log is made from the packet, if everything in it
    is legal.
    """


class ContinuesLog(Struct, frozen=True):
    """The packet continues the log. Its new entries are added, if they are legal."""

    packet_verdict: PacketVerdict


class ReplacesEntries(Struct, frozen=True):
    """The packet's judged entries replace your own, from the first difference on."""

    packet_verdict: PacketVerdict


class WaitsForEarlier(Struct, frozen=True):
    """The packet came too early. It is kept until the entries before it are here, if there is room."""

    packet_verdict: PacketVerdict


class ChangesNothing(Struct, frozen=True):
    """Nothing is written, because the packet brings nothing new, or something that may not be accepted."""

    packet_verdict: PacketVerdict


PacketFate: TypeAlias = BeginsGame | ContinuesLog | ReplacesEntries | WaitsForEarlier | ChangesNothing


def decide_packet_fate(
    session: Session | None, packet: Packet, own_key: str | None = None, *, give_way: bool = False
) -> PacketFate:
    """Decides the fate of a packet for this log; `session` is None if the packet's game is not here.

    `own_key` is the public key of the player who opens the packet. With `give_way`, another key may speak for this
    player's seat. Then this player's unsigned entries also give way where the copies parted.
    """
    if session is None:
        base = packet.head.base
        return ChangesNothing(PacketVerdict("early", 0, base - 1, packet.head.by)) if base else BeginsGame()
    found = compare_packet(session, packet, own_key)
    match found.situation:
        case "new":
            return ContinuesLog(found)
        case "early":
            return WaitsForEarlier(found)
        case "parted" | "retold" | "changed" | "seated" | "forked" | "ruled":
            return _decide_fate_of_differing(session, packet, found, own_key, give_way=give_way)
        case _:
            return ChangesNothing(found)


def _decide_fate_of_differing(
    session: Session, packet: Packet, found: PacketVerdict, own_key: str | None, *, give_way: bool
) -> PacketFate:
    """Decides the fate of a packet that differs from the log.

    A player's entries never give way to illegal ones. They give way to another key for their seat only if that player
    gives way. Nobody is told of a ruling that is not valid. A packet that differs only in times and has no further
    entries brings nothing new.
    """
    retold = found.situation == "retold"
    seat = find_seat_of_key(get_mail_protocol(session), own_key)
    has_own = any(entry.by == seat for entry in session.entries[found.first :])
    replaces = retold or (give_way and not found.is_own_key_bound) or (found.situation == "ruled" and not has_own)
    if not replaces and found.situation not in ("parted", "ruled"):
        return ChangesNothing(found)
    kept, theirs = session.entries.read_raw_lines()[: found.first], packet.lines[found.first - packet.head.base :]
    check = make_packet_check(None if give_way else own_key, session.reducer)
    wrong = judge_new_entries(kept, theirs, session.path, packet.head.by, check)
    if wrong and (replaces or found.situation == "ruled" or wrong.situation == "claimed"):
        return ChangesNothing(wrong)
    if retold and found.count_only_in_packet <= found.count_only_here:
        end, last = found.first + found.count_only_in_packet, len(session.entries) - 1
        situation: PacketSituation = "ahead" if found.count_only_in_packet < found.count_only_here else "known"
        return ChangesNothing(PacketVerdict(situation, end, last, first_with_other_time=found.first_with_other_time))
    return ReplacesEntries(found) if replaces else ChangesNothing(found)


# The comparison


def compare_packet(session: Session, packet: Packet, own_key: str | None = None) -> PacketVerdict:
    """Compares a packet with a log; `own_key` is the public key of the log's owner.

    The situation `new` says only that the packet continues the log. Its entries are not judged yet.
    """
    here = len(session.entries)
    if packet.head.record != get_mail_protocol(session).record_id:
        return PacketVerdict("other-game")
    if packet.head.rules > session.game.rules_version:
        return PacketVerdict("other-rules")
    if packet.head.base > here:
        return _compare_later(session, packet, own_key)
    apart = _find_first_difference(session, packet)
    if apart is not None:
        return _compare_differing(session, packet, apart, own_key)
    if packet.end <= here:
        return PacketVerdict("ahead" if packet.end < here else "known", packet.end, here - 1, packet.head.by)
    return PacketVerdict("new", here, packet.end - 1, packet.signing_seat, count_only_in_packet=packet.end - here)


def _compare_later(session: Session, packet: Packet, own_key: str | None) -> PacketVerdict:
    """Returns the verdict on a packet with entries that do not follow the log's last one directly.

    A packet begins with the first entry that some other seat has not signed, or earlier. So if entries are missing
    before it, and the player here has a seat, that seat's key has signed them on another computer.
    """
    here = len(session.entries)
    return PacketVerdict(
        "early",
        here,
        packet.head.base - 1,
        packet.head.by,
        has_own_key_signed_elsewhere=_has_signed_beginning(session, packet, own_key),
    )


def _has_signed_beginning(session: Session, packet: Packet, own_key: str | None) -> bool:
    """True if the key `own_key` must have signed the entries before a packet, because a seat has signed the packet."""
    protocol = get_mail_protocol(session)
    return find_seat_of_key(protocol, own_key) is not None and is_signed_by_seat(protocol, packet)


def _compare_rulings(found: PacketVerdict, mine: bytes, theirs: bytes) -> PacketVerdict | None:
    """Returns the verdict on a packet if a director ended the game where the copies parted; None if no director did.

    `mine` and `theirs` are the first lines that differ. A ruling overrules everything else that follows the same entry,
    even signed entries.
    """
    if seat := find_ruling_recorder(theirs):
        return replace(found, situation="ruled", seat=seat, is_own_key_bound=False)
    if seat := find_ruling_recorder(mine):
        return replace(found, situation="overruled", seat=seat)
    return None


def is_signed_by_seat(protocol: MailProtocol, packet: Packet) -> bool:
    """True if a seat of the game signed the last entry of a packet."""
    return is_signed_packet(packet, {seat: key for seat in protocol.seats if (key := protocol.find_signing_key(seat))})


def has_own_seat_gone_on_elsewhere(session: Session, own_key: str | None) -> bool:
    """True if a waiting packet shows that the seat of the key `own_key` has gone on without this computer."""
    kept = list_kept_packets(session.path) if session.path else ()
    return any(compare_packet(session, packet, own_key).has_own_key_signed_elsewhere for _, packet in kept)


def _find_first_difference(session: Session, packet: Packet) -> int | None:
    """Returns the number of the first entry that differs; None if log and packet differ in no entry that both have.

    If the packet follows another entry than the log has, returns the number of the entry before the packet.
    """
    base = packet.head.base
    if base and session.hash_at(base - 1) != packet.head.after:
        return base - 1
    both = zip(session.entries.read_raw_lines(base), packet.lines, strict=False)
    return next((n for n, (mine, theirs) in enumerate(both, base) if mine != theirs), None)


def _compare_differing(session: Session, packet: Packet, apart: int, own_key: str | None) -> PacketVerdict:
    """Returns the verdict on a packet that differs from the log from entry `apart` on."""
    protocol = get_mail_protocol(session)
    mine, theirs = session.entries.read_raw_lines(apart), packet.lines[max(0, apart - packet.head.base) :]
    found = PacketVerdict("parted", apart, packet.end - 1, packet.head.by, len(mine), packet.end - apart)
    seat = find_seat_of_key(protocol, own_key)
    if apart < packet.head.base:  # the entry that differs is not in the packet: it must be asked for
        has_signed = _has_signed_beginning(session, packet, own_key)
        return replace(found, situation="early", last=packet.head.base - 1, has_own_key_signed_elsewhere=has_signed)
    if is_same_but_times(mine, theirs, is_timeless=protocol.is_timeless):
        keys = {seat: own_key} if seat and own_key else {}
        has_signed = any(is_valid_seal_line(line, protocol.record_id, keys) for line in theirs)
        return replace(found, situation="retold", first_with_other_time=apart if has_signed else None)
    found = replace(
        found,
        is_own_key_bound=seat is not None
        and (protocol.signed_up_to.get(seat, -1) >= apart or has_given_share_since(session, apart)),
    )
    fork = find_first_equivocation(protocol, apart, (mine, theirs))
    if not fork and (ruled := _compare_rulings(found, mine[0], theirs[0])):
        return ruled
    if fork and fork.seat == seat:  # the key has signed both entries, so it is bound to neither
        return replace(
            found,
            situation="forked",
            seat=seat,
            equivocation=fork,
            is_own_key_bound=False,
            has_own_key_signed_elsewhere=True,
        )
    if fork:
        return replace(found, situation="forked", seat=fork.seat, equivocation=fork)
    signed = next((seat for seat, n in protocol.signed_up_to.items() if n >= apart), None)
    if signed is None:
        return found
    joined = [parse_join(run[0]) for run in (mine, theirs)]
    pairs = {pair for pair in joined if pair}
    if len(pairs) == 2 and len({by for by, _ in pairs}) == 1:
        return replace(found, situation="seated", seat=min(pairs)[0], keys=tuple(sorted(key for _, key in pairs)))
    return replace(found, situation="changed", seat=signed)
