"""Who is who and stands where: what follows from a few parts of a state, whatever else it holds."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from referee.engine.event import Seat
from referee.engine.once import latest
from referee.games.zombies.board import Board
from referee.games.zombies.ground import Ground, ground_of
from referee.games.zombies.player import Player


class Crowd(Struct, frozen=True):
    """The players of a game at one moment."""

    by_seat: Mapping[Seat, Player]
    """The player on each chair, once he has a hero."""
    seated: tuple[Player, ...]
    """All players who have a hero, in turn order."""
    heroes: tuple[Player, ...]
    """Living heroes on the board, in turn order."""
    zombie_heroes: tuple[Player, ...]
    """Zombie heroes on the board, in turn order."""
    living: int
    """Squares with a hero."""
    turned: int
    """Squares with a zombie hero."""
    standing: int
    """Squares with a figure of any player."""
    units: Mapping[str, int]
    """Squares of each zombie hero on the board, those of his horde included."""

    @property
    def figures(self) -> Mapping[str, Player]:
        """Who stands on each square that holds a player's figure."""
        return {player.at: player for player in self.seated if player.at}


@latest
def crowd_of(board: Board, players: Mapping[str, Player], order: tuple[Seat, ...]) -> Crowd:
    """Who is who among these players; `order` are the chairs clockwise from the first player."""
    by_seat: dict[Seat, Player] = {player.seat: player for player in players.values()}
    seated = tuple([by_seat[seat] for seat in order if seat in by_seat])
    heroes = tuple([player for player in seated if player.at and not player.is_zombie])
    zombie_heroes = tuple([player for player in seated if player.at and player.is_zombie])
    return Crowd(
        by_seat,
        seated,
        heroes,
        zombie_heroes,
        living=board.set_of([player.at for player in heroes]),
        turned=board.set_of([player.at for player in zombie_heroes]),
        standing=board.set_of([player.at for player in by_seat.values() if player.at]),
        units={player.hero: board.set_of((player.at, *player.horde)) for player in zombie_heroes},
    )


class Field(Struct, frozen=True):
    """Who and what stands on the squares."""

    crowd: Crowd
    ground: Ground
    dead: int
    """Squares with a zombie."""
    barred: int
    """Squares with a blocking tile: nobody enters them (tile.10)."""
    free: int
    """Squares where a figure could be put: open, without figure and blocking tile (move.7)."""
    wild: int
    """Squares with a free zombie, which obeys the tokens and belongs to no horde (zombie.scope.1)."""
    threats: int
    """Squares with a zombie or a zombie hero, who counts as one (ruling.zhero-engage)."""


@latest
def field_of(
    board: Board,
    players: Mapping[str, Player],
    order: tuple[Seat, ...],
    opened: tuple[str, ...],
    zombies: Mapping[str, int],
    tiles: tuple[str, ...],
) -> Field:
    """The field with these on it, while these rooms are open."""
    crowd, ground = crowd_of(board, players, order), ground_of(board, opened)
    dead, barred = _held_by(board, zombies), board.set_of(tiles)
    return Field(
        crowd,
        ground,
        dead,
        barred,
        free=ground.floor & ~(dead | crowd.standing | barred),
        wild=dead & ~sum(crowd.units.values()),
        threats=dead | crowd.turned,
    )


@latest
def _held_by(board: Board, zombies: Mapping[str, int]) -> int:
    return board.set_of(zombies)


@latest
def covered_on(board: Board, used: Mapping[str, object]) -> int:
    """Squares with a used token."""
    return board.set_of(used)
