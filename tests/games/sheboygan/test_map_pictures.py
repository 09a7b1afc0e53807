"""The map in characters and as a drawing: every box in its place, with what stands and happens there."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from maps import DEFAULTS, shipped

from referee.engine.position import decode_position
from referee.engine.scene import NoPlaceError, crop_scene
from referee.games.sheboygan import GAME
from referee.games.sheboygan.box_labels import NAME_HEIGHTS, find_labels
from referee.games.sheboygan.scene import find_box_cells, list_overlay_boxes
from referee.show.drawing import draw_page_parts
from referee.show.svg import render_svg
from referee.show.text_picture import draw_text_picture, list_text_captions

BOARD = shipped()
BUSY = {
    "phase": "human-move",
    "turn": 3,
    "points": 12,
    "defense": 8,
    "monster": "H08",
    "sheet": {"attack": 5, "movement": 3},
    "units": {"H10": "t1 i1 h2", "K05": "g1", "BRN": "p1", "Z15": "h1", "TUN": "p2", "Z03": "b1", "J13": "f1"},
    "flames": {"I11": 1, "J13": 4},
    "rubble": ["G09", "J13"],
    "webs": ["H07"],
    "ruins": ["BRS"],
}


def state(**changes):
    return GAME.state_from(decode_position(GAME, BUSY | changes), DEFAULTS, BOARD)


def cells(scene, width=200):
    (page,) = scene.pages
    return {glyph.place: glyph for glyph in reversed(page.choose_layout(width).glyphs)}


def test_every_box_has_a_place_of_its_own():
    at = find_box_cells(BOARD)
    assert at.keys() == BOARD.boxes.keys()
    assert len(set(at.values())) == len(at)


def test_boxes_lie_on_the_sides_of_others_that_the_map_says():
    at = find_box_cells(BOARD)
    wrong = [
        (box, other)
        for box in BOARD.boxes
        for other in BOARD.neighbours_by_side["south"][box]
        if at[other][1] <= at[box][1] and box[0] == other[0]
    ]
    assert not wrong
    east = [(box, other) for box in BOARD.boxes for other in BOARD.neighbours_by_side["east"][box]]
    assert sum(at[other][0] > at[box][0] for box, other in east) > 0.9 * len(east)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_line_is_too_wide(width, ascii_only):
    lines = draw_text_picture(GAME.draw(state()), ascii_only=ascii_only, width=width)
    assert max(map(len, lines)) <= width
    assert not ascii_only or all(map(str.isascii, lines))


def test_who_stands_in_a_box_is_shown_in_place_of_its_name():
    shown = {place: glyph.text for place, glyph in cells(GAME.draw(state())).items()}
    assert (shown["H08"], shown["K05"], shown["H10"], shown["H09"]) == ("m", "g1", "h2+", "H09")


def test_what_happens_in_a_box_is_marked():
    marks = {
        glyph.place: (glyph.text, glyph.ascii)
        for glyph in GAME.draw(state()).pages[0].layouts[0].glyphs
        if glyph.column % 4 == 3
    }
    assert marks["I11"] == marks["J13"] == ("*", "*")
    assert (marks["H07"], marks["G09"], marks["BRS"]) == (("%", "%"), (":", ":"), ("x", "x"))
    assert (marks["I07"], marks["I09"], marks["Z15"]) == (("■", "#"), ("□", "o"), ("~", "~"))
    assert "H08" not in marks, "a street is plain"


def test_everything_is_told_in_words():
    words = " ".join(GAME.draw(state()).words)
    for told in ("Monster: H08", "H10 h2 i1 t1", "Flames: I11 (1), J13 (R)", "Webs: H07", "Bridges gone: BRS"):
        assert told in words, words
    assert "Rubble: G09, J13" in words
    assert "H08, in flight" in " ".join(GAME.draw(state(aloft=True, known=["flying"])).words)


def test_the_drawing_has_every_box_and_every_counter():
    drawing = ElementTree.fromstring(render_svg(GAME.draw(state())))
    names = [title.text for title in drawing.iter("{http://www.w3.org/2000/svg}title")]
    places = [polygon for polygon in GAME.draw(state()).pages[0].polygons if polygon.place]
    assert sorted(polygon.place for polygon in places) == sorted(BOARD.boxes)
    assert {"tank t1 in H10", "the monster in H08", "fireboat b1 in Z03"} <= set(names)


def test_counters_lie_in_their_boxes():
    page = GAME.draw(state(units={"H10": "t1 i1 h1 h2 h3 c1", "K05": "g1", "I12": "c2 c3"})).pages[0]
    frames = {polygon.place: polygon.find_bounds() for polygon in page.polygons}
    assert len(page.pieces) == 10
    for piece in page.pieces:
        left, top, right, bottom = frames[piece.name.split()[-1]]
        assert left < piece.x < right
        assert top < piece.y < bottom


def test_fire_webs_and_rubble_are_hatched():
    page = GAME.draw(state()).pages[0]
    hatched = {polygon.place: polygon.hatching for polygon in page.polygons if polygon.hatching}
    assert hatched == {"I11": "crossed", "J13": "crossed", "H07": "rising", "G09": "dotted", "BRS": "falling"}
    labels = {polygon.place: polygon.label for polygon in page.polygons}
    assert (labels["I11"], labels["J13"], labels["I12"]) == ("I11 1", "J13 R", "I12")


def test_a_window_shows_what_lies_round_a_box():
    scene = crop_scene(GAME.draw(state()), "h08", 2)
    shown = set(" ".join(draw_text_picture(scene, width=40)).replace("■", " ").replace("□", " ").split())
    assert {"m", "H09", "G07", "I08"} <= shown
    assert not {"K05", "A01", "H01"} & shown
    assert "column 5-1 of the destruction table" in " ".join(list_text_captions(scene))


def test_what_is_in_sight_and_in_reach():
    view = state()
    assert "H11" in list_overlay_boxes(view, "sight", "h08")
    assert "K07" not in list_overlay_boxes(view, "sight", "m"), "behind I07 and J07"
    assert list_overlay_boxes(view, "sight", "g1") == list_overlay_boxes(view, "sight", "K05")
    assert {"H09", "H11", "G08"} <= set(list_overlay_boxes(view, "reach", "T1"))
    assert "H08" not in list_overlay_boxes(view, "reach", "t1"), "the monster is there"
    assert "H09" in list_overlay_boxes(view, "reach", "m")


def test_what_cannot_be_marked_is_told():
    with pytest.raises(NoPlaceError, match="called q9"):
        list_overlay_boxes(state(), "sight", "q9")
    with pytest.raises(NoPlaceError, match="no piece on the map is called t9"):
        list_overlay_boxes(state(), "reach", "t9")
    with pytest.raises(NoPlaceError, match="only the monster's player knows"):
        list_overlay_boxes(GAME.view(state(), "human"), "reach", "m")


def test_the_map_as_it_is_shown(snapshot):
    scene = GAME.draw(state())
    assert "\n".join([*draw_text_picture(scene, width=120), *list_text_captions(scene)]) == snapshot


def test_a_window_as_it_is_shown(snapshot):
    scene = crop_scene(GAME.draw(state()), "H08", 3)
    assert (
        "\n".join([*draw_text_picture(scene, width=40, ascii_only=True), *list_text_captions(scene), *scene.words])
        == snapshot
    )


def test_every_name_is_as_high_as_its_box_allows():
    """Only the two bridges are too narrow for three letters of the usual height."""
    small = {box for box, (_, height) in find_labels(BOARD).items() if height < NAME_HEIGHTS[0]}
    assert small == {"BRN", "BRS"}
    assert all(find_labels(BOARD)[box][1] == NAME_HEIGHTS[1] for box in small)


def test_the_letters_of_the_wind_rose_are_as_high_as_the_names():
    (rose,) = (part for key, part in draw_page_parts(GAME.draw(state()).pages[0]).items() if key == "place rose")
    assert {inside.attributes["font-size"] for inside in rose.inside if inside.tag == "text"} == {
        f"{NAME_HEIGHTS[0]:g}"
    }
