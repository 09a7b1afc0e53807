"""Pictures of all shipped games: names in their places, keys, legends, what the last move has changed."""

from __future__ import annotations

import random

import pytest
from checkered import setup_of
from shapely.geometry import Polygon as Area
from shapely.geometry import box

from referee.engine.adjudication import adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.registry import find_game
from referee.engine.scene import LegendItem, Piece, Polygon, Scene, ScenePage, Trail
from referee.engine.scene_diff import add_trails
from referee.show.drawing import NAME_HEIGHT, compare_parts, draw_page_parts, draw_place_name
from referee.show.legend import list_samples
from referee.show.svg import render_svg

GAMES = ("manoover", "mutants", "sheboygan", "zombies")
LETTER = 0.56
"""Width of a letter of a name, as a part of its height."""


@pytest.fixture(params=GAMES)
def game(request):
    return find_game(request.param)


def states(game, count=40):
    """A game that somebody plays at random."""
    state, rng = setup_of(game), random.Random(7)
    yield state
    for number in range(count):
        seat = game.to_act(state)
        if seat is None:
            return
        actions = game.legal(state, seat)
        action = next(iter(rng.choice(list(actions.choices))))
        state = adjudicate(game, state, seat, action, SeededSource({None: "5" * 64}, {None: number})).state
        yield state


def test_every_name_stands_in_its_own_place(game):
    for page in game.draw(setup_of(game)).pages:
        areas = {polygon.place: Area(polygon.points) for polygon in page.polygons if polygon.place}
        for polygon in page.polygons:
            if polygon.place and polygon.label and not polygon.solid:
                written = {"font-size": NAME_HEIGHT, **draw_place_name(polygon).attributes}
                x, y, size = (float(written[length]) for length in ("x", "y", "font-size"))
                half = LETTER * size * len(polygon.label) / 2
                text = box(x - half, y - 0.7 * size, x + half, y)
                assert areas[polygon.place].buffer(0.02).covers(text), f"{polygon.label} is not within its place"


def test_keys_are_names_that_last(game):
    """Two pictures differ by little, and who exchanges what differs has the second."""
    before = None
    for state in states(game):
        scene = game.draw(state)
        drawn = [draw_page_parts(page) for page in scene.pages]
        for page, named in zip(scene.pages, drawn, strict=True):
            names = sum(bool(polygon.label and not polygon.solid) for polygon in page.polygons)
            assert len(named) == len(page.polygons) + names + len(page.pieces) + bool(page.compass)
            assert not [key for key in named if "#" in key], "keys occur once"
        if before:
            for old, new in zip(before, drawn, strict=True):
                change = compare_parts(old, new)
                kept = {key: part for key, part in old.items() if key not in change.gone}
                assert kept | change.drawn == new
        before = drawn


def test_a_legend_tells_what_occurs(game):
    scene = game.draw(setup_of(game))
    told = [sample.means for sample in list_samples(scene)]
    assert len(told) == len(set(told)) > 2
    assert all(f">{means}<" in render_svg(scene) for means in told)
    assert not list_samples(Scene("", (), legend=scene.legend))


def test_seats_have_colours(game):
    assert set(setup_and_seats(game)) <= set(game.draw(setup_of(game)).seats)


def setup_and_seats(game):
    state = setup_of(game)
    return [seat for seat in [game.to_act(state)] if seat]


SQUARE = Polygon(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), place="a1")


def page(*pieces):
    return Scene("", (ScenePage("", (SQUARE,), pieces, ()),))


def at(x, y, label="B1", **more):
    return Piece(x, y, "blue", label, place=f"{x},{y}", **more)


@pytest.mark.parametrize(
    ("before", "after", "trail"),
    [
        ([at(1, 1)], [at(3, 1)], Trail((1, 1), (3, 1))),
        ([], [at(3, 1)], Trail(None, (3, 1))),
        ([at(1, 1)], [], Trail((1, 1), None)),
        ([at(1, 1, heading=0)], [at(1, 1, heading=60)], Trail((1, 1), (1, 1))),
        ([at(1, 1, "1", key="x"), at(8, 8, "1", key="z")], [at(2, 1, "1", key="y"), at(8, 8, "1", key="z")],
         Trail((1, 1), (2, 1))),
        ([at(1, 1, "2N", key="A", units=("n1", "n2"))],
         [at(1, 1, "1N", key="A", units=("n1",)), at(2, 2, "1N", key="B", units=("n2",))], Trail((1, 1), (2, 2))),
    ],
    ids=["moved", "come", "gone", "turned", "one of many alike", "left a stack"],
)  # fmt: skip
def test_what_the_last_move_has_changed(before, after, trail):
    scene = add_trails(page(*before), page(*after))
    assert scene.pages[0].trails == (trail,)
    assert any(key.startswith("trail ") for key in draw_page_parts(scene.pages[0]))


def test_counters_that_make_room_have_not_moved():
    before, after = (Piece(x, 1, "blue", "t1", place="H10") for x in (1.0, 1.4))
    assert not add_trails(page(before), page(after)).pages[0].trails


def test_a_heading_says_whose_turn_it_is_in_the_colour_of_the_seat():
    scene = Scene("", (), seats={"red": "red"}, heading="Turn 3: red to move", to_move="red")
    assert ">Turn 3: red to move<" in render_svg(scene)
    assert "<rect" in render_svg(scene)


def test_rings_badges_and_stacks_are_drawn():
    piece = Piece(1, 1, "red", "m", ring="blue", badge="^", units=("a", "b"), size=0.7)
    scene = Scene(
        "",
        (ScenePage("", (), (piece,), ()),),
        legend=(LegendItem("in flight", "red", badge="^", ring="blue", shape="round"),),
    )
    drawing = render_svg(scene)
    assert "scale(0.7)" in drawing
    assert ">^<" in drawing
    assert ">in flight<" in drawing
