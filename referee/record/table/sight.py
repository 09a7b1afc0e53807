"""What certain eyes see of a game at a moment. Who is given this can come at nothing else of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.engine.event import Seat

if TYPE_CHECKING:
    from referee.record.table.moment import Moment


class Sight:
    """A moment through certain eyes."""

    def __init__(self, moment: Moment, eyes: Seat | None) -> None:
        self._moment = moment
        self.eyes = eyes

    @property
    def view(self) -> Any:
        """What these eyes see; UnknownError."""
        return self._moment.view(self.eyes)
