"""The ways of units, which are kept for all states with the same obstacles."""

from __future__ import annotations

from maps import DEFAULTS, shipped

from referee.engine.position import decode_position
from referee.games.sheboygan import GAME


def boxes_of(unit, **more):
    given = {"phase": "human-move", "turn": 3, "defense": 9, "monster": "Y09", "sheet": {}, "units": {"D15": "p1"}}
    state = GAME.state_from(decode_position(GAME, given | more), DEFAULTS, shipped())
    return {action.box for action in GAME.legal(state, "human") if getattr(action, "unit", "") == unit}


def test_what_a_state_that_cannot_be_leaves_behind_misleads_no_other():
    few = boxes_of("p1", spent={"p1": 5})
    assert few < boxes_of("p1")
