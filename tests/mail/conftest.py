"""Games by mail in which somebody cheats."""

from __future__ import annotations

import pytest
from cheating import played


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    return played(tmp_path_factory.mktemp("table"), "red", "blue", turns=4)


@pytest.fixture
def both(table, tmp_path):
    """Who cheats, who has the pen, and whom he cheats."""
    cheat, honest = (player.twin(tmp_path / player.seat) for player in table)
    return cheat, honest
