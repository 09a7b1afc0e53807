"""A player: his figure, what lies before him, and the horde that he leads."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from referee.games.zombies.board import Squares, Whereabouts
from referee.games.zombies.components import CardId, Cards, HeroId

MOST_TILES = 3
"""Blocking tiles that a player carries (tile.4)."""

Small = Annotated[int, Meta(ge=0, le=99)]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's figure and what lies before him."""

    hero: HeroId
    seat: Literal["red", "blue", "green", "orange"]
    health: Small = 0
    at: Whereabouts = ""
    """Where the figure stands; nowhere before it is put down, and after a zombie hero was killed."""
    is_zombie: bool = False
    ability: str = ""
    supplies: Cards = ()
    survivors: Cards = ()
    """Collected survivors; infected ones are burdens."""
    burdens: Cards = ()
    """Infected survivors and horde cards that must be rolled for (turn.free.7)."""
    shots: Mapping[CardId, Small] = {}
    """Shots fired with each ranged weapon, if any (supply.ranged.2)."""
    spent: Cards = ()
    """Survivors whose item was used (ruling.item-survivor)."""
    tiles: Annotated[int, Meta(ge=0, le=MOST_TILES)] = 0
    """Blocking tiles carried."""
    stealth: Annotated[int, Meta(ge=0, le=20)] = 0
    """Own turns that stealth still lasts, this one included; 0: none is active."""
    horde: Squares = ()
    """Where the zombies of a zombie hero's horde stand."""

    @property
    def is_hero(self) -> bool:
        """Whether it is a living hero on the board."""
        return not self.is_zombie and bool(self.at)

    @property
    def is_out(self) -> bool:
        """Whether it was a zombie hero who was killed (ruling.zhero-killed)."""
        return self.is_zombie and not self.at and not self.health
