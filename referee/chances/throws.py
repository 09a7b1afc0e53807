"""The throws of a log: what was thrown, and what the rules had asked for. Compares nothing: that is for an audit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from referee.engine.adjudicate import Played, adjudicate
from referee.engine.blame import GameError
from referee.engine.dice import DiceError, Need, Roll
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.source import LOTS
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.table.session import Session


class Throw(Struct, frozen=True):
    """A throw as it stands in a log."""

    n: int
    """Number of its entry."""
    turn: int
    seat: Seat
    kind: str
    """What was done with it: the word with which that is said."""
    need: Need
    """What the rules asked for, aims included."""
    roll: Roll
    stands: bool
    """Whether it is in force: neither taken back nor corrected."""


def throws_in(session: Session) -> Iterator[Throw]:
    """The throws of a log that can be seen here, in order. FaultError or OSError when it is not there any more.

    A play under other rules than today's, or one that is still a secret, has no throws that could be told.
    """
    standing = frozenset(session.in_force())
    for entry in session.entries:
        if not isinstance(entry, PlayEntry) or not entry.is_open:
            continue
        before = session.moment(entry.n - 1)
        if before.known.knows(entry.by):
            for need, roll in needs_of(session.game, before.view(entry.by), entry):
                kind = session.game.verbs.of(type(entry.done)).word
                yield Throw(entry.n, before.facts.turn, entry.by, kind, need, roll, entry.n in standing)


def untold_in(session: Session, told: Iterable[Throw]) -> int:
    """Plays in force with dice of which no throw is told: they hang on secrets, or today's rules know them not."""
    found = {throw.n for throw in told}
    plays = (session.entries[n] for n in session.in_force() if n not in found)
    return sum(isinstance(play, PlayEntry) and any(map(_is_thrown, play.rolls)) for play in plays)


def _is_thrown(roll: Roll) -> bool:
    """Whether dice were thrown by hand, or as if: neither lots nor something drawn."""
    return not roll.names and roll.purpose != LOTS


def needs_of(game: AnyGame, view: Any, entry: AnyPlay) -> list[tuple[Need, Roll]]:
    """What each throw of a play was asked for, as far as a view knows; nothing, where today's rules judge otherwise."""
    source = Noting(entry.all_rolls)
    try:
        verdict = adjudicate(game, view, entry.by, entry.done, source)  # type: ignore[arg-type]  # it is open
    except (LookupError, ValueError, TypeError, AttributeError, GameError):
        return []  # other dice, or it hangs on a secret that is not known here
    return source.needs if isinstance(verdict, Played) else []


class Noting:
    """A source that hands back recorded dice, and remembers what they were asked for."""

    def __init__(self, rolls: tuple[Roll, ...]) -> None:
        self._rolls = list(rolls)
        self.needs: list[tuple[Need, Roll]] = []

    def seed_lots(self, to: Seat | None) -> Roll | None:  # noqa: ARG002
        """None: what lots have drawn is recorded too."""
        return None

    def draw(self, need: Need) -> Roll:
        """The next recorded throw that was made for this."""
        asked = (need.to, need.purpose, need.count)
        roll = next((one for one in self._rolls if (one.to, one.purpose, len(one.faces)) == asked), None)
        if roll is None:
            raise DiceError(f"no dice are recorded for {need}")
        self._rolls.remove(roll)
        self.needs.append((need, roll))
        return roll
