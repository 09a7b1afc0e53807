"""Opens packets: finds the log of each packet, and adds to the log or only looks at the result."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.cli.arguments import reserve_log_path
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.log_paths import list_logs, list_related_logs
from referee.cli.mail.branch_checks import copy_vaults_to_branch, warn_of_other_history
from referee.cli.mail.fork_proofs import find_proof_path
from referee.cli.mail.mail_files import MailedPacket
from referee.cli.mail.match_text import describe_automatic_joining
from referee.cli.mail.opened_text import OpenedPacket
from referee.cli.mail.people_text import remember_other_players
from referee.engine.plugin_errors import GameError
from referee.engine.registry import UnknownGameError
from referee.engine.text import count_of
from referee.mail.intake import start_game_from_packet
from referee.mail.invitations import InvitationCheck, InvitationObstacle
from referee.mail.key import Key
from referee.mail.mail_player import MailPlayer
from referee.mail.packet import Packet, find_match_place
from referee.mail.packet_fate import BeginsGame, decide_packet_fate
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.mail.sync import (
    ReceivingResult,
    preview_packet,
    receive_first_packet,
    receive_kept_packets,
    receive_packet,
)
from referee.record.archive.equivocation import encode_equivocation
from referee.record.archive.match_by_mail import find_and_update_match, find_first_game_path, find_free_game_path
from referee.record.log.file_kinds import MATCH, find_path_kind
from referee.record.log.log_errors import FaultError, LogError
from referee.record.log.safe_files import create_file, make_name_part
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.mail.packet_verdict import PacketVerdict
    from referee.record.log.entry import AnyEntry, MatchPlace
    from referee.record.table.session import Session


class OpenOptions(Struct, frozen=True):
    """The options for opening mail."""

    output: Path | None = None
    """The path for the log of a new game."""
    dry_run: bool = False
    theirs: bool = False
    """True if your own entries are set aside where your copy and the packet differ."""
    again: bool = False
    """True if your own actions are then repeated after the entries of the packet."""
    key: Key | None = None
    """The key of the player who opens the mail; None if they have none."""
    has_named_mails: bool = True
    """True if the player has named the mails. Otherwise they are opened as they come, and no stranger begins a game."""
    scratch_folder: Path = Path()
    """The folder in which a new game is unpacked while it is only looked at."""

    @property
    def own_public_key(self) -> str | None:
        """The public half of the key; None without a key."""
        return self.key.public if self.key else None


class PostponedGame(Struct, frozen=True):
    """A game that may not begin yet, and the reason. Its mail stays where it is."""

    mail: str
    why: InvitationObstacle


def open_packet(
    context: Context, mailed: MailedPacket, how: OpenOptions, invitations: InvitationCheck
) -> OpenedPacket | PostponedGame:
    """Opens a packet and returns the result; in a dry run, the result that it would have.

    Returns a PostponedGame if the packet begins a game that may not begin yet.
    """
    packet, mail = mailed
    session = find_packet_session(context, packet)
    begins = session is None and packet.head.base == 0
    why = invitations.find_obstacle(packet, mail) if begins else None
    if why:
        return PostponedGame(mail, why)
    opened = _open_here(session, packet, how)
    if begins and opened.packet_verdict.brings_new_entries:
        invitations.count_begun_game(packet, mail)
    return opened


def _open_here(session: Session | None, packet: Packet, how: OpenOptions) -> OpenedPacket:
    if session is not None:
        return _look_at_known(session, packet, how) if how.dry_run else _open_known(session, packet, how)
    match decide_packet_fate(None, packet, how.own_public_key, give_way=how.theirs):
        case BeginsGame():
            return _look_at_new(packet, how) if how.dry_run else _open_new(packet, how)
        case fate:
            return OpenedPacket(packet, fate.packet_verdict)


def open_deferred_packets(before: Iterable[OpenedPacket], how: OpenOptions) -> list[OpenedPacket]:
    """Opens the packets that came too early and fit now, in the games of the packets `before`."""
    logs = {one.look.log.path for one in before if one.look and one.look.log.path}
    late = [one for log in logs for one in receive_kept_packets(log, how.key)]
    results = [_make_result(packet, found) for packet, found in late]
    return [one for one in results if not one.brings_nothing_new]


def _make_result(packet: Packet, found: ReceivingResult, more: Sequence[str] = ()) -> OpenedPacket:
    look = _look(found.session) if found.session else None
    verdict = found.packet_verdict
    more = [*more, *(describe_automatic_joining(look, verdict.last) if look and verdict.brings_new_entries else ())]
    if found.session and found.packet_verdict.is_sound:
        more = [*more, *filter(None, [remember_other_players(found.session)])]
    return OpenedPacket(
        packet,
        found.packet_verdict,
        look,
        found.automatic_actions,
        more,
        found.lapsed_requests,
        found.lapsed_offers,
        found.received_shares,
        found.last_signed_entry,
        has_news=found.has_news,
    )


def _look(session: Session) -> SeatView:
    """Returns the game in the view of the player here, or in the public view if their secrets are lost."""
    seat = find_own_seat(get_mail_protocol(session))
    look = SeatView(session)
    return look.with_eyes(seat) if seat and look.can_open_view_of(seat) else look


# The log of a packet


def find_packet_session(context: Context, packet: Packet) -> Session | None:
    """Returns the log of a packet's game: the current log, or another one here; None if none is here.

    Raises FaultError if the log cannot be read, and MisuseError if `-g` names a log of another game.
    """
    trouble: FaultError | None = None
    first = next(_list_candidates(context), None)

    def may_be_log_of(path: Path, game_id: str) -> bool:
        # nearly all mail is for the current game: read it at once
        return path == first or context.is_log_of_game(path, game_id)

    for path in list_related_logs(packet.head.game, _list_candidates(context), may_be_log_of):
        try:
            session = context.open_or_reuse_session(path)
        except (LogError, GameError, UnknownGameError, OSError) as error:
            trouble = trouble or _find_fault_of_game(context, path, packet, error)
            continue
        if session.public.protocol and session.public.protocol.record_id == packet.head.record:
            return session
    if trouble:
        raise trouble
    if context.log is not None:
        raise MisuseError(f"this packet belongs to another game than {context.log}; to open it, leave out -g")
    return None


def _find_fault_of_game(context: Context, path: Path, packet: Packet, error: Exception) -> FaultError | None:
    """Returns the fault of a log of the packet's game; None for a log of another game. Raises any other error."""
    if not context.is_log_of_game(path, packet.head.game):
        return None
    if isinstance(error, FaultError):
        return error
    raise error


