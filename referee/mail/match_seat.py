"""The games of a match as they come by mail. A later game is accepted only if it is the next one of the match here.

A player who sat down in the first game agreed to the whole match, so their computer sits down in the later games.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.record.archive.match import open_match
from referee.record.archive.match_by_mail import (
    begin_match_log,
    explain_unfit_next_game,
    find_next_game_starter,
    find_signed_end_entry,
    open_and_update_match,
    open_last_ended_game,
    update_match,
)
from referee.record.log.log_errors import Fault, FaultError
from referee.record.log.store import find_match_log, find_match_log_path

if TYPE_CHECKING:
    from referee.mail.mail_player import MailPlayer
    from referee.mail.packet_verifier import PacketCheck
    from referee.record.archive.match import Match
    from referee.record.table.reducer import Reducer
    from referee.record.table.session import Session


def add_match_check(check: PacketCheck, path: Path) -> PacketCheck:
    """Returns a check that runs `check`, and refuses a later game of a match unless it is the next one here.

    `path` is the path that the log of the new game will have.
    """

    def check_both(reducer: Reducer) -> None:
        check(reducer)
        place = reducer.header.match
        if place is not None and place.number > 1:
            problem = _explain_refusal(path, reducer, str(place.first))
            if problem:
                raise FaultError(Fault("bad-beginning", 0, 0, problem))

    return check_both


def _explain_refusal(path: Path, reducer: Reducer, first: str) -> str | None:
    """Returns why a later game of a match is refused, as a clause; None if it is accepted."""
    log = find_match_log(path)
    match = open_match(log) if log else None
    if match is None or match.list_all_started_games()[0].game != first:
        return "the earlier games of this match are not here; first open the mails with the first game"
    update_match(match)
    return explain_unfit_next_game(match, reducer.header) or _explain_wrong_seat(match, reducer)


def _explain_wrong_seat(match: Match, reducer: Reducer) -> str | None:
    """Returns a clause if the wrong seat began the game; None if the right one did.

    The right seat is the first one that signed the end of the game before.
    """
    last = open_last_ended_game(match)
    end = find_signed_end_entry(last)
    assert end is not None and reducer.protocol is not None, "the previous game was played by mail and is over"
    due, began = find_next_game_starter(last, end), next(iter(reducer.protocol.enrolments), None)
    told = f"{began} began this game, but {due} had to: {due} was the first to sign the end of the game before"
    return None if due == began else told


def add_game_to_match(session: Session) -> None:
    """Adds a game that came by mail to its match. Makes the log of the match for the first game."""
    place, path = session.public.header.match, session.path
    if place is None or path is None or find_match_log_path(path) is None:
        return
    if place.number == 1 and find_match_log(path) is None:
        begin_match_log(session)
    else:
        open_and_update_match(session)


def take_match_seat(desk: MailPlayer) -> bool:
    """Sits down in a later game of a match at the seat that this key has in the match.

    Returns True if the player sat down. Does nothing in a game that the match here does not name, or on a branch.
    """
    place = desk.session.public.header.match
    if place is None or not place.keys or desk.seat is not None or desk.session.public.branched:
        return False
    seat = next((seat for seat, key in place.keys.items() if key == desk.key.public), None)
    if (
        seat not in desk.protocol.seats_to_join
        or desk.protocol.pen not in (None, seat)
        or not open_and_update_match(desk.session)
    ):
        return False
    desk.join_game(seat)
    return True
