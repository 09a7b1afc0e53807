"""The packets of a match that travel in one mail: the end of one game and the beginning of the next."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from referee.mail.mail_player import MailPlayer
from referee.mail.match_seat import take_match_seat
from referee.mail.packet import Packet
from referee.mail.sync import make_packet
from referee.record.archive.log_boundary import run_on_log_or_none
from referee.record.archive.match_by_mail import (
    find_next_game_starter,
    find_signed_end_entry,
    open_and_update_match,
    start_next_by_mail,
)
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.opening_logs import open_log

if TYPE_CHECKING:
    from referee.mail.key import Key
    from referee.record.archive.match import Match
    from referee.record.table.session import Session


class CompanionPackets(NamedTuple):
    """The packets of other games of a match that go along in a mail."""

    previous_game_packet: Packet | None = None
    """The packet with the end of the game before; None once all have signed that end."""
    next_game_packet: Packet | None = None
    """The packet with the beginning of the next game; None once all have sat down in that game."""
    next_game: Session | None = None
    """The next game, if it has begun with this mail or an earlier one."""
    match: Match | None = None
    """The match; None if the game belongs to none."""


def make_companion_packets(desk: MailPlayer) -> CompanionPackets:
    """Returns the packets that go along with the packet of a game. Begins the next game if this seat has to begin it.

    Make the packet of the game first, since making it signs the end of the game.
    """
    match = open_and_update_match(desk.session)
    if match is None:
        return CompanionPackets()
    games = [started.game for started in match.started_games]
    if desk.session.public.id not in games:
        return CompanionPackets(match=match)
    at = games.index(desk.session.public.id)
    next_game = _open_game_at(match, at + 1) or _begin_if_due(match, desk)
    before = _open_game_at(match, at - 1) if at else None
    return CompanionPackets(
        _make_packet_of_unsigned_end(before, desk.key) if before else None,
        _make_packet_of_beginning(next_game, desk.key) if next_game else None,
        next_game,
        match,
    )


def _open_game_at(match: Match, at: int) -> Session | None:
    """Returns a game of a match by its place, from 0; None if there is none or it cannot be read."""
    if at >= len(match.started_games):
        return None
    log = match.path.with_name(match.started_games[at].log)
    return run_on_log_or_none(log, lambda: open_log(log))


def _begin_if_due(match: Match, desk: MailPlayer) -> Session | None:
    """Begins the next game of a match if it is due, and returns it; None if it is not due.

    It is due if this seat was the first to sign the end of the present game. Nothing is due if the match is won, or if
    another game is being played.
    """
    end = find_signed_end_entry(desk.session)
    is_due = end is not None and desk.seat is not None and find_next_game_starter(desk.session, end) == desk.seat
    return start_next_by_mail(match) if is_due and not match.winners and not match.current_log else None


def _make_packet_of_unsigned_end(game: Session, key: Key) -> Packet | None:
    """Returns the packet of a finished game whose end somebody has not signed yet.

    None if all have signed, or if the player here cannot send a packet of that game.
    """
    desk = MailPlayer(game, key)
    if desk.seat is None or game.moment().outcome is None or desk.find_next_writer() is None:
        return None
    with suppress(NotAllowedError):
        return make_packet(desk)
    return None


def _make_packet_of_beginning(game: Session, key: Key) -> Packet | None:
    """Returns the packet of a game in which somebody has not sat down yet.

    First sits this player down there, if that is possible. Returns None if all have sat down, or if the player here
    cannot send a packet of that game.
    """
    desk = MailPlayer(game, key)
    take_match_seat(desk)
    if not desk.protocol.seats_to_join:
        return None
    with suppress(NotAllowedError):
        return make_packet(desk)
    return None
