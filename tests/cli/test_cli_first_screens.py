"""Every first screen fits on a terminal of 24 rows and 80 columns, so that nobody has to scroll back."""

from __future__ import annotations

import pytest
from terminal import Terminal

from referee.engine.registry import game_names

LINES = 24
FIRST = ["", "--help", "help", "games", "demo", "new", "key -h", "play"]
IN_A_GAME = ["", "legal", "who", "last"]


def rows(words, name=""):
    """The rows that an answer takes."""
    with Terminal(*words.split(), columns=80, lines=LINES) as table:
        if words == "play" and name:
            table.wait("> ")
        else:
            assert table.left() is not None
        return [*table.scrolled_away.splitlines(), *table.text.splitlines()]


@pytest.mark.parametrize("words", FIRST)
def test_before_a_game(place, home, words):
    assert 0 < len(rows(words)) < LINES


@pytest.mark.parametrize("name", game_names())
def test_in_a_new_game(place, home, name):
    for words in (f"demo {name}", f"new {name} --dice table -o g.jsonl", *IN_A_GAME):
        assert 0 < len(rows(words)) < LINES, words
    assert 0 < len(rows("play", name)) <= LINES
