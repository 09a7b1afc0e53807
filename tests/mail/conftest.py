"""Games by mail in which somebody cheats."""

from __future__ import annotations

import pytest
from cheating import played


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    return played(tmp_path_factory.mktemp("table"), "red", "blue", turns=4)


@pytest.fixture
def both(table, tmp_path):
    """Yields the cheat, who has the pen, and the player who is cheated."""
    cheat, honest = (player.twin(tmp_path / player.seat) for player in table)
    return cheat, honest
