from typing import get_args
from xml.etree import ElementTree

import pytest
from checkered import checkered

from referee.engine.palette import COLOURS, INKS
from referee.engine.scene import Hatching, Layout, Piece, Polygon, Scene, ScenePage, Shape
from referee.engine.text import make_printable
from referee.show.svg import render_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
NASTY = """<script>alert("x")</script> & ]]> ' \u200b é 美"""


def drawn(scene):
    """The root of the document; raises when it is not well-formed."""
    return ElementTree.fromstring(render_svg(scene))


def all_of(root, tag):
    return root.findall(f".//{NAMESPACE}{tag}")


def test_it_is_svg(scene):
    root = drawn(scene)
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("role") == "img"
    _, _, width, height = box(root)
    for page in all_of(root, "svg"):
        left, top, wide, high = box(page)
        assert wide <= width
        assert float(page.get("y")) + high <= height
        assert all(left <= x <= left + wide and top <= y <= top + high for x, y in corners(page))


def box(element):
    return tuple(map(float, element.get("viewBox").split()))


def corners(root):
    return [
        tuple(map(float, pair.split(",")))
        for polygon in all_of(root, "polygon")
        for pair in polygon.get("points").split()
    ]


def test_the_picture_is_told_in_words(scene):
    root = drawn(scene)
    assert [child.tag for child in root][:2] == [f"{NAMESPACE}title", f"{NAMESPACE}desc"]
    assert root[0].text == scene.title
    assert all(sentence in root[1].text for sentence in scene.words)


def test_one_polygon_a_cell_and_one_group_a_robot(scene, state):
    root = drawn(scene)
    board = all_of(root, "svg")[0]
    assert len(all_of(board, "polygon")) == len(state.board.cells)
    groups = pieces(root)
    assert len(groups) == len(state.cells)
    assert sorted(group.find(f"{NAMESPACE}text").text for group in groups) == sorted(state.cells)


def pieces(root):
    """The groups of the pieces, which alone have names that can be read out."""
    return [group for group in all_of(root, "g") if group.find(f"{NAMESPACE}title") is not None]


def test_every_robot_has_an_arrow_that_points_where_it_faces(scene, state):
    turns = {"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}
    for group in pieces(drawn(scene)):
        robot = group.find(f"{NAMESPACE}text").text
        assert group.find(f"{NAMESPACE}path").get("transform") == f"rotate({turns[state.arrows[robot]]})"


def test_every_robot_lies_within_the_picture(scene):
    left, top, width, height = box(all_of(drawn(scene), "svg")[0])
    for piece in scene.pages[0].pieces:
        assert left < piece.x < left + width
        assert top < piece.y < top + height


def test_goals_are_coloured_alike_as_their_owners_robots(opening):
    text = render_svg(opening)
    for fill in {piece.fill for piece in opening.pages[0].pieces}:
        assert f'fill="{INKS[fill].paint}" fill-opacity="0.35"' in text


def test_counters_beside_the_board_are_listed(scene):
    texts = " ".join(text.text for text in all_of(drawn(scene), "text"))
    assert all(line in texts for line in (*scene.beside, *scene.notes))


@pytest.mark.parametrize("part", ["title", "words", "beside", "notes"])
def test_words_of_strangers_stay_words(empty, part):
    root = drawn(empty(**{part: NASTY if part == "title" else (NASTY,)}))
    assert not all_of(root, "script")
    assert any(element.text == make_printable(NASTY) for element in root.iter())


def test_labels_of_strangers_stay_words(empty):
    piece = Piece(0.5, 0.5, "red", label=NASTY, heading=90.0, name=NASTY)
    square = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), "blue", label=NASTY, place=NASTY)
    root = drawn(empty(pieces=(piece,), polygons=(square,), name=NASTY))
    assert not all_of(root, "script")
    assert [group.find(f"{NAMESPACE}title").text for group in pieces(root)] == [make_printable(NASTY)]
    assert sum(text.text == make_printable(NASTY) for text in all_of(root, "text")) == 3


