"""One player's view of the game at a moment. Its holder can reach nothing else of the game.

>>> sight = PlayerView(session.moment(), "red")
>>> sight.view, sight.legal, sight.why(action), sight.pieces, sight.status, sight.draw_picture()
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from referee.engine.adjudication import LegalVerdict
from referee.engine.event import REFEREE, Seat
from referee.engine.game import view_for
from referee.engine.position_diff import PieceChange, list_changes, list_movable_pieces, list_pieces_and_fields
from referee.engine.secret import hide_secrets_from

if TYPE_CHECKING:
    from referee.engine.dice import Roll
    from referee.engine.legal import LegalActions
    from referee.engine.scene import Overlay, Scene
    from referee.record.table.moment import JudgedAction, Moment


class PlayerView:
    """A moment through certain eyes: a seat's, everybody's (None), or all that is known here (`REFEREE`)."""

    def __init__(self, moment: Moment, eyes: Seat | None) -> None:
        self._moment = moment
        self.eyes = eyes
        """The seat whose eyes these are; None for everybody's."""
        self.facts = moment.facts
        """The public facts of the moment."""
        self.speaker: Seat = eyes or self.facts.to_act or self.facts.seats[0]
        """The seat that speaks: the seat of these eyes, else the seat to act, else the first seat."""

    # Whose eyes

    def sees_secrets_of(self, owner: Seat) -> bool:
        """True if these eyes see the secrets of this seat."""
        return self.eyes in (owner, REFEREE)

    def hide_secrets(self, value: Any) -> Any:
        """Returns a value without the secrets that these eyes do not see."""
        return hide_secrets_from(value, self.eyes) if self.facts.keepers and self.eyes != REFEREE else value

    # What these eyes see

    @cached_property
    def view(self) -> Any:
        """The state as these eyes see it. Raises UnknownError if the secrets of the seat are not known here."""
        return self._moment.view(self.eyes)

    @cached_property
    def position(self) -> Any:
        """The view as a position that can be typed."""
        return self.facts.game.position_from(self.view)

    @cached_property
    def pieces(self) -> Mapping[str, str]:
        """Everything that the position says, piece by piece."""
        return list_pieces_and_fields(self.facts.game, self.view)

    @cached_property
    def movable_pieces(self) -> Mapping[str, str]:
        """The movable pieces of the position with their places, as these eyes see them."""
        return list_movable_pieces(self.facts.game, self.view)

    @cached_property
    def status(self) -> str:
        """One line: what the game waits for and the score, or how the players ended the game."""
        ended = self.facts.ended
        if ended is None:
            return self.facts.game.status(self.view)
        scores = ", ".join(f"{seat} {score}" for seat, score in ended.scores)
        return f"{ended.because}{f'; {scores}' if scores else ''}"

    def draw_picture(self) -> Scene:
        """Returns the board as a scene."""
        return self._scene

    @cached_property
    def _scene(self) -> Scene:
        """The board as a scene. It is cached, since drawing takes longer than everything else here."""
        return self.facts.game.draw(self.view)

    def list_overlay_places(self, name: Overlay, of: str) -> tuple[str, ...]:
        """Returns the places to mark for an overlay. Raises NoPlaceError if `of` names no place."""
        return self.facts.game.list_overlay_places(self.view, name, of)

    @cached_property
    def legal(self) -> LegalActions:
        """Everything that the speaker may do. Raises UnknownError if the secrets of the speaker are not known here."""
        return self._moment.legal(self.speaker)

    def list_changes_to(self, placed: Any) -> tuple[PieceChange, ...]:
        """Returns the pieces that change from this view to the agreed state `placed`. Table, mail, log and audit all
        use this.
        """
        return list_changes(
            self.pieces, list_pieces_and_fields(self.facts.game, view_for(self.facts.game, placed, self.eyes))
        )

    # What was said

    def is_hidden(self, said: JudgedAction) -> bool:
        """True if the whole action is a secret that these eyes do not see."""
        return isinstance(said.verdict, LegalVerdict) and said.verdict.hidden and not self.sees_secrets_of(said.seat)

    def list_visible_events(self, said: JudgedAction) -> tuple[Any, ...]:
        """Returns the events of an action, as these eyes see them."""
        if not isinstance(said.verdict, LegalVerdict):
            return ()
        return said.verdict.events if self.sees_secrets_of(said.seat) else self.hide_secrets(said.verdict.open_events)

    def list_visible_rolls(self, said: JudgedAction) -> tuple[Roll, ...]:
        """Returns the dice that were rolled for an action, as far as these eyes see them."""
        rolls = said.verdict.rolls if isinstance(said.verdict, LegalVerdict) else ()
        return tuple(roll for roll in rolls if roll.to is None or self.sees_secrets_of(roll.to))
