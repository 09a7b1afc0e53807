"""What tests of Zombie Mutation share: the city, and random play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from support import Bench, load_toml

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.option_resolution import fill_options
from referee.engine.registry import find_game
from referee.games.zombies.board import Board

GAME = find_game("zombies")
CITY = load_toml(GAME.components[0].shipped({}))
CARDS = load_toml(GAME.components[1].shipped({}))
BOARD: Board = Bench(GAME).board(fill_options(GAME, {}))
LONGEST = 5_000
"""Actions in which any random game must have ended."""
FORMS = (
    {},
    {"players": "1", "mode": "solo"},
    {"players": "3", "start": "same"},
    {"players": "4", "mode": "teams"},
    {"players": "4", "helipad": "street"},
)


def built(city: dict[str, Any] | None = None, cards: dict[str, Any] | None = None) -> Board:
    """What two files hold; BoardError."""
    return GAME.build_board({"board": city or CITY, "components": cards or CARDS}, fill_options(GAME, {}))


def random_game(seed: int, given: dict[str, str]) -> Iterator[tuple[Any, Any, LegalVerdict]]:
    """A random game: each state, the action played in it, and what came of it."""
    random, options = Random(seed), fill_options(GAME, given)
    state, source = GAME.setup(options, BOARD), SeededSource({None: f"{seed:064x}"})
    for _ in range(LONGEST):
        seat = GAME.to_act(state)
        if seat is None:
            return
        action = GAME.legal(state, seat).pick(random)
        verdict = adjudicate(GAME, state, seat, action, source)
        assert isinstance(verdict, LegalVerdict), verdict
        yield state, action, verdict
        state = verdict.state
    raise AssertionError("a random game does not end")
