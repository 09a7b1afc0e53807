"""Which moment of a game is meant: entry 9, `turn 7` as it begins or ends, or `7.blue`, blue's part of turn 7."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.cli.errors import MisuseError
from referee.cli.typed import seat_of
from referee.engine.text import count_of
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.record.table.session import Session

HOW = "an entry like 9, or a turn like turn 7 or 7.blue"
_TYPED = re.compile(r"(?P<turn>turn\s*)?(?P<number>[0-9]{1,9})(?:\.(?P<seat>[^\s.]+))?", re.IGNORECASE)


class When(Struct, frozen=True):
    """A moment as somebody names it."""

    number: int
    """Of an entry, or of a turn."""
    is_turn: bool
    seat: str | None
    """Whose part of the turn, as typed; None: all of it."""
    is_end: bool = False
    """Whether a turn is meant as it ends, not as it begins."""

    def entry(self, read: Callable[[], Session]) -> int:
        """Number of the entry after which this moment is, in a log that is read only where that takes it. Entries that
        were taken back count by their number only. MisuseError when the game has no such turn.
        """
        if not self.is_turn:
            return self.number
        return (turn_ends if self.is_end else turn_begins)(read(), self.number, self.seat)


def parse_when(text: str) -> When:
    """A moment as typed; MisuseError."""
    read = _TYPED.fullmatch(text.strip())
    if read is None:
        raise MisuseError(f"{text!r} is no moment of a game; type {HOW}")
    return When(int(read["number"]), bool(read["turn"] or read["seat"]), read["seat"])


def turn_begins(session: Session, turn: int, named: str | None = None) -> int:
    """The entry after which a turn begins, or the part of it in which a seat first acts; MisuseError."""
    seat = seat_of(named, session.header.names)
    latest = 0
    for n in session.in_force():
        then = Sitting(session, None, n)
        latest = max(latest, then.facts.turn)
        if then.facts.turn == turn and seat in (None, then.facts.to_act):
            return n
    if latest < turn or seat is None:
        raise MisuseError(f"there is no turn {turn}; {count_of(latest, 'turn')} can be looked at")
    raise MisuseError(f"in turn {turn} nothing waits for {seat}")


def turn_ends(session: Session, turn: int, named: str | None = None) -> int:
    """The entry after which a turn is over, or the part of it in which a seat first acts; the last one where it goes on
    still. MisuseError.
    """
    seat, begun = seat_of(named, session.header.names), turn_begins(session, turn, named)
    for n in session.in_force():
        then = Sitting(session, None, n)
        if n > begun and (then.facts.turn, seat) not in ((turn, None), (turn, then.facts.to_act)):
            return n
    return len(session.entries) - 1
