"""The rolls of a log: their faces, and the needs for which the rules asked.

Faces are not checked here, since that is an audit's work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice import DiceError, Need, Roll
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.plugin_errors import GameError
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.table.session import Session


class RecordedRoll(Struct, frozen=True):
    """A roll in a log, with the need that it answers."""

    n: int
    """The number of its entry."""
    turn: int
    seat: Seat
    names: Mapping[Seat, str]
    """The name of the player who sat at each seat when it was rolled."""
    kind: str
    """The verb of the action, such as "smash"."""
    need: Need
    """The dice for which the rules asked, with their targets."""
    roll: Roll
    is_in_force: bool
    """True if the roll is in force: neither taken back nor corrected."""


def list_recorded_rolls(session: Session) -> Iterator[RecordedRoll]:
    """Yields the visible rolls of a log, in order, even rolls that were taken back.

    A play that is still secret, or that today's rules judge otherwise, yields no rolls. Raises FaultError or OSError if
    the log is gone.
    """
    standing = frozenset(session.in_force())
    for entry in session.entries:
        if not isinstance(entry, PlayEntry) or not entry.is_fully_known:
            continue
        before = session.moment(entry.n - 1)
        if before.known.can_open_view_of(entry.by):
            for need, roll in pair_rolls_with_needs(session.game, before.view(entry.by), entry):
                names = before.facts.names
                kind = session.game.verbs.find_verb(type(entry.known_action)).word
                yield RecordedRoll(entry.n, before.facts.turn, entry.by, names, kind, need, roll, entry.n in standing)


def count_plays_left_out(session: Session, told: Iterable[RecordedRoll]) -> int:
    """Returns the number of plays in force that rolled dice, but have no roll in `told`.

    Their rolls are not listed, because they depend on secrets, or because today's rules judge the plays otherwise.
    """
    found = {throw.n for throw in told}
    plays = (session.entries[n] for n in session.in_force() if n not in found)
    return sum(isinstance(play, PlayEntry) and any(map(_is_rolled, play.rolls)) for play in plays)


def _is_rolled(roll: Roll) -> bool:
    """True if dice were rolled, by hand or by a seed. False for a blind draw of names, and for the seed of lots."""
    return not roll.names and roll.purpose != LOT_SEED_PURPOSE


def pair_rolls_with_needs(game: AnyGame, view: Any, entry: AnyPlay) -> list[tuple[Need, Roll]]:
    """Returns each roll of a play with the need that it answers.

    Returns [] if the play depends on facts that the view does not have, or if today's rules judge the play otherwise.
    """
    source = NeedCollectingDice(entry.known_rolls)
    try:
        verdict = adjudicate(game, view, entry.by, entry.known_action, source)  # type: ignore[arg-type]  # it is open
    except (LookupError, ValueError, TypeError, AttributeError, GameError):
        return []  # today's rules ask for other dice, or the play depends on a secret that is not known here
    return source.needs if isinstance(verdict, LegalVerdict) else []


class NeedCollectingDice:
    """A source that returns recorded dice, and remembers the need for which each roll was asked."""

    def __init__(self, rolls: tuple[Roll, ...]) -> None:
        self._rolls = list(rolls)
        self.needs: list[tuple[Need, Roll]] = []

    def draw_lot_seed(self, to: Seat | None) -> Roll | None:  # noqa: ARG002
        """Returns None, so that no new seed is drawn: the log holds the drawn lots as rolls."""
        return None

    def draw(self, need: Need) -> Roll:
        """Returns the next recorded roll for this need."""
        asked = (need.to, need.purpose, need.count)
        roll = next((one for one in self._rolls if (one.to, one.purpose, len(one.faces)) == asked), None)
        if roll is None:
            raise DiceError(f"no dice are recorded for {need}")
        self._rolls.remove(roll)
        self.needs.append((need, roll))
        return roll
