"""The map and the tables that come along, and what is wrong with others."""

from __future__ import annotations

from collections import Counter

import pytest
from maps import DEFAULTS, built, shipped

from referee.engine.component import BoardError, read_toml
from referee.games.sheboygan.board import OPPOSITE
from referee.games.sheboygan.board_building import build_board
from referee.games.sheboygan.options import find_shipped_board, find_shipped_tables
from referee.games.sheboygan.tables import DIRECTIONS

BOARD = shipped()


def test_the_counts_of_the_map():
    terrain = Counter(box.terrain for box in BOARD.boxes.values())
    assert terrain == {"street": 197, "low": 76, "high": 42, "park": 39, "river": 22, "bridge": 2, "tunnel": 1}
    assert sum(map(len, BOARD.neighbours.values())) == 2 * 921
    assert (len(BOARD.populace_boxes), len(BOARD.file.seam), len(BOARD.file.doubtful)) == (8, 83, 9)
    assert {len(beside) for beside in BOARD.neighbours.values()} == set(range(2, 10)), "5.0e: two to nine"


def test_neighbours_sides_and_ranges_are_mutual():
    for box, beside in BOARD.neighbour_sets.items():
        assert all(box in BOARD.neighbour_sets[other] for other in beside)
    for side in DIRECTIONS:
        for box, others in BOARD.neighbours_by_side[side].items():
            assert all(box in BOARD.neighbours_by_side[OPPOSITE[side]][other] for other in others)
    assert max(BOARD.measure_range("A01", box) for box in BOARD.boxes) < 40, "all boxes are joined"


def test_boxes_that_touch_in_a_point_are_no_neighbours():
    assert BOARD.do_boxes_meet_in_point("I08", "J07")
    assert BOARD.do_boxes_meet_in_point("J07", "I08")
    assert not any(
        BOARD.do_boxes_meet_in_point(box, other) for box in BOARD.boxes for other in (box, *BOARD.neighbour_sets[box])
    )


def test_what_lies_within_some_boxes():
    assert BOARD.find_boxes_within("BRN", 1) == {"O11", "O12", "Z15"}
    assert BOARD.find_boxes_within("A01", 2) == {box for box in BOARD.boxes if 0 < BOARD.measure_range("A01", box) < 3}


def test_boxes_that_hardly_touch_are_neighbours_if_the_players_say_so():
    doubted = shipped(doubtful_links="adjacent")
    assert "C08" in doubted.neighbour_sets["B01"]
    assert "C08" not in BOARD.neighbour_sets["B01"]
    assert "C08" in doubted.neighbours_by_side["east"]["B01"]
    assert doubted != BOARD
    assert doubted.measure_range("B01", "C08") == 1 < BOARD.measure_range("B01", "C08")


def test_a_board_is_equal_to_one_of_the_same_files():
    assert built({}) == BOARD
    assert hash(built({})) == hash(BOARD)
    assert built({"title": "Another town"}) != BOARD


def test_what_is_reconstructed_is_said():
    assert BOARD.reconstruction == "reconstruction: column 5-1 of the destruction table"


def test_the_destruction_table_is_a_staircase():
    for die in range(1, 7):
        hits = [BOARD.tables.destruction.destroys(column, die) for column in BOARD.tables.destruction.columns]
        assert hits == sorted(hits), "better odds are never worse"
        assert sum(hits) == die, "one more column for each face (C42)"


# Maps and tables of one's own


def changed(box, **changes):
    """The boxes of the map, one of them changed."""
    boxes = read_toml(find_shipped_board(DEFAULTS))["box"]
    return {"box": [{**one, **changes} if one["id"] == box else one for one in boxes]}


