"""What holds in Zombie Mutation beyond the laws of every game, on random games in every mode."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zombie_play import BOARD, FORMS, random_game

from referee.games.zombies import horde_movement, horde_reach
from referee.games.zombies.attacking import count_shots_left
from referee.games.zombies.biting import BiteRolled
from referee.games.zombies.ground import find_connected_squares
from referee.games.zombies.marching import GroupMoveBegun, GroupMoveEnded, StepTakenBack, ZombieStepped
from referee.games.zombies.player import MAX_CARRIED_TILES
from referee.games.zombies.state import MAX_HORDE_SIZE
from referee.games.zombies.tasks import GoTask

FEW = settings(max_examples=2, deadline=None)
FAR = 700
"""Actions of a game that are looked at: by then tokens are drawn, heroes dead, hordes large."""


def check_squares(_before, _action, state):
    """Two figures never share a square, and none stands where nobody can."""
    counts = Counter((*state.zombies, *(player.at for player in state.players.values() if player.at)))
    assert not [square for square, count in counts.items() if count > 1]
    figures = state.board.make_set(counts)
    assert not figures & ~state.ground.open_squares
    assert not figures & state.tile_squares


def check_counts(_before, _action, state):
    """Cards, tiles and figures are neither lost nor made."""
    held = Counter(card for player in state.players.values() for card in hand(player))
    held += Counter(card for star in state.stars.values() for card in star.cards)
    held += Counter(card for heap in state.loot for card in heap.cards)
    held += Counter(state.mutations.keys())
    for deck, names in BOARD.components.decks.items():
        lying = Counter((*state.decks[deck].left, *state.decks[deck].discards))
        assert lying + Counter({card: held[card] for card in set(names) if held[card]}) == Counter(names), deck
    assert len(state.tile_deck.left) + len(state.used) == len(BOARD.components.action_tiles)
    assert state.spare_tile_count >= 0
    assert all(state.count_spare_zombies(level) >= 0 for level in (1, 2, 3))


def hand(player):
    return (*player.supplies, *player.survivors, *player.burdens)


def check_players(_before, _action, state):
    """Nobody has less than nothing, or more than the rules allow."""
    for player in state.players.values():
        assert player.health >= 0
        assert 0 <= player.tiles <= MAX_CARRIED_TILES
        assert len(player.horde) <= MAX_HORDE_SIZE
        assert all(count_shots_left(state, player, card) > 0 for card in player.shots)


def check_hordes(_before, _action, state):
    """A horde is whole whenever somebody has to speak, and no zombie belongs to two."""
    for player in state.zombie_heroes:
        hero, horde = state.board.square_bits[player.at], state.board.make_set(player.horde)
        assert (
            find_connected_squares(state.ground.find_adjacent_squares_with_stairs, hero, hero | horde) == hero | horde
        )
        assert not horde & ~state.zombie_squares
    taken = [square for player in state.zombie_heroes for square in player.horde]
    assert len(taken) == len(set(taken))


def check_goals(_before, _action, state):
    """Whatever square is listed for a zombie hero, his horde is one unit with him there, no farther than he went; and
    no other square that he can get to has a way for it that is found.
    """
    if not isinstance(state.task, GoTask) or not state.current_player.horde:
        return
    player, steps = state.current_player, state.task.steps
    goals = horde_movement.find_zombie_hero_goals(state, player, steps)
    for square in state.board.list_squares(
        horde_reach.find_reachable_squares(
            state, player, player.at, steps, horde_reach.find_zombie_hero_stop_squares(state, player)
        )
    ):
        course = horde_movement.find_move_with_horde(state, player, steps, square)
        assert (course is not None) == bool(goals & state.board.square_bits[square])
        for zombie, to in course.new_squares.items() if course else ():
            assert state.board.square_bits[to] & horde_reach.find_reachable_squares(state, player, zombie, course.steps)
        if course and course.new_squares:
            hero, horde = state.board.square_bits[square], state.board.make_set(course.new_squares.values())
            assert horde.bit_count() == len(player.horde)
            assert not horde & (hero | state.tile_squares | state.hero_squares)
            assert (
                find_connected_squares(state.ground.find_adjacent_squares_with_stairs, hero, hero | horde)
                == hero | horde
            )


def check_what_stays(before, action, state):
    """Opened rooms, ropes and used tokens stay; a blocking tile stays until somebody breaks it."""
    assert set(before.opened) <= set(state.opened)
    assert set(before.ropes) <= set(state.ropes)
    assert before.used.items() <= state.used.items()
    assert set(before.tiles) <= set(state.tiles) or type(action).__name__ == "SmashTile"


def check_groups(before, events):
    """A group never parts by stepping (zombie.group.3)."""
    state = before
    for event in events:
        if isinstance(event, GroupMoveEnded) and state.task.whole:
            assert is_whole(state, state.task.whole)
        state = event.apply(state)
        if isinstance(event, GroupMoveBegun):
            assert is_whole(state, event.march.whole)


def is_whole(state, squares):
    whole = state.board.make_set(squares)
    return find_connected_squares(state.ground.find_adjacent_squares, whole & -whole, whole) == whole


class Acts:
    """What each zombie has done in a phase: none both attacks and steps, none acts twice (zombie.move.7)."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()

    def check(self, before, events):
        if before.phase != "zombies":
            self.done.clear()
        for event in events:
            if isinstance(event, BiteRolled) and before.current_player.is_hero_on_board:
                assert not self.done[event.at], event
                self.done[event.at] = 100
            elif isinstance(event, ZombieStepped):
                self.done[event.to] = self.done.pop(event.origin, 0) + 1
                assert self.done[event.to] <= 2 * len(before.mutations) + 1, event  # speed gives further squares
            elif isinstance(event, StepTakenBack):
                self.done[event.origin] = self.done.pop(event.to) - 1


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form.values()) or "two")
@FEW
@given(seed=st.integers(0, 2**32))
def test_it_holds_after_every_action(form, seed):
    acts = Acts()
    for before, action, played in islice(random_game(seed, form), FAR):
        for check in (check_squares, check_counts, check_players, check_hordes, check_goals, check_what_stays):
            check(before, action, played.state)
        check_groups(before, played.events)
        acts.check(before, played.events)
