"""The rule of thumb for bots: what it looks at."""

from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

import referee
from referee.bots.bot import Observation
from referee.bots.roster import find_bot
from referee.games.sheboygan.duties import DamageDuty
from referee.games.sheboygan.worth import _estimate_nearness_to_prey

SEED = "4" * 64


def worth(state, seat="human"):
    game = referee.table("sheboygan").game
    return game.worth(game.view(state, seat), seat)


@pytest.fixture
def begun():
    """The monster stands beside the town; the human player has a tank far away."""
    game = referee.table("sheboygan", seed=SEED)
    for words in ("abilities great", "record att=3 def=4 des=4 mov=2", "edge W", "buy tank 5", "buy police 2"):
        assert game.do(words)
    state = game.state
    at = {**state.at, "t1": "X07"}
    return replace(state, phase="human-move", turn=1, monster="A08", at=at, hand=(), budget=0)


def moved(state, unit, box):
    return replace(state, at={**state.at, unit: box})


def test_units_are_worth_more_near_the_monster(begun):
    assert worth(moved(begun, "t1", "B08")) > worth(moved(begun, "t1", "H09")) > worth(begun)


def test_a_unit_that_fires_far_need_not_come_near(begun):
    near, far = (begun.board.list_rings_around("A08", 2)[steps][0] for steps in (1, 2))
    assert worth(moved(begun, "t1", near)) == pytest.approx(worth(moved(begun, "t1", far)))


def test_damage_counts_before_it_is_struck_off(begun):
    assert worth(replace(begun, due=(DamageDuty(1),))) > worth(begun)


def test_damage_that_is_struck_off_in_secret_still_counts_for_both(begun):
    hurt = replace(begun, damage=2, sheet=begun.make_changed_sheet(attack=-2))
    assert worth(hurt) > worth(begun)
    assert worth(hurt, "monster") < worth(begun, "monster")


def test_the_fewer_points_are_missing_the_more_each_is_worth(begun):
    dying = replace(begun, defense=1, damage=11, sheet=begun.make_changed_sheet(attack=-9, destruction=-9, movement=-1))
    at = [worth(replace(dying, points=points), "monster") for points in (0, 5, 10, 15)]
    gains = [after - before for before, after in pairwise(at)]
    assert 0 < gains[0] < gains[1] < gains[2]


def test_units_in_its_way_are_worth_something(begun):
    """Far from all that scores: one way leads there, another is as long."""
    wrecked = frozenset(box for box in begun.board.find_boxes_within("A08", 3) if begun.is_destructible(box))
    bare = replace(begun, rubble=wrecked, at={"t1": "X07"})
    shut = replace(bare, at={f"p{number}": box for number, box in enumerate(bare.board.neighbour_sets["A08"], 1)})
    assert _estimate_nearness_to_prey(shut) < _estimate_nearness_to_prey(bare) < _estimate_nearness_to_prey(begun) == 1


def test_a_crowd_is_worth_less(begun):
    crowd = dict.fromkeys(("t1", "t2", "t3"), "B08")
    pair = {**crowd, "t3": "H09"}
    assert worth(replace(begun, at={**begun.at, **pair})) > worth(replace(begun, at={**begun.at, **crowd}))


def test_what_burns_is_the_monsters_gain(begun):
    burning = next(box for box in begun.board.boxes if begun.is_destructible(box))
    assert worth(replace(begun, flames={burning: 1}), "monster") > worth(begun, "monster")


def test_steady_keeps_points_for_strengths_and_spends_them():
    game, steady = referee.table("sheboygan", seed=SEED), find_bot("steady")
    while not game.state.turn:
        game.do(steady.choose(Observation(game.game, game.view(game.to_act), game.to_act, Random(1))))
    sheet = game.state.sheet.value
    assert sum((sheet.attack, sheet.destruction, sheet.movement, game.state.defense)) >= 11
    assert game.state.budget == 0
