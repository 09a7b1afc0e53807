import pytest

from referee.engine.scene import Glyph, Layout
from referee.show.text import captions, picture

PHONE = 40


@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_board_fits_a_phone(scene, ascii_only):
    assert max(map(len, picture(scene, ascii_only=ascii_only))) <= PHONE


@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_robot_and_every_free_cell_appears_once(scene, state, ascii_only):
    words = " ".join(picture(scene, ascii_only=ascii_only)).split()
    robots = [word[:2] for word in words if word[:1].isupper()]
    assert sorted(robots) == sorted(state.cells)
    free = state.board.cells - set(state.cells.values())
    assert sorted(word for word in words if word[:1].islower()) == sorted(free - set(state.goals))
    assert sorted(word for word in words if word[:1] == "(") == sorted(
        f"({state.goals[cell][0].upper()})" for cell in state.goals
    )


def test_arrows_point_where_robots_face(scene, state):
    for robot, heading in state.arrows.items():
        assert f"{robot}{heading}" in " ".join(picture(scene, ascii_only=True)).split()


def test_ascii_is_ascii(scene):
    assert all(line.isascii() for line in picture(scene, ascii_only=True))


def test_robots_keep_their_places_in_ascii(scene):
    def places(lines):
        return [(row, line.index(word)) for row, line in enumerate(lines) for word in line.split()]

    assert places(picture(scene)) == places(picture(scene, ascii_only=True))


def test_no_blank_ends(scene):
    assert all(line == line.rstrip() for line in picture(scene))


def test_captured_and_lost_robots_are_below(scene, state):
    below = " ".join(captions(scene)).split()
    gone = {*state.off, *(robot for robots in state.captured.values() for robot in robots)}
    assert gone <= set(below)


def test_paint_gets_each_owner(scene, state):
    painted = []

    def paint(text, style):
        painted.append((text.strip()[:2], style))
        return text

    assert picture(scene, paint) == picture(scene)
    for robot in state.cells:
        assert (robot, state.board.owner_of(robot)) in painted


def test_openings(opening, snapshot):
    assert "\n".join([*picture(opening), "", *picture(opening, ascii_only=True)]) == snapshot


def test_glyphs_in_any_order(empty):
    scene = empty(glyphs=(Glyph(4, 1, "c"), Glyph(0, 1, "b"), Glyph(2, 0, "a", ascii="A")), beside=("below",))
    assert picture(scene) == ["  a", "b   c"]
    assert picture(scene, ascii_only=True) == ["  A", "b   c"]
    assert captions(scene) == ("below",)


def test_nothing_to_draw(empty):
    assert picture(empty()) == []


def test_the_widest_layout_that_fits(empty):
    wide = Layout(60, (Glyph(0, 0, "wide"),), ("wide, too",))
    scene = empty(glyphs=(Glyph(0, 0, "narrow"),), beside=("narrow, too",), notes=("noted",), wide=wide)
    for width in (0, 40, 59):
        assert picture(scene, width=width) == ["narrow"]
        assert captions(scene, width) == ("narrow, too", "noted")
    for width in (60, 100):
        assert picture(scene, width=width) == ["wide"]
        assert captions(scene, width) == ("wide, too", "noted")
    assert picture(scene) == ["wide"]


def test_one_layout_serves_every_width(scene):
    assert picture(scene, width=10) == picture(scene, width=200)
    assert captions(scene, 10) == captions(scene, 200)