def test_a_piece_without_arrow(empty):
    root = drawn(empty(pieces=(Piece(0.5, 0.5, "red", "X"),)))
    assert not [path for path in all_of(root, "path") if path.get("transform")]


@pytest.mark.parametrize("shape", get_args(Shape))
def test_pieces_have_shapes_of_their_own(empty, shape):
    paths = {one: outline(empty, one) for one in get_args(Shape)}
    assert sum(path == paths[shape] for path in paths.values()) == 1


def outline(empty, shape):
    return all_of(drawn(empty(pieces=(Piece(0.5, 0.5, "red", "X", shape=shape),))), "path")[0].get("d")


@pytest.mark.parametrize("hatching", get_args(Hatching))
def test_hatching_is_drawn_over_the_colour(empty, hatching):
    root = drawn(empty(polygons=(Polygon(SQUARE, "sky", hatching=hatching), Polygon(SQUARE))))
    assert [pattern.get("id") for pattern in all_of(root, "pattern")] == [hatching]
    filled = [element.get("fill") for element in all_of(root, "svg")[0].iter()]
    assert filled.index(f"url(#{hatching})") > filled.index(INKS["sky"].paint)
    assert not all_of(drawn(empty()), "pattern")


def lightness(colour):
    """L* of CIELAB, 0 to 100."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * luminance ** (1 / 3) - 16, luminance


def test_inks_differ_in_drawings_without_colours(empty):
    """What is left without colour vision: whether it is dark, middling or light, and its dashes."""
    areas, pieces = set(), set()
    for colour in COLOURS:
        root = drawn(empty(polygons=(Polygon(SQUARE, colour),), pieces=(Piece(0.5, 0.5, colour, "X"),)))
        area, piece = all_of(root, "path")
        seen = lightness(INKS[colour].paint)[0] // 34
        areas.add((seen, area.get("stroke-dasharray")))
        pieces.add((seen, piece.get("stroke-dasharray")))
    assert len(areas) == len(pieces) == len(COLOURS) == 8


@pytest.mark.parametrize("colour", COLOURS)
def test_labels_stand_out_from_their_ink(colour):
    ink = INKS[colour]
    paint, writing = (lightness(c if len(c) == 7 else f"#{c[1:] * 2}")[1] for c in (ink.paint, ink.writing))
    assert (max(paint, writing) + 0.05) / (min(paint, writing) + 0.05) >= 4.5


def test_pages_lie_one_below_another_under_their_names():
    root = drawn(Scene("", (checkered(3, 2, "Level 1"), checkered(2, 1, "Level 2"))))
    first, second = all_of(root, "svg")
    assert float(second.get("y")) >= float(first.get("y")) + box(first)[3]
    names = {text.text: float(text.get("y")) for text in root.findall(f"{NAMESPACE}text")}
    assert names["Level 1"] < float(first.get("y")) + 1
    assert float(first.get("y")) + box(first)[3] < names["Level 2"] < float(second.get("y"))


def test_nothing_to_draw():
    assert not all_of(drawn(Scene("", ())), "svg")
    assert all_of(drawn(Scene("", (ScenePage("", (), (), (Layout(40, ()),)),))), "svg")


def test_the_same_scene_gives_the_same_bytes(scene):
    assert render_svg(scene) == render_svg(scene)
    assert render_svg(scene).endswith("</svg>\n")


def test_a_solid_shape_hides_what_is_below_and_has_its_label_in_the_middle(empty):
    points = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0))
    root = drawn(empty(polygons=(Polygon(points, "blue", "b1"), Polygon(points, "blue", "b2", solid=True))))
    faint, solid = all_of(root, "polygon")
    assert float(faint.get("fill-opacity")) < 1
    assert solid.get("fill-opacity") is None
    written = {text.text: text for text in all_of(root, "text")}
    below, middle = written["b1"], written["b2"]
    assert float(middle.get("y")) < 0.7 < float(below.get("y"))
