"""Boards: the shipped ones, and boards of the players' own."""

import random

import pytest
from support import Bench

from referee.engine.adjudication import adjudicate
from referee.engine.component import BoardError, read_toml
from referee.engine.dice_source import SeededSource
from referee.engine.registry import find_game
from referee.engine.scene import crop_scene

GAME = find_game("manoover")
BENCH = Bench(GAME)
SHIPPED = GAME.components[0].others()
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


def built(document, **options):
    return GAME.build_board({"board": document}, BENCH.options(**options))


def test_every_form_has_its_board():
    assert [GAME.components[0].shipped({"form": path.stem}) for path in SHIPPED] == list(SHIPPED)
    assert {path.stem for path in SHIPPED} == {"base", "plus", "three"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_boards_are_sound_and_say_what_is_reconstructed(path):
    board = built(read_toml(path), form=path.stem)
    assert len(board.cells) == (37 if path.stem == "base" else 61)
    assert "reconstruction" in board.reconstruction
    for (cell, heading), onward in board.next_cells.items():
        if cell in board.cells and onward != "off":
            back = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}[heading]
            assert board.next_cells[onward, back] == cell


def test_a_board_of_ones_own_is_played_to_the_end():
    state = GAME.setup(BENCH.options(), built(OWN))
    rng, source = random.Random(3), SeededSource({None: "33" * 32})
    assert {"b3", "b1"} == set(state.goals)
    while seat := GAME.to_act(state):
        state = adjudicate(GAME, state, seat, GAME.legal(state, seat).pick(rng), source).state
    assert len(state.cells) + len(state.off) + sum(map(len, state.captured.values())) == 4
    assert GAME.outcome(state).winners


def test_a_board_of_ones_own_is_drawn_with_its_name_and_all_its_cells():
    scene = GAME.draw(GAME.setup(BENCH.options(), built(OWN)))
    assert scene.board == "Kitchen table"
    assert scene.notes == ()
    assert scene.pages[0].list_places() == built(OWN).cells


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
        built({**OWN, **changed})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"goal_cells": "third"}, "no goals for goal-cells=third"),
        ({"edition": "crash"}, "no garages"),
        ({"form": "three"}, "this board has seats for red and blue, but the players are red, blue and green"),
    ],
)
def test_options_that_a_board_does_not_have(options, message):
    with pytest.raises(BoardError, match=message):
        GAME.setup(BENCH.options(**options), built(OWN, **options))


def test_what_lies_round_a_cell_is_its_neighbours():
    near = crop_scene(GAME.draw(BENCH.start()), "D4", 1).pages[0]
    assert {glyph.place for glyph in near.layouts[0].glyphs} == {"c3", "c4", "d3", "d4", "d5", "e3", "e4"}
    robots = crop_scene(GAME.draw(BENCH.start()), "e2", 2).pages[0].pieces
    assert {piece.label for piece in robots} == {"R3", "R4", "R5", "R6"}
