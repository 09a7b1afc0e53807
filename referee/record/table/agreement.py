"""Rules about consent: who must agree to a takeback, an amended position or a reveal. Recording and auditing share
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.entry import AnyEntry, DeedEntry, GameEntry, PlayEntry

IrreversibleKind = Literal["secret", "told", "rolled", "settled", "agreed", "ended", "seated", "switched"]
"""Reasons that forbid a seat to take back an entry alone."""

IRREVERSIBLE_REASONS: dict[IrreversibleKind, str] = {
    "secret": "entry {n} is a secret",
    "told": "entry {n} told a secret",
    "rolled": "dice were rolled in entry {n}",
    "settled": "by the rules, entry {n} is final",
    "agreed": "all agreed on the position in entry {n}",
    "ended": "entry {n} ended the game",
    "seated": "all agreed on the player of a seat in entry {n}",
    "switched": "all agreed on other options in entry {n}",
}
"""Each reason as a clause about entry `n`."""


class LinkedEntry(Struct, frozen=True):
    """One entry that led to the present state of the game, linked to the entry before it that did."""

    n: int
    by: Seat
    irreversible: IrreversibleKind | None
    """The reason that no seat may take back the entry alone; None if the seat `by` may."""
    before: LinkedEntry | None

    def walk_back(self) -> Iterator[LinkedEntry]:
        """Yields this entry and then all entries linked before it, the newest first."""
        step: LinkedEntry | None = self
        while step is not None:
            yield step
            step = step.before


def changes_state(entry: AnyEntry) -> bool:
    """True if the entry leads to a new state of the game. The line of play goes through exactly these entries."""
    return isinstance(entry, PlayEntry | GameEntry) or (isinstance(entry, DeedEntry) and entry.irreversible is not None)


def find_irreversible_kind(entry: AnyEntry, *, secrets: bool) -> IrreversibleKind | None:
    """Returns the reason why no seat may take back this entry alone. None if the seat that made it may do so.

    `secrets` is True if the game keeps secrets.
    """
    if not isinstance(entry, PlayEntry):
        return entry.irreversible if isinstance(entry, DeedEntry) else None
    if secrets and entry.secret is not None:
        return "secret"
    for event in entry.events if secrets else ():
        if event.tells:
            return "told"
    if entry.rolls:
        return "rolled"
    for event in entry.events:
        if event.settles:
            return "settled"
    return None


def explain_need_for_consent(
    line: LinkedEntry | None, then: LinkedEntry | None, by: Seat, since: str = ""
) -> str | None:
    """Returns, as a clause, the reason that the others must agree if the game goes from `line` to another line of play,
    `then`. None if the seat `by` may go there alone.

    A seat may go straight back alone, or straight on again after a takeback. All entries between must be its own, and
    have no reason of `IrreversibleKind`. `since` is a clause about something irreversible after the end of `then`, such
    as a reveal; "" if there is none.
    """
    if since:
        return since
    crossed = _list_crossed_steps(line, then)
    if crossed is None:
        return "it leads to another line of play, not only back or forward"
    for step in crossed:
        if step.irreversible:
            return IRREVERSIBLE_REASONS[step.irreversible].format(n=step.n)
        if step.by != by:
            return f"entry {step.n} is {step.by}'s"
    return None


def _list_crossed_steps(line: LinkedEntry | None, then: LinkedEntry | None) -> list[LinkedEntry] | None:
    """Returns the steps by which one line is longer than the other, newest first. None if neither line contains the
    other.
    """
    if line is None or then is None:
        return None
    longer, shorter = (line, then) if line.n > then.n else (then, line)
    crossed = [*takewhile(lambda step: step.n > shorter.n, longer.walk_back())]
    joins = crossed[-1].before if crossed else longer
    return crossed if joins and joins.n == shorter.n else None


def describe_missing_consents(seats: Sequence[Seat], by: Seat, agreed: Iterable[Seat], what: str) -> str | None:
    """Returns a clause that lists the seats whose agreement is missing; None if all have agreed.

    `what` begins the clause, such as "the takeback".
    """
    willing = (by, *agreed)
    missing = [seat for seat in seats if seat not in willing]
    return f"{what} needs {listing(missing)} to agree" if missing else None


def describe_unknown_seat(seats: Sequence[Seat], named: Iterable[Seat]) -> str | None:
    """Returns a clause about the first name that is neither a seat nor the referee; None if there is none."""
    for seat in named:
        if seat not in seats and seat != REFEREE:
            return f"there is no seat {seat!r}; the seats are {listing(seats)}"
    return None
