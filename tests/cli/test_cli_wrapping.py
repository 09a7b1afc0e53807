"""Lines that are longer than the screen."""

import pytest

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
    assert Screen(width=30).wrapped([text]) == rows


def test_what_programs_look_for_stays_whole():
    shown = Text(f"not read: /srv/{KINDS}", whole=True)
    assert Screen(width=30).count([shown]) == 1
