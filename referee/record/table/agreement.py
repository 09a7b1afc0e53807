"""Agreement: who must consent to a takeback, an amended position, a reveal. Recording and auditing both ask here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.entry import AnyEntry, DeedEntry, GameEntry, PlayEntry

Bar = Literal["secret", "told", "rolled", "settled", "agreed", "ended"]
"""Why nobody goes back over an entry alone."""

WHY: dict[Bar, str] = {
    "secret": "entry {n} is a secret",
    "told": "a secret was told in entry {n}",
    "rolled": "dice were thrown in entry {n}",
    "settled": "entry {n} stands by the rules once it is done",
    "agreed": "entry {n} is a position that all agreed on",
    "ended": "entry {n} has ended the game",
}


class Step(Struct, frozen=True):
    """An entry in force, and the ones before it: the line of play."""

    n: int
    by: Seat
    bar: Bar | None
    before: Step | None

    def back(self) -> Iterator[Step]:
        """This step and all before it, the newest first."""
        step: Step | None = self
        while step is not None:
            yield step
            step = step.before


def sets_a_state(entry: AnyEntry) -> bool:
    """Tells whether the game stands otherwise after an entry: the line of play goes through it."""
    return isinstance(entry, PlayEntry | GameEntry) or (isinstance(entry, DeedEntry) and entry.bar is not None)


def bar_of(entry: AnyEntry, *, secrets: bool) -> Bar | None:
    """Why nobody goes back over an entry in force alone; None: its own player may. `secrets`: the game keeps some."""
    if not isinstance(entry, PlayEntry):
        return entry.bar if isinstance(entry, DeedEntry) else None
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


def why_agreement(line: Step | None, then: Step | None, by: Seat, since: str = "") -> str | None:
    """Why going from one line of play to another needs the others to agree, as a clause.

    It goes back by a takeback, or on again by taking one back. None when this seat may go alone: over his own entries,
    straight back or straight on to where he came from, and only where no die was thrown, nothing done in secret or told
    of a secret, and nothing has happened `since` that cannot be undone, a clause.
    """
    if since:
        return since
    crossed = _between(line, then)
    if crossed is None:
        return "it goes neither straight back nor straight on"
    for step in crossed:
        if step.bar:
            return WHY[step.bar].format(n=step.n)
        if step.by != by:
            return f"entry {step.n} is {step.by}'s"
    return None


def _between(line: Step | None, then: Step | None) -> list[Step] | None:
    """The entries by which one line of play is longer than another, newest first; None when neither holds the other."""
    if line is None or then is None:
        return None
    longer, shorter = (line, then) if line.n > then.n else (then, line)
    crossed = [*takewhile(lambda step: step.n > shorter.n, longer.back())]
    joins = crossed[-1].before if crossed else longer
    return crossed if joins and joins.n == shorter.n else None


def why_missing(seats: Sequence[Seat], by: Seat, agreed: Iterable[Seat], what: str) -> str | None:
    """Whose agreement is missing for something, as a clause; None when all have agreed."""
    willing = (by, *agreed)
    missing = [seat for seat in seats if seat not in willing]
    return f"{what} needs {listing(missing)} to agree" if missing else None


def why_stranger(seats: Sequence[Seat], named: Iterable[Seat]) -> str | None:
    """Why these cannot all have spoken, as a clause; None when each is a seat or the referee."""
    for seat in named:
        if seat not in seats and seat != REFEREE:
            return f"nobody sits at {seat!r}; the seats are {listing(seats)}"
    return None
