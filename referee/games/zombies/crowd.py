"""Who is who and stands where: what follows from the players alone, whatever else a state holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from referee.engine.event import Seat
from referee.engine.once import cached, latest
from referee.games.zombies.board import Board
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


crowd_of = latest(Crowd)


@latest
def dead_on(board: Board, zombies: Mapping[str, int]) -> int:
    """Squares with a zombie."""
    return sum(map(board.bit.__getitem__, zombies))


@latest
def barred_on(board: Board, tiles: tuple[str, ...]) -> int:
    """Squares with a blocking tile."""
    return board.set_of(tiles)


@latest
def covered_on(board: Board, used: Mapping[str, Any]) -> int:
    """Squares with a used token."""
    return board.set_of(used)
