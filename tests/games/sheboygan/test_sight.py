"""Lines of sight: exact, symmetric, compared with others that were worked out in other ways."""

from __future__ import annotations

import random
import subprocess
import sys
from hashlib import sha256

import pytest
import slow_sight
from maps import built, shipped

from referee.engine.component import BoardError, set_report_maker
from referee.games.sheboygan.board import SHIPPED_SIGHT, make_sight_layout
from referee.games.sheboygan.sight import make_sight_data
from referee.games.sheboygan.sight_geometry import find_least_gates

BOARD = shipped()
BUILDINGS = sorted(box.id for box in BOARD.boxes.values() if box.wall)


def samples(seed, count, least, most):
    """Boxes that lie so far apart, with buildings between and about them that have fallen, and maybe lightning."""
    dice = random.Random(seed)
    while count:
        one, other = dice.sample(sorted(BOARD.boxes), 2)
        if least <= BOARD.measure_range(one, other) <= most:
            count -= 1
            about = BOARD.find_boxes_within(one, most) | BOARD.find_boxes_within(other, most)
            buildings = [box for box in BUILDINGS if box in about]
            fallen = frozenset(dice.sample(buildings, min(len(buildings), dice.choice((0, 1, 2, 4, 8)))))
            yield one, other, fallen, dice.random() < 0.3


@pytest.mark.parametrize("seed", range(6))
def test_sight_is_what_exact_fractions_say(seed):
    for one, other, fallen, lightning in samples(seed, 12, 2, 5):
        seen = BOARD.is_in_sight(one, other, fallen, lightning=lightning)
        assert seen == slow_sight.sees(BOARD, one, other, fallen, lightning), (one, other, sorted(fallen), lightning)


def test_far_sight_is_what_exact_fractions_say():
    for one, other, fallen, _ in samples(99, 2, 9, 11):
        assert BOARD.is_in_sight(one, other, fallen) == slow_sight.sees(BOARD, one, other, fallen), (one, other, fallen)


def test_no_line_drawn_at_random_is_clear_where_there_is_no_sight():
    dice = random.Random(7)
    for one, other, fallen, lightning in samples(7, 150, 2, 8):
        line = [dice.choice(slow_sight.places_of(BOARD, box)[0]) for box in (one, other)]
        if slow_sight.is_clear(BOARD, line, one, other, fallen, lightning):
            assert BOARD.is_in_sight(one, other, fallen, lightning=lightning), (one, other, line, sorted(fallen))


def test_sight_is_symmetric_and_only_grows_as_buildings_fall():
    for one, other, fallen, _ in samples(3, 300, 1, 25):
        seen = BOARD.is_in_sight(one, other, frozenset())
        assert seen == BOARD.is_in_sight(other, one, frozenset())
        assert BOARD.is_in_sight(one, other, fallen) >= seen
        assert BOARD.is_in_sight(one, other, fallen, lightning=True) >= BOARD.is_in_sight(one, other, fallen)
        assert BOARD.is_in_sight(one, other, frozenset(BUILDINGS)), "nothing else blocks"


def test_adjacent_boxes_see_each_other():
    assert all(
        BOARD.is_in_sight(box, other, frozenset()) for box, beside in BOARD.neighbour_sets.items() for other in beside
    )
    assert BOARD.is_in_sight("Z03", "TUN", frozenset()), "one place"


def test_a_line_along_a_house_front_is_open():
    assert BOARD.is_in_sight("L04", "L06", frozenset()), "past the front of L05, which C15 names"


def test_sight_on_the_map_that_comes_along_was_worked_out_from_it():
    work = make_sight_data(make_sight_layout(BOARD), SHIPPED_SIGHT)
    assert SHIPPED_SIGHT.read_bytes().startswith(work.make_file_header())
    assert work.make_file_header() == sha256(work.source).digest()


def test_playing_needs_neither_numpy_nor_shapely():
    code = (
        "import sys; sys.path.insert(0, 'tests/games/sheboygan'); from maps import shipped;"
        "assert shipped().is_in_sight('H10', 'H08', frozenset());"
        "assert not {'numpy', 'shapely', 'tomllib'} & sys.modules.keys(), 'loaded'"
    )
    shipped().is_in_sight("H10", "H08", frozenset())  # whatever is parsed once has been parsed
    subprocess.run([sys.executable, "-c", code], check=True)


# Small maps


def square(left, top, right, bottom):
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def gates(places, blocks, own=None):
    found = find_least_gates([[place] for place in places], blocks, own or [()] * len(places))
    return {pair: sorted(found[pair]) for pair in found}


NEAR, FAR = square(0, 0, 10, 10), square(50, 0, 60, 10)


def test_what_stands_between_blocks():
    assert gates([NEAR, FAR], [square(20, -5, 30, 15)]) == {(0, 1): [0b1]}


def test_what_stands_beside_does_not_block():
    assert gates([NEAR, FAR], [square(20, 12, 30, 40)]) == {(0, 1): [0]}


