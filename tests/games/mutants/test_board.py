"""The floor plan that comes along, and what is wrong with others."""

from __future__ import annotations

import tomllib

import pytest
from playing import BOARD, GAME

from referee.engine.game import BoardError

DOCUMENT = tomllib.loads(GAME.board_file({}).read_text("utf-8"))


def test_the_counts_of_the_index():
    file = BOARD.file
    assert (len(BOARD.rooms), len(file.inner_doors), len(file.outer_doors)) == (49, 84, 28)
    assert (len(BOARD.squares), len(BOARD.wallable), len(file.links)) == (28, 80, 24)


def test_the_manifest_adds_up():
    kinds = [unit.kind for unit in BOARD.units.values()]
    counted = [kinds.count(kind) for kind in ("tech", "guard", "janibot", "leader", "radioactive", "normal")]
    assert counted == [2, 6, 24, 4, 24, 26]
    file, marks = BOARD.file, 2
    assert sum(counted) + file.walls + file.more_walls + file.smashed_door_markers + marks == 133


def test_what_is_reconstructed_is_said():
    assert "Smashed Door Table" in (BOARD.reconstruction or "")
    assert any("reconstruction" in note for note in GAME.draw(GAME.setup(options(), BOARD)).notes)


def options():
    return {option.name: option.default for option in GAME.options}


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"tech-room": "H9"}, "the Tech Room H9 is no room"),
        ({"inner-doors": ["A1-C1"]}, "A1-C1 does not join two rooms side by side"),
        ({"inner-doors": ["A1-H1"]}, "A1-H1 does not join two rooms"),
        ({"outer-doors": ["A1-B1"]}, "A1-B1 does not join a Set Up square to a room"),
        ({"links": ["xN1-xN9"]}, "xN1-xN9 does not join two Set Up squares"),
        ({"smashed-door-table": [7]}, "Expected `int` <= 6"),
        ({"columns": 1, "rows": 1}, "the Tech Room D4 is no room"),
        ({"counter": []}, "no counter is a tech"),
    ],
)
def test_a_board_that_nobody_could_play_on(change, cause):
    with pytest.raises(BoardError, match=cause.replace("<=", "<=")):
        GAME.parse_board({**DOCUMENT, **change})


def test_a_counter_needs_its_hit_numbers():
    counters = [{**counter, "hit": None} for counter in DOCUMENT["counter"]]
    with pytest.raises(BoardError, match="lack a Hit Number"):
        GAME.parse_board({**DOCUMENT, "counter": counters})


def test_a_group_plays_with_its_own_table():
    board = GAME.parse_board({**DOCUMENT, "smashed-door-table": [1, 3, 5]})
    state = GAME.setup(options(), board)
    assert [state.smash_number(count) for count in (1, 2, 3, 4, 40)] == [1, 3, 5, 5, 5]
