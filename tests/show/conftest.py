"""Scenes of every shipped board, at the start and in the middle of a game."""

from __future__ import annotations

import random

import pytest
from checkered import setup_of

from referee.engine.adjudication import adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.registry import find_game
from referee.engine.scene import Layout, Polygon, Scene, ScenePage

GAME = find_game("manoover")
TABLES = {
    "base": {},
    "plus": {"form": "plus"},
    "three": {"form": "three"},
    "third-goals": {"goal-cells": "third"},
    "garage": {"edition": "crash"},
    "numbered-the-other-way": {"numbering": "right-to-left"},
}
PLAYED = (0, 12, 40)
"""How many actions lie behind the position."""


def setup(options):
    return setup_of(GAME, options)


def played(state, count):
    """A state after `count` actions that somebody chose at random."""
    rng = random.Random(count)
    for number in range(count):
        seat = GAME.to_act(state)
        if seat is None:
            break
        action = rng.choice(list(GAME.legal(state, seat)))
        state = adjudicate(GAME, state, seat, action, SeededSource({None: "5" * 64}, {None: number})).state
    return state


@pytest.fixture(params=[(name, count) for name in TABLES for count in PLAYED], ids=lambda pair: f"{pair[0]}-{pair[1]}")
def state(request):
    name, count = request.param
    return played(setup(TABLES[name]), count)


@pytest.fixture
def scene(state):
    return GAME.draw(state)


@pytest.fixture(params=TABLES)
def opening(request):
    """The scene before the first throw."""
    return GAME.draw(setup(TABLES[request.param]))


@pytest.fixture
def empty():
    """A function that makes scenes of our own, from nothing: parts of the scene, or of its only page."""

    def make(**parts):
        square = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), label="a1")
        own = {name: parts.pop(name) for name in ScenePage.__struct_fields__ if name in parts}
        page = ScenePage(**{"name": "", "polygons": (square,), "pieces": (), "layouts": (Layout(40, ()),), **own})
        return Scene(**{"title": "", "pages": (page,), **parts})

    return make