def test_a_line_may_touch():
    assert gates([NEAR, FAR], [square(20, -5, 30, 0), square(20, 0, 30, 10), square(20, 10, 30, 20)]) == {(0, 1): [0]}


def test_the_least_of_what_must_fall_is_kept():
    left, right = square(15, -50, 20, 5), square(15, 5, 20, 60)
    both = square(30, -50, 40, 60)
    assert gates([NEAR, FAR], [left, right, both]) == {(0, 1): [0b100]}, "between the two there is a line"
    overlapping = square(15, -50, 20, 6)
    assert gates([NEAR, FAR], [overlapping, right, both]) == {(0, 1): [0b101, 0b110]}


def test_a_bay_is_no_wall():
    bay = [(20, -30), (40, -30), (40, 40), (20, 40), (20, 30), (35, 30), (35, -20), (20, -20)]
    inside = square(25, 0, 30, 5)
    assert gates([NEAR, inside, FAR], [bay]) == {(0, 1): [0], (0, 2): [1], (1, 2): [1]}


def test_own_walls_do_not_block():
    wall = square(1, 1, 9, 9)
    assert gates([NEAR, FAR], [wall, square(20, 1, 30, 9)], [[0], []]) == {(0, 1): [0]}
    assert gates([NEAR, FAR], [square(-5, -5, 15, 15)], [[0], []]) == {(0, 1): [0]}
    assert gates([NEAR, FAR], [square(-5, -5, 15, 15)]) == {(0, 1): [1]}


def test_places_that_overlap_a_little_see_each_other():
    assert gates([NEAR, square(9, 2, 20, 8)], [square(-9, -9, -1, 30)]) == {(0, 1): [0]}


def test_places_that_share_a_corner_see_each_other():
    assert gates([NEAR, square(10, 10, 20, 20)], [square(0, 10, 10, 30), square(10, 0, 30, 10)]) == {(0, 1): [0]}


# Maps of one's own


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The south-west of the map as one of somebody's own, kept in a folder for itself."""
    for room in ("board", "board_building"):
        monkeypatch.setattr(f"referee.games.sheboygan.{room}.SHIPPED_SIGHT", tmp_path / "sheboygan.sight")
    kept = {box for box in BOARD.boxes if box[:2] in ("A0", "B0") or box in ("C12", "C13", "C14", "D12")}

    def cut(box):
        fields = {name: getattr(box, name) for name in box.__struct_fields__}
        for name, value in fields.items():
            if name == "neighbours" or name in ("north", "east", "south", "west") or name.startswith("across"):
                fields[name] = [other for other in value if other in kept]
        fields["edges"] = ["N", "E", "S", "W"] if box.id == "A04" else list(box.edges)
        return fields

    boxes = [cut(BOARD.boxes[box]) for box in BOARD.boxes if box in kept]
    seams = [
        {"a": seam.a, "b": seam.b, "polygon": seam.polygon} for seam in BOARD.file.seam if {seam.a, seam.b} <= kept
    ]
    return {"name": "south-west", "box": boxes, "seam": seams, "doubtful": []}


def test_sight_on_an_own_map_is_worked_out_once_and_watched(small, tmp_path, monkeypatch):
    monkeypatch.setattr("referee.engine.component._report_makers", [])
    reports = []
    set_report_maker(lambda what: lambda done: reports.append((what, done)))
    board = built(small)
    assert reports[-1] == ("lines of sight", 1.0)
    (kept,) = (tmp_path / "__pycache__").iterdir()
    assert kept.suffix == ".msgpack"
    told = len(reports)
    assert built(small) == board
    assert len(reports) == told, "it is kept"
    same = [(one, other) for one in board.boxes for other in board.boxes if BOARD.measure_range(one, other) < 3]
    assert all(
        board.is_in_sight(*pair, frozenset()) == slow_sight.sees(board, *pair, frozenset()) for pair in same[:60]
    )


def test_without_what_it_is_made_with_one_is_told(small, monkeypatch):
    monkeypatch.setitem(sys.modules, "referee.games.sheboygan.sight_geometry", None)
    with pytest.raises(BoardError, match=r"pip install 'referee\[maps\]'"):
        built(small)


@pytest.mark.parametrize(
    ("box", "changes", "because"),
    [
        ("A02", {"polygon": [[66, 662], [130, 636], [62, 636], [129, 660]]}, "the outline of A02 crosses"),
        ("A03", {"wall": [[78, 759], [127, 757], [126, 663], [45, 665]]}, "the wall of A03 is not within its box"),
        ("A04", {"polygon": [[62, 662], [129, 660], [130, 760], [62, 761]]}, "A03 and A04 lie over one another"),
    ],
)
def test_outlines_that_cannot_be_are_refused(small, box, changes, because):
    boxes = [{**one, **(changes if one["id"] == box else {})} for one in small["box"]]
    with pytest.raises(BoardError, match=because):
        built({**small, "box": boxes})
