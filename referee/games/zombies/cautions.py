"""Warnings about legal actions with which a player may overlook something. The player is asked before they are
recorded.
"""

from __future__ import annotations

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.text import count_of, listing
from referee.games.zombies.acting import EndActions, can_roll_for_rescue
from referee.games.zombies.attacking import check_attack, list_target_squares
from referee.games.zombies.horde_turn import list_attackable_heroes_by_square
from referee.games.zombies.player import Player
from referee.games.zombies.spawning import PlaceRest, PlaceZombiesTask, find_placement_squares, list_squares_for_rest
from referee.games.zombies.state import State


def find_slip_warning(view: State, seat: Seat, action: Action) -> str | None:
    """Returns a warning as a clause; None if there is nothing to warn about.

    It warns of actions that are still possible when a player ends their turn, and of zombies that `place rest` puts
    next to them.
    """
    player = view.players_by_seat.get(seat)
    if player is None:
        return None
    if isinstance(action, EndActions):
        return _find_left_undone(view, player)
    return _find_zombies_beside(view, player) if isinstance(action, PlaceRest) else None


def _find_left_undone(view: State, player: Player) -> str | None:
    if player.is_zombie:
        prey = {hero.hero for heroes in list_attackable_heroes_by_square(view, player).values() for hero in heroes}
        return f"{player.hero} could attack {listing(sorted(prey))}" if prey else None
    if can_roll_for_rescue(view, player):
        return f"{player.hero} could call for rescue"
    beside = (
        ()
        if any(check_attack(view, player))
        else list_target_squares(view, player, view.ground.find_squares_adjacent_to(player.at))
    )
    if beside:
        return f"{player.hero} could attack {listing(beside)}"
    return f"{player.hero} has neither moved nor attacked" if view.acts.is_empty else None


def _find_zombies_beside(view: State, player: Player) -> str | None:
    """Returns a warning if `place rest` puts zombies next to the hero who places them.

    Returns None if the hero has no other choice, and for a zombie hero.
    """
    squares, first = (
        view.board.make_set(list_squares_for_rest(view)),
        find_placement_squares(view, view.get_first_task(PlaceZombiesTask)),
    )
    near = squares & view.ground.find_squares_adjacent_to(player.at)
    if first.bit_count() == 1:
        near &= ~first  # the first zombie has no other square (card.zombie.3)
    if player.is_zombie or not near or squares == first:
        return None
    return f"{count_of(near.bit_count(), 'zombie')} would stand next to {player.hero}"
