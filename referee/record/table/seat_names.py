"""The names of those who sat at the seats of a log, before an entry and in the course of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.engine.game import Game

if TYPE_CHECKING:
    from referee.record.table.session import Session


def find_names_before(session: Session, n: int) -> Mapping[Seat, str]:
    """Returns the name of the player or bot at each seat just before entry `n`; the name of the seat if nobody sits
    there.
    """
    if not session.reducer.seat_changes and type(session.game).find_current_names is Game.find_current_names:
        return session.moment().facts.names  # the same throughout, so the log need not be folded again
    return session.moment(n - 1).facts.names


def list_players_of_seats(session: Session, at: int | None = None) -> dict[Seat, tuple[str, ...]]:
    """Returns everybody who has sat at each seat, in order, up to now or to entry `at`. A seat at which nobody has sat
    has only its own name, such as "red".
    """
    if not session.reducer.seat_changes:
        return {seat: (name,) for seat, name in session.moment(at).facts.names.items()}
    found: dict[Seat, list[str]] = {seat: [] for seat in session.reducer.seats}
    last = len(session.entries) - 1 if at is None else at
    changed = {change.n for change in session.reducer.seat_changes if change.n <= last}  # a join is in no line of play
    for n in sorted(changed.union(session.in_force(at))):
        facts = session.moment(n).facts
        for seat in facts.occupied_seats:
            if facts.names[seat] not in found[seat][-1:]:
                found[seat].append(facts.names[seat])
    return {seat: tuple(names) or (seat,) for seat, names in found.items()}
