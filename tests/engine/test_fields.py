"""Positions that cannot be: told in words, with the choices there are."""

from __future__ import annotations

import msgspec
import pytest

from referee.engine.position import decode_position
from referee.engine.position_form import (
    describe_type,
    find_type_at_path,
    make_example_value,
    parse_value,
    read_field_meanings,
)
from referee.engine.registry import find_game

WRONG = {
    "manoover": [
        ({"turn": "red"}, "a position needs robots: a list of up to 24: each is text"),
        ({"turn": 3, "robots": []}, "turn cannot be 3; it must be text"),
        (
            {"turn": "red", "robots": [], "phase": "foo"},
            "phase cannot be 'foo'; it must be auto, control, over, rethrow, throw or",
        ),
        (
            {"turn": "red", "robots": [], "dice": [1, 9]},
            "dice, number 2 cannot be 9; it must be a whole number from 1 to 8",
        ),
        ({"turn": "red", "robots": [], "dics": [1]}, "a position has no field 'dics'; did you mean 'dice'?"),
        (
            {"turn": "red", "robots": [], "captured": {"blue": [], "red": ["R99"]}},
            "captured, red, number 1 cannot be 'R99'; it must be a robot such as R1",
        ),
        ({"turn": "red", "robots": [], "rethrown": "so"}, "rethrown cannot be 'so'; it must be true or false"),
        ({"turn": "red", "robots": "R1 c2 N"}, "robots cannot be 'R1 c2 N'; it must be a list"),
    ],
    "mutants": [
        (
            {"units": {"C4": "buck", "Z9": "b3"}},
            "units cannot have 'Z9'; each name is a room such as C4, or a square such as xN4",
        ),
        ({"units": {"C4": "buck", "D4": 3}}, "units, D4 cannot be 3; it must be text"),
        ({"combat": {"room": "C4"}}, "combat needs stage: lay, pair, pursue or resolve"),
        ({"combat": {"rom": "C4"}}, "combat has no field 'rom'; did you mean 'room'?"),
        ({"turn": 16}, "turn cannot be 16; it must be a whole number from 1 to 15"),
    ],
}


@pytest.mark.parametrize(("name", "document", "told"), [(name, *case) for name in WRONG for case in WRONG[name]])
def test_what_is_wrong_with_a_position(name, document, told):
    with pytest.raises(msgspec.ValidationError) as wrong:
        decode_position(find_game(name), document)
    assert str(wrong.value).startswith(told)
    assert not {"$", "`", "^", "Expected"} & set(str(wrong.value).replace("Expected", "$"))


VALUES = {
    ("dice", "2 2 6"): [2, 2, 6],
    ("dice", "none"): [],
    ("spent", "go:2 turn:6"): [["go", 2], ["turn", 6]],
    ("phase", "none"): None,
    ("phase", "auto"): "auto",
    ("off", "rest"): "rest",
    ("off", "B1 B2"): ["B1", "B2"],
    ("rethrown", "yes"): True,
    ("dead", "2"): 2,
    ("dead", "many"): "many",
}


@pytest.mark.parametrize(("field", "text"), VALUES)
def test_a_value_is_read_as_its_field_has_it(field, text):
    assert parse_value(find_type_at_path(find_game("manoover").position, [field]), text) == VALUES[field, text]


def test_what_fields_mean_is_what_stands_below_them():
    position = find_game("manoover").position
    assert read_field_meanings(position)["turn"] == "The seat whose turn it is."
    assert (
        describe_type(find_type_at_path(position, ["spent"]))
        == "a list of up to 8: each is go or turn, then a whole number from 1 to 8"
    )
    assert find_type_at_path(position, ["weather"]) is None


SAID = {
    "sheboygan": {
        "phase": "Human-Move",
        "monster": "h08",
        "units": {"h09": "T1 i1"},
        "control": "T1",
        "flames": {"I09": 2},
    },
    "mutants": {"phase": "SMASH", "units": {"c4": "buck", "XN1": "n1"}, "walls": ["d1-e1"], "smashed": ["xn1-a1"]},
}
MEANT = {
    "sheboygan": {
        "phase": "human-move",
        "monster": "H08",
        "units": {"H09": "t1 i1"},
        "control": "t1",
        "flames": {"I09": 2},
    },
    "mutants": {"phase": "smash", "units": {"C4": "buck", "xN1": "n1"}, "walls": ["D1-E1"], "smashed": ["xN1-A1"]},
}


def test_a_box_needs_no_nought_and_a_square_of_zombies_no_capital():
    boxes = decode_position(find_game("sheboygan"), {"monster": "h9", "units": {"y1": "T1"}})
    assert (boxes.monster, dict(boxes.units)) == ("H09", {"Y01": "t1"})
    typed = {"players": {"lee": {"at": "sE9", "supplies": "Pistol"}}, "zombies": {"L1": "sF9 sg9"}, "tiles": "SD1"}
    city = decode_position(find_game("zombies"), typed)
    assert (city.players["LEE"].at, city.players["LEE"].supplies) == ("Se9", "pistol")
    assert (city.zombies["l1"], city.tiles) == ("Sf9 Sg9", "Sd1")


@pytest.mark.parametrize("game", SAID)
def test_names_may_be_in_any_case(game):
    assert decode_position(find_game(game), SAID[game]) == decode_position(find_game(game), MEANT[game])


def test_what_is_wrong_is_told_as_it_was_typed():
    with pytest.raises(
        msgspec.ValidationError, match="monster cannot be 'zz'; it must be a box such as H09, BRN or TUN"
    ):
        decode_position(find_game("sheboygan"), {"monster": "zz", "phase": "FIRE"})


@pytest.mark.parametrize(
    ("field", "example"),
    [
        ("monster", "H09"),
        ("units", {"H09": "t1 i1"}),
        ("flames", {"H09": 1}),
        ("hand", ["t1"]),
        ("due", None),
    ],
)
def test_examples_show_how_a_field_is_typed(field, example):
    position = find_game("sheboygan").position
    assert make_example_value(find_type_at_path(position, [field])) == example
    if example is not None:
        msgspec.convert({field: example}, position)
