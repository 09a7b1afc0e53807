"""The laws of Hidden Movement, on random games: what is told is all that a spectator sees, and nobody learns more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from playing import BOARD, GAME, positions, random_action, random_options

from referee.engine.adjudicate import Played, fold
from referee.engine.game import REFEREE
from referee.games.mutants.board import is_square
from referee.games.mutants.hidden import told_of
from referee.games.mutants.state import other_side

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=4, deadline=None)
KINDS = [
    {"scenario": scenario, "bugging_out": bugging_out, "wall_reveal": reveal}
    for scenario in ("basic", "alternate")
    for bugging_out in ("no", "yes")
    for reveal in ("either-room", "on-contact")
]
KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(kind.values()))


def hidden_options(seed: int, **fixed: str) -> dict[str, str]:
    return random_options(Random(seed), hidden_movement="yes", **fixed)


def hidden_games(seed: int, kind: dict[str, str]) -> Iterator[tuple[Any, Any, Played]]:
    """A random game with Hidden Movement."""
    return positions(seed, hidden_options(seed, **kind))


def open_events(state: Any, action: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    """The events of a play that everybody may see."""
    disclosed = GAME.disclose(state, action, events)
    return events if disclosed is None else disclosed


@KIND
@FEW
@given(seed=SEEDS)
def test_the_public_view_follows_from_what_was_told(kind, seed):
    public = None
    for state, action, played in hidden_games(seed, kind):
        public = public or GAME.view(state, None)
        assert public == GAME.view(state, None)
        assert public.standing == GAME.view(state, None).standing
        public = GAME.view(fold(public, open_events(state, action, played.events)), None)
        assert list(public.at) == list(GAME.view(played.state, None).at) or played.state.outcome
        assert played.state.outcome or played.state.told == told_of(played.state)
    assert public is not None
    assert public.outcome == played.state.outcome


@KIND
@FEW
@given(seed=SEEDS)
def test_a_view_of_a_view_is_no_more(kind, seed):
    for state, _, _ in hidden_games(seed, kind):
        spectator = GAME.view(state, None)
        assert GAME.view(spectator, None) == spectator
        assert GAME.view(state, REFEREE) is state
        for seat in ("human", "mutant"):
            own = GAME.view(state, seat)
            assert GAME.view(own, seat) == own
            assert GAME.view(own, None) == spectator
            assert GAME.view(GAME.view(spectator, seat), None) == spectator
