"""Who is who and stands where: what follows from a few parts of a state, whatever else it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from referee.engine.event import Seat
from referee.engine.once import cached, latest
from referee.games.zombies.board import Board
from referee.games.zombies.ground import Ground
from referee.games.zombies.player import Player


class Crowd(Struct, frozen=True, dict=True):
    """The players of a game at one moment."""

    board: Board
    players: Mapping[str, Player]
    """Each by his hero."""
    order: tuple[Seat, ...]
    """The chairs clockwise from the first player."""

    @cached
    def by_seat(self) -> Mapping[Seat, Player]:
        """The player on each chair, once he has a hero."""
        return {player.seat: player for player in self.players.values()}

    @cached
    def seated(self) -> tuple[Player, ...]:
        """All players who have a hero, in turn order."""
        return tuple([self.by_seat[seat] for seat in self.order if seat in self.by_seat])

    @cached
    def heroes(self) -> tuple[Player, ...]:
        """Living heroes on the board, in turn order."""
        return tuple([player for player in self.seated if player.at and not player.is_zombie])

    @cached
    def zombie_heroes(self) -> tuple[Player, ...]:
        """Zombie heroes on the board, in turn order."""
        return tuple([player for player in self.seated if player.at and player.is_zombie])

    @cached
    def figures(self) -> Mapping[str, Player]:
        """Who stands on each square that holds a player's figure."""
        return {player.at: player for player in self.seated if player.at}

    @cached
    def living(self) -> int:
        """Squares with a hero."""
        return self.board.set_of(player.at for player in self.heroes)

    @cached
    def turned(self) -> int:
        """Squares with a zombie hero."""
        return self.board.set_of(player.at for player in self.zombie_heroes)

    @cached
    def standing(self) -> int:
        """Squares with a figure of any player."""
        return self.board.set_of(player.at for player in self.players.values() if player.at)

    @cached
    def units(self) -> Mapping[str, int]:
        """Squares of each zombie hero on the board, those of his horde included."""
        return {player.hero: self.board.set_of((player.at, *player.horde)) for player in self.zombie_heroes}

    @cached
    def led(self) -> int:
        """Squares of all zombie heroes and their hordes."""
        return sum(self.units.values())


@latest
def crowd_of(board: Board, players: Mapping[str, Player], order: tuple[Seat, ...]) -> Crowd:
    """Who is who among these players."""
    return Crowd(board, players, order)


class Field(Struct, frozen=True, dict=True):
    """Who and what stands on the squares."""

    crowd: Crowd
    ground: Ground
    zombies: Mapping[str, int]
    tiles: tuple[str, ...]

    @cached
    def dead(self) -> int:
        """Squares with a zombie."""
        return sum(map(self.crowd.board.bit.__getitem__, self.zombies))

    @cached
    def barred(self) -> int:
        """Squares with a blocking tile: nobody enters them (tile.10)."""
        return self.crowd.board.set_of(self.tiles)

    @cached
    def free(self) -> int:
        """Squares where a figure could be put: open, without figure and blocking tile (move.7)."""
        return self.ground.floor & ~(self.dead | self.crowd.standing | self.barred)

    @cached
    def wild(self) -> int:
        """Squares with a free zombie, which obeys the tokens and belongs to no horde (zombie.scope.1)."""
        return self.dead & ~self.crowd.led

    @cached
    def threats(self) -> int:
        """Squares with a zombie or a zombie hero, who counts as one (ruling.zhero-engage)."""
        return self.dead | self.crowd.turned


@latest
def field_of(crowd: Crowd, ground: Ground, zombies: Mapping[str, int], tiles: tuple[str, ...]) -> Field:
    """The field with these on it."""
    return Field(crowd, ground, zombies, tiles)


@latest
def covered_on(board: Board, used: Mapping[str, Any]) -> int:
    """Squares with a used token."""
    return board.set_of(used)
