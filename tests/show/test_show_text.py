import pytest
from checkered import checkered
from msgspec.structs import replace

from referee.engine.palette import COLOURS, INKS
from referee.engine.scene import Glyph, Layout, Scene, ScenePage
from referee.engine.text import make_printable
from referee.show.text_picture import draw_text_picture, list_text_captions

PHONE = 40


@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_board_fits_a_phone(scene, ascii_only):
    assert max(map(len, draw_text_picture(scene, ascii_only=ascii_only))) <= PHONE


@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_robot_and_every_free_cell_appears_once(scene, state, ascii_only):
    words = " ".join(draw_text_picture(scene, ascii_only=ascii_only)).split()
    robots = [word[:2] for word in words if word[:1].isupper()]
    assert sorted(robots) == sorted(state.cells)
    free = state.board.cells - set(state.cells.values())
    assert sorted(word for word in words if word[:1].islower()) == sorted(free - set(state.goals))
    assert sorted(word for word in words if word[:1] == "(") == sorted(
        f"({state.goals[cell][0].upper()})" for cell in state.goals
    )


def test_arrows_point_where_robots_face(scene, state):
    for robot, heading in state.arrows.items():
        assert f"{robot}{heading}" in " ".join(draw_text_picture(scene, ascii_only=True)).split()


def test_ascii_is_ascii(scene):
    assert all(line.isascii() for line in draw_text_picture(scene, ascii_only=True))


def test_robots_keep_their_places_in_ascii(scene):
    def places(lines):
        return [(row, line.index(word)) for row, line in enumerate(lines) for word in line.split()]

    assert places(draw_text_picture(scene)) == places(draw_text_picture(scene, ascii_only=True))


def test_no_blank_ends(scene):
    assert all(line == line.rstrip() for line in draw_text_picture(scene))


def test_captured_and_lost_robots_are_below(scene, state):
    below = " ".join(list_text_captions(scene)).split()
    gone = {*state.off, *(robot for robots in state.captured.values() for robot in robots)}
    assert gone <= set(below)


def test_paint_gets_each_owners_colour(scene, state):
    painted = []

    def paint(text, style):
        painted.append((text.strip()[:2], style))
        return text

    assert draw_text_picture(scene, paint) == draw_text_picture(scene)
    assert {style for _, style in painted} <= {*COLOURS, "faint", None}
    for robot in state.cells:
        assert (robot, state.board.find_owner(robot)) in painted


def test_openings(opening, snapshot):
    assert "\n".join([*draw_text_picture(opening), "", *draw_text_picture(opening, ascii_only=True)]) == snapshot


def layouts(*glyphs, beside=()):
    return {"layouts": (Layout(PHONE, glyphs, beside),)}


def test_glyphs_in_any_order(empty):
    scene = empty(**layouts(Glyph(4, 1, "c"), Glyph(0, 1, "b"), Glyph(2, 0, "a", ascii="A"), beside=("below",)))
    assert draw_text_picture(scene) == ["  a", "b   c"]
    assert draw_text_picture(scene, ascii_only=True) == ["  A", "b   c"]
    assert list_text_captions(scene) == ("below",)


def test_nothing_to_draw(empty):
    assert draw_text_picture(empty()) == []
    assert draw_text_picture(Scene("", ())) == []


def test_the_widest_layout_that_fits(empty):
    narrow = Layout(PHONE, (Glyph(0, 0, "narrow"),), ("narrow, too",))
    wide = Layout(60, (Glyph(0, 0, "wide"),), ("wide, too",))
    scene = empty(layouts=(narrow, wide), beside=("scores",), notes=("noted",))
    for width in (10, 40, 59):
        assert draw_text_picture(scene, width=width) == ["narrow"]
        assert list_text_captions(scene, width) == ("narrow, too", "scores", "noted")
    for width in (60, 100):
        assert draw_text_picture(scene, width=width) == ["wide"]
        assert list_text_captions(scene, width) == ("wide, too", "scores", "noted")
    assert draw_text_picture(scene) == ["wide"]


def test_pages_stand_under_their_names_and_what_they_share_is_said_once():
    scene = Scene("", (checkered(2, 1, "Level 1"), checkered(1, 1, "Level 2")), ("scores",))
    assert draw_text_picture(scene) == ["Level 1", "A1  B1", "", "Level 2", "A1"]
    assert list_text_captions(scene) == ("legend", "scores")


@pytest.mark.parametrize("width", [7, 13, 30, 40, 79, 104])
def test_what_is_too_wide_is_shown_in_parts_of_whole_cells(width):
    scene = Scene("", (checkered(26, 3),))
    lines = draw_text_picture(scene, width=width)
    assert max(map(len, lines)) <= width
    assert sorted(" ".join(lines).split()) == sorted(scene.pages[0].list_places())
    assert len(lines) == 5 if width >= 104 else len(lines) > 5
    column = [line for line in lines if line.startswith("A")]
    assert [line.split()[0] for line in column] == ["A1", "A2", "A3"]


def test_names_of_strangers_change_nothing(empty):
    nasty = "\x1b[31m\u202e\n"
    page = ScenePage(nasty, (), (), (Layout(PHONE, (Glyph(0, 0, nasty), Glyph(60, 0, "end")), (nasty,)),))
    scene = empty(pages=(page,), beside=(nasty,), notes=(nasty,))
    lines = [*draw_text_picture(scene, width=100), *list_text_captions(scene)]
    assert all(line.isprintable() for line in lines)
    assert lines[0] == make_printable(nasty)
    assert lines[1].index("end") == 60


def test_ascii_has_no_other_characters(empty):
    scene = empty(**layouts(Glyph(0, 0, "é美"), Glyph(4, 0, "b")))
    assert draw_text_picture(scene, ascii_only=True) == ["??  b"]
    assert (
        draw_text_picture(replace(scene, pages=(replace(scene.pages[0], name="Café"),)), ascii_only=True)[0] == "Caf?"
    )


def test_inks_differ_in_a_terminal_without_colours():
    attributes = [{code for code in ink.terminal.split(";") if code in "147"} for ink in INKS.values()]
    assert len(set(map(frozenset, attributes))) == len(INKS) == 8
