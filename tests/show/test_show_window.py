"""Windows: what lies round a place of a big map, in characters, as shapes and in words."""

import pytest
from checkered import CELL, checkered
from msgspec.structs import replace

from referee.engine.scene import NoPlaceError, Piece, Polygon, Scene, crop_scene
from referee.show.description import describe_scene
from referee.show.svg import render_svg
from referee.show.text_picture import draw_text_picture, list_text_captions


def counter(place):
    x, y = ord(place[0]) - ord("A"), int(place[1:]) - 1
    return Piece(CELL * (x + 0.5), CELL * (y + 0.5), "red", "1G", name=f"guard in {place}")


def big_map(*places):
    return Scene("Map", (replace(checkered(26, 20), pieces=tuple(map(counter, places))),), ("scores",), ("All of it.",))


def shown(scene):
    return {polygon.label for polygon in scene.pages[0].polygons}


@pytest.mark.parametrize(
    ("place", "radius", "columns", "rows"),
    [
        ("K14", 0, "K", (14,)),
        ("K14", 2, "IJKLM", (12, 13, 14, 15, 16)),
        ("k14", 1, "JKL", (13, 14, 15)),
        ("A1", 1, "AB", (1, 2)),
        ("Z20", 2, "XYZ", (18, 19, 20)),
    ],
)
def test_text_and_drawing_show_the_same_cells(place, radius, columns, rows):
    near = [f"{column}{row}" for row in rows for column in columns]
    scene = crop_scene(big_map(), place, radius)
    assert " ".join(draw_text_picture(scene)).split() == near
    assert shown(scene) == set(near)
    assert all(f">{name}<" in render_svg(scene) for name in near)


def test_it_stands_in_the_corner_and_needs_only_its_own_width():
    scene = crop_scene(big_map(), "Z20", 1)
    assert draw_text_picture(scene, width=40) == ["Y19 Z19", "", "Y20 Z20"]
    assert scene.pages[0].layouts[0].width == 7


def test_pieces_within_are_drawn_and_told():
    scene = crop_scene(big_map("K14", "L15", "N14", "A1"), "K14", 1)
    assert [piece.name for piece in scene.pages[0].pieces] == ["guard in K14", "guard in L15"]
    assert describe_scene(scene)[1:3] == ["Guard in K14.", "Guard in L15."]


def test_what_it_leaves_out_is_said():
    scene = crop_scene(big_map(), "k14", 2)
    assert list_text_captions(scene) == ("legend", "scores", "This shows only K14 and everything within 2 cells of it.")


def test_a_shape_that_is_larger_than_the_window_is_cut_by_it():
    page = checkered(9, 9)
    ground = Polygon(((0.0, 0.0), (18.0, 0.0), (18.0, 18.0), (0.0, 18.0)), "grey", "ground")
    scene = crop_scene(Scene("", (replace(page, polygons=(ground, *page.polygons)),)), "B2", 1)
    assert "ground" in shown(scene)
    assert 'viewBox="0 0 6 6"' in render_svg(scene)


def test_what_stands_between_cells_goes_with_them():
    page = checkered(5, 5)
    layout = page.layouts[0]
    marks = tuple(replace(glyph, column=glyph.column + 3, text="#", place="") for glyph in layout.glyphs)
    scene = Scene("", (replace(page, layouts=(replace(layout, glyphs=layout.glyphs + marks),)),))
    assert draw_text_picture(crop_scene(scene, "C3", 1))[0] == "#B2 #C2 #D2 #"


def test_every_level_that_has_the_place():
    scene = Scene("", (checkered(3, 3, "Cellar"), checkered(9, 9, "Roof")))
    assert draw_text_picture(crop_scene(scene, "c3", 0)) == ["Cellar", "C3", "", "Roof", "C3"]
    assert draw_text_picture(crop_scene(scene, "E5", 0)) == ["Roof", "E5"]


def test_no_such_place():
    with pytest.raises(NoPlaceError, match="the board has no K99"):
        crop_scene(big_map(), "K99", 4)