def _list_candidates(context: Context) -> Iterator[Path]:
    """Yields the logs that may be meant: the current one, then all others here unless `-g` names one."""
    try:
        yield context.find_log_path()
    except (NoGameError, FileNotFoundError):
        if context.log is not None:
            raise
    if context.log is None:
        yield from list_logs()


# A game that is here


def _open_known(session: Session, packet: Packet, how: OpenOptions) -> OpenedPacket:
    """Adds a packet to the log of its game, and returns the result."""
    found = receive_packet(session, packet, how.key, give_way=how.theirs)
    more = [f"Your own entries lie in {found.set_aside_log}."] if found.set_aside_log else []
    if found.packet_verdict.equivocation and session.path:
        proof = quote(str(_write_proof(session.path, found.packet_verdict)))
        more.append(f"The proof is a file, which anybody can check: referee audit {proof}")
    if how.again and found.set_aside_log and found.session:
        more += _repeat_actions(found.session, found.replaced_entries, how.key)
    return _make_result(packet, found, more)


def _look_at_known(session: Session, packet: Packet, how: OpenOptions) -> OpenedPacket:
    """Judges a packet of a game that is here, and keeps nothing."""
    found = preview_packet(session, packet, how.own_public_key, give_way=how.theirs)
    gone = count_of(len(found.replaced_entries), "entry", "entries")
    return OpenedPacket(
        packet,
        found.packet_verdict,
        _look(session),
        remarks=[f"{gone} of yours would be set aside."] if found.replaced_entries else (),
        lapsed_requests=found.lapsed_requests,
        lapsed_offers=found.lapsed_offers,
        received_shares=found.received_shares,
        has_news=found.has_news,
        preview=_look(found.session) if found.session else None,
    )


