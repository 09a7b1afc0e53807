"""A player: their figure, their cards and counters, and the horde that they lead."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.games.zombies.board import SquareOrEmpty, Squares
from referee.games.zombies.components import CardId, CardIds, HeroId

MAX_CARRIED_TILES = 3
"""The most blocking tiles that a player carries (tile.4)."""

SmallCount = Annotated[int, Meta(ge=0, le=99)]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A player who has a hero, with all that belongs to them."""

    hero: HeroId
    seat: Literal["red", "blue", "green", "orange"]
    health: SmallCount = 0
    at: SquareOrEmpty = ""
    """The square of the figure; empty before it is put down, and after a zombie hero was killed."""
    is_zombie: bool = False
    ability: str = ""
    supplies: CardIds = ()
    survivors: CardIds = ()
    """Collected survivors; infected ones are burdens."""
    burdens: CardIds = ()
    """Infected survivors and horde cards that must be rolled for (turn.free.7)."""
    shots: Mapping[CardId, SmallCount] = {}
    """Shots fired with each ranged weapon, if any (supply.ranged.2)."""
    spent: CardIds = ()
    """Survivors whose item was used (ruling.item-survivor)."""
    tiles: Annotated[int, Meta(ge=0, le=MAX_CARRIED_TILES)] = 0
    """Blocking tiles carried."""
    stealth: Annotated[int, Meta(ge=0, le=20)] = 0
    """The player's own turns for which stealth still lasts, this one included; 0 without stealth."""
    horde: Squares = ()
    """The squares of a zombie hero's horde."""

    @property
    def is_hero_on_board(self) -> bool:
        """True if the player is a hero on the board, not a zombie hero."""
        return not self.is_zombie and bool(self.at)

    @property
    def is_out_of_game(self) -> bool:
        """True if the player was a zombie hero who was killed, and is out of the game (ruling.zhero-killed)."""
        return self.is_zombie and not self.at and not self.health
