"""Facts that follow from a typed position are filled in, and told."""

from __future__ import annotations

import pytest
from support import Bench

from referee.engine.position import describe_added_facts
from referee.engine.registry import find_game

BURNING = {"phase": "human-move", "turn": 3, "defense": 9, "monster": "Y09", "sheet": {}, "units": {"D15": "p1"}}
ROBOTS = {"turn": "red", "robots": ["R1 a1 N", "B1 c4 S"], "off": "rest"}
HEROES = {"players": {"LEE": {"at": "Sd9"}, "JAK": {"at": "Sp9", "seat": "blue", "health": 3}}}
MUTANTS = {"units": {"xN4": "n8", "D2": "buck"}}
TOLD = {
    "manoover": (
        ROBOTS,
        (
            "Red's turn begins: no phase was typed (turn.1).",
            "Each player has finished one turn: no other number was typed.",
        ),
    ),
    "mutants": (MUTANTS, ("Units that you named nowhere are out of the game.",)),
    "sheboygan": (BURNING | {"spent": {"p1": 1}}, ("p1 has moved in this phase (5.0g).",)),
    "zombies": (
        HEROES,
        (
            "A free seat was given to LEE.",
            "Full health was given to LEE (setup.17).",
            "The first player in the order is to move.",
        ),
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_filled_in_is_told(name):
    game, (document, told) = find_game(name), TOLD[name]
    state = Bench(game).place(document)
    assert describe_added_facts(game, document) == told
    whole = game.position_from(state)
    assert game.describe_added_facts(whole) == (), "a whole position leaves nothing to fill in"


def test_what_was_typed_stays():
    sheboygan = find_game("sheboygan")
    document = BURNING | {"spent": {"p1": 1}, "moved": {"p1": "D14"}}
    assert Bench(sheboygan).place(document).moved == {"p1": "D14"}
    assert describe_added_facts(sheboygan, document) == ()


def test_a_unit_that_has_spent_movement_points_has_moved():
    assert Bench(find_game("sheboygan")).place(BURNING | {"spent": {"p1": 1}}).moved == {"p1": "D15"}
