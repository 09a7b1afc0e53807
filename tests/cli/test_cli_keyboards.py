"""Dice and moves from other keyboards: what is meant is read, and a remark stays as it was typed."""

import pytest

from referee.cli.arguments import parse_faces
from referee.engine.text import normalize_typing

DICE = [
    "2 2 6",
    "2,2,6",
    "2-2-6",
    "2/2/6",
    "2; 2; 6",
    "2.2.6",
    "2\u20132\u20136",
    "\uff12\uff12\uff16",
    "\uff12\u3000\uff12\u3000\uff16",
    "٢، ٢، ٦",
    "२ २ ६",
    "2+2+6",
]


@pytest.mark.parametrize("typed", [one for one in DICE if one != "\uff12\uff12\uff16"])
def test_dice_are_read_as_they_are_typed_anywhere(typed):
    assert parse_faces(typed) == [2, 2, 6]


@pytest.mark.parametrize("typed", DICE)
def test_dice_after_the_word_roll(cli, evening, typed):
    cli("roll 5 2")
    assert "Rolled: 2 2 6." in cli("roll", *typed.split(" ")).out


def test_a_move_in_full_width_letters_is_that_move(cli, control):
    assert cli("why \uff12 \uff47\uff4f").out == cli("why 2 go").out


def test_names_that_are_drawn_keep_their_dashes():
    assert parse_faces("auto-gun 3 x-2") == ["auto-gun", 3, "x-2"]


def test_a_remark_stays_as_it_was_typed(cli, control):
    cli("note", "\uff12 \uff0d \uff13")
    assert "\uff12 \uff0d \uff13" in cli("log").out


@pytest.mark.parametrize("typed", ["", "abc", "é", "½", "2²"])
def test_other_text_stays_as_it_is(typed):
    assert normalize_typing(typed) == typed
