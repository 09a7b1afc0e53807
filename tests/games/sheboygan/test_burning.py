"""How fires spread and burn down, on fires laid at random."""

from __future__ import annotations

from random import Random

import pytest
from maps import DEFAULTS, shipped
from msgspec.structs import replace

from referee.engine.adjudication import LegalVerdict, PendingVerdict, adjudicate
from referee.engine.dice_source import SeededSource, TypedSource
from referee.engine.position import decode_position
from referee.games.sheboygan import GAME
from referee.games.sheboygan.board import OPPOSITE
from referee.games.sheboygan.tables import DIRECTIONS
from referee.games.sheboygan.wind import FiresAged, FireSpread, RollForWind, WindBlew, find_threatened_boxes

BOARD = shipped()
BURNABLE = sorted(BOARD.burnable_boxes)
OPTIONS = DEFAULTS | {"scenario": "advanced-b"}


def blaze(random, count, phase="fire"):
    """A Fire Phase in which so many boxes burn, two fifths of them for long, and some are rubble."""
    boxes = random.sample(BURNABLE, count + count // 2)
    flames = {box: random.choice((1, 1, 2, 3, 4)) for box in boxes[:count]}
    rubble = [*boxes[count:], *(box for box, age in flames.items() if age == 4)]
    position = {"phase": phase, "turn": 3, "defense": 9, "monster": "H08", "sheet": {}, "units": {"Y12": "c1"}}
    return GAME.state_from(decode_position(GAME, {**position, "flames": flames, "rubble": rubble}), OPTIONS, BOARD)


def needed(state, box, wind):
    """What a box needs to catch fire, seen from the box: None if nothing threatens it."""
    place = BOARD.boxes[box]
    if place.terrain not in ("low", "high", "park") or box in state.rubble or box in state.flames:
        return None
    fires = [other for other in BOARD.neighbours[box] if other in state.flames]
    upwind = () if wind == "calm" else BOARD.neighbours_by_side[OPPOSITE[wind]][box]
    across = (
        [] if wind == "calm" else [other for other in place.list_boxes_across(OPPOSITE[wind]) if other in state.flames]
    )
    if not fires and not across:
        return None
    return max(1, 7 - len(fires) - any(other in upwind for other in fires) - len(across))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("wind", [*DIRECTIONS, "calm"])
def test_what_is_needed_seen_from_the_fires_is_what_is_needed_seen_from_the_boxes(seed, wind):
    state = blaze(Random(seed), (1, 3, 12, 60)[seed % 4])
    expected = {box: need for box in BOARD.boxes for need in [needed(state, box, wind)] if need is not None}
    assert dict(find_threatened_boxes(state, wind)) == expected


def test_the_greatest_blaze_can_be_thrown_for():
    random = Random(1)
    sizes = [len(find_threatened_boxes(blaze(random, count), "east")) for count in (20, 40, 60, 80) for _ in range(10)]
    assert max(sizes) < 256, "dice in one draw"


def play(state, source):
    verdict = adjudicate(GAME, state, "human", RollForWind(), source)
    assert isinstance(verdict, LegalVerdict), verdict
    return verdict


@pytest.mark.parametrize("seed", range(12))
def test_only_what_can_burn_burns_and_what_has_burnt_down_scores(seed):
    state, source = blaze(Random(seed), 6), SeededSource({None: f"{seed:064x}"})
    while GAME.outcome(state) is None:
        played = play(state, source)
        after = played.state
        worth = sum(BOARD.tables.terrain[BOARD.boxes[box].terrain].vp for box in after.rubble - state.rubble)
        assert after.points - state.points == worth
        assert after.flames.keys() <= BOARD.burnable_boxes
        assert {box for box, age in after.flames.items() if age == 4} <= after.rubble
        assert all(after.flames[box] == min(4, age + 1) for box, age in state.flames.items())
        fresh = after.flames.keys() - state.flames.keys()
        assert all(after.flames[box] == 1 for box in fresh)
        assert not fresh & state.rubble
        kinds = [type(event) for event in played.events if isinstance(event, WindBlew | FireSpread | FiresAged)]
        assert kinds == [kind for kind in (WindBlew, FireSpread, FiresAged) if kind in kinds], "in this order (C26)"
        if after.outcome or not any(age < 4 for age in after.flames.values()):
            return
        state = replace(after, phase="fire", blown=False)


def test_each_die_is_thrown_for_a_box():
    state = replace(blaze(Random(0), 1), flames={"J13": 1}, rubble=frozenset())
    verdict = adjudicate(GAME, state, "human", RollForWind(), TypedSource([5]))
    assert isinstance(verdict, PendingVerdict)
    assert verdict.need is not None
    assert verdict.need.each == ("I13", "J12", "J14", "K13")
