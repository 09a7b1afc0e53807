"""Marks on a board: outlined in drawings, named in characters and in words."""

from __future__ import annotations

from checkered import checkered
from msgspec.structs import replace

from referee.engine.scene import Glyph, Scene, mark_places
from referee.show.description import describe_scene
from referee.show.drawing import MARK_WIDTH
from referee.show.svg import render_svg
from referee.show.text_picture import draw_text_picture, list_text_captions


def faint(page):
    """A page whose names are background, and somebody stands in C2."""
    (layout,) = page.layouts
    names = tuple(replace(glyph, faint=glyph.place != "C2") for glyph in layout.glyphs)
    return replace(page, layouts=(replace(layout, glyphs=(*names, Glyph(14, 0, "|", faint=True))),))


SCENE = Scene("Map", (faint(checkered(3, 2)),), words=("All of it.",))


def test_only_marked_names_are_shown_beside_who_stands_there():
    scene = mark_places(SCENE, {"A1", "B2"}, "Seen from A1")
    assert draw_text_picture(scene) == ["A1  ··  ··    |", "", "··  B2  C2"]
    assert draw_text_picture(scene, ascii_only=True) == ["A1  ..  ..    |", "", "..  B2  C2"]


def test_marks_are_told_in_words():
    scene = mark_places(SCENE, {"B2", "A1"}, "Seen from A1")
    assert list_text_captions(scene) == ("legend", "Seen from A1: A1 and B2.")
    assert list(describe_scene(scene))[-1] == "Seen from A1: A1 and B2."
    assert list_text_captions(mark_places(SCENE, (), "Seen from A1"))[-1] == "Seen from A1: no place."


def test_marks_are_outlined_in_drawings():
    assert f'stroke-width="{MARK_WIDTH}"' not in render_svg(SCENE)
    assert render_svg(mark_places(SCENE, {"A1", "B2"}, "Seen from A1")).count(f'stroke-width="{MARK_WIDTH}"') == 2


def test_marks_of_two_kinds_add_up():
    scene = mark_places(mark_places(SCENE, {"A1"}, "Seen from A1"), {"C2"}, "In reach of x")
    assert render_svg(scene).count(f'stroke-width="{MARK_WIDTH}"') == 2
    assert scene.notes == ("Seen from A1: A1.", "In reach of x: C2.")
