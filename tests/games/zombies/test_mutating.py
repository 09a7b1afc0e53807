"""Exchanges of zombies: the list offers what the rules allow, and nothing else (mutate.2 to mutate.5)."""

from __future__ import annotations

from itertools import combinations

import pytest
from support import Bench

from referee.engine.registry import find_game
from referee.games.zombies.mutating import MutateZombies

GAME = find_game("zombies")
HERO = "Sd9"
HORDE = ("Sd10", "Se9", "Se10", "Sf9")
NEAR = ("Sd10", "Se9", "Se10", "Sf9", "Sf10", "Sb9", "Sc9", "Sc10")


@pytest.mark.parametrize(
    "levels", [(1, 1), (1, 2), (2, 3), (1, 1, 1), (1, 1, 2), (2, 2, 2), (1, 1, 2, 2), (1, 2, 3, 3)]
)
def test_exactly_the_exchanges_that_no_rule_forbids_are_listed(levels):
    squares = HORDE[: len(levels)]
    zombies = {
        f"l{level}": " ".join(square for square, one in zip(squares, levels, strict=True) if one == level)
        for level in levels
    }
    players = {
        "LEE": {"seat": "red", "at": "Sa13"},
        "AUG": {"seat": "blue", "at": HERO, "zombie": True, "horde": " ".join(squares)},
    }
    state = Bench(GAME).place({"players": players, "zombies": zombies, "turn": "blue", "phase": "horde"})
    tried = [
        MutateZombies(square, pair)
        for square in squares
        for pair in combinations(state.board.sort_squares(NEAR), 2)
        if square not in pair
    ]
    allowed = {action for action in tried if not any(GAME.check(state, "blue", action))}
    legal = GAME.legal(state, "blue")
    assert {action for action in tried if action in legal} == allowed
    assert not [
        action for action in legal if isinstance(action, MutateZombies) and any(GAME.check(state, "blue", action))
    ]
