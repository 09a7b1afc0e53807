"""The example games, found as if they were installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import EntryPoint
from types import ModuleType
from unittest.mock import patch

from support import ROOT

EXAMPLES = {name: ROOT / "examples" / name for name in ("race", "ambush")}
"""The folder of each example package: a first game, and a game with secrets."""


@contextmanager
def installed(game: str = "ambush") -> Iterator[ModuleType]:
    """Makes an example game known by its entry point for the block, and yields its module."""
    point = EntryPoint(game, f"{game}:GAME", "referee.games")
    with (
        patch.object(sys, "path", [str(EXAMPLES[game]), *sys.path]),
        patch("referee.engine.registry._find_entry_points", lambda: [point]),
    ):
        yield import_module(game)
