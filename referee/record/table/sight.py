"""What certain eyes see of a game at a moment. Who is given this can come at nothing else of it.

>>> sight = Sight(session.moment(), "red")
>>> sight.view, sight.legal, sight.why(action), sight.pieces, sight.status, sight.picture()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from referee.engine.adjudicate import Played
from referee.engine.event import REFEREE, Seat
from referee.engine.game import look
from referee.engine.pieces import Change, changes, counters, everything
from referee.engine.secret import blinded

if TYPE_CHECKING:
    from referee.engine.dice import Roll
    from referee.engine.legal import Action, Legal
    from referee.engine.ruling import Refusal
    from referee.engine.scene import Overlay, Scene
    from referee.record.table.moment import Moment, Said


class Sight:
    """A moment through certain eyes: a seat's, everybody's (None), or all that is known here (`REFEREE`)."""

    def __init__(self, moment: Moment, eyes: Seat | None) -> None:
        self._moment = moment
        self.eyes = eyes
        """Whose they are."""
        self.facts = moment.facts
        """What everybody may know of it."""
        self.speaker: Seat = eyes or self.facts.to_act or self.facts.seats[0]
        """Who speaks: whose eyes these are, else who is to act; after the end the first seat."""

    # Whose eyes

    def sees(self, owner: Seat) -> bool:
        """Whether a secret of this seat is one's own here."""
        return self.eyes in (owner, REFEREE)

    def blinded(self, value: Any) -> Any:
        """A value without the secrets that these eyes do not see."""
        return blinded(value, self.eyes) if self.facts.keepers and self.eyes != REFEREE else value

    # What these eyes see

    @cached_property
    def view(self) -> Any:
        """The state as they see it; UnknownError."""
        return self._moment.view(self.eyes)

    @cached_property
    def position(self) -> Any:
        """The same as a position that can be typed."""
        return self.facts.game.position_of(self.view)

    @cached_property
    def pieces(self) -> Mapping[str, str]:
        """All that the position says, piece by piece."""
        return everything(self.facts.game, self.view)

    @cached_property
    def counters(self) -> Mapping[str, str]:
        """What hands can move of it."""
        return counters(self.facts.game, self.view)

    @cached_property
    def status(self) -> str:
        """What the game waits for and the score, or how its players have ended it, in one line."""
        ended = self.facts.ended
        if ended is None:
            return self.facts.game.status(self.view)
        scores = ", ".join(f"{seat} {score}" for seat, score in ended.scores)
        return f"{ended.because}{f'; {scores}' if scores else ''}"

    def picture(self) -> Scene:
        """The board as a scene."""
        return self._drawn

    @cached_property
    def _drawn(self) -> Scene:
        """It takes longer than all else that is looked at: once is enough."""
        return self.facts.game.draw(self.view)

    def overlay(self, name: Overlay, of: str) -> tuple[str, ...]:
        """The places to mark for an overlay; NoPlaceError."""
        return self.facts.game.overlay(self.view, name, of)

    @cached_property
    def legal(self) -> Legal:
        """Everything that who speaks may do. UnknownError."""
        return self._moment.legal(self.speaker)

    def narrowed(self, words: Iterable[str]) -> Legal:
        """As much of that as has to do with all these words."""
        return self.facts.game.filter(self.legal, words, self.view)

    def why(self, action: Action) -> tuple[Refusal, ...]:
        """Every rule that an action breaks which the speaker says; empty when it is legal."""
        return self._moment.check(action, self.speaker)

    def amended_to(self, placed: Any) -> tuple[Change, ...]:
        """What a position changes that was agreed on: table, mail, log and audit ask here."""
        return changes(self.pieces, everything(self.facts.game, look(self.facts.game, placed, self.eyes)))

    # What was said

    def is_shut(self, said: Said) -> bool:
        """Whether the very deed is a secret that these eyes do not see."""
        return isinstance(said.verdict, Played) and said.verdict.hidden and not self.sees(said.seat)

    def events_of(self, said: Said) -> tuple[Any, ...]:
        """What happened when something was said, as these eyes see it."""
        if not isinstance(said.verdict, Played):
            return ()
        return said.verdict.events if self.sees(said.seat) else self.blinded(said.verdict.open_events)

    def rolls_of(self, said: Said) -> tuple[Roll, ...]:
        """What was thrown for it, as these eyes see it."""
        rolls = said.verdict.rolls if isinstance(said.verdict, Played) else ()
        return tuple(roll for roll in rolls if roll.to is None or self.sees(roll.to))
