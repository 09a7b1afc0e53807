"""Facts that follow from a typed position are filled in, and told."""

from __future__ import annotations

from maps import DEFAULTS, shipped

from referee.engine.position import decode_position
from referee.games.sheboygan import GAME

GIVEN = {"phase": "human-move", "turn": 3, "defense": 9, "monster": "Y09", "sheet": {}, "units": {"D15": "p1"}}


def test_a_unit_that_has_spent_movement_points_has_moved():
    position = decode_position(GAME, GIVEN | {"spent": {"p1": 1}})
    assert not list(GAME.check_position(position, DEFAULTS, shipped()))
    assert GAME.state_from(position, DEFAULTS, shipped()).moved == {"p1": "D15"}
    assert GAME.describe_filled_in(position) == ("p1 has moved in this phase (5.0g).",)


def test_what_was_typed_stays():
    position = decode_position(GAME, GIVEN | {"spent": {"p1": 1}, "moved": {"p1": "D14"}})
    assert GAME.state_from(position, DEFAULTS, shipped()).moved == {"p1": "D14"}
    assert GAME.describe_filled_in(position) == ()