@pytest.mark.parametrize(
    ("change", "because"),
    [
        (
            changed("A02", neighbours=["A01", "A03"], east=[]),
            "A02 is a neighbour of B02, but B02 is not a neighbour of A02",
        ),
        (changed("A02", neighbours=["A02", "A01", "A03", "B02"]), "A02 is a neighbour of A02"),
        (changed("A02", east=[], south=["A03", "B02"]), "B02 lies south of A02, but A02 not north of B02"),
        (changed("A03", across_north=[]), "A03 lies across a street south of A01, but A01 not north of A03"),
        (changed("A02", id="A01"), "two boxes have the same name"),
        (changed("BRN", over="O11"), "BRN: a bridge lies over a river box"),
        (changed("BRN", terrain="street"), "BRN: a bridge lies over a river box"),
        (changed("A03", wall=[]), "A03: buildings have a wall, other boxes none"),
        (changed("A02", wall=[[1, 1], [2, 1], [2, 2]]), "A02: buildings have a wall, other boxes none"),
        (changed("A02", id="a2"), "matching regex"),
        (changed("A02", terrain="lake"), "Invalid enum value 'lake'"),
        ({"seam": [{"a": "A01", "b": "Q99", "polygon": [[0, 0], [1, 0], [1, 1]]}]}, "there is no box Q99"),
        ({"legend": 1}, "unknown field `legend`"),
    ],
)
def test_a_map_that_nobody_could_play_on(change, because):
    with pytest.raises(BoardError, match=because):
        built(change)


def without_populace():
    boxes = read_toml(find_shipped_board(DEFAULTS))["box"]
    return {"box": [{**box, "populace": False} for box in boxes]}


def without_south():
    boxes = read_toml(find_shipped_board(DEFAULTS))["box"]
    return {"box": [{**box, "edges": [edge for edge in box.get("edges", ()) if edge != "S"]} for box in boxes]}


def test_a_map_with_more_corners_than_can_be_worked_with_is_refused():
    boxes = read_toml(find_shipped_board(DEFAULTS))["box"]
    round_ = [[*box["polygon"], *([box["polygon"][-1]] * 8)] for box in boxes]
    with pytest.raises(BoardError, match="the map has more than 4500 corners"):
        built({"box": [{**box, "polygon": polygon} for box, polygon in zip(boxes, round_, strict=True)]})


def test_a_map_needs_populace_and_four_edges():
    with pytest.raises(BoardError, match="no box has a populace symbol"):
        built(without_populace())
    with pytest.raises(BoardError, match="no box borders the S edge"):
        built(without_south())


def tables(**changes):
    """A board with these parts of the tables changed."""
    document = read_toml(find_shipped_tables(DEFAULTS))
    parts = {name: {**document[name], **change} for name, change in changes.items()}
    return build_board({"board": read_toml(find_shipped_board(DEFAULTS)), "tables": {**document, **parts}}, DEFAULTS)


ROWS = [["D"]] * 6


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({"destruction": {"columns": ["2-1", "1-1"]}}, "columns of the destruction table are not in order"),
        ({"destruction": {"rows": ROWS}}, "a row of the destruction table has more or fewer cells"),
        ({"destruction": {"rows": ROWS[:5]}}, "length >= 6"),
        ({"combat": {"columns": ["1-1"], "rows": [["9/-"]] * 6}}, "matching regex"),
        ({"units": {"s": {"type": "submarine"}}}, "missing required field"),
        ({"wind": {"directions": ["up"] * 6}}, "Invalid enum value 'up'"),
    ],
)
def test_tables_that_nobody_could_play_with(changes, because):
    with pytest.raises(BoardError, match=because):
        tables(**changes)


def test_units_of_other_kinds_are_refused():
    units = read_toml(find_shipped_tables(DEFAULTS))["units"]
    with pytest.raises(BoardError, match="there are no units s"):
        tables(units={"s": units["f"]})
    with pytest.raises(BoardError, match="p is police, not infantry"):
        tables(units={"p": units["i"]})


def test_own_tables_are_played_with():
    board = tables(destruction={"columns": ["1-1"], "rows": ROWS})
    assert board.tables.destruction.find_column(9, 4) == "1-1"
    assert board.tables.destruction.find_column(3, 4) is None
    assert board.tables.destruction.list_destroying_faces("1-1") == (1, 2, 3, 4, 5, 6)
