from xml.etree import ElementTree

import pytest

from referee.engine.scene import Piece, Polygon
from referee.engine.text import printable
from referee.show.svg import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
NASTY = """<script>alert("x")</script> & ]]> ' \u200b é 美"""


def drawn(scene):
    """The root of the document; raises when it is not well-formed."""
    return ElementTree.fromstring(svg(scene))


def all_of(root, tag):
    return root.findall(f".//{NAMESPACE}{tag}")


def test_it_is_svg(scene):
    root = drawn(scene)
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("role") == "img"
    left, top, width, height = map(float, root.get("viewBox").split())
    assert width > 0 < height
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in corners(root))


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
    assert len(all_of(root, "polygon")) == len(state.board.cells)
    groups = all_of(root, "g")
    assert len(groups) == len(state.cells)
    assert sorted(group.find(f"{NAMESPACE}text").text for group in groups) == sorted(state.cells)
    assert all(group.find(f"{NAMESPACE}title").text for group in groups)


def test_every_robot_has_an_arrow_that_points_where_it_faces(scene, state):
    turns = {"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}
    for group in all_of(drawn(scene), "g"):
        robot = group.find(f"{NAMESPACE}text").text
        assert group.find(f"{NAMESPACE}path").get("transform") == f"rotate({turns[state.arrows[robot]]})"


def test_every_robot_lies_within_the_picture(scene):
    root = drawn(scene)
    left, top, width, height = map(float, root.get("viewBox").split())
    for piece in scene.pieces:
        assert left < piece.x < left + width
        assert top < piece.y < top + height


def test_goals_are_coloured_alike_as_their_owners_robots(opening):
    text = svg(opening)
    for owner in {piece.owner for piece in opening.pieces}:
        colour = {"red": "#c0392b", "blue": "#2460a7", "green": "#2e7d32"}[owner]
        assert f'fill="{colour}" fill-opacity="0.35"' in text


def test_counters_beside_the_board_are_listed(scene):
    texts = [text.text for text in all_of(drawn(scene), "text")]
    assert set(scene.beside) <= set(texts)
    assert set(scene.notes) <= set(texts)


@pytest.mark.parametrize("part", ["title", "words", "beside", "notes"])
def test_words_of_strangers_stay_words(empty, part):
    root = drawn(empty(**{part: NASTY if part == "title" else (NASTY,)}))
    assert not all_of(root, "script")
    assert any(element.text == printable(NASTY) for element in root.iter())


def test_labels_and_owners_of_strangers_stay_words(empty):
    piece = Piece(0.5, 0.5, owner=NASTY, label=NASTY, heading=90.0, name=NASTY)
    square = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), owner=NASTY, label=NASTY)
    root = drawn(empty(pieces=(piece,), polygons=(square,)))
    assert not all_of(root, "script")
    assert [group.find(f"{NAMESPACE}title").text for group in all_of(root, "g")] == [printable(NASTY)]


def test_a_piece_without_arrow(empty):
    root = drawn(empty(pieces=(Piece(0.5, 0.5, "red", "X"),)))
    assert not all_of(root, "path")


def test_the_same_scene_gives_the_same_bytes(scene):
    assert svg(scene) == svg(scene)
    assert svg(scene).endswith("</svg>\n")


def test_a_solid_shape_hides_what_is_below_and_has_its_label_in_the_middle(empty):
    points = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0))
    root = drawn(empty(polygons=(Polygon(points, "blue", "b1"), Polygon(points, "blue", "b2", solid=True))))
    faint, solid = all_of(root, "polygon")
    assert float(faint.get("fill-opacity")) < 1 == float(solid.get("fill-opacity"))
    below, middle = (text for text in all_of(root, "text") if text.text in ("b1", "b2"))
    assert float(middle.get("y")) < 0.7 < float(below.get("y"))
