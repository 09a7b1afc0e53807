"""Sitting down in a game by mail: the seats that the player here may take, what they type, and why nobody may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.mail.key import read_own_public_key
from referee.mail.seats import get_mail_protocol
from referee.record.table.game_start_checks import explain_unfit_beginning
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.session import Session

NOT_LIKE_THIS = "nobody can sit down, since no game may begin like this"


def explain_barred_joining(session: Session) -> str:
    """Returns, as a clause, why nobody can sit down in a game; "" if its beginning is allowed."""
    problem = None if session.reducer.branched else explain_unfit_beginning(session.reducer.header)
    return f"{NOT_LIKE_THIS}: {problem}" if problem else ""


def find_own_earlier_seat(session: Session) -> Seat | None:
    """Returns the free seat that the key of this computer had before: in the parent of a branch, or earlier in a match.

    None if there is no such seat, or no key. Raises KeyProblemError.
    """
    protocol, public = get_mail_protocol(session), read_own_public_key()
    keys = {**protocol.bound_keys, **protocol.keys_before_branch}
    return next((seat for seat in protocol.seats_to_join if public is not None and keys.get(seat) == public), None)


def needs_name_of_player(session: Session, seat: Seat) -> bool:
    """True if a player must type their name to take a free seat, so that nobody takes the seat of another by mistake.

    That is so if several seats are free, unless the seat has no named player, or the player here sat there before.
    """
    free = get_mail_protocol(session).seats_to_join
    return _has_rivals(session, seat) and seat in free and seat != find_own_earlier_seat(session)


def _has_rivals(session: Session, seat: Seat) -> bool:
    """True if a free seat belongs to a named player, and other seats are free, too."""
    return len(get_mail_protocol(session).seats_to_join) > 1 and SeatView(session).facts.names[seat].lower() != seat


def describe_ways_to_join(session: Session, log: str = "") -> str:
    """Returns a clause that tells each invited player how to sit down, and what has to come first; "" without any.

    A player whose seat is known reads their own way alone. The clause never holds the names of players, because the
    first mail chose them. `log` stands before the command, if the game must be named.
    """
    free, own = get_mail_protocol(session).seats_to_join, find_own_earlier_seat(session)
    if own:
        return _describe_way(session, own, own, log)
    typed = {seat: "NAME" if _has_rivals(session, seat) else seat for seat in free}
    ways = [f"if you are {seat}: {_describe_way(session, seat, word, log)}" for seat, word in typed.items()]
    return "; ".join([*ways, *(["NAME is your name in this game"] if "NAME" in typed.values() else [])])


def _describe_way(session: Session, seat: Seat, word: str, log: str) -> str:
    """Returns the command with which the player of a seat sits down. `word` names the player or the seat."""
    pen = get_mail_protocol(session).pen
    after = f", once the mail of {pen} has come" if pen not in (None, seat) else ""
    return f"referee {log}join {word}{after}"
