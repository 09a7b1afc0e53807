"""Lines that are longer than the screen."""

import pytest
import terminal

from referee.cli.answer import Text
from referee.cli.screen import Screen

KINDS = "web-spinning/fear-immobilization/blinding-light"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a list: " + KINDS, ["a list: web-spinning/", "  fear-immobilization/", "  blinding-light"]),
        ("one of go/turn/throw if that is so", ["one of go/turn/throw if that", "  is so"]),
        ("x" * 40, ["x" * 30, "  " + "x" * 10]),
        ("it lies in /srv/games/of/anna/and/of/bo/friday", ["it lies in /srv/games/of/anna/", "  and/of/bo/friday"]),
    ],
)
def test_a_line_breaks_at_spaces_and_what_is_too_long_after_a_slash(text, rows):
    assert Screen(width=30).wrap_messages([text]) == rows


def test_what_programs_look_for_stays_whole():
    shown = Text(f"not read: /srv/{KINDS}", is_unwrapped=True)
    assert Screen(width=30).count_rows([shown]) == 1


def test_a_question_is_wrapped_and_asked_again_where_the_answer_is_neither_yes_nor_no(place):
    with terminal.Terminal("new", "manoover", columns=60) as table:
        table.wait("y/N:")
        assert table.lines[:2] == [
            "Do you roll real dice and type the result? If not, the dice",
            "come from a seed in the log. y/N:",
        ]
        table.type("table\r")
        table.wait("Type y or n; Enter means no:")
        table.type("Yes\r")
        assert table.left() == 0
        assert "(table dice)" in table.text


def test_ctrl_c_leaves_the_line_in_which_it_was_pressed(place):
    with terminal.Terminal("new", "manoover", columns=60) as table:
        table.wait("y/N:")
        table.type("\x03")
        assert table.left() == 130
        assert (table.screen.cursor.x, table.screen.cursor.y) == (0, 2)


def test_suggestions_in_a_message_go_on_further_in():
    told = ["  move n21", "  Instead: move r10 to xN2,   move n21 to xN2,   move r10 n21 to xN2"]
    assert Screen(width=40).wrap_messages(told) == [
        "  move n21",
        "  Instead: move r10 to xN2,   move n21",
        "    to xN2,   move r10 n21 to xN2",
    ]
