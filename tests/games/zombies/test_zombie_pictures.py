"""The four levels in characters and as a drawing."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from support import Bench
from zombie_play import BOARD, GAME

from referee.engine.scene import NoPlaceError, crop_scene
from referee.show.svg import render_svg
from referee.show.text_picture import draw_text_picture, list_text_captions

PHONE, SCREEN = 40, 80
FIGHT = {
    "turn": "blue",
    "players": {
        "LEE": {
            "seat": "red",
            "at": "Sd9",
            "health": 4,
            "ability": "marksman",
            "supplies": "pistol",
            "shots": {"pistol": 2},
        },
        "JAK": {
            "seat": "blue",
            "at": "Hf6",
            "survivors": "baker toddler",
            "burdens": "courier",
            "tiles": 2,
            "stealth": 1,
        },
        "AUG": {"seat": "green", "at": "Sm9", "zombie": True, "horde": "Sn9 Sn10 So9", "supplies": "bandage"},
        "LEX": {"seat": "orange", "at": "", "zombie": True, "health": 0},
    },
    "zombies": {"l1": "Se9 Se10 Sn9 Sn10", "l2": "So9 Hf9", "l3": "Hb1"},
    "used": {"Sg10": "blank", "Sf7": "red-x"},
    "tiles": "Sf9 Hf8",
    "opened": ["x"],
    "ropes": "Sf2",
    "mutations": {"thick-hides": "S"},
    "stars": {"Sj6": {"cards": ["rifle"], "takers": ["LEE"]}},
    "loose": {"Sq9": 1},
    "loot": [{"at": "Sp10", "cards": ["shotgun"], "killer": "JAK"}],
}
ALONE = {"players": {"LUI": {"at": "Ab2", "ability": "slippery"}}}
STATES = {"fight": ({"players": "4"}, FIGHT), "alone": ({"players": "1"}, ALONE)}


@pytest.fixture(params=STATES)
def state(request):
    """Everything that can lie on the board, and next to nothing."""
    options, position = STATES[request.param]
    return Bench(GAME).place(position, **options)


@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_it_looks_so(state, width, snapshot):
    scene = GAME.draw(state)
    lines = draw_text_picture(scene, width=width)
    assert max(map(len, lines)) <= width
    assert "\n".join((*lines, *list_text_captions(scene, width))) == snapshot


def test_it_reads_so(state, snapshot):
    assert "\n".join(GAME.draw(state).words) == snapshot


def test_every_figure_and_every_square_is_in_the_drawing(state):
    drawing = render_svg(GAME.draw(state))
    ElementTree.fromstring(drawing)
    for square in state.zombies:
        assert f" on {square}</title>" in drawing
    for player in state.players.values():
        if player.at:
            assert f" on {player.at}</title>" in drawing
    scene = GAME.draw(state)
    assert {polygon.place for page in scene.pages for polygon in page.polygons} - {""} == set(BOARD.map_signs)


def test_every_square_can_be_looked_at_closely(state):
    scene = GAME.draw(state)
    for square in BOARD.map_signs:
        near = crop_scene(scene, square, 1)
        assert len(near.pages) == 1
        assert any(polygon.place == square for polygon in near.pages[0].polygons)


def test_what_is_reconstructed_says_so(state):
    assert any("reconstruction" in note for note in GAME.draw(state).notes)


def test_what_a_figure_sees_and_reaches():
    state = Bench(GAME).place(FIGHT, players="4")
    seen = GAME.list_overlay_places(state, "sight", "lee")
    assert "Se9" in seen
    assert "Sg9" not in seen, "a blocking tile on Sf9 stands between"
    assert set(GAME.list_overlay_places(state, "sight", "Sg9")) <= set(BOARD.map_signs)
    assert "Hf6" not in GAME.list_overlay_places(state, "reach", "JAK")
    assert GAME.list_overlay_places(state, "reach", "Hb1") == ("Ha1", "Hc1", "Hb2")
    for nobody in ("LUI", "Sz9", "LEX"):
        with pytest.raises(NoPlaceError):
            GAME.list_overlay_places(state, "sight", nobody)
    with pytest.raises(NoPlaceError):
        GAME.list_overlay_places(state, "reach", "Sa1")
