"""What all tests share: paths, positions as data, and games to play."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from referee.engine.game import Game, decode_position, find_game, settle_options

SLOW = [HealthCheck.too_slow]
settings.register_profile("suite", max_examples=300, deadline=None, suppress_health_check=SLOW)
settings.register_profile("thorough", max_examples=10_000, deadline=None, suppress_health_check=SLOW)
settings.load_profile("suite")

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"


def load_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


class Bench:
    """Sets up states of a game without any log."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def options(self, **given: str) -> dict[str, str]:
        return settle_options(self.game, {name.replace("_", "-"): value for name, value in given.items()})

    def board(self, options: dict[str, str]) -> Any:
        return self.game.parse_board(load_toml(self.game.board_file(options)))

    def start(self, **given: str) -> Any:
        options = self.options(**given)
        assert not list(self.game.check_options(options))
        return self.game.setup(options, self.board(options))

    def place(self, position: dict[str, Any], **given: str) -> Any:
        options = self.options(**given)
        board = self.board(options)
        decoded = decode_position(self.game, position)
        assert not list(self.game.check_position(decoded, options, board))
        return self.game.place(decoded, options, board)


@pytest.fixture(scope="session")
def manoover() -> Bench:
    return Bench(find_game("manoover"))
