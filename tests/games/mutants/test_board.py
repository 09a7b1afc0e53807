"""The floor plan that comes along, and what is wrong with others."""

from __future__ import annotations

import pytest
from own_boards import DOCUMENT, built, own_board
from playing import BOARD, GAME

from referee.engine.component import BoardError
from referee.games.mutants.doors import find_smash_number


def test_the_counts_of_the_index():
    file = BOARD.file
    assert (len(BOARD.rooms), len(file.inner_doors), len(file.outer_doors)) == (49, 84, 28)
    assert (len(BOARD.squares), len(BOARD.doors_for_walls), len(file.links)) == (28, 80, 24)


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
        ({"tech-room": "H9"}, "the Tech Room H9 is not a room"),
        ({"inner-doors": ["A1-C1"]}, "A1-C1 does not join two rooms side by side"),
        ({"inner-doors": ["A1-H1"]}, "A1-H1 does not join two rooms"),
        ({"outer-doors": ["A1-B1"]}, "A1-B1 does not join a Set Up square to a room"),
        ({"outer-doors": ["xN1-C3"]}, "xN1-C3 does not join a Set Up square to a room on its side of the building"),
        ({"outer-doors": ["xN1-A1", "xN1-B1"]}, "a Set Up square has two doors"),
        ({"inner-doors": ["A1-B1", "B1-A1"]}, "two doors join the same places"),
        ({"links": ["xN1-xN9"]}, "xN1-xN9 does not join two Set Up squares"),
        ({"smashed-door-table": [7]}, "Expected `int` <= 6"),
        ({"columns": 1, "rows": 1}, "the Tech Room D4 is not a room"),
        ({"counter": []}, "no counter is a tech"),
    ],
)
def test_a_board_that_nobody_could_play_on(change, cause):
    with pytest.raises(BoardError, match=cause.replace("<=", "<=")):
        built({**DOCUMENT, **change})


def test_a_counter_needs_its_hit_numbers():
    counters = [{**counter, "hit": None} for counter in DOCUMENT["counter"]]
    with pytest.raises(BoardError, match="lack a Hit Number"):
        built({**DOCUMENT, "counter": counters})


def test_a_group_plays_with_its_own_table():
    board = built({**DOCUMENT, "smashed-door-table": [1, 3, 5]})
    state = GAME.setup(options(), board)
    assert [find_smash_number(state, count) for count in (1, 2, 3, 4, 40)] == [1, 3, 5, 5, 5]


@pytest.mark.parametrize("name", ["off", "with", "and", "auto", "rest"])
def test_no_counter_is_called_like_a_word_of_the_phrases(name):
    counters = [counter | {"units": f"prof {name}"} if counter["kind"] == "tech" else counter for counter in COUNTERS]
    with pytest.raises(BoardError, match=f"no counter may be called '{name}'"):
        built({**DOCUMENT, "counter": counters})


COUNTERS = DOCUMENT["counter"]


@pytest.mark.parametrize("name", ["xn4", "xN4", "D4", "e1", "w1", "off2", "n0"])
def test_no_counter_is_called_like_a_place_of_another_kind(name):
    counters = [counter | {"units": f"prof {name}"} if counter["kind"] == "tech" else counter for counter in COUNTERS]
    with pytest.raises(BoardError, match="cannot be the name of a counter"):
        built({**DOCUMENT, "counter": counters})


def test_squares_with_their_x_are_never_counters():
    assert not {place.lower() for place in BOARD.squares} & BOARD.units.keys()


@pytest.mark.parametrize(("columns", "rows"), [(2, 1), (3, 3), (5, 9), (9, 5), (9, 9), (4, 7)])
def test_every_place_of_other_buildings_has_a_spot_of_its_own(columns, rows):
    for most in (1, 9):
        board = built(own_board(columns, rows, dict.fromkeys("NESW", most)))
        assert len(set(board.spots_by_place.values())) == len(board.places) == columns * rows + 4 * most
        assert min(x for x, _ in board.spots_by_place.values()) >= 0 <= min(y for _, y in board.spots_by_place.values())
        assert len(set(board.door_spots.values())) == len(board.door_ends)
        for (x1, y1), (x2, y2) in board.door_spots.values():
            assert (x2 - x1, y2 - y1) in ((1, 0), (0, 1))


def test_squares_that_lead_to_the_same_room_lie_behind_one_another():
    board = built(own_board(2, 2, {"N": 4, "E": 2, "S": 2, "W": 2}))
    assert [board.spots_by_place[place] for place in ("xN1", "xN2", "A1")] == [(1, 1), (1, 0), (1, 2)]
    assert board.door_spots["xN2-A1"] == ((1, 0), (1, 1))
