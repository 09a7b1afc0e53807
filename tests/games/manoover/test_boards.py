"""Boards: the shipped ones, and boards of the players' own."""

import random
import tomllib

import pytest
from support import ROOT

from referee.engine.game import BoardError, find_game
from referee.record.audit import audit
from referee.record.session import NotAllowedError, open_log, start

GAME = find_game("manoover")
SHIPPED = sorted((ROOT / "referee/games/manoover").glob("*.toml"))
OWN = {
    "name": "kitchen-table",
    "title": "Kitchen table",
    "cells": [[0, 0], [0, 1], [0, 2], [0, -1], [1, 0], [1, 1], [1, -1], [2, -1], [2, 0], [2, -2]],
    "dice": 2,
    "sides": 2,
    "seats": [{"name": "red", "side": "S"}, {"name": "blue", "side": "N"}],
    "start": ["R1 a1 N", "R2 c1 N", "B1 a4 S", "B2 c3 S"],
    "goals": {"red": "b3", "blue": "b1"},
}


def own(**changed):
    return {**OWN, **changed}


@pytest.mark.parametrize("path", [path for path in SHIPPED if path.stem != "rules"], ids=lambda path: path.stem)
def test_shipped_boards_are_sound_and_say_what_is_reconstructed(path):
    board = GAME.parse_board(tomllib.loads(path.read_text("utf-8")))
    assert len(board.cells) == (37 if path.stem == "base" else 61)
    assert "reconstruction" in board.reconstruction
    for (cell, heading), onward in board.steps.items():
        if cell in board.cells and onward != "off":
            back = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}[heading]
            assert board.steps[onward, back] == cell


def test_a_board_of_ones_own_is_played_to_the_end_and_travels_in_the_log(tmp_path):
    game = start("manoover", tmp_path / "own.jsonl", board=OWN)
    rng = random.Random(3)
    while game.to_act:
        game.record(game.judge_action(rng.choice(list(game.legal()))))
    assert audit(game.path).fault is None
    reopened = open_log(game.path)
    assert reopened.header.board.document == OWN
    assert reopened.state.board.file.title == "Kitchen table"
    assert reopened.outcome == game.outcome


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"start": ["R1 a9 N", *OWN["start"][1:]]}, "R1 starts off the board, on a9"),
        ({"start": ["R1 c1 N", *OWN["start"][1:]]}, "R1 and R2 both start on c1"),
        ({"start": ["R1 b1 N", *OWN["start"][1:]]}, "R1 starts on a goal, b1"),
        ({"start": ["R1 a1 E", *OWN["start"][1:]]}, "points E"),
        ({"start": ["R1 a1", *OWN["start"][1:]]}, "not a robot, a cell and an arrow"),
        ({"start": ["R3 a1 N", *OWN["start"][1:]]}, "no robot R3"),
        ({"start": OWN["start"][1:]}, "each of the 4 robots must start exactly once"),
        ({"goals": {"red": "b3", "green": "b1"}}, "'green', who has no seat"),
        ({"goals": {"red": "b3"}}, "blue has no goal"),
        ({"goals": {"red": "b3", "blue": "b3"}}, "two goals lie on one cell"),
        ({"goals": {"red": "z9", "blue": "b1"}}, "red's goal z9 is not on the board"),
        ({"goals-third": {"red": "z9", "blue": "b1"}}, "red's goal z9 is not on the board"),
        ({"cells": [*OWN["cells"], [9, 9]]}, "cannot be reached"),
        ({"cells": [*OWN["cells"], [0, 0]]}, "a cell is listed twice"),
        ({"cells": []}, "a board needs cells"),
        ({"cells": [[n, 0] for n in range(30)]}, "at most 26 columns"),
        ({"radius": 3}, "either radius or cells"),
        ({"seats": [{"name": "red", "side": "S"}, {"name": "rose", "side": "N"}]}, "begin with the same letter"),
        ({"dice": 99}, "dice"),
        ({"colour": "pink"}, "colour"),
        ({"cells": [[0.5, 0]]}, "cells"),
    ],
)
def test_what_is_wrong_with_a_board_is_said(changed, message):
    with pytest.raises(BoardError, match=message):
        GAME.parse_board(own(**changed))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"goal-cells": "third"}, "no goals for goal-cells=third"),
        ({"edition": "crash"}, "no garages"),
        ({"form": "three"}, "the board seats red and blue, but red, blue and green play"),
    ],
)
def test_options_that_a_board_does_not_have(tmp_path, options, message):
    with pytest.raises(NotAllowedError, match=message):
        start("manoover", tmp_path / "own.jsonl", board=OWN, options=options)
    assert not list(tmp_path.glob("*.jsonl"))
