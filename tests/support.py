"""Help for tests of all kinds: paths, TOML, and states without a log."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from shutil import ignore_patterns
from typing import Any

import referee
from referee.engine.component import read_toml
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.engine.position import decode_position

ROOT = Path(__file__).parent.parent
PACKAGE = Path(referee.__file__).parent
"""The folder of the package under test: in the checkout, or where a wheel was installed."""
FIXTURES = ROOT / "fixtures"
LEFT_OUT = ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "*.egg-info")
"""Files that are left out when the project's tree is copied."""


def load_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


@lru_cache(maxsize=64)
def _board(game: AnyGame, options: tuple[tuple[str, str], ...]) -> Any:
    """Returns the shipped board for these options. Boards never change, so tests share them."""
    parts = {part.name: read_toml(part.shipped(dict(options))) for part in game.components}
    return game.build_board(parts, dict(options))


class Bench:
    """Sets up states of a game without any log."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def options(self, **given: str) -> dict[str, str]:
        return fill_options(self.game, {name.replace("_", "-"): value for name, value in given.items()})

    def board(self, options: dict[str, str]) -> Any:
        return _board(self.game, tuple(options.items()))

    def start(self, **given: str) -> Any:
        options = self.options(**given)
        assert not list(self.game.check_options(options))
        return self.game.setup(options, self.board(options))

    def place(self, position: dict[str, Any], **given: str) -> Any:
        options = self.options(**given)
        board = self.board(options)
        decoded = decode_position(self.game, position)
        assert not list(self.game.check_position(decoded, options, board))
        return self.game.state_from(decoded, options, board)
