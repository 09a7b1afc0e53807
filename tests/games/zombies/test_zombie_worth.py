"""The rule of thumb for bots: what it looks at."""

import pytest
from msgspec.structs import replace

import referee
from referee.games.zombies.worth import _estimate_own_worth


@pytest.fixture
def begun():
    game = referee.table("zombies", {"players": "2"}, seed="4" * 64)
    while not game.state.players:
        game.do(next(iter(game.legal())))
    return game


def own(game, health):
    player = next(iter(game.state.players.values()))
    return _estimate_own_worth(game.state, replace(player, health=health))


def test_who_is_well_dares_more(begun):
    """A wound costs more the less health is left."""
    assert own(begun, 3) - own(begun, 2) > own(begun, 9) - own(begun, 8) > 0
