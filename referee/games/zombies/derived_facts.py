"""Facts about players and squares that depend on only a few parts of a state."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from referee.engine.caching import cache_latest
from referee.engine.event import Seat
from referee.games.zombies.board import Board
from referee.games.zombies.ground import Ground, find_ground
from referee.games.zombies.player import Player


class FactsOfPlayers(Struct, frozen=True):
    """Facts about the players of a game at one moment: who plays, in which order, and where their figures stand."""

    players_by_seat: Mapping[Seat, Player]
    """The player in each seat that has a hero."""
    seated_players: tuple[Player, ...]
    """All players who have a hero, in turn order."""
    heroes: tuple[Player, ...]
    """Living heroes on the board, in turn order."""
    zombie_heroes: tuple[Player, ...]
    """Zombie heroes on the board, in turn order."""
    hero_squares: int
    """Squares with a hero."""
    zombie_hero_squares: int
    """Squares with a zombie hero."""
    figure_squares: int
    """Squares with a figure of any player."""
    unit_squares_by_hero: Mapping[str, int]
    """For each zombie hero on the board, the squares of their figure and of their horde."""

    @property
    def players_by_square(self) -> Mapping[str, Player]:
        """The player whose figure stands on each square."""
        return {player.at: player for player in self.seated_players if player.at}


@cache_latest
def make_player_facts(board: Board, players: Mapping[str, Player], order: tuple[Seat, ...]) -> FactsOfPlayers:
    """Returns the facts about these players. `order` has the seats clockwise from the first player."""
    by_seat: dict[Seat, Player] = {player.seat: player for player in players.values()}
    seated = tuple([by_seat[seat] for seat in order if seat in by_seat])
    heroes = tuple([player for player in seated if player.at and not player.is_zombie])
    zombie_heroes = tuple([player for player in seated if player.at and player.is_zombie])
    return FactsOfPlayers(
        by_seat,
        seated,
        heroes,
        zombie_heroes,
        hero_squares=board.make_set([player.at for player in heroes]),
        zombie_hero_squares=board.make_set([player.at for player in zombie_heroes]),
        figure_squares=board.make_set([player.at for player in by_seat.values() if player.at]),
        unit_squares_by_hero={player.hero: board.make_set((player.at, *player.horde)) for player in zombie_heroes},
    )


class SquareSets(Struct, frozen=True):
    """The squares, as sets, by what stands or lies on them."""

    player_facts: FactsOfPlayers
    ground: Ground
    zombie_squares: int
    """Squares with a zombie, free or of a horde."""
    tile_squares: int
    """Squares with a blocking tile: nobody enters them (tile.10)."""
    empty_squares: int
    """Squares where a figure could be put: open, without figure and blocking tile (move.7)."""
    free_zombie_squares: int
    """Squares with a free zombie, which belongs to no horde and obeys the tokens (zombie.scope.1)."""
    threat_squares: int
    """Squares with a zombie or a zombie hero, who counts as one (ruling.zhero-engage)."""


@cache_latest
def make_square_sets(
    board: Board,
    players: Mapping[str, Player],
    order: tuple[Seat, ...],
    opened: tuple[str, ...],
    zombies: Mapping[str, int],
    tiles: tuple[str, ...],
) -> SquareSets:
    """Returns the facts about the squares with these players, open rooms, zombies and blocking tiles."""
    facts, ground = make_player_facts(board, players, order), find_ground(board, opened)
    dead, barred = _find_zombie_squares(board, zombies), board.make_set(tiles)
    return SquareSets(
        facts,
        ground,
        dead,
        barred,
        empty_squares=ground.open_squares & ~(dead | facts.figure_squares | barred),
        free_zombie_squares=dead & ~sum(facts.unit_squares_by_hero.values()),
        threat_squares=dead | facts.zombie_hero_squares,
    )


@cache_latest
def _find_zombie_squares(board: Board, zombies: Mapping[str, int]) -> int:
    return board.make_set(zombies)


@cache_latest
def find_squares_with_used_tokens(board: Board, used: Mapping[str, object]) -> int:
    """Returns the squares with a used token."""
    return board.make_set(used)
