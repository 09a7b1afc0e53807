"""What certain eyes see of a game at a moment. Who is given this can come at nothing else of it.

>>> sight = session.moment().through("red")
>>> sight.view, sight.legal, sight.why(action), sight.pieces, sight.status, sight.picture()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from referee.engine.adjudicate import Played
from referee.engine.event import REFEREE, Outcome, Seat
from referee.engine.pieces import counters, everything
from referee.engine.secret import blinded

if TYPE_CHECKING:
    from referee.engine.dice import Roll
    from referee.engine.game import AnyGame
    from referee.engine.legal import Action, Legal
    from referee.engine.mode import DiceMode
    from referee.engine.ruling import Refusal
    from referee.engine.scene import Overlay, Scene
    from referee.record.table.moment import Moment, Said


class Sight:
    """A moment through certain eyes: a seat's, everybody's (None), or all that is known here (`REFEREE`)."""

    def __init__(self, moment: Moment, eyes: Seat | None) -> None:
        self._moment = moment
        self.eyes = eyes

    # What everybody may know

    @cached_property
    def game(self) -> AnyGame:
        """The rules it is played by."""
        return self._moment.game

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return self._moment.seats

    @cached_property
    def keepers(self) -> tuple[Seat, ...]:
        """The seats that keep secrets."""
        return self._moment.keepers

    @cached_property
    def here(self) -> frozenset[Seat]:
        """The seats whose vaults are here."""
        return self._moment.here

    @cached_property
    def players(self) -> tuple[Seat, ...]:
        """The seats that can play here: those that keep no secrets, and those whose vaults are here."""
        return tuple(seat for seat in self.seats if seat in self.here or seat not in self.keepers)

    @cached_property
    def dice(self) -> DiceMode:
        """Where dice come from."""
        return self._moment.dice

    @cached_property
    def to_act(self) -> Seat | None:
        """Who is to act; None when the game is over."""
        return self._moment.to_act

    @cached_property
    def turn(self) -> int:
        """Number of the turn being played."""
        return self._moment.turn

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or by its players; None while it goes on."""
        return self._moment.outcome

    @cached_property
    def ended(self) -> Outcome | None:
        """How its players have ended it, if they have: by giving it up, or by agreement."""
        return self._moment.known.ended

    @cached_property
    def asked(self) -> Seat | None:
        """Who owes an answer that only this seat knows; None: nobody."""
        return self.to_act if self._moment.is_asked else None

    @cached_property
    def owing(self) -> Seat | None:
        """Who owes an answer that cannot be given here; None: nobody."""
        return None if self.asked in self.here else self.asked

    @cached_property
    def names(self) -> Mapping[Seat, str]:
        """Who sits at each seat at this moment."""
        return self.game.names(self._moment.state, self._moment.header.names)

    def player(self, seat: Seat) -> str:
        """A seat with the name of who sits there."""
        name = self.names[seat]
        return seat if name == seat else f"{seat} ({name})"

    @cached_property
    def is_partly_known(self) -> bool:
        """Whether some secrets of the game are not known here."""
        return self._moment.known.views is not None

    # Whose eyes

    def sees(self, owner: Seat) -> bool:
        """Whether a secret of this seat is one's own here."""
        return self.eyes in (owner, REFEREE)

    def differs(self, one: Seat | None, other: Seat | None) -> bool:
        """Whether one of two seats keeps secrets, so that they may see different things; None: nobody's."""
        return one != other and not {one, other}.isdisjoint(self.keepers)

    def blinded(self, value: Any) -> Any:
        """A value without the secrets that these eyes do not see."""
        return blinded(value, self.eyes) if self.keepers and self.eyes != REFEREE else value

    @cached_property
    def speaker(self) -> Seat:
        """Who speaks: whose eyes these are, else who is to act; after the end the first seat."""
        return self._moment.speaker(self.eyes)

    # What these eyes see

    @cached_property
    def view(self) -> Any:
        """The state as they see it; UnknownError."""
        return self._moment.view(self.eyes)

    @cached_property
    def position(self) -> Any:
        """The same as a position that can be typed."""
        return self.game.position_of(self.view)

    @cached_property
    def pieces(self) -> Mapping[str, str]:
        """All that the position says, piece by piece."""
        return everything(self.game, self.view)

    @cached_property
    def counters(self) -> Mapping[str, str]:
        """What hands can move of it."""
        return counters(self.game, self.view)

    @cached_property
    def status(self) -> str:
        """What the game waits for and the score, or how its players have ended it, in one line."""
        if self.ended is None:
            return self.game.status(self.view)
        scores = ", ".join(f"{seat} {score}" for seat, score in self.ended.scores)
        return f"{self.ended.because}{f'; {scores}' if scores else ''}"

    def picture(self) -> Scene:
        """The board as a scene."""
        return self._drawn

    @cached_property
    def _drawn(self) -> Scene:
        """It takes longer than all else that is looked at: once is enough."""
        return self.game.draw(self.view)

    def overlay(self, name: Overlay, of: str) -> tuple[str, ...]:
        """The places to mark for an overlay; NoPlaceError."""
        return self.game.overlay(self.view, name, of)

    @cached_property
    def legal(self) -> Legal:
        """Everything that who speaks may do. UnknownError."""
        return self._moment.legal(self.speaker)

    def narrowed(self, words: Iterable[str]) -> Legal:
        """As much of that as has to do with all these words."""
        return self.game.filter(self.legal, words, self.view)

    def why(self, action: Action) -> tuple[Refusal, ...]:
        """Every rule that an action breaks which the speaker says; empty when it is legal."""
        return self._moment.check(action, self.speaker)

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
