"""The public facts of a game at a moment. None of them is secret, so anybody may hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from referee.engine.dice_mode import DiceMode
    from referee.engine.event import Outcome, Seat
    from referee.engine.game import AnyGame
    from referee.engine.options import Options
    from referee.record.log.entry import GameEntry


class PublicFacts(Struct, frozen=True):
    """The public facts of a moment, and which seats have their vaults on this computer."""

    game: AnyGame
    """The game with its rules."""
    header: GameEntry
    """The first entry of the log: game, seats and options."""
    options: Options
    """The options in force. Players may have switched some since the first entry."""
    seats: tuple[Seat, ...]
    """The seats in playing order."""
    keepers: tuple[Seat, ...]
    """The seats that keep secrets."""
    vault_seats: frozenset[Seat]
    """The seats whose vaults are on this computer."""
    names: Mapping[Seat, str]
    """The name of the player or bot at each seat at this moment; the seat itself if nobody sits there."""
    first_names: Mapping[Seat, str]
    """The names of the players at the start, by the seat where each of them would sit now. In some games players swap
    seats.
    """
    bots: Mapping[Seat, str]
    """The seats that bots play, each with the name of its bot. By mail no bot plays, whatever stands here."""
    empty_seats: tuple[Seat, ...]
    """The seats whose players have left, while nobody else has sat down there."""
    dice: DiceMode
    """The dice mode: where dice come from."""
    to_act: Seat | None
    """The seat to act; None when the game is over."""
    asked_seat: Seat | None
    """The seat that owes an answer which only it knows; None if none does."""
    turn: int
    """The number of the present turn."""
    outcome: Outcome | None
    """The end of the game, by its rules or by its players; None while it goes on."""
    ended: Outcome | None
    """The end that the players gave the game, by resigning or by agreement; None if they did not."""
    is_partly_known: bool
    """True if some secrets of the game are not known here."""

    @property
    def playable_seats(self) -> tuple[Seat, ...]:
        """The seats that can play on this computer: those without secrets, and those whose vaults are here."""
        return tuple(seat for seat in self.seats if seat in self.vault_seats or seat not in self.keepers)

    @property
    def absent_owing_seat(self) -> Seat | None:
        """The seat that owes an answer which cannot be given here; None if none does."""
        return None if self.asked_seat in self.vault_seats else self.asked_seat

    @property
    def occupied_seats(self) -> tuple[Seat, ...]:
        """The seats at which somebody sits, in playing order. Bots count, too."""
        return tuple(seat for seat in self.seats if seat not in self.empty_seats)

    def format_seat(self, seat: Seat) -> str:
        """Returns a seat with the name of its player, such as "red (Anna)"; "red (nobody)" if nobody sits there.

        Returns the seat alone if its player has no other name.
        """
        name = "nobody" if seat in self.empty_seats else self.names[seat]
        return seat if name == seat else f"{seat} ({name})"

    @property
    def seats_with_names(self) -> dict[Seat, str]:
        """Each seat with its text from `format_seat`, such as "red (Anna)"."""
        return {seat: self.format_seat(seat) for seat in self.seats}

    def may_see_differently(self, one: Seat | None, other: Seat | None) -> bool:
        """True if two seats may see different things: they are not the same, and at least one keeps secrets. None
        stands for nobody.
        """
        return one != other and not {one, other}.isdisjoint(self.keepers)
