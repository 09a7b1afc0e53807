"""Matches by mail, in words: the score, the games, and the player's seat in a later game."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.cli.answer import Text
from referee.cli.game_view import describe_turn
from referee.engine.text import listing
from referee.mail.seats import find_own_seat, get_mail_protocol
from referee.record.archive.log_boundary import run_on_log_or_none
from referee.record.log.entry import JoinEntry
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.mail.match_packets import CompanionPackets
    from referee.record.archive.match import Match


def describe_match(look: SeatView, match: Match) -> Iterator[Text]:
    """Yields the score of the match of a game by mail, and the match's current game if that is another one."""
    number = find_game_number(match, look.session.public.id)
    place = (
        f"Game {number} of match {match.path.stem}."
        if number
        else f"This game no longer belongs to match {match.path.stem}."
    )
    yield Text(" ".join([place, *match.match_rules.tell(match.score)]), indent=2, hanging=2)
    log = match.current_log
    if log and look.log.path and log.resolve() != look.log.path.resolve():
        yield Text(f"Game {len(match.started_games)} goes on: referee use {quote(str(log))}", indent=2)


def collect_match_facts(look: SeatView, match: Match) -> dict[str, Any]:
    """Returns the match of a game by mail for programs: its log, its score and its winners."""
    number = find_game_number(match, look.session.public.id)
    told = {"log": str(match.path), "number": number, "score": match.score, "winners": match.winners}
    return {"match": told | {"playing": str(match.current_log) if match.current_log else None}}


def find_game_number(match: Match, game_id: str) -> int:
    """Returns the number of a game in its match, from 1; 0 if it does not count there."""
    games = [started.game for started in match.started_games]
    return games.index(game_id) + 1 if game_id in games else 0


def describe_automatic_joining(look: SeatView, last: int) -> Iterator[str]:
    """Yields a sentence if the player's own computer has sat down in a later game of a match after entry `last`."""
    place = look.facts.header.match
    seat = find_own_seat(get_mail_protocol(look.session)) if place and place.number > 1 else None
    new = look.log.entries[last + 1 :]
    if place and seat and any(isinstance(entry, JoinEntry) and entry.by == seat for entry in new):
        yield f"This is game {place.number} of your match: you sit at {seat}, as you agreed when the match began."


def describe_match_progress(beside: CompanionPackets) -> str:
    """Returns a note about the match after a mail that ends a game; "" if there is nothing to say."""
    match, game = beside.match, beside.next_game
    if match is None:
        return ""
    if game and beside.next_game_packet:
        return f"Game {len(match.started_games)} of the match begins with this mail, in {game.path}."
    return f"The match is over: {listing(match.winners)} has won it." if match.winners else ""


def describe_current_match_game(match: Match) -> list[str]:
    """Returns lines about the current game of a match by mail; if it is over, also the command that signs its end."""
    log, number = match.current_log, len(match.started_games)
    look = run_on_log_or_none(log, lambda: SeatView(open_log(log))) if log else None
    if log is None:
        return [f"The seat that was first to sign the end of game {number} begins game {number + 1} with its mail."]
    if look is None:
        return [f"Game {number} is in progress, but its log {log.name} is missing or unreadable."]
    if look.facts.outcome:
        over = f"Game {number}, in {log.name}, is over: {look.facts.outcome.because}."
        return [over, f"Next, to sign the end of the game: referee -g {quote(str(log))} mail pack"]
    return [f"Game {number} is in progress, in {log.name}: {describe_turn(look.facts)}."]
