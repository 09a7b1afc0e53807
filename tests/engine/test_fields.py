"""Positions that cannot be: told in words, with the choices there are."""

from __future__ import annotations

import msgspec
import pytest

from referee.engine.fields import described, meanings, read_value, type_at
from referee.engine.position import decode_position
from referee.engine.registry import find_game

WRONG = {
    "manoover": [
        ({"turn": "red"}, "a position needs robots: a list of up to 24: text"),
        ({"turn": 3, "robots": []}, "turn cannot be 3; it is text"),
        (
            {"turn": "red", "robots": [], "phase": "foo"},
            "phase cannot be 'foo'; it is auto, control, over, rethrow, throw or",
        ),
        ({"turn": "red", "robots": [], "dice": [1, 9]}, "dice, number 2 cannot be 9; it is a whole number from 1 to 8"),
        ({"turn": "red", "robots": [], "dics": [1]}, "a position has no field 'dics'; did you mean 'dice'?"),
        (
            {"turn": "red", "robots": [], "captured": {"blue": [], "red": ["R99"]}},
            "captured, red, number 1 cannot be 'R99'; it is a robot such as R1",
        ),
        ({"turn": "red", "robots": [], "rethrown": "so"}, "rethrown cannot be 'so'; it is true or false"),
        ({"turn": "red", "robots": "R1 c2 N"}, "robots cannot be 'R1 c2 N'; it is a list"),
    ],
    "mutants": [
        (
            {"units": {"C4": "buck", "Z9": "b3"}},
            "units cannot have 'Z9'; each is a room such as C4, or a square such as xN4",
        ),
        ({"units": {"C4": "buck", "D4": 3}}, "units, D4 cannot be 3; it is text"),
        ({"combat": {"room": "C4"}}, "combat needs stage: lay, pair, pursue or resolve"),
        ({"combat": {"rom": "C4"}}, "combat has no field 'rom'; did you mean 'room'?"),
        ({"turn": 16}, "turn cannot be 16; it is a whole number from 1 to 15"),
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
    assert read_value(type_at(find_game("manoover").position, [field]), text) == VALUES[field, text]


def test_what_fields_mean_is_what_stands_below_them():
    position = find_game("manoover").position
    assert meanings(position)["turn"] == "Whose turn it is."
    assert (
        described(type_at(position, ["spent"]))
        == "a list of up to 8: a list of go or turn and a whole number from 1 to 8"
    )
    assert type_at(position, ["weather"]) is None
