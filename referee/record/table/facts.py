"""What everybody may know of a game at a moment: nothing of it is secret, so that anybody may hold it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from referee.engine.event import Outcome, Seat
    from referee.engine.game import AnyGame
    from referee.engine.mode import DiceMode
    from referee.record.log.entry import GameEntry


class Facts(Struct, frozen=True):
    """The public facts of a position, and what of it is known here."""

    game: AnyGame
    """The rules it is played by."""
    header: GameEntry
    """What is played, by whom, under which options."""
    seats: tuple[Seat, ...]
    """The seats in playing order."""
    keepers: tuple[Seat, ...]
    """The seats that keep secrets."""
    here: frozenset[Seat]
    """The seats whose vaults are here."""
    names: Mapping[Seat, str]
    """Who sits at each seat at this moment."""
    dice: DiceMode
    """Where dice come from."""
    to_act: Seat | None
    """Who is to act; None when the game is over."""
    asked: Seat | None
    """Who owes an answer that only this seat knows; None: nobody."""
    turn: int
    """Number of the turn being played."""
    outcome: Outcome | None
    """How the game ended, by its rules or by its players; None while it goes on."""
    ended: Outcome | None
    """How its players have ended it, if they have: by giving it up, or by agreement."""
    is_partly_known: bool
    """Whether some secrets of the game are not known here."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats that can play here: those that keep no secrets, and those whose vaults are here."""
        return tuple(seat for seat in self.seats if seat in self.here or seat not in self.keepers)

    @property
    def owing(self) -> Seat | None:
        """Who owes an answer that cannot be given here; None: nobody."""
        return None if self.asked in self.here else self.asked

    def player(self, seat: Seat) -> str:
        """A seat with the name of who sits there."""
        name = self.names[seat]
        return seat if name == seat else f"{seat} ({name})"

    def differs(self, one: Seat | None, other: Seat | None) -> bool:
        """Whether one of two seats keeps secrets, so that they may see different things; None: nobody's."""
        return one != other and not {one, other}.isdisjoint(self.keepers)
