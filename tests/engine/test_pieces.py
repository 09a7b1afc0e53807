"""Positions piece by piece: how each stands, and what changed."""

from __future__ import annotations

import pytest
from support import Bench

from referee.engine.position_diff import (
    PieceChange,
    format_typed_value,
    list_changes,
    list_manual_changes,
    list_movable_pieces,
    list_pieces_and_fields,
)
from referee.engine.registry import find_game
from referee.engine.text import NotUnderstoodError

MANOOVER = Bench(find_game("manoover"))
MUTANTS = Bench(find_game("mutants"))
MIDDLE = {
    "turn": "red",
    "robots": ["R1 c2 N", "R2 b3 NW", "B4 c4 S"],
    "captured": {"blue": ["B1"]},
    "off": "rest",
    "phase": "control",
    "dice": [2, 1],
    "spent": [["go", 2]],
}
ROOMS = {
    "turn": 3,
    "phase": "smash",
    "units": {"B4": "buck b3", "C4": "n1", "D4": "n4"},
    "failed": "n1",
    "used": "n1",
    "smashed": ["C3-C4"],
}


def test_a_counter_is_told_by_its_name_and_where_it_lies():
    pieces = MANOOVER.game.pieces(MANOOVER.place(MIDDLE))
    assert (pieces["R1"], pieces["B4"], pieces["B1"], pieces["R6"]) == ("c2 N", "c4 S", "goal blue", "off")
    units = MUTANTS.game.pieces(MUTANTS.place(ROOMS))
    assert (units["b3"], units["n1"], units["n2"], units["C3-C4"]) == ("B4", "C4 upside-down", "gone", "smashed")


def test_what_else_a_position_holds_is_told_by_its_fields():
    pieces = list_pieces_and_fields(MANOOVER.game, MANOOVER.place(MIDDLE))
    assert {name: pieces[name] for name in ("turn", "dice", "spent", "taken.blue", "rethrown")} == {
        "turn": "red",
        "dice": "1 2",
        "spent": "go:2",
        "taken.blue": "1",
        "rethrown": "no",
    }
    assert not {"robots", "captured", "off"} & pieces.keys()


def test_a_game_that_does_not_tell_its_counters_shows_all_its_fields(ambush):
    game = ambush.GAME
    state = Bench(game).place({"phase": "raid", "night": 1, "chests": {"red": "reef", "blue": "cave"}})
    assert list_movable_pieces(game, state) == list_pieces_and_fields(game, state)
    assert list_movable_pieces(game, state)["chests.red"] == "reef"
    assert list_movable_pieces(game, game.view(state, "red")).get("chests.blue") is None, (
        "what a seat does not see is not told"
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "none"),
        ({}, "none"),
        (None, "none"),
        ("", "none"),
        ([2, 2, 6], "2 2 6"),
        ([["go", 2], ["turn", 6]], "go:2 turn:6"),
        (True, "yes"),
        (0, "0"),
    ],
)
def test_values_are_told_as_they_are_typed(value, words):
    assert format_typed_value(value) == words


def test_a_count_of_nothing_is_no_work_for_hands():
    sits = {"LEE": "off", "LEE.health": "9", "LEE.tiles": "0", "LEE.zombie": "no", "LEE.spent": "none"}
    assert list(map(str, list_manual_changes({}, sits))) == ["LEE: from none to off", "LEE.health: from none to 9"]
    assert [one.reversed_text for one in list_manual_changes(sits, {})] == [
        "LEE: back to none, from off",
        "LEE.health: back to none, from 9",
    ]
    assert list(map(str, list_manual_changes({"dice": "2"}, {"dice": "0"}))) == ["dice: from 2 to 0"]


def test_what_changed_alike_is_told_together():
    before = {"n1": "C4", "n2": "C4", "n3": "C4", "n4": "C4", "buck": "D4", "R2": "b1 N"}
    after = {"n1": "D4", "n2": "D4", "n3": "D4", "n4": "D4", "R2": "b1 N", "C3-C4": "smashed"}
    found = list_changes(before, after)
    assert found == (
        PieceChange(("n1", "n2", "n3", "n4"), "C4", "D4"),
        PieceChange(("buck",), "D4", "none"),
        PieceChange(("C3-C4",), "none", "smashed"),
    )
    assert str(found[0]) == "n1..n4: from C4 to D4"
    assert found[0].reversed_text == "n1..n4: back to D4, from C4"
    assert list_changes(after, after) == ()


PUT = {
    "c5 n": "c5 N",
    "c5": "c5 S",
    "SE": "c4 SE",
    "off": "off",
    "goal red": "goal red",
}


@pytest.mark.parametrize("where", PUT)
def test_a_robot_is_put_elsewhere_and_keeps_what_is_not_said(where):
    game, state = MANOOVER.game, MANOOVER.place(MIDDLE)
    position = game.place_piece(game.position_from(state), "B4", where)
    placed = game.state_from(position, state.options, state.board)
    assert list_changes(game.pieces(state), game.pieces(placed)) == (PieceChange(("B4",), "c4 S", PUT[where]),)


@pytest.mark.parametrize(("robot", "where"), [("B4", "c4 d4"), ("B4", "n s"), ("B1", "c5"), ("B1", "n"), ("B4", "")])
def test_a_robot_lies_on_a_cell_with_an_arrow(robot, where):
    game, state = MANOOVER.game, MANOOVER.place(MIDDLE)
    if where:
        with pytest.raises(NotUnderstoodError, match=r"a cell and an arrow|one (cell|arrow) only"):
            game.place_piece(game.position_from(state), robot, where)
    else:
        assert game.place_piece(game.position_from(state), robot, where) == game.position_from(state)


UNITS = {
    ("n4", "c4"): "C4",
    ("n4", "xN1"): "xN1",
    ("n4", "gone"): "gone",
    ("n1", "upright"): "C4",
    ("n1", "D5 upside-down"): "D5 upside-down",
    ("n1", "D5"): "D5",
    ("C3-C4", "none"): "none",
    ("C3-C4", "wall"): "wall",
}


@pytest.mark.parametrize(("piece", "where"), UNITS)
def test_a_unit_or_a_marker_is_put_elsewhere(piece, where):
    game, state = MUTANTS.game, MUTANTS.place(ROOMS)
    placed = game.state_from(game.place_piece(game.position_from(state), piece, where), state.options, state.board)
    assert [one.pieces for one in list_changes(game.pieces(state), game.pieces(placed))] == [(piece,)]
    assert game.pieces(placed).get(piece) == UNITS[piece, where]


@pytest.mark.parametrize(
    ("piece", "where"), [("n4", "z9"), ("n4", "C4 D4"), ("n4", "upright upside-down"), ("C3-C4", "open")]
)
def test_units_and_markers_lie_where_such_things_lie(piece, where):
    game, state = MUTANTS.game, MUTANTS.place(ROOMS)
    with pytest.raises(NotUnderstoodError):
        game.place_piece(game.position_from(state), piece, where)