def _write_proof(log: Path, verdict: PacketVerdict) -> Path:
    assert verdict.equivocation is not None, "called only for a packet that proves a fork"
    path = find_proof_path(log, str(verdict.seat), verdict.first)
    data = encode_equivocation(verdict.equivocation)
    if not os.path.lexists(path):
        create_file(path, data)
    return path


def _repeat_actions(session: Session, before: Sequence[AnyEntry], key: Key | None) -> list[str]:
    """Takes the player's actions from the copy that was set aside, judges them and records them again.

    Returns a line for each action. Stops at the first action that is no longer possible. If the player has no pen,
    repeats nothing and returns one line that says so.
    """
    from referee.record.log.entry import PlayEntry

    desk = MailPlayer(session, key) if key else None
    if desk is None or desk.seat is None or not desk.has_pen:
        return ["Your own moves cannot be repeated now: somebody else has the pen."]
    mine = [one for one in before if isinstance(one, PlayEntry) and one.by == desk.seat]
    told: list[str] = []
    for action in filter(None, (entry.known_action for entry in mine)):
        line = SeatView(session, desk.seat).judge_line([action])
        words = session.game.format(action)
        if line.refused or line.awaiting:
            return [*told, f"No longer possible: {words}."]
        session.record(line.said)
        told.append(f"Repeated: {words}.")
    return told


# A game that is new here


def _open_new(packet: Packet, how: OpenOptions) -> OpenedPacket:
    with _reserve_path(packet, how) as path:
        known = _is_known(packet.head.game)
        found = receive_first_packet(packet, path, how.key, give_way=how.theirs, is_known=known)
    if found.session is None:
        return OpenedPacket(packet, found.packet_verdict)
    unlike = list(warn_of_other_history(found.session))
    if found.session.public.branched and not unlike:
        copy_vaults_to_branch(packet.head.game, path, SeatView(found.session).facts.keepers)
    return _make_result(packet, found, [f"The game is in {path}.", *unlike])


@contextmanager
def _reserve_path(packet: Packet, how: OpenOptions) -> Iterator[Path]:
    """Yields the path for the log of a new game. The games of a match are named after the match."""
    place, module = find_match_place(packet), packet.head.module
    later = _find_path_in_match(place)
    if later:
        yield later
        return
    is_first = place is not None and place.number == 1
    with reserve_log_path(how.output, f"{module}-match" if is_first else module) as path:
        yield find_first_game_path(path) if is_first else path


def _find_path_in_match(place: MatchPlace | None) -> Path | None:
    """Returns the path for a later game of a match; None if the match is not here."""
    if place is None or place.first is None:
        return None
    match = find_and_update_match(place.first, (path for path in list_logs() if find_path_kind(path) == MATCH))
    return find_free_game_path(match) if match else None


def _look_at_new(packet: Packet, how: OpenOptions) -> OpenedPacket:
    """Judges the packet of a game that is not here, in a temporary folder, and keeps nothing."""
    path = how.scratch_folder / f"{make_name_part(packet.head.record)}.jsonl"
    later, known = _find_path_in_match(find_match_place(packet)), _is_known(packet.head.game)
    session, verdict = start_game_from_packet(packet, path, how.own_public_key, is_known=known, match_game=later)
    if session is None:
        return OpenedPacket(packet, verdict, is_kept=False)
    return OpenedPacket(
        packet, verdict, SeatView(session), remarks=list(warn_of_other_history(session, is_kept=False)), is_kept=False
    )


def _is_known(game_id: str) -> bool:
    """True if a log of this game is here. Then the packet may be of a branch of that game."""
    return any(list_related_logs(game_id, list_logs()))
