"""The seating: the player or the bot of each seat after an entry of a log. Options that change stand here, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from referee.engine.event import Seat
from referee.engine.game import AnyGame

FIRST_FORMAT = 2
"""The first log format in which players come and go, and options are switched."""


class Seating(Struct, frozen=True):
    """The players and bots of a game after an entry."""

    names: Mapping[Seat, str]
    """The name of each player, by the seat that they had at the start; "" if nobody sits there."""
    bots: Mapping[Seat, str]
    """The seats that bots play, each with the name of its bot."""

    def map_seats_to_names(self, game: AnyGame, state: Any) -> Mapping[Seat, str]:
        """Returns the name of the player who sits at each seat now; "" if nobody does."""
        return game.find_current_names(state, self.names)

    def with_player(self, game: AnyGame, state: Any, seat: Seat, name: str, bot: str | None = None) -> Seating:
        """Returns the seating after somebody has sat down at a seat, or after its player has left.

        `name` is the new player, or "" for nobody. `bot` is the bot that plays the seat from now on; None if no bot
        does.
        """
        start = game.find_current_names(state, {one: one for one in self.names})[seat]
        others = {one: known for one, known in self.bots.items() if one != seat}
        return Seating({**self.names, start: bot or name}, {**others, seat: bot} if bot else others)


class SeatChange(Struct, frozen=True):
    """A seat that has another player after an entry."""

    n: int
    """The number of the entry."""
    seat: Seat
    player: str
    """The name of the player or bot; "" for nobody."""


class OptionChange(Struct, frozen=True):
    """An option that has another value after an entry."""

    n: int
    """The number of the entry."""
    name: str
    value: str
