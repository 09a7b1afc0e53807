"""Moments of a game that options name: entry 9, the beginning or end of `turn 7`, or `7.blue`, blue's part of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.cli.arguments import parse_seat
from referee.cli.errors import MisuseError
from referee.engine.text import count_of
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.record.table.session import Session

REFERENCE_FORMS = "an entry like 9, or a turn like turn 7 or 7.blue"
_TYPED = re.compile(r"(?P<turn>turn\s*)?(?P<number>[0-9]{1,9})(?:\.(?P<seat>[^\s.]+))?", re.IGNORECASE)


class EntryReference(Struct, frozen=True):
    """A moment of a game as somebody names it. The log tells which entry that is."""

    number: int
    """The number of an entry or of a turn."""
    is_turn: bool
    seat: str | None
    """The seat whose part of the turn is meant, as typed; None for all of it."""
    is_end: bool = False
    """True if the end of a turn is meant, not its beginning."""

    def resolve(self, read: Callable[[], Session]) -> int:
        """Returns the number of the entry at this moment.

        `read` opens the log, and is called only for turns. Turns do not count entries that were taken back. Raises
        MisuseError if the game has no such turn.
        """
        if not self.is_turn:
            return self.number
        return (find_turn_end if self.is_end else find_turn_start)(read(), self.number, self.seat)


def parse_entry_reference(text: str) -> EntryReference:
    """Parses an entry or a turn, such as "9", "turn 7" or "7.blue". Raises MisuseError for anything else."""
    read = _TYPED.fullmatch(text.strip())
    if read is None:
        raise MisuseError(f"{text!r} is not a position in a game; type {REFERENCE_FORMS}")
    return EntryReference(int(read["number"]), bool(read["turn"] or read["seat"]), read["seat"])


def find_turn_start(session: Session, turn: int, named: str | None = None) -> int:
    """Returns the entry after which a turn begins.

    If a seat is `named`, returns the entry after which that seat's part of the turn begins.

    Raises MisuseError if there is no such turn or seat, or the seat has nothing to do in that turn.
    """
    seat = parse_seat(named, SeatView(session).facts.names)
    latest = 0
    for n in session.in_force():
        then = SeatView(session, None, n)
        latest = max(latest, then.facts.turn)
        if then.facts.turn == turn and seat in (None, then.facts.to_act):
            return n
    if latest < turn or seat is None:
        raise MisuseError(f"there is no turn {turn}; the game has {count_of(latest, 'turn')}")
    raise MisuseError(f"{seat} has nothing to do in turn {turn}")


def find_turn_end(session: Session, turn: int, named: str | None = None) -> int:
    """Returns the entry after which a turn is over.

    If a seat is `named`, returns the entry after which that seat's part of the turn is over. Returns the last entry if
    the turn or the part still goes on. Raises MisuseError as `find_turn_start` does.
    """
    seat, begun = parse_seat(named, SeatView(session).facts.names), find_turn_start(session, turn, named)
    for n in session.in_force():
        then = SeatView(session, None, n)
        if n > begun and (then.facts.turn, seat) not in ((turn, None), (turn, then.facts.to_act)):
            return n
    return len(session.entries) - 1
