"""The set-up by plan, for bots: it can be played, and it is worth something."""

from collections import Counter

import pytest

import referee
from referee.games.mutants.set_up_plan import plan_walls
from referee.games.mutants.worth import measure_mutant_distances, rate_places_for_mutants

OPTIONS = (
    {},
    {"help-humans": "yes"},
    {"wall-count": "exactly"},
    {"wall-adjacent": "line"},
    {"wall-adjacent": "same-room"},
    {"hidden-movement": "yes"},
    {"scenario": "alternate"},
)


def set_up(options=None):
    """The state after a set-up that both sides have made by plan."""
    game = referee.table("mutants", options or {}, seed="5" * 64)
    while action := game.game.recommend_opening(game.view(game.to_act), game.to_act):
        assert game.do(action), game.game.format(action)
    return game.state


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_set_up_by_plan_comes_to_its_end(options):
    state = set_up(options)
    assert (state.phase, state.turn) == ("arrival" if "scenario" in options else "smash", 1)
    assert state.wall_count_in_hand == 0


def far(board, walls):
    """Rooms to the Tech Room from the Set Up square that is nearest to it, doors counted in."""
    ways = measure_mutant_distances(board.passages, (board.tech_room,), frozenset(walls), frozenset(), Counter())
    return min(ways[square] for square in board.squares)


def test_walls_make_every_way_longer_by_two_rooms():
    board = referee.table("mutants").state.board
    assert far(board, plan_walls(board, 12)) - far(board, ()) >= 2


def test_the_janibots_that_hit_best_stand_nearest_to_the_tech_room():
    state = set_up()
    near = state.list_fighters_in_places("human", ("C4", "D3", "D5", "E4"))
    assert {state.board.units[unit].hit_number for unit in near if state.board.units[unit].kind == "janibot"} == {3}


def test_all_mutants_who_are_not_needed_elsewhere_begin_where_the_way_is_shortest():
    state = set_up()
    crowd = max(state.board.squares, key=lambda square: len(state.list_fighters("mutant", square)))
    counted = rate_places_for_mutants(state, {})
    assert len(state.list_fighters("mutant", crowd)) == 24
    assert counted[crowd].other == max(counted[square].other for square in state.board.squares)


def test_what_a_player_has_set_up_himself_stays_where_it_is():
    game = referee.table("mutants", seed="5" * 64)
    for words in ("wall C2-D2", "put buck in A1", "put b9 in G7"):
        assert game.do(words)
    while action := game.game.recommend_opening(game.view("human"), "human"):
        assert game.do(action)
        if game.to_act != "human":
            break
    assert (game.state.at["buck"], game.state.at["b9"], "C2-D2" in game.state.walls) == ("A1", "G7", True)


def test_nobody_plans_a_set_up_that_would_have_to_be_taken_back_first():
    game = referee.table("mutants", seed="5" * 64)
    for words in ("rest", "ready", "put r1..r24 n1..n20 in xN1"):
        assert game.do(words)
    assert game.game.recommend_opening(game.view("mutant"), "mutant") is None
