"""Dice and moves from other keyboards: what is meant is read, and a remark stays as it was typed."""

import pytest

from referee.cli.arguments import parse_faces
from referee.engine.text import normalize_typing
from referee.record.table.opening_logs import open_log

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
    "2 2 6.",
    "\u2681 \u2681 \u2685",
    "\u2681\u2681\u2685",
]


@pytest.mark.parametrize("typed", [one for one in DICE if one != "\uff12\uff12\uff16"])
def test_dice_are_read_as_they_are_typed_anywhere(typed):
    assert parse_faces(typed) == [2, 2, 6]


@pytest.mark.parametrize("typed", DICE)
def test_dice_after_the_word_roll(cli, evening, typed):
    cli("roll 5 2")
    assert "Rolled: 2 2 6." in cli("roll", *typed.split(" ")).out


@pytest.mark.parametrize("words", [("roll 5 2",), ("roll\u00a05", "2"), ("Roll\u202f5\u202f2",)])
def test_a_command_in_quotes_or_with_pasted_spaces(cli, evening, words):
    answer = cli(*words)
    assert (answer.code, "red 5 and blue 2" in answer.out) == (0, True), answer.shown


def test_a_move_in_full_width_letters_is_that_move(cli, control):
    assert cli("why \uff12 \uff47\uff4f").out == cli("why 2 go").out


def test_a_full_stop_at_the_end_of_a_move_means_nothing(control):
    assert open_log(control).judge("6 go.").said == open_log(control).judge("6 go").said


def test_names_that_are_drawn_keep_their_dashes():
    assert parse_faces("auto-gun 3 x-2") == ["auto-gun", 3, "x-2"]


def test_a_remark_stays_as_it_was_typed(cli, control):
    cli("note", "\uff12 \uff0d \uff13")
    assert "\uff12 \uff0d \uff13" in cli("log").out


@pytest.mark.parametrize("typed", ["", "abc", "é", "½", "2²"])
def test_other_text_stays_as_it_is(typed):
    assert normalize_typing(typed) == typed
